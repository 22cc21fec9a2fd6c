/*
 * Each location is read by itself, by any thread. It adds a number for all that begins and takes
 * the same number off for what ends it, a hash of what tells both from all else; for what has
 * several members, the first adds what the others take off. So the sum of all locations is 0 where
 * everything that was begun has ended, and by accident once in 2^60. What the exchange engine tells
 * apart is told apart here as well, or finer: what is balanced here is so there.
 */
#include "analyzer/load/quiet_places.h"

#include <stdlib.h>

#include "analyzer/load/quiet_hash.h"
#include "analyzer/model/needs.h"
#include "formats/table/calls.h"

/* --- what locations have in common ------------------------------------------------------------ */

/* Communicators that one call makes: those of the same creation on the same parent, at least. */
static struct mwa_key creation_of(const struct mwa_trace *trace, uint32_t comm)
{
    const struct mwa_comm *made = &trace->comms[comm];

    return made->parent != MWA_NONE && made->sequence != UINT64_MAX
               ? (struct mwa_key){ made->parent, made->sequence }
               : (struct mwa_key){ MWA_NONE, comm };
}

bool mwa_quiet_common_init(struct mwa_quiet_common *common, const struct mwa_trace *trace)
{
    common->trace = trace;
    if (!mwa_positions_init(&common->positions, trace)) {
        return false;
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        const struct mwa_key key = creation_of(trace, i);
        uint64_t *members = mwa_map_put(&common->creations, key, 0);

        if (!members || !mwa_map_put(&common->creators, key, i)) {
            return false;
        }
        *members += mwa_trace_comm_size(trace, i);
    }
    return true;
}

void mwa_quiet_common_fini(struct mwa_quiet_common *common)
{
    mwa_positions_fini(&common->positions);
    mwa_map_fini(&common->creations);
    mwa_map_fini(&common->creators);
}

/* --- what begins and ends --------------------------------------------------------------------- */

_Static_assert(MWA_COLLECTIVE_POST <= MWA_QUIET_LOW_BITS, "a request has room for its kind");

static uint32_t rank_of(const struct mwa_quiet_walk *walk)
{
    return walk->common->trace->locations[walk->location].rank;
}

/* What tells a message's channel from others. */
static uint64_t channel_of(struct mwa_quiet_walk *walk, const struct mwa_message_data *message,
                           bool is_sent)
{
    const uint32_t rank = rank_of(walk);
    const uint32_t peer = mwa_trace_peer(walk->common->trace, message->comm, rank, message->peer);
    const uint64_t from = is_sent ? rank : peer, to = is_sent ? peer : rank;

    walk->is_spoiled |= peer == MWA_NONE; /* of another job, or nobody knows whose */
    return mwa_quiet_hash(MWA_QUIET_MESSAGE, from << 32 | to, message->comm, message->tag);
}

/* A request is kept with its kind, and that of what is sent with the channel. */
static bool begin_request(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                          uint64_t channel)
{
    const uint64_t count = walk->requests.count;
    const bool has_room = mwa_map_put(&walk->requests, (struct mwa_key){ 0, event->request },
                                      channel | event->kind) != NULL;

    walk->is_spoiled |= walk->requests.count == count;
    return has_room;
}

static void end_request(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                            enum mwa_event_kind beginning)
{
    const uint64_t kept = mwa_map_remove(&walk->requests, (struct mwa_key){ 0, event->request });

    walk->is_spoiled |= kept == MWA_MAP_ABSENT || (kept & MWA_QUIET_LOW_BITS) != beginning;
}

/* A receive that gets nothing, or a send whose message there is none of then. */
static void cancel_request(struct mwa_quiet_walk *walk, const struct mwa_event *event)
{
    const uint64_t kept = mwa_map_remove(&walk->requests, (struct mwa_key){ 0, event->request });
    const uint64_t kind = kept & MWA_QUIET_LOW_BITS;

    if (kept != MWA_MAP_ABSENT && kind == MWA_ISEND) {
        walk->balance -= kept - kind;
    } else {
        walk->is_spoiled |= kept == MWA_MAP_ABSENT || kind != MWA_IRECV_POST;
    }
}

