#include "analyzer/analysis/counters/tracks.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/counters/sums.h"
#include "analyzer/team/packing.h"
#include "formats/archive/archive_words.h"
#include "formats/base/order.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_map index; /* of tracks */
    struct mwa_track *tracks;
    uint64_t count, capacity;
    struct mwa_gap *gaps;
    uint64_t gap_count, gap_capacity;
};

static void fini(void *data)
{
    struct partial *partial = data;

    for (uint64_t i = 0; i < partial->count; i++) {
        free(partial->tracks[i].samples);
        free(partial->tracks[i].courses);
    }
    free(partial->tracks);
    free(partial->gaps);
    mwa_map_fini(&partial->index);
}

/* The track of these, made if it is new; null without memory. */
static struct mwa_track *track_of(struct partial *partial, const struct mwa_track *wanted)
{
    /* A metric is bound to objects of one kind. */
    uint32_t bound = wanted->comm != MWA_NONE     ? wanted->comm
                     : wanted->object != MWA_NONE ? wanted->object
                                                  : wanted->location;
    struct mwa_key key = { (uint64_t)wanted->rank << 32 | bound,
                           (uint64_t)wanted->metric << 8 | wanted->value };
    uint64_t *place;

    if (!mwa_grow(&partial->tracks, &partial->capacity, partial->count + 1,
                  sizeof *partial->tracks) ||
        !(place = mwa_map_put(&partial->index, key, partial->count))) {
        return NULL;
    }
    if (*place == partial->count) {
        partial->tracks[partial->count++] = (struct mwa_track){ .metric = wanted->metric,
                                                                .value = wanted->value,
                                                                .rank = wanted->rank,
                                                                .comm = wanted->comm,
                                                                .object = wanted->object,
                                                                .location = wanted->location };
    }
    return &partial->tracks[*place];
}

/* That of an event's value. */
static struct mwa_track *track_at(struct partial *partial, const struct mwa_moment *moment,
                                  uint32_t value)
{
    const struct mwa_metric_data *data = &moment->event->of.metric;
    bool is_foreign = partial->trace->metrics.list[data->metric].is_foreign;

    return track_of(partial,
                    &(struct mwa_track){ .metric = data->metric,
                                         .value = value,
                                         .rank = moment->location->rank,
                                         .comm = data->comm,
                                         .object = data->object,
                                         .location = is_foreign ? moment->event->location
                                                                : MWA_NONE });
}

static enum mw_status append(struct mwa_track *track, const struct mwa_sample *sample)
{
    if (!track ||
        !mwa_grow(&track->samples, &track->capacity, track->count + 1, sizeof *sample)) {
        return MW_ERROR_MEMORY;
    }
    track->samples[track->count++] = *sample;
    return MW_OK;
}

/* Whether the metric's values are elements of an array, or are made of them. */
static bool is_of_array(const struct mwa_metric *metric)
{
    return metric->is_statistic || metric->is_top || metric->count > 1 || metric->first > 0;
}

/*
 * The course of one of a metric's values. Of arrays it is told of the sum: an element that can't be
 * below 0 is not above it, nor is the number of those that are not 0.
 */
static struct mwa_sample_course course_of(const struct mwa_metric *metric,
                                          const struct mwa_metric_data *data, uint32_t value)
{
    struct mwa_sample_course course = { .mean_lower = data->course[0],
                                        .mean_upper = data->course[1],
                                        .low = data->course[2],
                                        .high = data->course[3],
                                        .unseen = data->unseen };

    course.is_of_sum = is_of_array(metric) && !(metric->is_statistic && value == 0);
    if (course.is_of_sum) {
        course.mean_lower = course.low = 0;
    }
    return course;
}

/* Whether what is told of the time before a sample says anything of this value. */
static bool has_course(const struct partial *partial, const struct mwa_metric *metric,
                       const struct mwa_metric_data *data, uint32_t value)
{
    const struct mwa_metric_member *first =
        &partial->trace->metrics.members[metric->members[0]];

    return data->course && !mwa_metric_is_place(metric, value) &&
           (!is_of_array(metric) || (metric->is_statistic && value == 0) ||
            first->type == MW_METRIC_UINT64);
}

