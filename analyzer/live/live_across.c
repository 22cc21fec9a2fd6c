/*
 * What a call needs is found while its events pass by, and told when it is left: whom it has to do
 * with is known then. A request is told to whom its message may come from.
 */
#include "analyzer/live/live_across.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/live/live_ghosts.h"

#define NOBODY (MWA_NONE - 1) /* no other host */
#define EVERYBODY MWA_NONE
#define MEMBERS (MWA_NONE - 2) /* those with members of the event's communicator */
#define NO_COMM UINT32_MAX

struct needed {
    struct mwa_event event;
    uint32_t by;     /* a peer, EVERYBODY, MEMBERS */
    uint32_t not_by; /* of EVERYBODY: who is told something else */
};

/* What was told to another one. */
struct told {
    uint64_t enter;  /* of the last call */
    uint8_t *comms;  /* by index: how much of it */
    uint64_t comm_room;
};

enum { COMM_TOLD = 1, GROUPS_TOLD = 2 };

struct mwa_live_across {
    struct mwa_live_peers *peers;
    struct mwa_live_trace *live;
    struct mwa_live_ghosts *ghosts;
    uint32_t *host_of; /* by rank: who tells of it; MWA_NONE: nobody */
    uint32_t ranks;
    struct told *told; /* by peer */
    struct mwa_map requests; /* of a rank: whom they are told to */
    struct needed *needed;   /* of the call that passes by */
    uint64_t needed_count, needed_capacity;
    uint64_t enter;
    bool is_of_all;
    enum mw_live_no_waits unknown;
    uint64_t clock_error;
    bool is_over;
};

struct mwa_live_across *mwa_live_across_create(struct mwa_live_peers *peers,
                                               struct mwa_live_trace *live, uint32_t ranks)
{
    struct mwa_live_across *across = calloc(1, sizeof *across);
    const uint32_t count = mwa_live_peers_count(peers);

    if (!across) {
        return NULL;
    }
    across->peers = peers;
    across->live = live;
    across->host_of = malloc((ranks + (size_t)1) * sizeof *across->host_of);
    across->told = calloc(count + (size_t)1, sizeof *across->told);
    across->ghosts = mwa_live_ghosts_create(live, across->host_of, ranks, peers);
    if (!across->host_of || !across->told || !across->ghosts) {
        mwa_live_across_destroy(across);
        return NULL;
    }
    memset(across->host_of, 0xff, (ranks + (size_t)1) * sizeof *across->host_of);
    across->ranks = ranks;
    return across;
}

void mwa_live_across_destroy(struct mwa_live_across *across)
{
    if (!across) {
        return;
    }
    for (uint32_t i = 0; across->told && i < mwa_live_peers_count(across->peers); i++) {
        free(across->told[i].comms);
    }
    mwa_live_ghosts_destroy(across->ghosts);
    mwa_map_fini(&across->requests);
    free(across->needed);
    free(across->host_of);
    free(across->told);
    free(across);
}

void mwa_live_across_to(struct mwa_live_across *across, struct mwa_live_waits *waits)
{
    mwa_live_ghosts_to(across->ghosts, waits);
}

/* --- who tells of whom ---------------------------------------------------------------------- */

static void put(struct mwa_live_across *across, uint32_t to, enum mw_live_record_type type,
                uint64_t first, uint64_t second)
{
    const struct mw_live_record record = {.type = type, .numbers = {first, second}};

    mwa_live_peers_put(across->peers, to, &record);
}

static void put_all(struct mwa_live_across *across, enum mw_live_record_type type, uint64_t first,
                    uint64_t second)
{
    for (uint32_t i = 0; i < mwa_live_peers_count(across->peers); i++) {
        put(across, i, type, first, second);
    }
}

void mwa_live_across_rank(struct mwa_live_across *across, uint32_t rank, uint32_t threads)
{
    mwa_live_ghosts_claim(across->ghosts, mwa_live_peers_own(across->peers), rank, threads);
    put_all(across, MW_LIVE_RECORD_RANK, rank, threads);
}