/* The member at position of so many takes part in what hash says. */
static void take_part(struct mwa_quiet_walk *walk, uint64_t hash, uint32_t position,
                      uint64_t members)
{
    walk->balance += position == 0 ? (members - 1) * hash : -hash;
}

/* The number of the next of those that key is the same of. False without memory. */
static bool next_number(struct mwa_quiet_walk *walk, struct mwa_key key, uint64_t *number)
{
    uint64_t *place = mwa_map_put(&walk->numbers, key, 0);

    *number = place ? (*place)++ : 0;
    return place != NULL;
}

static const struct mwa_region *outermost_call(const struct mwa_quiet_walk *walk,
                                               const struct mwa_open_calls *open)
{
    return walk->is_in_mpi
               ? &walk->common->trace->regions[open->stack[walk->outermost].region]
               : NULL;
}

static bool is_of_neighbors(const struct mwa_region *call)
{
    return call && mw_call_means(call->call, MW_NEIGHBORS);
}

static bool take_collective(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                            enum mwa_quiet_what what)
{
    const struct mwa_collective_data *data = &event->of.collective;
    const uint64_t members = data->comm == MWA_NONE
                                 ? 0
                                 : mwa_trace_comm_size(walk->common->trace, data->comm);
    const uint64_t kind = (uint64_t)data->operation << 32 | data->root;
    uint32_t position;
    uint64_t number;

    if (members < 2 || members >= MWA_NONE || data->of_handle) {
        return true;
    }
    position = mwa_positions_find(&walk->common->positions, data->comm, rank_of(walk));
    if (position == MWA_NONE) {
        return true;
    }
    if (!next_number(walk, (struct mwa_key){ (uint64_t)what << 32 | data->comm, kind }, &number)) {
        return false;
    }
    take_part(walk, mwa_quiet_hash(what, data->comm, kind, number), position, members);
    return true;
}

static void take_creation(struct mwa_quiet_walk *walk, uint32_t comm,
                          const struct mwa_region *call)
{
    struct mwa_quiet_common *common = walk->common;
    struct mwa_key key;
    uint64_t hash;

    if (comm == MWA_NONE || !call || !mw_call_means(call->call, MW_MAKES_COMM)) {
        return;
    }
    key = creation_of(common->trace, comm);
    hash = mwa_quiet_hash(MWA_QUIET_CREATION, key.high, key.low, 0);
    walk->is_spoiled |= common->trace->comms[comm].other_job ||
                        common->trace->comms[comm].given_count > 0;
    walk->balance -= hash;
    if (mwa_map_get(&common->creators, key) == comm &&
        mwa_positions_find(&common->positions, comm, rank_of(walk)) == 0) {
        walk->balance += hash * mwa_map_get(&common->creations, key);
    }
}

/* A fence, or a window made or freed. */
static bool take_window(struct mwa_quiet_walk *walk, const struct mwa_collective_data *data)
{
    const struct mwa_trace *trace = walk->common->trace;
    const uint64_t members = data->comm == MWA_NONE ? 0 : mwa_trace_comm_size(trace, data->comm);
    uint32_t position;
    uint64_t number;

    if (members < 2 || members >= MWA_NONE) {
        return true;
    }
    position = mwa_positions_find(&walk->common->positions, data->comm, rank_of(walk));
    if (position >= members) {
        return true;
    }
    if (!next_number(walk, (struct mwa_key){ (uint64_t)MWA_QUIET_WINDOW << 32, data->root },
                     &number)) {
        return false;
    }
    take_part(walk, mwa_quiet_hash(MWA_QUIET_WINDOW, data->root, 0, number), position, members);
    return true;
}

