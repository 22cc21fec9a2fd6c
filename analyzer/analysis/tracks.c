#include "analyzer/analysis/tracks.h"

#include <stdlib.h>
#include <string.h>

/* Tracks that come from events stand in place of metrics. */
enum event_track { TRACK_REQUESTS, TRACK_BYTES, TRACK_COMMS, EVENT_TRACKS };

static const char *const event_names[EVENT_TRACKS] = { [TRACK_REQUESTS] = MWA_TRACK_REQUESTS,
                                                       [TRACK_BYTES] = MWA_TRACK_BYTES,
                                                       [TRACK_COMMS] = MWA_TRACK_COMMS };

#define EVENT_METRIC UINT32_C(0xfffffff0) /* plus enum event_track: a metric's place in keys */

struct send {
    uint32_t comm;
    uint64_t bytes;
};

/* A send of a rank with several threads begins or is complete, on any of them. */
struct send_end {
    struct send send; /* of a beginning */
    bool is_beginning;
    uint32_t rank;
    uint64_t request;
    uint64_t time;
    uint32_t call;
};

struct partial {
    const struct mwa_trace *trace;
    struct mwa_table index; /* of tracks */
    struct mwa_track *tracks;
    uint64_t count, capacity;
    struct mwa_gap *gaps;
    uint64_t gap_count, gap_capacity;
    struct mwa_table sends; /* request to index */
    struct send *send_list;
    uint64_t send_count, send_capacity;
    struct send_end *ends;
    uint64_t end_count, end_capacity;
    uint64_t first;
    uint64_t last;
};

static void *begin(const struct mwa_trace *trace)
{
    struct partial *partial = calloc(1, sizeof *partial);

    if (partial) {
        partial->trace = trace;
        partial->first = UINT64_MAX;
    }
    return partial;
}

static void destroy(void *data)
{
    struct partial *partial = data;

    if (!partial) {
        return;
    }
    for (uint64_t i = 0; i < partial->count; i++) {
        free(partial->tracks[i].samples);
    }
    free(partial->tracks);
    free(partial->gaps);
    free(partial->send_list);
    free(partial->ends);
    mwa_table_fini(&partial->index);
    mwa_table_fini(&partial->sends);
    free(partial);
}

/* The track of these, made if it is new; null without memory. */
static struct mwa_track *track_of(struct partial *partial, uint32_t metric, uint32_t value,
                                  uint32_t rank, uint32_t comm, uint32_t object)
{
    /* A metric is bound to objects of one kind. */
    uint32_t bound = comm != MWA_NONE ? comm : object;
    struct mwa_key key = { (uint64_t)rank << 32 | bound, (uint64_t)metric << 8 | value };
    uint64_t *place;

    if (!mwa_grow(&partial->tracks, &partial->capacity, partial->count + 1,
                  sizeof *partial->tracks) ||
        !(place = mwa_table_put(&partial->index, key, partial->count))) {
        return NULL;
    }
    if (*place == partial->count) {
        partial->tracks[partial->count++] = (struct mwa_track){
            .metric = metric, .value = value, .rank = rank, .comm = comm, .object = object
        };
    }
    return &partial->tracks[*place];
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

static uint32_t call_of(const struct mwa_moment *moment)
{
    return moment->mpi ? (uint32_t)(moment->mpi - moment->trace->regions) : MWA_NONE;
}

/* --- metrics ------------------------------------------------------------------------ */

static enum mw_status take_metric(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_metric_data *data = &moment->event->of.metric;
    const struct mwa_metric *metric = &partial->trace->metrics.list[data->metric];
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < metric->count && i < data->count && status == MW_OK; i++) {
        const struct mwa_metric_member *member =
            &partial->trace->metrics.members[metric->members[i]];
        const struct mwa_sample sample = { .time = moment->event->time,
                                           .value = mwa_metric_value(member->type, data->values[i]),
                                           .bits = data->values[i],
                                           .call = call_of(moment),
                                           .flags = data->flags };

        status = append(track_of(partial, data->metric, i, moment->location->rank, data->comm,
                                 data->object),
                        &sample);
    }
    return status;
}

/* --- levels of events: samples hold changes until all are together -------------------- */

static enum mw_status change(struct partial *partial, const struct mwa_moment *moment,
                             enum event_track which, uint32_t comm, double by)
{
    const struct mwa_sample sample = { .time = moment->event->time,
                                       .value = by,
                                       .call = call_of(moment) };

    return append(
        track_of(partial, EVENT_METRIC + which, 0, moment->location->rank, comm, MWA_NONE),
        &sample);
}

/* Bytes of a send, on its communicator and on the whole rank. */
static enum mw_status change_bytes(struct partial *partial, uint32_t rank,
                                   const struct send *send, double sign, uint64_t time,
                                   uint32_t call)
{
    const struct mwa_sample sample = {
        .time = time,
        .value = send->bytes == UINT64_MAX ? 0 : sign * (double)send->bytes,
        .call = call
    };
    enum mw_status status = append(
        track_of(partial, EVENT_METRIC + TRACK_BYTES, 0, rank, MWA_NONE, MWA_NONE), &sample);

    return status == MW_OK && send->comm != MWA_NONE
               ? append(track_of(partial, EVENT_METRIC + TRACK_BYTES, 0, rank, send->comm,
                                 MWA_NONE),
                        &sample)
               : status;
}

