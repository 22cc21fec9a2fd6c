/* Balances of messages need every send and receive: complete archives are passed over. */
#include "analyzer/analysis/hang/hang_state.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/hang/hang_calls.h"
#include "analyzer/analysis/hang/hang_outstanding.h"
#include "analyzer/team/packing.h"
#include "formats/table/calls.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_hang_rank *ranks; /* of the trace's ranks; null: nothing is kept */
    bool is_shared; /* see mwa_hang_states_share */
    struct mwa_hang_outstanding outstanding;
    struct mwa_map together;
    struct mwa_map onesided;
};

static struct mwa_key together_key(uint32_t rank, enum mwa_hang_together what, uint32_t index)
{
    return (struct mwa_key){ (uint64_t)what << 32 | rank, index };
}

static struct mwa_key step_key(enum mwa_hang_step step, uint32_t window, uint32_t rank,
                               uint32_t other)
{
    return (struct mwa_key){ (uint64_t)window << 8 | step, (uint64_t)rank << 32 | other };
}

static uint32_t kinds_in(const struct mwa_trace *trace, const struct mwa_other_locations *others)
{
    return trace->incomplete ? MWA_KINDS_ALL : 0;
}

static enum mw_status begin(void *data)
{
    struct partial *partial = data;
    const struct mwa_trace *trace = partial->trace;

    if (!trace->incomplete) {
        return MW_OK;
    }
    partial->ranks = calloc(trace->rank_count + 1, sizeof *partial->ranks);
    if (!partial->ranks) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        partial->ranks[i] = (struct mwa_hang_rank){ .rank = (uint32_t)i, .site = MWA_NONE };
    }
    return MW_OK;
}

static void fini(void *data)
{
    struct partial *partial = data;

    free(partial->ranks);
    mwa_hang_outstanding_fini(&partial->outstanding);
    mwa_map_fini(&partial->together);
    mwa_map_fini(&partial->onesided);
}

static enum mw_status add_to(struct mwa_map *map, struct mwa_key key, uint64_t times)
{
    uint64_t *place = mwa_map_put(map, key, 0);

    if (!place) {
        return MW_ERROR_MEMORY;
    }
    *place += times;
    return MW_OK;
}

static enum mw_status add_all(struct mwa_map *into, const struct mwa_map *from)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->capacity && status == MW_OK; i++) {
        if (from->slots[i].value != MWA_MAP_ABSENT) {
            status = add_to(into, from->slots[i].key, from->slots[i].value);
        }
    }
    return status;
}

static enum mw_status count(struct partial *partial, uint32_t rank, enum mwa_hang_together what,
                            uint32_t index, uint64_t times)
{
    return index == MWA_NONE
               ? MW_OK
               : add_to(&partial->together, together_key(rank, what, index), times);
}

/* --- requests and messages --------------------------------------------------------- */

static struct mwa_hang_request *request_of(struct partial *partial,
                                           const struct mwa_moment *moment)
{
    return mwa_hang_request_of(&partial->outstanding, moment->location->rank,
                               moment->event->request);
}

/* Of a receive, or a collective operation. */
static void take_hint(struct mwa_hang_request *request, const struct mwa_hint *hint)
{
    request->is_told = hint->comm != MWA_NONE;
    request->comm = hint->comm;
    request->peer = hint->source;
    request->tag = hint->source_tag;
    request->has_root = hint->has_peer;
    request->root = hint->peer;
}

static enum mw_status begin_request(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    const struct mwa_hint *hint = event->hint;
    struct mwa_hang_request *request = request_of(partial, moment);
    const unsigned kind = moment->mpi ? mw_call_kind(moment->mpi->call) : MW_KIND_PLAIN;
    bool is_over;

    if (!request) {
        return MW_ERROR_MEMORY;
    }
    is_over = partial->is_shared && request->is_ended && !request->is_begun;
    *request = (struct mwa_hang_request){ .rank = moment->location->rank,
                                          .id = event->request,
                                          .site = moment->mpi ? moment->site : MWA_NONE,
                                          .kind = event->kind,
                                          .is_begun = true,
                                          .is_ended = is_over,
                                          .begun = event->time,
                                          .is_started = event->kind == MWA_COLLECTIVE_POST &&
                                                        (kind == MW_KIND_START ||
                                                         kind == MW_KIND_STARTALL),
                                          .comm = MWA_NONE,
                                          .bytes = UINT64_MAX };
    if (hint) {
        take_hint(request, hint);
    }
    if (event->kind == MWA_ISEND) {
        request->is_told = true;
        request->comm = event->of.message.comm;
        request->peer = (int32_t)event->of.message.peer;
        request->tag = (int32_t)event->of.message.tag;
        request->bytes = event->of.message.bytes;
    }
    partial->ranks[request->rank].starts_together |= request->is_started;
    return MW_OK;
}