/* What is told outside of calls, or of windows that nobody knows, is not followed. */
static bool take_onesided(struct mwa_quiet_walk *walk, const struct mwa_onesided_data *step,
                          const struct mwa_region *call)
{
    struct mwa_quiet_tries *tries = walk->tries;
    struct mwa_quiet_common *common = walk->common;

    walk->has_onesided = true;
    tries->has_exclusive |= step->exclusive;
    if (tries->count > 0 &&
        tries->list[tries->count - 1].place.events == walk->here.place.events) {
        tries->list[tries->count - 1].met = 0; /* the same call does more */
    }
    if (!call || common->trace->metrics.objects[step->window].comm == MWA_NONE) {
        return true;
    }
    return mwa_quiet_windows_take(&walk->windows, common->trace, &common->positions,
                                  rank_of(walk), mw_call_kind(call->call), step, &walk->balance);
}

/* MPI_Init is a meeting of all ranks. */
static void take_init(struct mwa_quiet_walk *walk)
{
    uint64_t first;
    const uint64_t count = mwa_trace_job_ranks(walk->common->trace, rank_of(walk), &first);

    take_part(walk, mwa_quiet_hash(MWA_QUIET_INIT, first, 0, 0), rank_of(walk) - (uint32_t)first,
              count);
}

/* --- places ----------------------------------------------------------------------------------- */

/* An outermost call of MPI is entered. */
static void enter_mpi(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                      const struct mwa_open_calls *open, uint64_t events)
{
    walk->is_in_mpi = true;
    walk->outermost = open->depth;
    walk->has_onesided = false;
    walk->may_be_quiet = walk->requests.count == 0 && !walk->is_paused && !walk->is_spoiled &&
                         !open->is_through && !mwa_quiet_windows_has_access(&walk->windows);
    walk->here = (struct mwa_quiet_try){ .place = { events, event->time },
                                         .balance = walk->balance,
                                         .has_locks =
                                             mwa_quiet_windows_has_locks(&walk->windows) };
    if (walk->common->trace->regions[event->of.call.region].kind == MWA_REGION_INIT) {
        take_init(walk);
    }
}

/* Keeps one of two of those that are kept. */
static void thin_out(struct mwa_quiet_walk *walk)
{
    struct mwa_quiet_tries *tries = walk->tries;
    uint64_t kept = 0;

    walk->stride *= 2;
    for (uint64_t i = 0; i < tries->count; i++) {
        if (tries->list[i].number % walk->stride == 0) {
            tries->list[kept++] = tries->list[i];
        }
    }
    tries->count = kept;
}

/* A collective on comm has been blocking: where its call was entered may be a place. */
static bool keep_place(struct mwa_quiet_walk *walk, const struct mwa_event *event)
{
    struct mwa_quiet_tries *tries = walk->tries;
    const struct mwa_trace *trace = walk->common->trace;
    const uint32_t comm = event->of.collective.comm;

    if (comm == MWA_NONE || trace->comms[comm].inter ||
        mwa_trace_comm_size(trace, comm) != trace->rank_count) {
        return true;
    }
    if (!next_number(walk, (struct mwa_key){ (uint64_t)MWA_QUIET_WORLD << 32, comm },
                     &walk->here.number)) {
        return false;
    }
    walk->stride = walk->stride > 0 ? walk->stride : 1;
    while (tries->count >= walk->most && walk->stride < UINT64_MAX / 2) {
        thin_out(walk);
    }
    if (!walk->is_in_mpi || !walk->may_be_quiet || walk->here.number % walk->stride != 0) {
        return true;
    }
    walk->may_be_quiet = false; /* once for the call */
    walk->here.comm = comm;
    walk->here.met =
        mwa_do_all_meet(&event->of.collective) && !walk->has_onesided ? event->time : 0;
    if (!mwa_grow(&tries->list, &tries->capacity, tries->count + 1, sizeof *tries->list)) {
        return false;
    }
    tries->list[tries->count++] = walk->here;
    return true;
}