uint32_t mwa_live_across_threads(const struct mwa_live_across *across, uint32_t rank)
{
    return mwa_live_ghosts_threads(across->ghosts, rank);
}

bool mwa_live_across_has_all(const struct mwa_live_across *across)
{
    for (uint32_t i = 0; i < across->ranks; i++) {
        if (across->host_of[i] == MWA_NONE) {
            return false;
        }
    }
    return true;
}

bool mwa_live_across_has(const struct mwa_live_across *across, uint32_t rank)
{
    const uint32_t host = rank < across->ranks ? across->host_of[rank] : MWA_NONE;

    return host != MWA_NONE && !mwa_live_peers_is_lost(across->peers, host);
}

void mwa_live_across_tell(struct mwa_live_across *across, enum mw_live_no_waits unknown,
                          uint64_t clock_error)
{
    if (unknown != across->unknown && unknown != MW_LIVE_KNOWN) {
        put_all(across, MW_LIVE_RECORD_UNKNOWN, unknown, 0);
        across->unknown = unknown;
    }
    if (clock_error != across->clock_error) {
        put_all(across, MW_LIVE_RECORD_CLOCK, clock_error, 0);
        across->clock_error = clock_error;
    }
}

enum mw_live_no_waits mwa_live_across_unknown(const struct mwa_live_across *across)
{
    return mwa_live_ghosts_unknown(across->ghosts);
}

/* --- whom an event has to do with ----------------------------------------------------------- */

static bool is_member(const struct mwa_live_across *across, uint32_t group, uint32_t host)
{
    const struct mwa_trace *trace = &across->live->trace;
    bool is_one = false;

    for (uint32_t i = 0; group != MWA_NONE && !is_one && i < trace->groups[group].count; i++) {
        const uint32_t rank = trace->groups[group].ranks[i];

        is_one = rank < across->ranks && across->host_of[rank] == host;
    }
    return is_one;
}

static bool has_members(const struct mwa_live_across *across, uint32_t comm, uint32_t host)
{
    const struct mwa_comm *of =
        comm < across->live->trace.comm_count ? &across->live->trace.comms[comm] : NULL;

    return of && comm != MW_COMM_SELF &&
           (is_member(across, of->group, host) || is_member(across, of->remote_group, host));
}

/* Whether a host has ranks of the run. */
static bool has_ranks(const struct mwa_live_across *across, uint32_t host)
{
    return has_members(across, MW_COMM_WORLD, host);
}

/* Who tells of the other end of a message; NOBODY: this one, or nobody. */
static uint32_t other_end(const struct mwa_live_across *across, uint32_t rank,
                          const struct mwa_message_data *message)
{
    const uint32_t peer = mwa_trace_peer(&across->live->trace, message->comm, rank, message->peer);
    const uint32_t host = peer < across->ranks ? across->host_of[peer] : MWA_NONE;

    return host == MWA_NONE || host == mwa_live_peers_own(across->peers) ? NOBODY : host;
}

static enum mw_status need(struct mwa_live_across *across, const struct mwa_event *event,
                           uint32_t by, uint32_t not_by)
{
    if (by == NOBODY) {
        return MW_OK;
    }
    if (!mwa_grow(&across->needed, &across->needed_capacity, across->needed_count + 1,
                  sizeof *across->needed)) {
        return MW_ERROR_MEMORY;
    }
    across->needed[across->needed_count++] = (struct needed){*event, by, not_by};
    return MW_OK;
}

static struct mwa_key request_of(uint32_t rank, const struct mwa_event *event)
{
    return (struct mwa_key){rank, event->request};
}

