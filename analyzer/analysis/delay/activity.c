#include "analyzer/analysis/delay/activity_state.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

/* Gives a region's activity, or none's, the next number. */
static void number(struct mwa_activities *activities, uint64_t region)
{
    uint32_t given = activities->count < SHARED ? activities->count : SHARED;

    activities->numbers[region] = (uint8_t)given;
    activities->regions[given] = given == SHARED ? MWA_NONE : (uint32_t)region;
    activities->count = given + 1;
}

/* None, calls of MPI, regions of the program. */
static void number_all(struct mwa_activities *activities)
{
    const struct mwa_trace *trace = activities->trace;

    number(activities, trace->region_count);
    for (unsigned is_user = 0; is_user < 2; is_user++) {
        for (uint32_t i = 0; i < trace->region_count; i++) {
            if ((trace->regions[i].kind == MWA_REGION_USER) == is_user) {
                number(activities, i);
            }
        }
    }
}

struct mwa_activities *mwa_activities_create(const struct mwa_trace *trace)
{
    struct mwa_activities *activities = calloc(1, sizeof *activities);

    if (!activities) {
        return NULL;
    }
    activities->trace = trace;
    for (size_t i = 0; i < MWA_ACTIVITIES / MARK_STEP; i++) {
        activities->marks[i].size =
            sizeof(struct mwa_mark) + (i + 1) * MARK_STEP * sizeof(uint64_t);
    }
    activities->tracks = calloc(trace->rank_count + 1, sizeof *activities->tracks);
    activities->numbers = malloc(trace->region_count + 1);
    if (!activities->tracks || !activities->numbers) {
        mwa_activities_destroy(activities);
        return NULL;
    }
    for (uint64_t i = 0; i <= trace->region_count; i++) {
        activities->numbers[i] = UINT8_MAX;
    }
    if (trace->region_count >= SHARED) {
        number_all(activities);
    }
    return activities;
}

void mwa_activities_destroy(struct mwa_activities *activities)
{
    if (!activities) {
        return;
    }
    for (uint64_t i = 0; activities->tracks && i < activities->trace->rank_count; i++) {
        free(activities->tracks[i].open);
        free(activities->tracks[i].ahead.list);
        free(activities->tracks[i].ticks);
        free(activities->tracks[i].ends);
        free((void *)(uintptr_t)activities->tracks[i].origin.ticks);
        mwa_mark_drop(activities->tracks[i].last);
        mwa_mark_drop(activities->tracks[i].pending);
    }
    for (size_t i = 0; i < MWA_ACTIVITIES / MARK_STEP; i++) {
        mwa_pool_fini(&activities->marks[i]);
    }
    free(activities->tracks);
    free(activities->numbers);
    free(activities);
}

uint32_t mwa_activity_count(const struct mwa_activities *activities)
{
    return activities->count;
}

uint32_t mwa_activity_region(const struct mwa_activities *activities, uint32_t activity)
{
    return activities->regions[activity];
}

uint32_t mwa_activity_number(struct mwa_activities *activities, uint64_t region)
{
    if (activities->numbers[region] == UINT8_MAX) {
        number(activities, region);
    }
    return activities->numbers[region];
}

uint32_t mwa_activity_of(struct mwa_activities *activities, const struct mwa_region *call)
{
    return mwa_activity_number(activities, call ? (uint64_t)(call - activities->trace->regions)
                                      : activities->trace->region_count);
}

uint32_t mwa_activity_adopt(struct mwa_activities *activities, const struct mwa_activities *others,
                            uint32_t activity)
{
    const uint32_t region = others->regions[activity];

    return region == MWA_NONE ? activity : mwa_activity_number(activities, region);
}

void mwa_activities_pack(const struct mwa_activities *activities, struct mw_buffer *to)
{
    mwa_pack_array(to, activities->regions, activities->count, sizeof *activities->regions);
}

/* Whether these can be what numbers mean: the last one of all is shared, no other is. */
static bool are_meanings(const struct mwa_trace *trace, const uint32_t *regions, uint64_t count)
{
    bool are = count <= MWA_ACTIVITIES;

    for (uint64_t i = 0; i < count && are; i++) {
        are = i == SHARED ? regions[i] == MWA_NONE : regions[i] <= trace->region_count;
    }
    return are;
}