/* Another thread may complete it, whose events are seen apart: both ends are kept. */
static enum mw_status keep_end(struct partial *partial, const struct mwa_moment *moment,
                               const struct send *send)
{
    if (!mwa_grow(&partial->ends, &partial->end_capacity, partial->end_count + 1,
                  sizeof *partial->ends)) {
        return MW_ERROR_MEMORY;
    }
    partial->ends[partial->end_count++] =
        (struct send_end){ .send = send ? *send : (struct send){ 0 },
                           .is_beginning = send != NULL,
                           .rank = moment->location->rank,
                           .request = moment->event->request,
                           .time = moment->event->time,
                           .call = call_of(moment) };
    return MW_OK;
}

static bool has_threads(const struct partial *partial, const struct mwa_moment *moment)
{
    return partial->trace->ranks[moment->location->rank].locations > 1;
}

static enum mw_status begin_send(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_message_data *message = &moment->event->of.message;
    const struct mwa_key key = { moment->location->rank, moment->event->request };
    const struct send send = { message->comm, message->bytes };

    if (has_threads(partial, moment)) {
        return keep_end(partial, moment, &send);
    }
    if (!mwa_grow(&partial->send_list, &partial->send_capacity, partial->send_count + 1,
                  sizeof send) ||
        !mwa_table_put(&partial->sends, key, partial->send_count)) {
        return MW_ERROR_MEMORY;
    }
    partial->send_list[partial->send_count++] = send;
    return change_bytes(partial, moment->location->rank, &send, 1, moment->event->time,
                        call_of(moment));
}

static enum mw_status end_send(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_key key = { moment->location->rank, moment->event->request };
    enum mw_status status = MW_OK;
    uint64_t index;

    if (has_threads(partial, moment)) {
        return keep_end(partial, moment, NULL);
    }
    index = mwa_table_remove(&partial->sends, key);
    if (index != MWA_TABLE_ABSENT) {
        status = change_bytes(partial, moment->location->rank, &partial->send_list[index], -1,
                              moment->event->time, call_of(moment));
    }
    if (partial->sends.count == 0) {
        partial->send_count = 0;
    }
    return status;
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
    uint64_t time = moment->event->time;
    enum mw_status status;

    partial->first = time < partial->first ? time : partial->first;
    partial->last = time;
    if (moment->location->rank == MWA_NONE) {
        return MW_OK;
    }
    switch (moment->event->kind) {
    case MWA_METRIC:
        return take_metric(partial, moment);
    case MWA_ISEND:
        status = begin_send(partial, moment);
        return status == MW_OK ? change(partial, moment, TRACK_REQUESTS, MWA_NONE, 1) : status;
    case MWA_IRECV_POST:
    case MWA_COLLECTIVE_POST:
        return change(partial, moment, TRACK_REQUESTS, MWA_NONE, 1);
    case MWA_ISEND_COMPLETE:
    case MWA_CANCELLED:
        status = end_send(partial, moment);
        return status == MW_OK ? change(partial, moment, TRACK_REQUESTS, MWA_NONE, -1) : status;
    case MWA_IRECV:
    case MWA_COLLECTIVE_COMPLETE:
        return change(partial, moment, TRACK_REQUESTS, MWA_NONE, -1);
    case MWA_COMM_CREATE:
        return change(partial, moment, TRACK_COMMS, MWA_NONE, 1);
    case MWA_COMM_DESTROY:
        return change(partial, moment, TRACK_COMMS, MWA_NONE, -1);
    case MWA_MEASUREMENT:
        return take_pause(partial, moment);
    default:
        return MW_OK;
    }
}

/* --- together ---------------------------------------------------------------------------- */

/* Samples change hands: there may be many, and from is only going to be destroyed. */
static void take_samples(struct mwa_track *to, struct mwa_track *from)
{
    free(to->samples);
    to->samples = from->samples;
    to->count = from->count;
    to->capacity = from->capacity;
    from->samples = NULL;
    from->count = 0;
    from->capacity = 0;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;

    into->first = from->first < into->first ? from->first : into->first;
    into->last = from->last > into->last ? from->last : into->last;
    for (uint64_t i = 0; i < from->count; i++) {
        struct mwa_track *track = &from->tracks[i];
        struct mwa_track *to =
            track_of(into, track->metric, track->value, track->rank, track->comm, track->object);

        if (to && to->count == 0) {
            take_samples(to, track);
        }
        for (uint64_t k = 0; k < track->count; k++) {
            if (append(to, &track->samples[k]) != MW_OK) {
                return MW_ERROR_MEMORY;
            }
        }
    }
    if (!mwa_grow(&into->gaps, &into->gap_capacity, into->gap_count + from->gap_count,
                  sizeof *into->gaps) ||
        !mwa_grow(&into->ends, &into->end_capacity, into->end_count + from->end_count,
                  sizeof *into->ends)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < from->end_count; i++) {
        into->ends[into->end_count++] = from->ends[i];
    }
    for (uint64_t i = 0; i < from->gap_count; i++) {
        into->gaps[into->gap_count++] = from->gaps[i];
    }
    return MW_OK;
}