/* It was not complete at the end. */
static enum mw_status tell_request(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_hint *hint = moment->event->hint;
    struct mwa_hang_request *request = hint && hint->is_pending ? request_of(partial, moment)
                                                                : NULL;

    if (!hint || !hint->is_pending) {
        return MW_OK;
    }
    if (!request) {
        return MW_ERROR_MEMORY;
    }
    request->is_awaited = hint->is_awaited && moment->location->master;
    if (request->kind != MWA_ISEND) {
        take_hint(request, hint);
    }
    return request->kind == MWA_COLLECTIVE_POST
               ? count(partial, request->rank, MWA_HANG_COLLECTIVES, hint->comm, 1)
               : MW_OK;
}

static enum mw_status end_request(struct partial *partial, const struct mwa_moment *moment)
{
    struct mwa_hang_request *request = request_of(partial, moment);

    if (!request) {
        return MW_ERROR_MEMORY;
    }
    request->is_ended = true;
    return MW_OK;
}

/* One that does not block is known by its request. */
static enum mw_status end_collective(struct partial *partial, const struct mwa_moment *moment)
{
    const uint32_t comm = moment->event->of.collective.comm;
    const uint32_t rank = moment->location->rank;
    uint64_t begun = moment->mpi ? moment->mpi_enter : moment->event->time;
    enum mw_status status = count(partial, rank, MWA_HANG_COLLECTIVES, comm, 1);

    if (moment->event->kind == MWA_COLLECTIVE_COMPLETE) {
        struct mwa_hang_request *request = request_of(partial, moment);

        if (!request) {
            return MW_ERROR_MEMORY;
        }
        begun = request->is_begun ? request->begun : moment->event->time;
        request->is_ended = true;
    }
    return status == MW_OK && comm != MWA_NONE
               ? mwa_hang_end_collective(&partial->outstanding, rank, comm, begun)
               : status;
}

static enum mw_status take_message(struct partial *partial, const struct mwa_moment *moment,
                                   bool is_sent)
{
    const struct mwa_message_data *data = &moment->event->of.message;
    const uint32_t self = moment->location->rank;
    const uint32_t peer =
        data->comm == MWA_NONE ? MWA_NONE
                               : mwa_trace_peer(moment->trace, data->comm, self, data->peer);
    const struct mwa_hang_message one = { .from = is_sent ? self : peer,
                                          .to = is_sent ? peer : self,
                                          .comm = data->comm,
                                          .tag = data->tag,
                                          .count = is_sent ? 1 : -1 };

    return peer == MWA_NONE ? MW_OK : mwa_hang_add_message(&partial->outstanding, &one);
}

/* --- what ranks do together -------------------------------------------------------- */

static enum mw_status take_window(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_collective_data *data = &moment->event->of.collective;
    const uint32_t rank = moment->location->rank;
    const unsigned call = moment->mpi ? moment->mpi->call : MW_CALL_COUNT;
    uint32_t window = mwa_metric_object_index(&moment->trace->metrics, false, data->root);

    return mw_call_means(call, MW_MAKES_OBJECT)
               ? count(partial, rank, MWA_HANG_WINDOWS, data->comm, 1)
               : count(partial, rank, MWA_HANG_FENCES, window, 1);
}

static enum mw_status add_steps(struct partial *partial, struct mwa_key key, uint64_t times)
{
    return add_to(&partial->onesided, key, times);
}

/* A rank has one lock of a window at a time. */
static enum mw_status take_unlock(struct partial *partial, uint32_t window, uint32_t self,
                                  uint32_t other)
{
    static const enum mwa_hang_step steps[] = { MWA_HANG_LOCKS, MWA_HANG_SHARES };

    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        const struct mwa_key key = step_key(steps[i], window, self, other);
        const uint64_t locks = mwa_map_get(&partial->onesided, key);

        if (locks != 0 && locks != MWA_MAP_ABSENT) {
            return add_steps(partial, key, UINT64_MAX);
        }
    }
    return MW_OK;
}