enum mw_status mwa_activities_unpack(struct mwa_activities *activities, struct mw_cursor *from)
{
    uint32_t *regions = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_array(from, &regions, &count, sizeof *regions);

    if (status == MW_OK && !are_meanings(activities->trace, regions, count)) {
        status = MW_ERROR_FORMAT;
    }
    if (status == MW_OK) {
        memcpy(activities->regions, regions, count * sizeof *regions);
        activities->count = (uint32_t)count;
        for (uint32_t i = 0; i < count && i < SHARED; i++) {
            activities->numbers[regions[i]] = (uint8_t)i;
        }
    }
    free(regions);
    return status;
}

/* The track of a main thread, null of others. */
static struct track *track_of(struct mwa_activities *activities, uint32_t location)
{
    const struct mwa_location *place = &activities->trace->locations[location];

    return place->master && place->rank != MWA_NONE ? &activities->tracks[place->rank] : NULL;
}

/* --- the past ----------------------------------------------------------------------------- */

static uint64_t end_of(const struct track *track, uint64_t number)
{
    return track->ends[number & (track->kept_capacity - 1)];
}

static const struct stretch *kept_at(const struct track *track, uint64_t number)
{
    return &track->kept[number & (track->kept_capacity - 1)];
}

/* Room for one more stretch. */
static bool make_room(struct track *track)
{
    const uint64_t bigger = track->kept_capacity > 0 ? track->kept_capacity * 2 : 16;
    uint64_t *ends;
    struct stretch *kept;

    if (track->end_kept - track->first_kept < track->kept_capacity) {
        return true;
    }
    ends = malloc(bigger * (sizeof *ends + sizeof *kept));
    if (!ends) {
        return false;
    }
    kept = (struct stretch *)(ends + bigger);
    for (uint64_t i = track->first_kept; i < track->end_kept; i++) {
        ends[i & (bigger - 1)] = end_of(track, i);
        kept[i & (bigger - 1)] = *kept_at(track, i);
    }
    free(track->ends);
    track->ends = ends;
    track->kept = kept;
    track->kept_capacity = bigger;
    return true;
}

void mwa_activities_forget(struct mwa_activities *activities)
{
    for (uint64_t i = 0; i < activities->trace->rank_count; i++) {
        struct track *track = &activities->tracks[i];

        if (track->end_kept - track->first_kept > MWA_ACTIVITY_KEPT) {
            track->first_kept = track->end_kept - MWA_ACTIVITY_KEPT;
            track->since = end_of(track, track->first_kept - 1);
        }
    }
}

void mwa_activity_set_pending(struct track *track, uint32_t activity, uint64_t leave)
{
    if (track->pending) {
        track->pending->activity = activity;
        track->pending->leave = leave;
        mwa_mark_drop(track->pending);
        track->pending = NULL;
    }
}

/* The track comes to end, doing this. Of calls those are kept, too, that take no time. */
static enum mw_status go_on(struct track *track, uint64_t end, uint32_t activity, bool is_call,
                            bool begins_call)
{
    uint64_t at;

    end = end > track->at ? end : track->at;
    if (end == track->at && !is_call) {
        return MW_OK;
    }
    if (end > track->at) {
        mwa_activity_set_pending(track, activity, 0);
    }
    if (!track->running) {
        track->at = end;
        return MW_OK;
    }
    if (!make_room(track) ||
        !mwa_grow(&track->ticks, &track->tick_capacity, activity + 1u, sizeof *track->ticks)) {
        return MW_ERROR_MEMORY;
    }
    track->ticks[activity] += end - track->at;
    at = track->end_kept++ & (track->kept_capacity - 1);
    track->ends[at] = end;
    track->kept[at].activity = (uint8_t)activity;
    track->kept[at].entered = !begins_call ? NO_CALL : is_call ? WHOLE_CALL : PART_OF_CALL;
    track->at = end;
    return MW_OK;
}

uint32_t mwa_activity_innermost(struct mwa_activities *activities, const struct track *track)
{
    return mwa_activity_number(activities, track->depth > 0 ? track->open[track->depth - 1]
                                                            : activities->trace->region_count);
}