static enum mw_status append_course(struct mwa_track *track, struct mwa_sample *sample,
                                    const struct mwa_sample_course *course)
{
    if (!track || !mwa_grow(&track->courses, &track->course_capacity, track->course_count + 1,
                            sizeof *course)) {
        return MW_ERROR_MEMORY;
    }
    track->courses[track->course_count++] = *course;
    sample->course = (uint32_t)track->course_count;
    return MW_OK;
}

static uint32_t call_of(const struct mwa_moment *moment)
{
    return moment->mpi ? (uint32_t)(moment->mpi - moment->trace->regions) : MWA_NONE;
}

/*
 * When a sample was taken. The last one of a run is written with the leave of MPI_Finalize, and
 * read before anything of that is done.
 */
static uint64_t time_of(const struct mwa_moment *moment)
{
    bool is_at_end = moment->event->of.metric.flags & MW_SAMPLE_END && moment->mpi &&
                     moment->mpi->kind == MWA_REGION_FINALIZE;

    return is_at_end ? moment->mpi_enter : moment->event->time;
}

/* A variable that stands still has a first sample and a last one, both without values. */
static enum mw_status take_still(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_metric_data *data = &moment->event->of.metric;
    const struct mwa_metric *metric = &partial->trace->metrics.list[data->metric];

    for (uint32_t i = 0; i < metric->count; i++) {
        struct mwa_track *track = track_at(partial, moment, i);

        if (!track) {
            return MW_ERROR_MEMORY;
        }
        if (data->flags & MW_SAMPLE_BASELINE) {
            track->still_from = time_of(moment);
            track->still_to = UINT64_MAX;
        } else {
            track->still_to = time_of(moment);
        }
    }
    return MW_OK;
}

static enum mw_status take_metric(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_metric_data *data = &moment->event->of.metric;
    const struct mwa_metric *metric = &partial->trace->metrics.list[data->metric];
    enum mw_status status = MW_OK;

    if (mwa_metric_is_still(data->flags)) {
        return take_still(partial, moment);
    }
    for (uint32_t i = 0; i < metric->count && i < data->count && status == MW_OK; i++) {
        const struct mwa_metric_member *member =
            &partial->trace->metrics.members[metric->members[i]];
        struct mwa_track *track = track_at(partial, moment, i);
        struct mwa_sample sample = { .time = time_of(moment),
                                     .value = mwa_metric_value(member->type, data->values[i]),
                                     .bits = data->values[i],
                                     .call = call_of(moment),
                                     .flags = data->flags,
                                     .held = data->held,
                                     .has_held = data->has_held };

        if (has_course(partial, metric, data, i)) {
            const struct mwa_sample_course course = course_of(metric, data, i);

            status = append_course(track, &sample, &course);
        } else if (member->since_last) {
            const struct mwa_sample_course course = { .mean_lower = sample.value,
                                                      .mean_upper = sample.value,
                                                      .low = sample.value,
                                                      .high = sample.value };

            status = append_course(track, &sample, &course);
        }
        status = status == MW_OK ? append(track, &sample) : status;
    }
    return status;
}

/* All values of the metric are of one variable. */
static enum mw_status take_discontinuity(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_metric_data *data = &moment->event->of.metric;
    const struct mwa_metric *metric = &partial->trace->metrics.list[data->metric];

    for (uint32_t i = 0; i < metric->count; i++) {
        struct mwa_track *track = track_at(partial, moment, i);

        if (!track) {
            return MW_ERROR_MEMORY;
        }
        track->wraps += data->flags == MW_DISCONTINUITY_WRAP;
        track->resets += data->flags != MW_DISCONTINUITY_WRAP;
    }
    return MW_OK;
}

static enum mw_status take_pause(struct partial *partial, const struct mwa_moment *moment)
{
    uint64_t time = moment->event->time;

    if (moment->event->of.on) {
        if (partial->gap_count > 0) {
            partial->gaps[partial->gap_count - 1].to = time;
        }
        return MW_OK;
    }
    if (!mwa_grow(&partial->gaps, &partial->gap_capacity, partial->gap_count + 1,
                  sizeof *partial->gaps)) {
        return MW_ERROR_MEMORY;
    }
    partial->gaps[partial->gap_count++] =
        (struct mwa_gap){ .rank = moment->location->rank, .from = time, .to = UINT64_MAX };
    return MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;