static enum mw_status take_onesided(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_onesided_data *data = &moment->event->of.onesided;
    const uint32_t self = moment->location->rank;
    const unsigned kind = moment->mpi ? mw_call_kind(moment->mpi->call) : MW_KIND_PLAIN;
    const uint32_t other = data->comm == MWA_NONE || data->target == MWA_NONE
                               ? MWA_NONE
                               : mwa_trace_peer(moment->trace, data->comm, self, data->target);

    const bool is_lock = data->step == MWA_STEP_LOCK || data->step == MWA_STEP_UNLOCK;

    if (other == MWA_NONE && !(is_lock && data->target == MWA_NONE)) {
        return MW_OK;
    }
    switch (data->step) {
    case MWA_STEP_NOTICE:
        return add_steps(partial,
                         step_key(kind == MW_KIND_WIN_POST ? MWA_HANG_POSTS : MWA_HANG_COMPLETES,
                                  data->window, self, other),
                         1);
    case MWA_STEP_AWAIT:
        return kind == MW_KIND_WIN_START
                   ? add_steps(partial, step_key(MWA_HANG_STARTS, data->window, self, other), 1)
                   : MW_OK;
    case MWA_STEP_LOCK:
        return add_steps(partial,
                         step_key(data->exclusive ? MWA_HANG_LOCKS : MWA_HANG_SHARES,
                                  data->window, self, other),
                         1);
    case MWA_STEP_UNLOCK:
        return take_unlock(partial, data->window, self, other);
    default:
        return MW_OK;
    }
}

static enum mw_status take_created(struct partial *partial, const struct mwa_moment *moment)
{
    const uint32_t comm = moment->event->of.comm;

    if (moment->location->master) {
        partial->ranks[moment->location->rank].makes_comm = true;
    }
    return comm == MWA_NONE ? MW_OK
                            : count(partial, moment->location->rank, MWA_HANG_COMMS,
                                    moment->trace->comms[comm].parent, 1);
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const uint32_t self = moment->location->rank;
    enum mw_status status = MW_OK;

    if (self >= moment->trace->rank_count) {
        return MW_OK;
    }
    if (!moment->location->master) {
        partial->ranks[self].has_threads = true;
    }
    partial->ranks[self].is_counted |= moment->event->kind == MWA_COLLECTIVE_POST ||
                                       moment->event->kind == MWA_COLLECTIVE_END;
    switch (moment->event->kind) {
    case MWA_MEASUREMENT:
        partial->ranks[self].has_pauses = true;
        return MW_OK;
    case MWA_ENTER:
        if (moment->location->master) {
            mwa_hang_enter(&partial->ranks[self], moment);
        }
        return MW_OK;
    case MWA_LEAVE:
        if (moment->location->master) {
            mwa_hang_leave(&partial->ranks[self], moment);
        }
        return MW_OK;
    case MWA_SEND:
        return take_message(partial, moment, true);
    case MWA_RECV:
        return take_message(partial, moment, false);
    case MWA_ISEND:
        status = take_message(partial, moment, true);
        return status == MW_OK ? begin_request(partial, moment) : status;
    case MWA_IRECV:
        status = take_message(partial, moment, false);
        return status == MW_OK ? end_request(partial, moment) : status;
    case MWA_IRECV_POST:
    case MWA_COLLECTIVE_POST:
        return begin_request(partial, moment);
    case MWA_TEST:
        return tell_request(partial, moment);
    case MWA_COLLECTIVE_COMPLETE:
        return end_collective(partial, moment);
    case MWA_COLLECTIVE_END:
        return moment->event->of.collective.of_handle ? MW_OK : end_collective(partial, moment);
    case MWA_COMM_CREATE:
        return take_created(partial, moment);
    case MWA_WINDOW_COLLECTIVE:
        return take_window(partial, moment);
    case MWA_ONESIDED:
        return take_onesided(partial, moment);
    default:
        return end_request(partial, moment);
    }
}

/* --- records that are followed ----------------------------------------------------- */

void mwa_hang_states_share(void *data)
{
    struct partial *partial = data;

    partial->is_shared = true;
}

static bool is_among(const struct mwa_hang_awaited *awaited, uint64_t id)
{
    for (uint32_t i = 0; i < awaited->count; i++) {
        if (awaited->ids[i] == id) {
            return true;
        }
    }
    return false;
}

enum mw_status mwa_hang_states_await(void *data, const struct mwa_hang_awaited *awaited)
{
    struct partial *partial = data;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; status == MW_OK && i < partial->outstanding.request_index.count; i++) {
        struct mwa_hang_request *request = &partial->outstanding.requests[i];

        if (mwa_hang_is_there(request)) {
            request->is_awaited = is_among(&awaited[request->rank], request->id);
            status = request->kind == MWA_COLLECTIVE_POST
                         ? count(partial, request->rank, MWA_HANG_COLLECTIVES, request->comm, 1)
                         : MW_OK;
        }
    }
    return status;
}