static enum mw_status begin_request(struct mwa_live_across *across, uint32_t rank,
                                    const struct mwa_event *event, uint32_t by)
{
    uint64_t *place;

    if (by == NOBODY) {
        return MW_OK;
    }
    place = mwa_map_put(&across->requests, request_of(rank, event), by);
    if (!place) {
        return MW_ERROR_MEMORY;
    }
    *place = by;
    return need(across, event, by, MWA_NONE);
}

/* A receive that was told to all is of one of them, or of none. */
static enum mw_status end_receive(struct mwa_live_across *across, uint32_t rank,
                                  const struct mwa_event *event)
{
    const uint64_t by = mwa_map_remove(&across->requests, request_of(rank, event));
    const uint32_t host = other_end(across, rank, &event->of.message);
    struct mwa_event dropped = *event;
    enum mw_status status;

    if (by == MWA_MAP_ABSENT) {
        return MW_OK;
    }
    dropped.kind = MWA_CANCELLED;
    status = need(across, event, host, MWA_NONE);
    if (status == MW_OK && (uint32_t)by != host) {
        status = need(across, &dropped, (uint32_t)by, host);
    }
    return status;
}

static enum mw_status end_request(struct mwa_live_across *across, uint32_t rank,
                                  const struct mwa_event *event)
{
    const uint64_t by = mwa_map_remove(&across->requests, request_of(rank, event));

    return by == MWA_MAP_ABSENT ? MW_OK : need(across, event, (uint32_t)by, MWA_NONE);
}

/* --- telling -------------------------------------------------------------------------------- */

static bool is_needed(const struct mwa_live_across *across, const struct needed *needed,
                      uint32_t by)
{
    return needed->by == EVERYBODY ? needed->not_by != by && has_ranks(across, by)
           : needed->by == MEMBERS ? has_members(across, needed->event.of.collective.comm, by)
                                   : needed->by == by;
}

/* What was told of a communicator to somebody; null: no memory. */
static uint8_t *told_of(struct mwa_live_across *across, uint32_t to, uint32_t comm)
{
    struct told *told = &across->told[to];
    const uint64_t before = told->comm_room;

    if (!mwa_grow(&told->comms, &told->comm_room, comm + (uint64_t)1, sizeof *told->comms)) {
        return NULL;
    }
    memset(told->comms + before, 0, told->comm_room - before);
    return &told->comms[comm];
}

static void tell_comm(struct mwa_live_across *across, uint32_t to, uint32_t comm)
{
    const struct mwa_live_trace *live = across->live;
    uint8_t *told = comm > MW_COMM_SELF && comm < live->trace.comm_count
                        ? told_of(across, to, comm)
                        : NULL;
    struct mw_live_record record = {.type = MW_LIVE_RECORD_COMM, .numbers = {comm}};

    if (!told || *told & COMM_TOLD) {
        return;
    }
    *told |= COMM_TOLD;
    record.numbers[1] = live->uids[comm].high;
    record.numbers[2] = live->uids[comm].low;
    record.numbers[3] = (live->trace.comms[comm].inter ? 1 : 0) |
                        (live->trace.comms[comm].other_job ? 2 : 0);
    mwa_live_peers_put(across->peers, to, &record);
}

static uint32_t comm_of(const struct mwa_event *event)
{
    switch (event->kind) {
    case MWA_SEND:
    case MWA_ISEND:
    case MWA_RECV:
    case MWA_IRECV:
        return event->of.message.comm;
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
        return event->of.collective.comm;
    default:
        return MWA_NONE;
    }
}

static struct mw_live_record record_of(const struct mwa_event *event, bool is_member)
{
    static const enum mw_live_record_type types[MWA_EVENT_KINDS] = {
#define RECORD(event, record) [MWA_##event] = MW_LIVE_RECORD_##record,
#include "analyzer/live/live_records.def"
#undef RECORD
    };
    const struct mwa_message_data *message = &event->of.message;
    const struct mwa_collective_data *collective = &event->of.collective;
    struct mw_live_record record = {.type = types[event->kind], .numbers = {event->request}};

