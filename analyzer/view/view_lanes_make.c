/*
 * The page's numbers are the analyzer's, so its analyses are run along with the view's own pass,
 * and what they found is laid out so that any part of it is found at once.
 */
#include "analyzer/view/view_lanes_make.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/comms/comm_timeline.h"
#include "analyzer/analysis/counters/between.h"
#include "analyzer/analysis/counters/sums.h"
#include "formats/base/order.h"

enum { TRACKS, COMMS, MARKERS };

const struct mwa_analysis *const mwa_view_lane_analyses[MWA_VIEW_LANE_ANALYSES] = {
    [TRACKS] = &mwa_tracks_analysis,
    [COMMS] = &mwa_comms_analysis,
    [MARKERS] = &mwa_markers_analysis
};

/* Bytes in flight become more, or less. */
struct change {
    uint64_t time;
    double by;
    uint32_t comm;
    uint32_t padding;
};

enum mw_status mwa_view_lanes_begin(struct mwa_view_lanes_making *making,
                                    struct mw_diagnostic *diagnostic)
{
    *making = (struct mwa_view_lanes_making){ .totals = { NULL } };
    return mwa_view_array_init(&making->changes, sizeof(struct change), diagnostic);
}

void mwa_view_lanes_end(struct mwa_view_lanes_making *making)
{
    for (unsigned i = 0; i < MWA_VIEW_LANE_ANALYSES; i++) {
        mwa_partial_destroy(mwa_view_lane_analyses[i], making->totals[i]);
    }
    mwa_level_marks_fini(&making->levels);
    mwa_view_array_fini(&making->changes);
}

enum mw_status mwa_view_lanes_take(void *user, const struct mwa_level_series *series,
                                   const struct mwa_level_change *change)
{
    struct mwa_view_lanes_making *making = user;
    enum mw_status status;

    if (series->kind != MWA_LEVEL_FLIGHT) {
        return MW_OK;
    }
    status = mwa_view_array_add(&making->changes, 1, &making->diagnostic);
    if (status == MW_OK) {
        *(struct change *)mwa_view_array_at(&making->changes, making->changes.count - 1) =
            (struct change){ .time = change->time, .by = change->by, .comm = series->comm };
    }
    return status;
}

/* --- series --------------------------------------------------------------------------------- */

static enum mw_status add_series(struct mwa_view_series_list *list,
                                 const struct mwa_view_series *series, uint64_t steps,
                                 struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_view_array_add(&list->list, 1, diagnostic);
    struct mwa_view_series *added;
    struct mwa_view_array *array;

    if (status == MW_OK) {
        added = mwa_view_series_at(list, list->list.count - 1);
        *added = *series;
        array = series->kind == MWA_VIEW_VARIABLE ? &list->steps : &list->points;
        added->first = array->count;
        added->count = steps;
        status = mwa_view_array_add(array, steps, diagnostic);
    }
    return status;
}

static enum mw_status close_last(struct mwa_view_series_list *list,
                                 struct mw_diagnostic *diagnostic)
{
    return mwa_view_series_close(list, list->list.count - 1, diagnostic);
}

/* Where the value was since the sample before, as series of export --csv have it. */
static struct mwa_view_step step_of(const struct mwa_tracks *tracks,
                                    const struct mwa_track *track, uint64_t n)
{
    const struct mwa_sample *sample = &track->samples[n];
    const bool is_sum = MW_CLASS_IS_SUM(track->class);
    struct mwa_view_step step = { .time = sample->time,
                                  .since = sample->time,
                                  .value = sample->value,
                                  .low = sample->value,
                                  .high = sample->value };

    if (n == 0 || !mwa_track_is_observed(track, n - 1)) {
        step.flags = MWA_VIEW_UNSEEN;
    } else {
        const struct mwa_between between = mwa_track_between(track, n - 1, is_sum);

        step.since = between.since;
        step.low = between.low;
        step.high = between.high;
        step.flags = mwa_track_bounds(tracks, track, n, is_sum).is_known ? MWA_VIEW_KNOWN : 0;
    }
    return step;
}

static bool is_same_variable(const struct mwa_track *one, const struct mwa_track *other)
{
    return one->metric == other->metric && one->value == other->value &&
           one->comm == other->comm && one->object == other->object;
}

