#include "analyzer/analysis/counters/levels.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/counters/level_packing.h"
#include "analyzer/analysis/counters/level_seams.h"
#include "analyzer/analysis/counters/level_sends.h"
#include "analyzer/analysis/counters/level_stage.h"
#include "analyzer/analysis/counters/level_times.h"

#define CHANGES_OF_EVENT 16u /* more than there are */

/* A series of a location's rank, of the communicator that was met last, and often is met next. */
struct latest {
    uint32_t comm;
    uint32_t series;
    bool is_known;
};

/* What is known of a location's progress. */
struct place {
    struct latest latest[MWA_LEVEL_KINDS];
    uint64_t events;     /* that changed a level, so far; of a later chapter from a number on that
                            is beyond those before it */
    uint64_t reached;    /* no earlier event will come */
    struct mwa_level_times leaves; /* of calls that the engine has not told yet */
    struct mwa_level_times sends;  /* of messages that nobody has received yet */
};

struct levels {
    const struct mwa_trace *trace;
    struct mwa_level_marks marks;
    struct place *places; /* by location */
    struct mwa_level_stage plain;
    struct mwa_level_stage unexpected; /* these wait for every message to be received */
    uint32_t slot;
    bool is_later; /* chapter than the first */
    struct mwa_level_seams seams; /* the lulls at which the chapter begins and ends */
    struct mwa_level_sends outstanding;
};

/* --- changes ---------------------------------------------------------------------------- */

/* No earlier change will come than at this time. */
static uint64_t frontier_of(const struct levels *levels, bool is_unexpected)
{
    uint64_t frontier = UINT64_MAX;

    for (uint64_t i = 0; i < levels->trace->location_count; i++) {
        const struct place *place = &levels->places[i];
        uint64_t leave = mwa_level_times_first(&place->leaves);
        uint64_t sent = is_unexpected ? mwa_level_times_first(&place->sends) : UINT64_MAX;

        frontier = place->reached < frontier ? place->reached : frontier;
        frontier = leave < frontier ? leave : frontier;
        frontier = sent < frontier ? sent : frontier;
    }
    return frontier;
}

/*
 * What comes first of changes at the same time does not depend on which location was read first:
 * those of events by location, in the location's order; then those of messages, by number.
 */
static uint64_t order_of_event(struct levels *levels, uint32_t location)
{
    return (uint64_t)location << MWA_MESSAGE_RANK_BITS |
           (levels->places[location].events++ & ((UINT64_C(1) << MWA_MESSAGE_RANK_BITS) - 1));
}

static uint64_t order_of_message(const struct mwa_message *message)
{
    return MWA_LEVEL_OF_MESSAGE | message->number;
}

MW_APART enum mw_status make_room(struct levels *levels, struct mwa_level_stage *stage)
{
    return mwa_level_stage_drain(stage, frontier_of(levels, stage == &levels->unexpected),
                                 &levels->marks);
}