static enum mw_status compute(struct mwa_activities *activities, struct track *track,
                              uint64_t end, bool begins_call)
{
    return go_on(track, end, mwa_activity_innermost(activities, track), false, begins_call);
}

/* The run begins here: of what was before, all is this activity's. */
static enum mw_status begin_run(struct mwa_activities *activities, struct track *track,
                                uint32_t activity)
{
    uint64_t first = activities->trace->clock_offset;

    if (!mwa_grow(&track->ticks, &track->tick_capacity, activity + 1u, sizeof *track->ticks)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < track->tick_capacity; i++) {
        track->ticks[i] = 0;
    }
    track->ticks[activity] = track->at > first ? track->at - first : 0;
    track->first_kept = 0;
    track->end_kept = 0;
    track->since = track->at;
    track->begun = track->at;
    track->running = true;
    return MW_OK;
}

static enum mw_status take(struct mwa_activities *activities, struct track *track,
                           const struct mwa_waypoint *waypoint)
{
    enum mw_status status = MW_OK;

    if (waypoint->kind == MWA_WAYPOINT_FIRST) {
        track->at = waypoint->time;
        return begin_run(activities, track,
                         mwa_activity_number(activities, activities->trace->region_count));
    }
    if (!track->in_call) {
        status = compute(activities, track, waypoint->time, false);
    }
    switch (waypoint->kind) {
    case MWA_WAYPOINT_ENTER:
        if (!mwa_grow(&track->open, &track->open_capacity, track->depth + 1,
                      sizeof *track->open)) {
            return MW_ERROR_MEMORY;
        }
        track->open[track->depth++] = waypoint->region;
        break;
    case MWA_WAYPOINT_LEAVE:
        track->depth -= track->depth > 0;
        break;
    case MWA_WAYPOINT_USEFUL:
        track->useful_in_call += waypoint->ticks;
        break;
    case MWA_WAYPOINT_FIRST:
    case MWA_WAYPOINT_LAST:
        break;
    }
    return status;
}

enum mw_status mwa_activity_take_ahead(struct mwa_activities *activities, struct track *track,
                                       uint64_t time, bool inclusive)
{
    const struct mwa_waypoint *waypoint;
    enum mw_status status = MW_OK;

    while (status == MW_OK &&
           (waypoint = mwa_waypoints_ahead_take(&track->ahead, time, inclusive)) != NULL) {
        status = take(activities, track, waypoint);
    }
    return status;
}

/* Takes the waypoints before time, and those of useful time at it; all up to it if inclusive. Most
 * calls have none. */
static inline enum mw_status catch_up(struct mwa_activities *activities, struct track *track,
                                      uint64_t time, bool inclusive)
{
    return track->ahead.first < track->ahead.end
               ? mwa_activity_take_ahead(activities, track, time, inclusive)
               : MW_OK;
}

enum mw_status mwa_activities_waypoint(struct mwa_activities *activities, uint32_t location,
                                       const struct mwa_waypoint *waypoint)
{
    struct track *track = track_of(activities, location);

    if (!track) {
        return MW_OK;
    }
    return mwa_waypoints_ahead_add(&track->ahead, waypoint);
}

enum mw_status mwa_activities_begin(struct mwa_activities *activities,
                                    const struct mwa_exchange_call *call)
{
    struct track *track = track_of(activities, call->location);
    enum mw_status status;

    if (!track) {
        return MW_OK;
    }
    status = catch_up(activities, track, call->enter, true);
    if (status == MW_OK) {
        status = compute(activities, track, call->enter, false);
    }
    if (MW_UNLIKELY(activities->start && !track->origin.ticks) && status == MW_OK) {
        status = mwa_activity_keep_origin(activities, track);
    }
    track->in_call = true;
    track->useful_in_call = 0;
    track->current = mwa_activity_of(activities, call->region);
    return status;
}