/*
 * Joins beginnings and completions of the sends of ranks with threads, whose requests have
 * ids of their own each.
 */
static enum mw_status join_sends(struct partial *partial)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < partial->end_count && status == MW_OK; i++) {
        const struct send_end *end = &partial->ends[i];

        if (end->is_beginning) {
            status = change_bytes(partial, end->rank, &end->send, 1, end->time, end->call);
            if (!mwa_table_put(&partial->sends, (struct mwa_key){ end->rank, end->request }, i)) {
                status = MW_ERROR_MEMORY;
            }
        }
    }
    for (uint64_t i = 0; i < partial->end_count && status == MW_OK; i++) {
        const struct send_end *end = &partial->ends[i];
        uint64_t index = MWA_TABLE_ABSENT;

        if (!end->is_beginning) {
            index = mwa_table_remove(&partial->sends,
                                     (struct mwa_key){ end->rank, end->request });
        }
        if (index != MWA_TABLE_ABSENT) {
            status = change_bytes(partial, end->rank, &partial->ends[index].send, -1, end->time,
                                  end->call);
        }
    }
    partial->end_count = 0;
    return status;
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_sample *a = one;
    const struct mwa_sample *b = other;

    return (a->time > b->time) - (a->time < b->time);
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

/* Changes become values; changes at one time in one call become one sample. */
static void sum_up(struct mwa_track *track)
{
    double value = 0;

    for (uint64_t i = 0; i < track->count; i++) {
        value += track->samples[i].value;
        track->samples[i].value = value;
    }
}

static int by_place(const void *one, const void *other)
{
    const struct mwa_track *a = one;
    const struct mwa_track *b = other;

    if (a->metric != b->metric) {
        return a->metric < b->metric ? -1 : 1;
    }
    if (a->comm != b->comm) {
        return a->comm < b->comm ? -1 : 1;
    }
    if (a->object != b->object) {
        return a->object < b->object ? -1 : 1;
    }
    if (a->value != b->value) {
        return a->value < b->value ? -1 : 1;
    }
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Takes over a track's samples, and puts them in order. */
static void finish_track(const struct mwa_trace *trace, struct mwa_track *from,
                         struct mwa_track *to)
{
    bool is_event = from->metric >= EVENT_METRIC;

    *to = *from;
    to->samples = NULL;
    take_samples(to, from);
    sort_samples(to);
    if (is_event) {
        to->name = event_names[from->metric - EVENT_METRIC];
        sum_up(to);
    } else {
        const struct mwa_metric *metric = &trace->metrics.list[from->metric];

        to->name = trace->metrics.members[metric->members[from->value]].name;
    }
}

static enum mw_status finish_joined(const struct partial *partial, struct mwa_tracks *tracks)
{
    *tracks = (struct mwa_tracks){ .first = partial->first == UINT64_MAX ? 0 : partial->first,
                                   .last = partial->last };
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
    for (uint64_t i = 0; i < tracks->count; i++) {
        if (tracks->list[i].metric >= EVENT_METRIC) {
            tracks->list[i].metric = MWA_NONE;
        }
    }
    return MW_OK;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct partial *joined;
    enum mw_status status = MW_ERROR_MEMORY;

    if (partial->end_count == 0) {
        return finish_joined(partial, result);
    }
    joined = begin(partial->trace);
    *(struct mwa_tracks *)result = (struct mwa_tracks){ 0 };
    if (joined && merge(joined, partial) == MW_OK && join_sends(joined) == MW_OK) {
        status = finish_joined(joined, result);
    }
    destroy(joined);
    return status;
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

void mwa_tracks_fini(struct mwa_tracks *tracks)
{
    for (uint64_t i = 0; i < tracks->count; i++) {
        free(tracks->list[i].samples);
    }
    free(tracks->list);
    free(tracks->gaps);
    *tracks = (struct mwa_tracks){ 0 };
}

const struct mwa_analysis mwa_tracks_analysis = { .name = "tracks",
                                                  .kinds = MWA_KINDS_ALL,
                                                  .begin = begin,
                                                  .event = event,
                                                  .merge = merge,
                                                  .finish = finish,
                                                  .destroy = destroy };

const struct mwa_analysis mwa_metric_tracks_analysis = {
    .name = "tracks of metrics",
    .kinds = MWA_KIND(MWA_METRIC) | MWA_KIND(MWA_MEASUREMENT) | MWA_KIND(MWA_ENTER) |
             MWA_KIND(MWA_LEAVE), /* for the first and the last event */
    .begin = begin,
    .event = event,
    .merge = merge,
    .finish = finish,
    .destroy = destroy
};