/* What messages and collectives are followed by. */
static bool take_event(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                       const struct mwa_open_calls *open)
{
    const struct mwa_region *call = outermost_call(walk, open);
    uint64_t channel;

    switch (event->kind) {
    case MWA_SEND:
        walk->balance += channel_of(walk, &event->of.message, true);
        return true;
    case MWA_IRECV:
        end_request(walk, event, MWA_IRECV_POST);
        walk->balance -= channel_of(walk, &event->of.message, false);
        return true;
    case MWA_RECV:
        walk->balance -= channel_of(walk, &event->of.message, false);
        return true;
    case MWA_ISEND:
        channel = channel_of(walk, &event->of.message, true);
        walk->balance += channel;
        return begin_request(walk, event, channel);
    case MWA_ISEND_COMPLETE:
        end_request(walk, event, MWA_ISEND);
        return true;
    case MWA_CANCELLED:
        cancel_request(walk, event);
        return true;
    case MWA_COLLECTIVE_POST:
        walk->is_spoiled |= is_of_neighbors(call); /* which its end does not tell */
        return begin_request(walk, event, 0);
    case MWA_IRECV_POST:
        return begin_request(walk, event, 0);
    case MWA_COLLECTIVE_COMPLETE:
        end_request(walk, event, MWA_COLLECTIVE_POST);
        return take_collective(walk, event,
                               event->of.collective.on_neighbors
                                   ? MWA_QUIET_NONBLOCKING_NEIGHBORS
                                   : MWA_QUIET_NONBLOCKING);
    case MWA_COLLECTIVE_END:
        return take_collective(walk, event,
                               event->of.collective.on_neighbors || is_of_neighbors(call)
                                   ? MWA_QUIET_BLOCKING_NEIGHBORS
                                   : MWA_QUIET_BLOCKING) &&
               keep_place(walk, event);
    case MWA_COMM_CREATE:
        take_creation(walk, event->of.comm, call);
        return true;
    case MWA_WINDOW_COLLECTIVE:
        return take_window(walk, &event->of.collective);
    case MWA_ONESIDED:
        return take_onesided(walk, &event->of.onesided, call);
    default:
        return true;
    }
}

static bool is_followed(enum mwa_event_kind kind)
{
    return (kind >= MWA_SEND && kind <= MWA_COMM_CREATE) || kind == MWA_WINDOW_COLLECTIVE ||
           kind == MWA_ONESIDED;
}

bool mwa_quiet_walk_take(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                         const struct mwa_open_calls *open, uint64_t events)
{
    walk->is_in_mpi &= open->depth > walk->outermost;
    if (rank_of(walk) == MWA_NONE) {
        return true;
    }
    if (event->kind == MWA_ENTER) {
        if (walk->common->trace->regions[event->of.call.region].kind != MWA_REGION_USER &&
            !walk->is_in_mpi) {
            walk->tries->has_calls = true;
            enter_mpi(walk, event, open, events);
        }
        return true;
    }
    if (event->kind == MWA_MEASUREMENT) {
        walk->is_paused = !event->of.on;
    }
    if (!is_followed(event->kind)) {
        return true;
    }
    walk->tries->has_calls = true;
    return take_event(walk, event, open) && !walk->common->positions.no_memory;
}

void mwa_quiet_walk_fini(struct mwa_quiet_walk *walk)
{
    mwa_quiet_windows_fini(&walk->windows);
    mwa_map_fini(&walk->requests);
    mwa_map_fini(&walk->numbers);
}

/* --- all locations ---------------------------------------------------------------------------- */

/* What all locations have of a place. */
struct together {
    uint64_t balance;
    uint64_t locations;
    uint64_t order;      /* among those that are quiet */
    uint64_t last_enter; /* ticks */
    uint64_t first_met;
    bool has_locks;
};