    if (moment->location->rank == MWA_NONE) {
        return MW_OK;
    }
    return moment->event->kind == MWA_METRIC          ? take_metric(partial, moment)
           : moment->event->kind == MWA_DISCONTINUITY ? take_discontinuity(partial, moment)
                                                      : take_pause(partial, moment);
}

/* --- together ---------------------------------------------------------------------------- */

/* Samples change hands: there may be many, and from is only going to be destroyed. */
static void take_samples(struct mwa_track *to, struct mwa_track *from)
{
    free(to->samples);
    to->samples = from->samples;
    to->count = from->count;
    to->capacity = from->capacity;
    free(to->courses);
    to->courses = from->courses;
    to->course_count = from->course_count;
    to->course_capacity = from->course_capacity;
    from->courses = NULL;
    from->course_count = 0;
    from->course_capacity = 0;
    from->samples = NULL;
    from->count = 0;
    from->capacity = 0;
}

static bool append_all(struct mwa_track *to, const struct mwa_track *from)
{
    for (uint64_t i = 0; i < from->count; i++) {
        struct mwa_sample sample = from->samples[i];

        if ((sample.course > 0 &&
             append_course(to, &sample, &from->courses[sample.course - 1]) != MW_OK) ||
            append(to, &sample) != MW_OK) {
            return false;
        }
    }
    return true;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;

    for (uint64_t i = 0; i < from->count; i++) {
        struct mwa_track *track = &from->tracks[i];
        struct mwa_track *to = track_of(into, track);

        if (to) {
            to->resets += track->resets;
            to->wraps += track->wraps;
        }
        if (to && to->count == 0) {
            take_samples(to, track);
            to->still_from = track->still_from;
            to->still_to = track->still_to;
        }
        if (!to || !append_all(to, track)) {
            return MW_ERROR_MEMORY;
        }
    }
    if (!mwa_grow(&into->gaps, &into->gap_capacity, into->gap_count + from->gap_count,
                  sizeof *into->gaps)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < from->gap_count; i++) {
        into->gaps[into->gap_count++] = from->gaps[i];
    }
    return MW_OK;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mwa_pack_array(to, partial->tracks, partial->count, sizeof *partial->tracks);
    for (uint64_t i = 0; i < partial->count; i++) {
        const struct mwa_track *track = &partial->tracks[i];

        mwa_pack_array(to, track->samples, track->count, sizeof *track->samples);
        mwa_pack_array(to, track->courses, track->course_count, sizeof *track->courses);
    }
    mwa_pack_array(to, partial->gaps, partial->gap_count, sizeof *partial->gaps);
}

static enum mw_status unpack_track(struct mwa_track *track, struct mw_cursor *from)
{
    enum mw_status status =
        mwa_unpack_array(from, &track->samples, &track->count, sizeof *track->samples);

    track->capacity = track->count;
    if (status == MW_OK) {
        status = mwa_unpack_array(from, &track->courses, &track->course_count,
                                  sizeof *track->courses);
        track->course_capacity = track->course_count;
    }
    return status;
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    enum mw_status status =
        mwa_unpack_array(from, &partial->tracks, &partial->count, sizeof *partial->tracks);

    for (uint64_t i = 0; i < partial->count; i++) {
        partial->tracks[i].samples = NULL; /* those of another process's memory */
        partial->tracks[i].courses = NULL;
    }
    for (uint64_t i = 0; status == MW_OK && i < partial->count; i++) {
        status = unpack_track(&partial->tracks[i], from);
    }
    return status == MW_OK ? mwa_unpack_array(from, &partial->gaps, &partial->gap_count,
                                              sizeof *partial->gaps)
                           : status;
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_sample *a = one;
    const struct mwa_sample *b = other;

    return mw_order(a->time, b->time);
}

/* In place and stable where it is in order already, which a single location's is. */
static void sort_samples(struct mwa_track *track)
{
    for (uint64_t i = 1; i < track->count; i++) {
        if (track->samples[i].time < track->samples[i - 1].time) {
            qsort(track->samples, track->count, sizeof *track->samples, by_time);
            return;
        }
    }
}