/* --- all locations together -------------------------------------------------------- */

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    enum mw_status status;

    if (!into->ranks) {
        return MW_OK;
    }
    for (uint64_t i = 0; i < into->trace->rank_count; i++) {
        mwa_hang_merge_rank(&into->ranks[i], &from->ranks[i]);
    }
    status = add_all(&into->together, &from->together);
    if (status == MW_OK) {
        status = add_all(&into->onesided, &from->onesided);
    }
    return status == MW_OK ? mwa_hang_outstanding_merge(&into->outstanding, &from->outstanding)
                           : status;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mwa_pack_array(to, partial->ranks, partial->ranks ? partial->trace->rank_count : 0,
                   sizeof *partial->ranks);
    mwa_hang_outstanding_pack(&partial->outstanding, to);
    mwa_pack_map(to, &partial->together);
    mwa_pack_map(to, &partial->onesided);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    enum mw_status status =
        mwa_unpack_into(from, partial->ranks, partial->ranks ? partial->trace->rank_count : 0,
                        sizeof *partial->ranks);

    if (status == MW_OK) {
        status = mwa_hang_outstanding_unpack(&partial->outstanding, from);
    }
    if (status == MW_OK) {
        status = mwa_unpack_map(from, &partial->together);
    }
    return status == MW_OK ? mwa_unpack_map(from, &partial->onesided) : status;
}

static enum mw_status copy(void *into, const void *from, uint64_t count_of_it, size_t size)
{
    void *made = malloc((count_of_it + 1) * size);

    if (!made) {
        return MW_ERROR_MEMORY;
    }
    if (count_of_it > 0) {
        memcpy(made, from, count_of_it * size);
    }
    *(void **)into = made;
    return MW_OK;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    const struct mwa_hang_outstanding *all = &partial->outstanding;
    struct mwa_hang_states *states = result;
    enum mw_status status;

    *states = (struct mwa_hang_states){ .request_count = all->request_index.count,
                                        .message_count = all->message_index.count };
    if (!partial->ranks) {
        return MW_OK;
    }
    states->rank_count = partial->trace->rank_count;
    status = copy(&states->ranks, partial->ranks, states->rank_count, sizeof *states->ranks);
    if (status == MW_OK) {
        status = copy(&states->requests, all->requests, states->request_count,
                      sizeof *states->requests);
    }
    if (status == MW_OK) {
        status = copy(&states->messages, all->messages, states->message_count,
                      sizeof *states->messages);
    }
    if (status == MW_OK) {
        status = add_all(&states->together, &partial->together);
    }
    if (status == MW_OK) {
        status = add_all(&states->onesided, &partial->onesided);
    }
    if (status == MW_OK) {
        status = mwa_hang_number_collectives(all, states);
    }
    if (status != MW_OK) {
        mwa_hang_states_fini(states);
    }
    return status;
}

const struct mwa_analysis mwa_hang_states_analysis = {
    .name = "where ranks ended",
    .kinds = MWA_KIND(MWA_ENTER) | MWA_KIND(MWA_LEAVE) | MWA_KIND(MWA_SEND) | MWA_KIND(MWA_RECV) |
             MWA_KIND(MWA_ISEND) | MWA_KIND(MWA_ISEND_COMPLETE) | MWA_KIND(MWA_IRECV_POST) |
             MWA_KIND(MWA_IRECV) | MWA_KIND(MWA_TEST) | MWA_KIND(MWA_CANCELLED) |
             MWA_KIND(MWA_COLLECTIVE_POST) | MWA_KIND(MWA_COLLECTIVE_COMPLETE) |
             MWA_KIND(MWA_COLLECTIVE_END) | MWA_KIND(MWA_COMM_CREATE) |
             MWA_KIND(MWA_WINDOW_COLLECTIVE) | MWA_KIND(MWA_ONESIDED) |
             MWA_KIND(MWA_MEASUREMENT),
    .kinds_in = kinds_in,
    .size = sizeof(struct partial),
    .begin = begin,
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};

void mwa_hang_states_fini(struct mwa_hang_states *states)
{
    free(states->ranks);
    free(states->requests);
    free(states->messages);
    mwa_map_fini(&states->together);
    mwa_map_fini(&states->onesided);
    *states = (struct mwa_hang_states){ 0 };
}

uint64_t mwa_hang_count(const struct mwa_hang_states *states, uint32_t rank,
                        enum mwa_hang_together what, uint32_t index)
{
    uint64_t times = mwa_map_get(&states->together, together_key(rank, what, index));

    return times == MWA_MAP_ABSENT ? 0 : times;
}

uint64_t mwa_hang_steps(const struct mwa_hang_states *states, enum mwa_hang_step step,
                        uint32_t window, uint32_t rank, uint32_t other)
{
    uint64_t times = mwa_map_get(&states->onesided, step_key(step, window, rank, other));

    return times == MWA_MAP_ABSENT ? 0 : times;
}