enum mw_status mwa_activities_end(struct mwa_activities *activities,
                                  const struct mwa_exchange_call *call)
{
    struct track *track = track_of(activities, call->location);
    enum mw_status status;
    uint64_t useful;

    if (!track) {
        return MW_OK;
    }
    status = catch_up(activities, track, call->leave, false);
    track->in_call = false;
    if (call->leave > track->at) {
        mwa_activity_set_pending(track, track->current, call->leave);
    }
    useful = call->leave > track->at ? call->leave - track->at : 0;
    useful = track->useful_in_call < useful ? track->useful_in_call : useful;
    useful = call->is_row ? 0 : useful; /* who asks all the time waits in between, too */
    if (status == MW_OK && useful > 0) {
        status = compute(activities, track, track->at + useful, true);
    }
    if (status == MW_OK) {
        status = go_on(track, call->leave, track->current, true, useful == 0);
    }
    return status == MW_OK && call->region && call->region->kind == MWA_REGION_INIT
               ? begin_run(activities, track, track->current)
               : status;
}

/* --- marks -------------------------------------------------------------------------------- */

struct mwa_mark *mwa_mark_hold(struct mwa_mark *mark)
{
    if (mark) {
        mark->holders++;
    }
    return mark;
}

void mwa_mark_drop(struct mwa_mark *mark)
{
    if (mark && --mark->holders == 0) {
        mwa_pool_give(mark->home, mark);
    }
}

/* Whether stretch number i is of a call: *last is then the stretch that ends it. */
static bool is_of_call(const struct track *track, uint64_t i, uint64_t *last)
{
    const bool is_rest = i > track->first_kept && kept_at(track, i - 1)->entered == PART_OF_CALL;

    *last = kept_at(track, i)->entered == PART_OF_CALL ? i + 1 : i;
    return *last < track->end_kept && (is_rest || kept_at(track, i)->entered != NO_CALL);
}

/* Takes back from mark what the track has done since its time; finds the call made then. */
static void go_back(const struct track *track, struct mwa_mark *mark)
{
    uint64_t i = track->end_kept;
    uint64_t end = i > track->first_kept ? end_of(track, i - 1) : mark->time;
    uint64_t call;

    while (end > mark->time && i-- > track->first_kept) {
        const uint64_t begin = i > track->first_kept ? end_of(track, i - 1) : track->since;
        const uint64_t from = begin > mark->time ? begin : mark->time;

        mark->ticks[kept_at(track, i)->activity] -= end - from;
        end = begin;
    }
    if (i < track->end_kept && end <= mark->time) {
        mark->activity = kept_at(track, i)->activity;
        if (is_of_call(track, i, &call)) {
            mark->leave = end_of(track, call);
            mark->activity = kept_at(track, call)->activity;
        }
    }
}

bool mwa_activities_have_reached(const struct mwa_activities *activities, uint32_t rank,
                                 uint64_t time)
{
    const struct track *track = &activities->tracks[rank];

    return track->at > time || (track->at == time && track->in_call);
}

bool mwa_activities_have_lacked(const struct mwa_activities *activities)
{
    return activities->have_lacked;
}

enum mw_status mwa_activities_mark(struct mwa_activities *activities, uint32_t rank,
                                   uint64_t time, struct mwa_mark **mark)
{
    struct track *track = &activities->tracks[rank];
    uint64_t count = activities->count < track->tick_capacity ? activities->count
                                                              : track->tick_capacity;
    struct mwa_pool *home = &activities->marks[count > 0 ? (count - 1) / MARK_STEP : 0];
    struct mwa_mark *made;

    *mark = NULL;
    if (!track->running || time < track->since) {
        activities->have_lacked |=
            activities->start || /* the chapter before knows */
            (track->running && track->first_kept > 0 && time >= track->begun);
        return MW_OK;
    }
    made = track->pending && track->pending->time == time ? track->pending : track->last;
    if (made && made->time == time) {
        *mark = mwa_mark_hold(made);
        return MW_OK;
    }
    made = mwa_pool_take(home);
    if (!made) {
        return MW_ERROR_MEMORY;
    }
    made->home = home;
    made->holders = 2;
    made->time = time;
    made->count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        made->ticks[i] = track->ticks[i];
    }
    made->activity = track->current;
    if (time > track->at && track->in_call && track->current < count) {
        made->ticks[track->current] += time - track->at;
    }
    go_back(track, made);
    mwa_mark_drop(track->last);
    track->last = made;
    if (time == track->at) {
        mwa_mark_drop(track->pending);
        track->pending = mwa_mark_hold(made);
    }
    *mark = made;
    return MW_OK;
}