static int by_place(const void *one, const void *other)
{
    const struct mwa_track *a = one;
    const struct mwa_track *b = other;

    return mw_order(a->metric, b->metric) ?: mw_order(a->comm, b->comm) ?:
           mw_order(a->object, b->object) ?: mw_order(a->value, b->value) ?:
           mw_order(a->rank, b->rank) ?: mw_order(a->location, b->location);
}

static void note_followed(const struct mwa_trace *trace, struct mwa_track *track)
{
    const struct mwa_metric *metric = &trace->metrics.list[track->metric];

    track->is_followed = !metric->is_foreign && !mwa_metric_is_told(metric) &&
                         mwa_trace_left_out(trace) != 0;
    for (uint64_t i = 0; i < track->count && !track->is_followed; i++) {
        track->is_followed = track->samples[i].has_held || track->samples[i].course > 0;
    }
}

/* Takes over a track's samples, and puts them in order. */
static void finish_track(const struct mwa_trace *trace, struct mwa_track *from,
                         struct mwa_track *to)
{
    const struct mwa_metric *metric = &trace->metrics.list[from->metric];

    *to = *from;
    to->name = trace->metrics.members[metric->members[from->value]].name;
    to->samples = NULL;
    to->courses = NULL;
    take_samples(to, from);
    sort_samples(to);
    note_followed(trace, to);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_tracks *tracks = result;

    *tracks = (struct mwa_tracks){ 0 };
    tracks->list = calloc(partial->count + 1, sizeof *tracks->list);
    tracks->gaps = calloc(partial->gap_count + 1, sizeof *tracks->gaps);
    if (!tracks->list || !tracks->gaps) {
        mwa_tracks_fini(tracks);
        return MW_ERROR_MEMORY;
    }
    for (; tracks->count < partial->count; tracks->count++) {
        finish_track(partial->trace, &partial->tracks[tracks->count],
                     &tracks->list[tracks->count]);
    }
    for (uint64_t i = 0; i < partial->gap_count; i++) {
        tracks->gaps[tracks->gap_count++] = partial->gaps[i];
    }
    qsort(tracks->list, tracks->count, sizeof *tracks->list, by_place);
    return MW_OK;
}

const char *mwa_track_bound(const struct mwa_trace *trace, const struct mwa_track *track)
{
    const char *scope =
        track->metric != MWA_NONE ? trace->metrics.list[track->metric].scope : NULL;

    if (track->comm != MWA_NONE || track->object != MWA_NONE) {
        return track->comm != MWA_NONE ? trace->comms[track->comm].name
                                       : trace->metrics.objects[track->object].name;
    }
    if (scope || track->location == MWA_NONE || trace->locations[track->location].master) {
        return scope;
    }
    return trace->locations[track->location].name;
}

const struct mwa_sample *mwa_track_at(const struct mwa_track *track, uint64_t time)
{
    uint64_t low = 0;
    uint64_t high = track->count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (track->samples[middle].time <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? &track->samples[low - 1] : NULL;
}

uint64_t mwa_tracks_paused(const struct mwa_tracks *tracks, uint32_t rank, uint64_t from,
                           uint64_t to)
{
    uint64_t ticks = 0;

    for (uint64_t i = 0; i < tracks->gap_count; i++) {
        const struct mwa_gap *gap = &tracks->gaps[i];
        uint64_t begin = gap->from > from ? gap->from : from;
        uint64_t end = gap->to < to ? gap->to : to;

        ticks += gap->rank == rank && end > begin ? end - begin : 0;
    }
    return ticks;
}

void mwa_tracks_fini(struct mwa_tracks *tracks)
{
    for (uint64_t i = 0; i < tracks->count; i++) {
        free(tracks->list[i].samples);
        free(tracks->list[i].courses);
    }
    free(tracks->list);
    free(tracks->gaps);
    *tracks = (struct mwa_tracks){ 0 };
}

const struct mwa_analysis mwa_tracks_analysis = { .name = "tracks",
                                                  .kinds = MWA_KIND(MWA_METRIC) |
                                                           MWA_KIND(MWA_DISCONTINUITY) |
                                                           MWA_KIND(MWA_MEASUREMENT),
                                                  .size = sizeof(struct partial),
                                                  .event = event,
                                                  .merge = merge,
                                                  .pack = pack,
                                                  .unpack = unpack,
                                                  .finish = finish,
                                                  .fini = fini };