MW_INLINE enum mw_status change(struct levels *levels, struct mwa_level_stage *stage,
                                uint32_t row, const struct mwa_level_change *change)
{
    if (change->series == MWA_NONE) {
        return MW_ERROR_MEMORY;
    }
    if (MW_UNLIKELY(mwa_level_seams_have(&levels->seams, change->time))) {
        return mwa_level_seams_add(&levels->seams, change);
    }
    if (MW_UNLIKELY(mwa_level_stage_is_full(stage)) && make_room(levels, stage) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    return mwa_level_stage_add(stage, row, change);
}

/* --- the module --------------------------------------------------------------------------- */

static void destroy(void *data)
{
    struct levels *levels = data;

    if (!levels) {
        return;
    }
    for (uint64_t i = 0; levels->places && i < levels->trace->location_count; i++) {
        mwa_level_times_fini(&levels->places[i].leaves);
        mwa_level_times_fini(&levels->places[i].sends);
    }
    free(levels->places);
    mwa_level_stage_fini(&levels->plain);
    mwa_level_stage_fini(&levels->unexpected);
    mwa_level_sends_fini(&levels->outstanding);
    mwa_level_marks_fini(&levels->marks);
    mwa_level_seams_fini(&levels->seams);
    free(levels);
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    const struct mwa_level_options options = { .from = mwa_trace_first_at(trace, scope->from),
                                               .to = mwa_trace_last_at(trace, scope->to),
                                               .keeps_courses = scope->keeps_courses,
                                               .visit = scope->level,
                                               .user = scope->level_user };
    struct levels *levels = *analysis = calloc(1, sizeof *levels);

    if (!levels) {
        return MW_ERROR_MEMORY;
    }
    levels->trace = trace;
    levels->slot = slot;
    levels->is_later = scope->chapter > 0;
    mwa_level_seams_init(&levels->seams, trace, NULL, NULL);
    mwa_level_marks_init(&levels->marks, trace, &options);
    levels->places = calloc(trace->location_count + 1, sizeof *levels->places);
    if (!levels->places || !mwa_level_stage_init(&levels->plain, (uint32_t)trace->location_count) ||
        !mwa_level_stage_init(&levels->unexpected, 0)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        levels->places[i].reached = trace->locations[i].events > 0 ? 0 : UINT64_MAX;
    }
    return MW_OK;
}

/* --- events ------------------------------------------------------------------------------- */

static uint32_t region_index(const struct mwa_trace *trace, const struct mwa_region *region)
{
    return region ? (uint32_t)(region - trace->regions) : MWA_NONE;
}

MW_APART uint32_t find_series(struct levels *levels, uint32_t location, enum mwa_level_kind kind,
                              uint32_t comm)
{
    const uint32_t rank = levels->trace->locations[location].rank;
    const uint32_t series = mwa_level_marks_series(&levels->marks, kind, rank, comm);

    levels->places[location].latest[kind] =
        (struct latest){ .comm = comm, .series = series, .is_known = series != MWA_NONE };
    return series;
}

/* The series of location's rank; MWA_NONE without memory. */
MW_INLINE uint32_t series_at(struct levels *levels, uint32_t location, enum mwa_level_kind kind,
                             uint32_t comm)
{
    const struct latest *latest = &levels->places[location].latest[kind];

    return MW_LIKELY(latest->is_known && latest->comm == comm)
               ? latest->series
               : find_series(levels, location, kind, comm);
}

/* A change of a level of the event's rank, at its time. */
static enum mw_status change_of(struct levels *levels, const struct mwa_moment *moment,
                                enum mwa_level_kind kind, uint32_t comm, double by)
{
    const uint32_t location = moment->event->location;
    const struct mwa_level_change made = {
        .time = moment->event->time,
        .order = order_of_event(levels, location),
        .by = by,
        .series = series_at(levels, location, kind, comm),
        .call = region_index(moment->trace, moment->mpi)
    };

    return change(levels, &levels->plain, mwa_level_row_of_events(location), &made);
}

static double number_of(uint64_t bytes)
{
    return bytes == UINT64_MAX ? 0 : (double)bytes;
}

/* A message begins: it is in flight, and outstanding if somebody may receive it. */
static enum mw_status take_send(struct levels *levels, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    const struct mwa_message_data *message = &event->of.message;
    uint32_t to = mwa_trace_peer(levels->trace, message->comm, moment->location->rank,
                                 message->peer);
    struct place *place = &levels->places[event->location];

    if (to != MWA_NONE && !mwa_level_times_add(&place->sends, event->time)) {
        return MW_ERROR_MEMORY;
    }
    return change_of(levels, moment, MWA_LEVEL_FLIGHT, message->comm, number_of(message->bytes));
}

static enum mw_status end_bytes(struct levels *levels, uint32_t location, uint32_t comm,
                                uint64_t bytes, uint64_t time, uint32_t call)
{
    const struct mwa_level_change made = {
        .time = time,
        .order = order_of_event(levels, location),
        .by = -number_of(bytes),
        .series = series_at(levels, location, MWA_LEVEL_SENDS, comm),
        .call = call
    };

    return change(levels, &levels->plain, mwa_level_row_of_events(location), &made);
}

/* Whether a location has any events in the part of the run that begins and ends there. */
static bool has_events(const struct levels *levels, uint64_t location,
                       const struct mwa_reading_start *start, const struct mwa_reading_start *next)
{
    const struct mwa_location_start *first = start ? &start->locations[location] : NULL;
    const uint64_t end = next && next->locations[location].is_there
                             ? next->locations[location].events
                             : levels->trace->locations[location].events;

    return first && !first->is_there ? !levels->is_later && end > 0
                                     : end > (first ? first->events : 0);
}

/* Sends that an earlier chapter has told, and that are not complete; who has nothing to say is not
 * waited for. */
static enum mw_status carry(void *user, const struct mwa_reading_start *start,
                            const struct mwa_reading_start *next)
{
    struct levels *levels = user;

    for (uint64_t i = 0; i < levels->trace->location_count; i++) {
        levels->places[i].reached = has_events(levels, i, start, next) ? 0 : UINT64_MAX;
        levels->places[i].events = start ? CHANGES_OF_EVENT * start->locations[i].events : 0;
    }
    mwa_level_seams_init(&levels->seams, levels->trace, start, next);
    return mwa_level_sends_carry(&levels->outstanding, levels->trace, start) ? MW_OK
                                                                             : MW_ERROR_MEMORY;
}

MW_APART enum mw_status begin_request(struct levels *levels, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    const struct mwa_message_data *message = &event->of.message;
    const uint32_t rank = moment->location->rank;
    const struct mwa_level_send send = { .comm = message->comm,
                                         .location = event->location,
                                         .bytes = message->bytes,
                                         .time = event->time };
    struct mwa_level_send known;
    const bool has_ended =
        mwa_level_sends_keep_receives(levels->trace, rank) &&
        mwa_level_sends_take(&levels->outstanding, rank, event->request, &known) &&
        known.has_ended;
    enum mw_status status =
        change_of(levels, moment, MWA_LEVEL_SENDS, message->comm, number_of(message->bytes));

    if (has_ended) {
        return status == MW_OK ? end_bytes(levels, event->location, message->comm,
                                           message->bytes, known.time, known.call)
                               : status;
    }
    return status != MW_OK ||
                   mwa_level_sends_add(&levels->outstanding, rank, event->request, &send)
               ? status
               : MW_ERROR_MEMORY;
}

/* A receive is posted or complete, in any order, by threads of a rank. */
MW_APART enum mw_status keep_receive(struct levels *levels, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    const uint32_t rank = moment->location->rank;
    const struct mwa_level_send receive = { .is_receive = true,
                                            .has_ended = event->kind == MWA_IRECV };
    struct mwa_level_send known;

    if (mwa_level_sends_take(&levels->outstanding, rank, event->request, &known) &&
        known.has_ended != receive.has_ended) {
        return MW_OK;
    }
    return mwa_level_sends_add(&levels->outstanding, rank, event->request, &receive)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

MW_INLINE enum mw_status take_receive(struct levels *levels, const struct mwa_moment *moment)
{
    return mwa_level_sends_keep_receives(levels->trace, moment->location->rank)
               ? keep_receive(levels, moment)
               : MW_OK;
}

/* A request is complete or cancelled: perhaps a send, perhaps one that is seen to begin later. */
MW_APART enum mw_status end_request(struct levels *levels, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    const uint32_t rank = moment->location->rank;
    const uint32_t call = region_index(moment->trace, moment->mpi);
    const struct mwa_level_send ended = { .has_ended = true, .time = event->time, .call = call };
    struct mwa_level_send known;

    if (mwa_level_sends_take(&levels->outstanding, rank, event->request, &known)) {
        if (known.is_receive) {
            return MW_OK;
        }
        if (event->kind == MWA_CANCELLED) {
            mwa_level_times_remove(&levels->places[known.location].sends, known.time);
        }
        return end_bytes(levels, event->location, known.comm, known.bytes, event->time, call);
    }
    return !mwa_level_sends_keep_receives(levels->trace, rank) ||
                   mwa_level_sends_add(&levels->outstanding, rank, event->request, &ended)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

MW_APART enum mw_status take_event(struct levels *levels, const struct mwa_moment *moment)
{
    enum mw_status status;

    switch (moment->event->kind) {
    case MWA_SEND:
        return take_send(levels, moment);
    case MWA_ISEND:
        status = begin_request(levels, moment);
        status = status == MW_OK ? take_send(levels, moment) : status;
        return status == MW_OK ? change_of(levels, moment, MWA_LEVEL_REQUESTS, MWA_NONE, 1)
                               : status;
    case MWA_IRECV_POST:
        status = take_receive(levels, moment);
        return status == MW_OK ? change_of(levels, moment, MWA_LEVEL_REQUESTS, MWA_NONE, 1)
                               : status;
    case MWA_COLLECTIVE_POST:
        return change_of(levels, moment, MWA_LEVEL_REQUESTS, MWA_NONE, 1);
    case MWA_ISEND_COMPLETE:
    case MWA_CANCELLED:
        status = end_request(levels, moment);
        return status == MW_OK ? change_of(levels, moment, MWA_LEVEL_REQUESTS, MWA_NONE, -1)
                               : status;
    case MWA_IRECV:
        status = take_receive(levels, moment);
        return status == MW_OK ? change_of(levels, moment, MWA_LEVEL_REQUESTS, MWA_NONE, -1)
                               : status;
    case MWA_COLLECTIVE_COMPLETE:
        return change_of(levels, moment, MWA_LEVEL_REQUESTS, MWA_NONE, -1);
    case MWA_COMM_CREATE:
        return change_of(levels, moment, MWA_LEVEL_COMMS, MWA_NONE, 1);
    case MWA_COMM_DESTROY:
        return change_of(levels, moment, MWA_LEVEL_COMMS, MWA_NONE, -1);
    default:
        return MW_OK;
    }
}

static enum mw_status take_moment(void *user, const struct mwa_moment *moment)
{
    struct levels *levels = user;
    struct place *place = &levels->places[moment->event->location];

    place->reached = moment->event->time;
    if (moment->location->rank == MWA_NONE) {
        return MW_OK;
    }
    if (moment->event->kind == MWA_LEAVE) {
        return !moment->call->outermost || mwa_level_times_add(&place->leaves, moment->event->time)
                   ? MW_OK
                   : MW_ERROR_MEMORY;
    }
    return moment->event->kind == MWA_ENTER ? MW_OK : take_event(levels, moment);
}

static enum mw_status take_waypoint(void *user, uint32_t location,
                                    const struct mwa_waypoint *waypoint)
{
    struct levels *levels = user;

    if (waypoint->kind == MWA_WAYPOINT_LAST) {
        levels->places[location].reached = UINT64_MAX;
    }
    return MW_OK;
}

/* --- messages ----------------------------------------------------------------------------- */

static bool is_remote(const struct mwa_trace *trace, uint32_t one, uint32_t other)
{
    return strcmp(trace->ranks[one].host, trace->ranks[other].host) != 0;
}

/* Of the series of a message one end is on another host. */
static void set_remote(struct mwa_level_marks *marks, uint32_t series)
{
    const uint32_t total = marks->series[series].total;

    marks->series[series].is_remote = true;
    marks->series[total != MWA_NONE ? total : series].is_remote = true;
}

/* It came before its receive was posted. */
static enum mw_status take_unexpected(struct levels *levels, const struct mwa_message *message,
                                      uint32_t series)
{
    struct mwa_level_change made = { .time = message->sent_at,
                                     .order = order_of_message(message),
                                     .by = 1,
                                     .series = series,
                                     .call = region_index(levels->trace, message->send->region) };

    if (change(levels, &levels->unexpected, MWA_NONE, &made) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    made.time = message->posted_at;
    made.by = -1;
    made.call = region_index(levels->trace, message->receive->region);
    return change(levels, &levels->unexpected, MWA_NONE, &made);
}

static enum mw_status take_message(void *user, struct mwa_message *message)
{
    struct levels *levels = user;
    const uint32_t from = message->send->location, to = message->receive->location;
    const struct mwa_exchange_call *completion = message->receive_completion;
    struct mwa_level_change end = { .order = order_of_message(message),
                                    .by = -number_of(message->bytes) };
    uint32_t unexpected;
    enum mw_status status = MW_OK;

    if (message->note[levels->slot]) {
        return MW_OK; /* at the end of the call that received it */
    }
    message->note[levels->slot] = 1;
    end.series = series_at(levels, from, MWA_LEVEL_FLIGHT, message->comm);
    unexpected = series_at(levels, to, MWA_LEVEL_UNEXPECTED, message->comm);
    if (end.series == MWA_NONE || unexpected == MWA_NONE) {
        return MW_ERROR_MEMORY;
    }
    if (is_remote(levels->trace, message->send->rank, message->receive->rank)) {
        set_remote(&levels->marks, end.series);
        set_remote(&levels->marks, unexpected);
    }
    if (completion) {
        end.time = completion->leave;
        end.call = region_index(levels->trace, completion->region);
        status = change(levels, &levels->plain, mwa_level_row_of_messages(to), &end);
    }
    if (status == MW_OK && message->sent_at < message->posted_at) {
        status = take_unexpected(levels, message, unexpected);
    }
    mwa_level_times_remove(&levels->places[from].sends, message->sent_at);
    return status;
}

static enum mw_status take_end(void *user, struct mwa_exchange_call *call)
{
    struct levels *levels = user;
    enum mw_status status = MW_OK;

    for (struct mwa_message *message = call->received; message && status == MW_OK;
         message = message->next_received) {
        status = take_message(levels, message);
    }
    if (call->region) {
        mwa_level_times_remove(&levels->places[call->location].leaves, call->leave);
    }
    return status;
}

static enum mw_status drain_all(struct levels *levels)
{
    const enum mw_status status =
        mwa_level_stage_drain(&levels->plain, UINT64_MAX, &levels->marks);

    return status == MW_OK
               ? mwa_level_stage_drain(&levels->unexpected, UINT64_MAX, &levels->marks)
               : status;
}

/*
 * At a seam all messages are received, requests that are open were told to the later chapter, and
 * the call that both have begins and ends nothing. All changes of one chapter are before each rank
 * has entered that call, those of the next one after each has left it. So none need wait for
 * another one's, but at lulls (level_seams.h).
 */
static enum mw_status append(void *user, void *other, const struct mwa_seam *seam)
{
    struct levels *levels = user;
    struct levels *later = other;

    if (drain_all(levels) != MW_OK || drain_all(later) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    return mwa_level_seams_go_on(&levels->seams, &levels->marks, &later->seams, &later->marks,
                                 seam->sent);
}

static bool can_be_appended(const void *user, bool is_last)
{
    return !((const struct levels *)user)->seams.are_many;
}

static void pack(void *user, struct mw_buffer *to)
{
    struct levels *levels = user;

    if (drain_all(levels) != MW_OK) {
        to->failed = true;
    }
    mwa_level_marks_pack(&levels->marks, to);
    mwa_level_seams_pack(&levels->seams, to);
}

static enum mw_status unpack(void *user, struct mwa_region_paths *paths, struct mw_cursor *from)
{
    struct levels *levels = user;
    const enum mw_status status = mwa_level_marks_unpack(&levels->marks, from);

    return status == MW_OK ? mwa_level_seams_unpack(&levels->seams, &levels->marks, from) : status;
}

static enum mw_status finish(void *user, void *result)
{
    struct levels *levels = user;

    if (drain_all(levels) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    *(struct mwa_level_marks *)result = levels->marks;
    levels->marks = (struct mwa_level_marks){ 0 };
    return MW_OK;
}

const struct mwa_exchange_analysis mwa_levels_analysis = {
    .name = "levels",
    .create = create,
    .carry = carry,
    .listener = { .end = take_end, .message = take_message },
    .moment = take_moment,
    .waypoint = take_waypoint,
    .can_be_appended = can_be_appended,
    .append = append,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .destroy = destroy
};
