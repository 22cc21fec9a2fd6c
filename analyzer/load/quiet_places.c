/*
 * Each location is read by itself, by any thread. It adds a number for all that begins and takes
 * the same number off for what ends it, a hash of what tells both from all else; for what has
 * several members, the first adds what the others take off. So the sum of all locations is 0 where
 * everything that was begun has ended, and by accident once in 2^60. What the exchange engine tells
 * apart is told apart here as well, or finer: what is balanced here is so there. Requests are no
 * part of the sum: what becomes of those that are open is kept when they end.
 */
#include "analyzer/load/quiet_places.h"

#include "analyzer/load/quiet_hash.h"
#include "analyzer/model/needs.h"
#include "formats/table/calls.h"

/* --- what begins and ends --------------------------------------------------------------------- */

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

    walk->is_spoiled |= peer == MWA_NONE; /* of another job, or nobody knows whose */
    return mwa_quiet_channel(is_sent ? rank : peer, is_sent ? peer : rank, message->comm,
                             message->tag);
}

/* A message is received: takes it off, and remembers where it came from if others of the rank may
 * receive there, too. False without memory. */
static bool receive(struct mwa_quiet_walk *walk, const struct mwa_message_data *message,
                    uint64_t *channel)
{
    *channel = channel_of(walk, message, false);
    walk->balance -= *channel;
    return walk->common->trace->ranks[rank_of(walk)].locations < 2 ||
           mwa_quiet_channels_add(&walk->tries->channels, *channel);
}

static const struct mwa_open_call *outermost_open(const struct mwa_quiet_walk *walk,
                                                  const struct mwa_open_calls *open)
{
    return walk->is_in_mpi ? &open->stack[walk->outermost] : NULL;
}

/* What is under way can't be told from here on, nor where a request was open of which it is not
 * known what becomes of it: kind 0: there is none. */
static void spoil(struct mwa_quiet_walk *walk, const struct mwa_open_request *request)
{
    walk->is_spoiled = true;
    walk->may_be_quiet = false;
    walk->tries->has_others |= request->what.kind == 0;
    if (request->what.kind != 0) {
        mwa_quiet_tries_take_back(walk->tries, request->what.begin);
        mwa_quiet_rests_take_back(&walk->rests, request->what.begin);
    }
}

/* A request is begun; channel: of a send. */
static bool begin_request(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                          const struct mwa_open_calls *open, uint64_t events, uint64_t channel)
{
    const struct mwa_open_call *call = outermost_open(walk, open);
    const bool is_sent = event->kind == MWA_ISEND;
    const struct mwa_open_request one = {
        .what = { .request = event->request,
                  .begin = events,
                  .time = event->time,
                  .enter = call ? call->enter : event->time,
                  .bytes = is_sent ? event->of.message.bytes : 0,
                  .comm = is_sent ? event->of.message.comm : MWA_NONE,
                  .peer = is_sent ? event->of.message.peer : 0,
                  .tag = is_sent ? event->of.message.tag : 0,
                  .lane = is_sent ? event->of.message.lane : 0,
                  .region = call ? call->region : MWA_NONE,
                  .site = call ? call->site : MWA_NONE,
                  .kind = event->kind },
        .channel = channel
    };
    struct mwa_open_request former;
    const enum mwa_request_step step = mwa_quiet_requests_begin(&walk->requests, &one, &former);

    if (step == MWA_REQUEST_STRANGE) {
        spoil(walk, &former);
    }
    return step != MWA_REQUEST_NO_MEMORY;
}

/* What is open at places and has ended is kept: it ended by event. False without memory. */
static bool carry(struct mwa_quiet_walk *walk, const struct mwa_event *event, uint64_t events,
                  const struct mwa_carried_request *begun)
{
    struct mwa_carried_request ended = *begun;

    if (walk->is_in_mpi && begun->begin < walk->here.place.events) {
        walk->may_be_quiet = false; /* the call has not met anybody yet, and ends what is open */
    }
    ended.end = events;
    ended.end_time = event->time;
    ended.ended_by = event->kind;
    if (event->kind == MWA_IRECV) {
        ended.bytes = event->of.message.bytes;
        ended.comm = event->of.message.comm;
        ended.peer = event->of.message.peer;
        ended.tag = event->of.message.tag;
        ended.lane = event->of.message.lane;
    }
    return begun->kind == MWA_COLLECTIVE_POST ||
           (mwa_quiet_tries_carry(walk->tries, &ended) &&
            mwa_quiet_rests_carry(&walk->rests, &ended));
}