static enum mw_status add_track(struct mwa_view_series_list *list, const struct mwa_tracks *tracks,
                                const struct mwa_track *track, uint32_t group,
                                struct mw_diagnostic *diagnostic)
{
    const struct mwa_view_series series = { .kind = MWA_VIEW_VARIABLE,
                                            .group = group,
                                            .rank = track->rank,
                                            .comm = track->comm,
                                            .metric = track->metric,
                                            .value = track->value,
                                            .object = track->object,
                                            .location = track->location,
                                            .class = (uint32_t)track->class };
    enum mw_status status = add_series(list, &series, track->count, diagnostic);

    for (uint64_t n = 0; n < track->count && status == MW_OK; n++) {
        *(struct mwa_view_step *)mwa_view_array_at(
            &list->steps, list->steps.count - track->count + n) = step_of(tracks, track, n);
    }
    return status == MW_OK ? close_last(list, diagnostic) : status;
}

static enum mw_status add_tracks(struct mwa_view_series_list *list,
                                 const struct mwa_tracks *tracks,
                                 struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;
    uint32_t group = 0;

    for (uint64_t i = 0; i < tracks->count && status == MW_OK; i++) {
        group += i > 0 && !is_same_variable(&tracks->list[i - 1], &tracks->list[i]);
        status = add_track(list, tracks, &tracks->list[i], group, diagnostic);
    }
    return status;
}

/* The value from time on; after all changes of a time it is one value. */
static void put_step(struct mwa_view_series_list *list, struct mwa_view_series *series,
                     uint64_t time, double value)
{
    struct mwa_view_point *next = mwa_view_point_at(list, series, series->count);

    if (series->count > 0 && next[-1].time == time) {
        next[-1].value = value;
        return;
    }
    *next = (struct mwa_view_point){ time, value };
    series->count++;
}

/* Of a communicator, while changes are gone through. */
struct flight {
    uint64_t series; /* 1 and its number; 0: it has none */
    uint64_t changes;
    double value;
    bool is_all; /* there are no others: its points are those of all */
};

static enum mw_status add_flights(const struct mwa_view_array *changes,
                                  struct mwa_view_series_list *list, struct flight *flights,
                                  uint64_t count, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (uint64_t n = 0; n < changes->count; n++) {
        const uint32_t comm = ((const struct change *)mwa_view_array_at(changes, n))->comm;

        flights[0].changes++;
        flights[comm < count - 1 ? comm + 1 : 0].changes += comm < count - 1;
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        const struct mwa_view_series series = { .kind = MWA_VIEW_FLIGHT,
                                                .group = (uint32_t)i,
                                                .rank = MWA_NONE,
                                                .comm = i > 0 ? (uint32_t)i - 1 : MWA_NONE };

        const bool is_all = i > 0 && flights[i].changes == flights[0].changes;

        if (flights[i].changes > 0) {
            status = add_series(list, &series, is_all ? 0 : flights[i].changes, diagnostic);
            flights[i].series = list->list.count;
            flights[i].is_all = is_all;
            mwa_view_series_at(list, list->list.count - 1)->count = 0;
        }
    }
    return status;
}

static void share(const struct mwa_view_series *from, struct mwa_view_series *to)
{
    to->first = from->first;
    to->count = from->count;
    to->nodes = from->nodes;
}

static enum mw_status make_flights(const struct mwa_view_array *changes,
                                   const struct mwa_trace *trace,
                                   struct mwa_view_series_list *list,
                                   struct mw_diagnostic *diagnostic)
{
    const uint64_t count = trace->comm_count + 1;
    struct flight *flights = calloc(count, sizeof *flights);
    enum mw_status status = flights ? add_flights(changes, list, flights, count, diagnostic)
                                    : mw_no_memory(diagnostic, NULL, "for the communicators");