    if (event->kind == MWA_COLLECTIVE_END || event->kind == MWA_COLLECTIVE_COMPLETE) {
        const uint64_t numbers[] = {is_member ? collective->comm : NO_COMM, collective->operation,
                                    mw_live_fold((int32_t)collective->root),
                                    collective->bytes_sent, collective->bytes_received,
                                    event->request};

        memcpy(record.numbers, numbers, sizeof numbers);
    } else if (comm_of(event) != MWA_NONE) {
        const uint64_t numbers[] = {message->comm, mw_live_fold((int32_t)message->peer),
                                    mw_live_fold((int32_t)message->tag), message->bytes,
                                    event->request};

        memcpy(record.numbers, numbers, sizeof numbers);
    }
    return record;
}

static void tell_call(struct mwa_live_across *across, uint32_t to, uint32_t rank, uint32_t thread,
                      const struct mwa_moment *moment, uint64_t leave)
{
    struct told *told = &across->told[to];
    struct mw_live_record record = {
        .type = MW_LIVE_RECORD_ENTER,
        .numbers = {rank, thread, moment->mpi->call,
                    mw_live_fold((int64_t)(across->enter - told->enter))}};

    for (uint64_t i = 0; i < across->needed_count; i++) {
        if (is_needed(across, &across->needed[i], to)) {
            tell_comm(across, to, comm_of(&across->needed[i].event));
        }
    }
    told->enter = across->enter;
    mwa_live_peers_put(across->peers, to, &record);
    for (uint64_t i = 0; i < across->needed_count; i++) {
        const struct mwa_event *event = &across->needed[i].event;

        if (is_needed(across, &across->needed[i], to)) {
            record = record_of(event, has_members(across, comm_of(event), to));
            mwa_live_peers_put(across->peers, to, &record);
        }
    }
    put(across, to, MW_LIVE_RECORD_LEAVE, leave - across->enter, moment->call->open);
}

static void leave(struct mwa_live_across *across, uint32_t rank, uint32_t thread,
                  const struct mwa_moment *moment, uint64_t time)
{
    const uint32_t count = mwa_live_peers_count(across->peers);

    for (uint32_t to = 0; (across->is_of_all || across->needed_count > 0) && to < count; to++) {
        bool is_due = across->is_of_all && has_ranks(across, to);

        for (uint64_t i = 0; !is_due && i < across->needed_count; i++) {
            is_due = is_needed(across, &across->needed[i], to);
        }
        if (is_due && to != mwa_live_peers_own(across->peers)) {
            tell_call(across, to, rank, thread, moment, time);
        }
    }
}

enum mw_status mwa_live_across_take(struct mwa_live_across *across, uint32_t rank, uint32_t thread,
                                    const struct mwa_event *event, const struct mwa_moment *moment,
                                    uint64_t time)
{
    const uint32_t other = event->kind == MWA_SEND || event->kind == MWA_ISEND ||
                                   event->kind == MWA_RECV || event->kind == MWA_IRECV_POST
                               ? other_end(across, rank, &event->of.message)
                               : NOBODY;

    switch (event->kind) {
    case MWA_ENTER:
        across->needed_count = 0;
        across->enter = time;
        across->is_of_all = moment->mpi->kind == MWA_REGION_INIT ||
                            moment->mpi->kind == MWA_REGION_FINALIZE;
        return MW_OK;
    case MWA_LEAVE:
        leave(across, rank, thread, moment, time);
        return MW_OK;
    case MWA_SEND:
    case MWA_RECV:
        return need(across, event, other, MWA_NONE);
    case MWA_ISEND:
        return begin_request(across, rank, event, other);
    case MWA_IRECV_POST: /* whose source is not told may come from everybody */
        return begin_request(across, rank, event,
                             event->of.message.comm == MWA_NONE ? EVERYBODY : other);
    case MWA_IRECV:
        return end_receive(across, rank, event);
    case MWA_ISEND_COMPLETE:
    case MWA_CANCELLED:
        return end_request(across, rank, event);
    case MWA_COLLECTIVE_END:
        return need(across, event, MEMBERS, MWA_NONE);
    case MWA_COLLECTIVE_POST:
    case MWA_COLLECTIVE_COMPLETE:
        return need(across, event, EVERYBODY, MWA_NONE);
    default:
        return MW_OK;
    }
}