/* channel: of a receive. */
static bool end_request(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                        uint64_t events, enum mwa_event_kind beginning, uint64_t channel)
{
    struct mwa_open_request ended;

    if (mwa_quiet_requests_end(&walk->requests, event, beginning, &ended) != MWA_REQUEST_TAKEN) {
        spoil(walk, &ended);
        return true;
    }
    if (beginning == MWA_IRECV_POST) {
        mwa_quiet_rests_receive(&walk->rests, channel, ended.what.begin);
    }
    return carry(walk, event, events, &ended.what);
}

/* A receive that gets nothing, or a send whose message there is none of then: who has received it
 * all the same has to be told where it was begun. */
static bool cancel_request(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                           uint64_t events)
{
    struct mwa_open_request ended;

    if (mwa_quiet_requests_end(&walk->requests, event, MWA_NONE, &ended) != MWA_REQUEST_TAKEN ||
        ended.what.kind == MWA_COLLECTIVE_POST) {
        spoil(walk, &ended);
        return true;
    }
    walk->balance -= ended.channel;
    if (ended.what.kind == MWA_ISEND) {
        mwa_quiet_tries_take_back(walk->tries, ended.what.begin);
        mwa_quiet_rests_take_back(&walk->rests, ended.what.begin);
    }
    return carry(walk, event, events, &ended.what);
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
    const struct mwa_open_call *call = outermost_open(walk, open);

    return call ? &walk->common->trace->regions[call->region] : NULL;
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

    walk->is_alone |= members == 1;
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
    if (what == MWA_QUIET_BLOCKING && walk->is_in_mpi && mwa_has_root(data)) {
        walk->rooted_at = walk->here.place.time;
        if (mwa_may_await_return(data, position)) {
            mwa_quiet_rests_give(&walk->rests, walk->here.place.time);
        }
    }
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
    key = mwa_quiet_creation_of(common->trace, comm);
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

/* Whether nothing of this location alone is under way. */
static bool may_be_quiet(const struct mwa_quiet_walk *walk, const struct mwa_open_calls *open)
{
    return walk->requests.collectives == 0 && !walk->is_paused && !walk->is_spoiled &&
           !open->is_through && !mwa_quiet_windows_has_access(&walk->windows);
}

/* Where so many events are before the next one, which is at time. */
static struct mwa_quiet_try stand(const struct mwa_quiet_walk *walk, uint64_t events,
                                  uint64_t time)
{
    return (struct mwa_quiet_try){ .place = { .events = events, .time = time },
                                   .balance = walk->balance,
                                   .acts_at = UINT64_MAX,
                                   .rooted_at = walk->rooted_at,
                                   .gives_at = UINT64_MAX,
                                   .has_locks = mwa_quiet_windows_has_locks(&walk->windows) };
}

/* What a probe has found in the call that is entered behind so many events. */
static void find(struct mwa_quiet_walk *walk, const struct mwa_found_data *found, uint64_t events)
{
    const struct mwa_trace *trace = walk->common->trace;
    const uint32_t rank = rank_of(walk);

    if (found->is_told) {
        const uint32_t peer = mwa_trace_peer(trace, found->comm, rank, found->peer);

        mwa_quiet_rests_find(&walk->rests, mwa_quiet_channel(peer, rank, found->comm, found->tag),
                             events);
    }
}

/* An outermost call of MPI is entered. False without memory. */
static bool enter_mpi(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                      const struct mwa_open_calls *open, uint64_t events)
{
    const struct mwa_region *region = &walk->common->trace->regions[event->of.call.region];
    bool has_room;

    walk->is_in_mpi = true;
    walk->outermost = open->depth;
    walk->has_onesided = walk->is_alone = false;
    walk->may_be_quiet = may_be_quiet(walk, open);
    walk->here = stand(walk, events, event->time);
    walk->has_got = event->of.call.found.is_told;
    has_room = mwa_quiet_rests_enter(&walk->rests, region->call, &walk->here,
                                     walk->may_be_quiet && !walk->main && events > 0 &&
                                         event->time > walk->last,
                                     walk->requests.open.count);
    if (region->kind == MWA_REGION_INIT) {
        take_init(walk);
        mwa_quiet_rests_begin_run(&walk->rests);
    }
    find(walk, &event->of.call.found, events);
    return has_room;
}

/* The outermost call of MPI is left at time. False without memory. */
static bool leave_mpi(struct mwa_quiet_walk *walk, unsigned call, uint64_t time)
{
    if (mw_call_moves_messages(call) && !walk->is_alone &&
        walk->rooted_at != walk->here.place.time) {
        walk->rooted_at = 0; /* it is none of a row */
    }
    return mwa_quiet_rests_leave(&walk->rests, call, time, walk->has_got);
}

/* A collective on comm has been blocking: where its call was entered may be a place. */
static bool keep_place(struct mwa_quiet_walk *walk, const struct mwa_event *event)
{
    const struct mwa_trace *trace = walk->common->trace;
    const uint32_t comm = event->of.collective.comm;

    if (walk->main || comm == MWA_NONE || !mwa_trace_is_of_all(trace, comm)) {
        return true;
    }
    if (!next_number(walk, (struct mwa_key){ (uint64_t)MWA_QUIET_WORLD << 32, comm },
                     &walk->here.number)) {
        return false;
    }
    if (!walk->is_in_mpi || !walk->may_be_quiet) {
        return true;
    }
    walk->may_be_quiet = false; /* once for the call */
    walk->here.comm = comm;
    walk->here.met =
        mwa_do_all_meet(&event->of.collective) && !walk->has_onesided ? event->time : 0;
    return mwa_quiet_tries_add(walk->tries, &walk->here);
}

/* Another thread than the main one is here before time, where its main thread has come to places
 * since: they are this thread's, too. */
static bool keep_beside(struct mwa_quiet_walk *walk, uint64_t time)
{
    for (; walk->main && walk->tries->has_calls && walk->next < walk->main->count &&
           walk->main->list[walk->next].place.time < time;
         walk->next++) {
        walk->here.number = walk->main->list[walk->next].number;
        walk->here.comm = walk->main->list[walk->next].comm;
        walk->here.is_inside = walk->here.place.time <= walk->main->list[walk->next].place.time;
        if (walk->may_be_quiet && !mwa_quiet_tries_add(walk->tries, &walk->here)) {
            return false;
        }
    }
    return true;
}

/* Whether others may wait for what the event says, as long as it has not come to that. */
static bool is_waited_for(const struct mwa_event *event)
{
    switch (event->kind) {
    case MWA_SEND:
    case MWA_ISEND:
    case MWA_COLLECTIVE_POST:
    case MWA_COLLECTIVE_END:
    case MWA_WINDOW_COLLECTIVE:
        return true;
    case MWA_ONESIDED:
        return event->of.onesided.step == MWA_STEP_NOTICE ||
               event->of.onesided.step == MWA_STEP_GROUP;
    default:
        return false;
    }
}

/* Another thread does what others may wait for, in a call that was entered then, or had waited for
 * them by then. */
static void note_deed(struct mwa_quiet_walk *walk, uint64_t time)
{
    const struct mwa_quiet_tries *tries = walk->tries;

    if (time < walk->here.acts_at) {
        walk->here.acts_at = time; /* the main thread may come to a place while this call goes on */
    }
    for (uint64_t i = tries->count; i-- > 0 && time < tries->list[i].acts_at;) {
        tries->list[i].acts_at = time;
    }
}

/* Another thread receives on channel in a call that may be open where its main thread has come to
 * places, or will. */
static void note_receive(struct mwa_quiet_walk *walk, uint64_t channel)
{
    struct mwa_quiet_tries *tries = walk->tries;

    walk->here.receives_on = channel;
    for (uint64_t i = tries->count;
         i-- > 0 && tries->list[i].place.events == walk->here.place.events;) {
        tries->list[i].receives_on = tries->list[i].is_inside ? channel : 0;
    }
}

/* What messages and collectives are followed by. */
static bool take_event(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                       const struct mwa_open_calls *open, uint64_t events)
{
    const struct mwa_region *call = outermost_call(walk, open);
    uint64_t channel;

    switch (event->kind) {
    case MWA_SEND:
        walk->balance += channel_of(walk, &event->of.message, true);
        return true;
    case MWA_IRECV:
        return receive(walk, &event->of.message, &channel) &&
               end_request(walk, event, events, MWA_IRECV_POST, channel);
    case MWA_RECV:
        if (!receive(walk, &event->of.message, &channel)) {
            return false;
        }
        mwa_quiet_rests_receive(&walk->rests, channel, events);
        if (walk->main && walk->is_in_mpi) {
            note_receive(walk, channel);
        }
        return true;
    case MWA_ISEND:
        channel = channel_of(walk, &event->of.message, true);
        walk->balance += channel;
        return begin_request(walk, event, open, events, channel);
    case MWA_ISEND_COMPLETE:
        return end_request(walk, event, events, MWA_ISEND, 0);
    case MWA_CANCELLED:
        return cancel_request(walk, event, events);
    case MWA_COLLECTIVE_POST:
        walk->is_spoiled |= is_of_neighbors(call); /* which its end does not tell */
        return begin_request(walk, event, open, events, 0);
    case MWA_IRECV_POST:
        if (walk->main && walk->is_in_mpi) {
            note_receive(walk, MWA_QUIET_ANY_CHANNEL);
        }
        return begin_request(walk, event, open, events, 0);
    case MWA_COLLECTIVE_COMPLETE:
        return end_request(walk, event, events, MWA_COLLECTIVE_POST, 0) &&
               take_collective(walk, event,
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
    if (walk->is_in_mpi && !keep_beside(walk, event->time)) {
        return false;
    }
    if (event->kind == MWA_ENTER) {
        if (walk->common->trace->regions[event->of.call.region].kind != MWA_REGION_USER &&
            !walk->is_in_mpi) {
            walk->tries->has_calls = true;
            if (!enter_mpi(walk, event, open, events)) {
                return false;
            }
        }
        walk->last = event->time;
        return !walk->is_in_mpi || keep_beside(walk, event->time);
    }
    walk->last = event->kind == MWA_LEAVE || is_followed(event->kind) ? event->time : walk->last;
    if (event->kind == MWA_LEAVE && walk->is_in_mpi && open->depth == walk->outermost + 1 &&
        !leave_mpi(walk, outermost_call(walk, open)->call, event->time)) {
        return false;
    }
    if (event->kind == MWA_MEASUREMENT) {
        walk->is_paused = !event->of.on;
    }
    if (!is_followed(event->kind)) {
        return true;
    }
    walk->tries->has_calls = true;
    walk->has_got |= event->kind != MWA_TEST;
    if (walk->main && is_waited_for(event)) {
        note_deed(walk, walk->is_in_mpi ? walk->here.place.time : event->time);
    } else if (walk->main && (event->kind == MWA_RECV || event->kind == MWA_IRECV)) {
        note_deed(walk, event->time); /* before it was sent, where clocks disagree */
    }
    return take_event(walk, event, open, events) && !walk->common->positions.no_memory;
}

/* What of places to rest at counts. False without memory. */
static bool end_rests(const struct mwa_quiet_walk *walk, struct mwa_quiet_tries *rests)
{
    rests->count = rests->most > 0 ? rests->count : 0;
    rests->has_calls = walk->tries->has_calls;
    rests->has_others = walk->tries->has_others;
    rests->has_exclusive = walk->tries->has_exclusive;
    return mwa_quiet_tries_end(rests, &walk->requests);
}

bool mwa_quiet_walk_end(struct mwa_quiet_walk *walk, const struct mwa_open_calls *open,
                        uint64_t events, uint64_t last)
{
    if (!walk->is_in_mpi || open->depth <= walk->outermost) {
        walk->may_be_quiet = may_be_quiet(walk, open);
        walk->here = stand(walk, events, last);
    }
    return keep_beside(walk, UINT64_MAX) && mwa_quiet_tries_end(walk->tries, &walk->requests) &&
           end_rests(walk, walk->rests.lulls) && end_rests(walk, walk->rests.moments);
}

void mwa_quiet_walk_fini(struct mwa_quiet_walk *walk)
{
    mwa_quiet_rests_fini(&walk->rests);
    mwa_quiet_windows_fini(&walk->windows);
    mwa_quiet_requests_fini(&walk->requests);
    mwa_map_fini(&walk->numbers);
}