    for (uint64_t n = 0; n < changes->count && status == MW_OK; n++) {
        const struct change *change = mwa_view_array_at(changes, n);
        const uint64_t both[] = { 0, change->comm < count - 1 ? change->comm + 1 : 0 };

        for (unsigned i = 0; i < (both[1] > 0 && !flights[both[1]].is_all ? 2 : 1); i++) {
            struct flight *flight = &flights[both[i]];

            flight->value += change->by;
            put_step(list, mwa_view_series_at(list, flight->series - 1), change->time,
                     flight->value);
        }
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        if (flights[i].is_all) {
            share(mwa_view_series_at(list, flights[0].series - 1),
                  mwa_view_series_at(list, flights[i].series - 1));
        } else if (flights[i].series > 0) {
            status = mwa_view_series_close(list, flights[i].series - 1, diagnostic);
        }
    }
    free(flights);
    return status;
}

/* --- communicators -------------------------------------------------------------------------- */

static enum mw_status add_alive(struct mwa_view_series_list *list, const struct mwa_trace *trace,
                                const struct mwa_comm_timeline *timeline,
                                struct mw_diagnostic *diagnostic)
{
    const struct mwa_view_series alive = { .kind = MWA_VIEW_ALIVE, .rank = MWA_NONE,
                                           .comm = MWA_NONE };
    enum mw_status status = add_series(list, &alive, timeline->alive_count, diagnostic);
    struct mwa_view_series *series;

    if (status != MW_OK) {
        return status;
    }
    series = mwa_view_series_at(list, list->list.count - 1);
    series->count = 0;
    for (uint64_t i = 0; i < timeline->alive_count; i++) {
        put_step(list, series, mwa_trace_first_at(trace, timeline->alive[i].t_ns),
                 (double)timeline->alive[i].count);
    }
    return close_last(list, diagnostic);
}

static enum mw_status add_lives(struct mwa_view_lanes *lanes,
                                const struct mwa_comm_timeline *timeline,
                                struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_view_array_add(&lanes->lives, timeline->count, diagnostic);
    int64_t until = INT64_MIN;

    for (uint64_t i = 0; i < timeline->count && status == MW_OK; i++) {
        const struct mwa_comm_row *row = timeline->lanes[i].row;
        const int64_t freed = row->has_freed ? row->freed_ns : INT64_MAX;

        until = freed > until ? freed : until;
        *(struct mwa_view_life *)mwa_view_array_at(&lanes->lives, i) =
            (struct mwa_view_life){ .created = row->has_created ? row->created_ns : INT64_MIN,
                                    .freed = freed,
                                    .until = until,
                                    .comm = row->comm,
                                    .has_created = row->has_created,
                                    .has_freed = row->has_freed };
    }
    return status;
}

static enum mw_status make_lives(struct mwa_view_store *store, const struct mwa_comms *comms,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_comm_activity none = { .count = 0 };
    const struct mwa_window window = { store->from, store->to, 1 };
    struct mwa_comm_timeline timeline;
    enum mw_status status =
        mwa_comm_timeline_make(store->trace, &window, comms, &none, NULL, &timeline);

    if (status != MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for the communicators");
    }
    if (status == MW_OK) {
        status = add_alive(&store->series, store->trace, &timeline, diagnostic);
    }
    if (status == MW_OK) {
        status = add_lives(&store->lanes, &timeline, diagnostic);
    }
    mwa_comm_timeline_fini(&timeline);
    return status;
}

/* --- marks ---------------------------------------------------------------------------------- */

static enum mw_status add_mark(struct mwa_view_lanes *lanes, const struct mwa_view_mark *mark,
                               struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_view_array_add(&lanes->marks, 1, diagnostic);

    if (status == MW_OK) {
        *(struct mwa_view_mark *)mwa_view_array_at(&lanes->marks, lanes->marks.count - 1) = *mark;
    }
    return status;
}

static enum mw_status add_marker(struct mwa_view_lanes *lanes, const struct mwa_marker *marker,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_view_mark mark = { .from = marker->time,
                                        .to = marker->time,
                                        .text = lanes->texts.count,
                                        .kind = MWA_VIEW_MARKER,
                                        .rank = marker->rank };
    const size_t bytes = strlen(marker->text) + 1;
    enum mw_status status = mwa_view_array_add(&lanes->texts, bytes, diagnostic);

    if (status == MW_OK) {
        memcpy(mwa_view_array_at(&lanes->texts, mark.text), marker->text, bytes);
        status = add_mark(lanes, &mark, diagnostic);
    }
    return status;
}