/* Who has calls: how many; 0 where a rank has two of them. */
static uint64_t count_callers(const struct mwa_quiet_tries *tries, const struct mwa_trace *trace)
{
    unsigned char *has_one = calloc(trace->rank_count + 1, 1);
    uint64_t count = 0;

    for (uint64_t i = 0; has_one && i < trace->location_count; i++) {
        const uint32_t rank = trace->locations[i].rank;

        if (tries[i].has_calls && has_one[rank]++ > 0) {
            count = 0;
            break;
        }
        count += tries[i].has_calls;
    }
    free(has_one);
    return count;
}

static struct mwa_key key_of(const struct mwa_quiet_try *one)
{
    return (struct mwa_key){ one->comm, one->number };
}

static void add(struct together *place, const struct mwa_quiet_try *one)
{
    const uint64_t first_met = place->locations == 0 || one->met < place->first_met
                                   ? one->met
                                   : place->first_met;

    place->balance += one->balance;
    place->locations++;
    place->last_enter =
        one->place.time > place->last_enter ? one->place.time : place->last_enter;
    place->first_met = first_met;
    place->has_locks |= one->has_locks;
}

static bool add_up(const struct mwa_quiet_tries *tries, uint64_t locations,
                   struct mwa_index *index, struct together **places)
{
    for (uint64_t i = 0; i < locations; i++) {
        for (uint64_t k = 0; k < tries[i].count; k++) {
            uint64_t at =
                mwa_index_of(index, key_of(&tries[i].list[k]), places, sizeof **places);

            if (at == MWA_MAP_ABSENT) {
                return false;
            }
            add(&(*places)[at], &tries[i].list[k]);
        }
    }
    return true;
}

/* What of all locations decides. */
struct whole {
    uint64_t callers;
    bool has_exclusive; /* locks */
};

static struct whole look_at_all(const struct mwa_quiet_tries *tries,
                                const struct mwa_trace *trace)
{
    struct whole whole = { .callers = count_callers(tries, trace) };

    for (uint64_t i = 0; i < trace->location_count; i++) {
        whole.has_exclusive |= tries[i].has_exclusive;
    }
    return whole;
}

static bool is_quiet(const struct together *place, const struct whole *whole)
{
    return place->locations == whole->callers && place->balance == 0 &&
           (!whole->has_exclusive ||
            (!place->has_locks && place->last_enter <= place->first_met));
}

/* Keeps of a location what is quiet; false: its order is not that of others. */
static bool keep_quiet(struct mwa_quiet_tries *tries, const struct whole *whole,
                       const struct mwa_index *index, struct together *places, bool is_first)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < tries->count; i++) {
        struct together *place =
            &places[mwa_map_get(&index->positions, key_of(&tries->list[i]))];

        if (!is_quiet(place, whole)) {
            continue;
        }
        if (is_first) {
            place->order = kept;
        } else if (place->order != kept) {
            return false;
        }
        tries->list[kept++] = tries->list[i];
    }
    tries->count = kept;
    return true;
}

bool mwa_quiet_tries_agree(struct mwa_quiet_tries *tries, const struct mwa_trace *trace)
{
    const struct whole whole = look_at_all(tries, trace);
    struct mwa_index index = { .count = 0 };
    struct together *places = NULL;
    bool has_room = add_up(tries, trace->location_count, &index, &places);
    bool is_first = true, agree = whole.callers > 0;

    for (uint64_t i = 0; has_room && agree && i < trace->location_count; i++) {
        if (tries[i].has_calls) {
            agree = keep_quiet(&tries[i], &whole, &index, places, is_first);
            is_first = false;
        }
    }
    for (uint64_t i = 0; !agree && i < trace->location_count; i++) {
        tries[i].count = 0;
    }
    free(places);
    mwa_index_fini(&index);
    return has_room;
}