void mwa_live_across_through(struct mwa_live_across *across, uint32_t rank, uint32_t thread,
                             uint64_t time)
{
    for (uint32_t to = 0; to < mwa_live_peers_count(across->peers); to++) {
        struct told *told = &across->told[to];
        const struct mw_live_record record = {
            .type = MW_LIVE_RECORD_THROUGH,
            .numbers = {rank, thread, mw_live_fold((int64_t)(time - told->enter))}};

        if (has_ranks(across, to)) {
            told->enter = time;
            mwa_live_peers_put(across->peers, to, &record);
        }
    }
}

/* --- groups --------------------------------------------------------------------------------- */

static void tell_group(struct mwa_live_across *across, uint32_t to, uint32_t comm, uint32_t group)
{
    const struct mwa_group *of = &across->live->trace.groups[group];

    put(across, to, MW_LIVE_RECORD_GROUP, comm, of->count);
    for (uint32_t i = 0; i < of->count; i++) {
        put(across, to, MW_LIVE_RECORD_MEMBER, of->ranks[i], 0);
    }
}

/* Who leads a communicator is the one to tell its members; of an intercommunicator anybody. */
static void tell_groups(struct mwa_live_across *across, uint32_t to)
{
    const struct mwa_trace *trace = &across->live->trace;

    for (uint32_t i = MW_COMM_SELF + 1; i < trace->comm_count; i++) {
        const struct mwa_comm *comm = &trace->comms[i];
        const uint32_t leader = across->live->leaders[i];
        const bool leads = leader < across->ranks &&
                           across->host_of[leader] == mwa_live_peers_own(across->peers);
        uint8_t *told = told_of(across, to, i);

        if (!told || *told & GROUPS_TOLD || comm->group == MWA_NONE || comm->other_job ||
            (comm->inter ? comm->remote_group == MWA_NONE : !leads)) {
            continue;
        }
        *told |= GROUPS_TOLD;
        if (has_members(across, i, to)) {
            tell_comm(across, to, i);
            tell_group(across, to, i, comm->group);
            if (comm->inter) {
                tell_group(across, to, i, comm->remote_group);
            }
        }
    }
}

void mwa_live_across_groups(struct mwa_live_across *across)
{
    for (uint32_t to = 0; to < mwa_live_peers_count(across->peers); to++) {
        if (to != mwa_live_peers_own(across->peers)) {
            tell_groups(across, to);
        }
    }
}

void mwa_live_across_over(struct mwa_live_across *across)
{
    if (!across->is_over) {
        put_all(across, MW_LIVE_RECORD_OVER, 0, 0);
        across->is_over = true;
    }
}

bool mwa_live_across_is_over(const struct mwa_live_across *across)
{
    for (uint32_t i = 0; i < mwa_live_peers_count(across->peers); i++) {
        if (i != mwa_live_peers_own(across->peers) &&
            !mwa_live_ghosts_are_over(across->ghosts, i) &&
            !mwa_live_peers_is_lost(across->peers, i) && has_ranks(across, i)) {
            return false;
        }
    }
    return true;
}

bool mwa_live_across_hear(void *context, uint32_t from, const struct mw_cursor *records)
{
    struct mwa_live_across *across = context;
    bool is_anew = false;
    const bool are_taken = mwa_live_ghosts_hear(across->ghosts, from, records, &is_anew);

    if (is_anew) { /* a thread that nobody knew of */
        mwa_live_peers_anew(across->peers);
    }
    return are_taken;
}