/* What mpiwatch says of a rank's record. */
static enum mw_status add_of_rank(struct mwa_view_store *store, uint32_t row,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mwa_view_location *location = &store->locations[store->rows[row]];
    const uint32_t number = store->trace->locations[store->rows[row]].rank;
    const struct mwa_rank *rank = &store->trace->ranks[number];
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < location->pause_count && status == MW_OK; i++) {
        const struct mwa_view_mark mark = { .from = location->pauses[i].from,
                                            .to = location->pauses[i].to,
                                            .kind = MWA_VIEW_PAUSED,
                                            .rank = number };

        status = add_mark(&store->lanes, &mark, diagnostic);
    }
    if (rank->lost > 0 && location->first <= location->last && status == MW_OK) {
        const struct mwa_view_mark mark = { .from = location->first,
                                            .to = location->last,
                                            .text = rank->lost,
                                            .kind = MWA_VIEW_LOST,
                                            .rank = number };

        status = add_mark(&store->lanes, &mark, diagnostic);
    }
    if (rank->incomplete && location->first <= location->last && status == MW_OK) {
        const struct mwa_view_mark mark = { .from = location->last,
                                            .to = location->last,
                                            .kind = MWA_VIEW_CUT,
                                            .rank = number };

        status = add_mark(&store->lanes, &mark, diagnostic);
    }
    return status;
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_view_mark *a = one, *b = other;

    return mw_order(a->from, b->from) ?: mw_order(a->kind, b->kind) ?:
           mw_order(a->rank, b->rank) ?: mw_order(a->text, b->text);
}

static enum mw_status make_marks(struct mwa_view_store *store, const struct mwa_markers *markers,
                                 struct mw_diagnostic *diagnostic)
{
    struct mwa_view_array *marks = &store->lanes.marks;
    enum mw_status status = MW_OK;
    uint64_t until = 0;

    for (uint64_t i = 0; i < markers->count && status == MW_OK; i++) {
        status = add_marker(&store->lanes, &markers->list[i], diagnostic);
    }
    for (uint32_t row = 0; row < store->main_count && status == MW_OK; row++) {
        status = add_of_rank(store, row, diagnostic);
    }
    if (status == MW_OK && marks->count > 1) {
        qsort(marks->data, marks->count, marks->item, by_time);
    }
    for (uint64_t i = 0; i < marks->count && status == MW_OK; i++) {
        struct mwa_view_mark *mark = mwa_view_array_at(marks, i);

        until = mark->to > until ? mark->to : until;
        mark->until = until;
    }
    return status;
}

/* --- all of it ------------------------------------------------------------------------------ */

static enum mw_status make_variables(struct mwa_view_lanes_making *making,
                                     struct mwa_view_store *store,
                                     struct mw_diagnostic *diagnostic)
{
    struct mwa_tracks tracks = { 0 };
    enum mw_status status = mwa_tracks_analysis.finish(making->totals[TRACKS], &tracks);

    if (status == MW_OK) {
        status = mwa_sums_rebuild(store->trace, &tracks);
    }
    status = status == MW_OK ? add_tracks(&store->series, &tracks, diagnostic)
                             : mw_no_memory(diagnostic, NULL, "for the variables");
    mwa_tracks_fini(&tracks);
    return status;
}

enum mw_status mwa_view_lanes_make(struct mwa_view_lanes_making *making,
                                   struct mwa_view_store *store,
                                   struct mw_diagnostic *diagnostic)
{
    struct mwa_markers markers = { 0 };
    struct mwa_comms comms = { 0 };
    enum mw_status status = make_variables(making, store, diagnostic);

    if (status == MW_OK &&
        (mwa_comms_analysis.finish(making->totals[COMMS], &comms) != MW_OK ||
         mwa_markers_analysis.finish(making->totals[MARKERS], &markers) != MW_OK)) {
        status = mw_no_memory(diagnostic, NULL, "for the lanes");
    }
    if (status == MW_OK) {
        status = make_lives(store, &comms, diagnostic);
    }
    if (status == MW_OK) {
        status = make_flights(&making->changes, store->trace, &store->series, diagnostic);
    }
    if (status == MW_OK) {
        status = make_marks(store, &markers, diagnostic);
    }
    mwa_comms_fini(&comms);
    mwa_markers_fini(&markers);
    return status;
}
