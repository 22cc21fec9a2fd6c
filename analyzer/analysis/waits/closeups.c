/*
 * Which waits are the longest is known at the end only, and then what was around them has gone by:
 * so calls, messages and waits of a round of the engine and some before it are kept, and what is
 * around a wait that is among the longest so far is taken out of them, and added to while more of
 * it comes. All of it is looked at when a round is over: within, it comes in any order.
 */
#include "analyzer/analysis/waits/closeups.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"
#include "formats/base/order.h"

/* So many of earlier rounds are kept at least, if there were. */
#define MESSAGES_PAST 4096u
#define WAITS_PAST    1024u

/* What is known of a rank. */
struct rank {
    struct mwa_seen_call now; /* what the call being made has told so far */
    struct mwa_seen_call *calls;
    uint64_t count, capacity;
    uint64_t past; /* the first of them, which earlier rounds told */
};

struct looking {
    const struct mwa_trace *trace;
    struct rank *ranks;
    struct mwa_seen_message *messages;
    uint64_t message_count, message_capacity;
    uint64_t message_past; /* the first of them, which earlier rounds told */
    struct mwa_seen_wait *waits;
    uint64_t wait_count, wait_capacity;
    uint64_t wait_past;
    struct mwa_closeups result;
};

static void empty(struct mwa_closeup *closeup)
{
    free(closeup->calls);
    free(closeup->messages);
    free(closeup->waits);
    *closeup = (struct mwa_closeup){ 0 };
}

void mwa_closeups_fini(struct mwa_closeups *closeups)
{
    for (uint32_t i = 0; i < MWA_CLOSEUPS; i++) {
        empty(&closeups->list[i]);
    }
    closeups->count = 0;
}

static void destroy(void *analysis)
{
    struct looking *looking = analysis;

    if (looking) {
        for (uint64_t i = 0; looking->ranks && i < looking->trace->rank_count; i++) {
            free(looking->ranks[i].calls);
        }
        free(looking->ranks);
        free(looking->messages);
        free(looking->waits);
        mwa_closeups_fini(&looking->result);
        free(looking);
    }
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct looking *looking = *analysis = calloc(1, sizeof *looking);

    if (!looking) {
        return MW_ERROR_MEMORY;
    }
    looking->trace = trace;
    looking->ranks = calloc(trace->rank_count + 1, sizeof *looking->ranks);
    return looking->ranks ? MW_OK : MW_ERROR_MEMORY;
}

/* --- what is seen ------------------------------------------------------------------------- */

static enum mw_status see_call(struct rank *rank, const struct mwa_seen_call *call)
{
    if (!mwa_grow(&rank->calls, &rank->capacity, rank->count + 1, sizeof *rank->calls)) {
        return MW_ERROR_MEMORY;
    }
    rank->calls[rank->count++] = *call;
    return MW_OK;
}

/* What an event tells of the call that it is inside of. */
static void learn(const struct mwa_trace *trace, struct mwa_seen_call *now,
                  const struct mwa_event *event)
{
    const struct mwa_message_data *message = &event->of.message;
    const struct mwa_collective_data *collective = &event->of.collective;

    switch (event->kind) {
    case MWA_SEND:
    case MWA_ISEND:
    case MWA_RECV:
    case MWA_IRECV:
        now->comm = message->comm;
        now->peer = message->comm == MWA_NONE
                        ? MWA_NONE
                        : mwa_trace_peer(trace, message->comm, now->rank, message->peer);
        now->bytes = (now->bytes == UINT64_MAX ? 0 : now->bytes) + message->bytes;
        break;
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
        now->comm = collective->comm;
        now->bytes = collective->bytes_sent > collective->bytes_received
                         ? collective->bytes_sent
                         : collective->bytes_received;
        break;
    default:
        break;
    }
}

static const struct mwa_seen_call nothing = { .bytes = UINT64_MAX,
                                              .site = MWA_NONE,
                                              .comm = MWA_NONE,
                                              .peer = MWA_NONE };

static enum mw_status take_moment(void *analysis, const struct mwa_moment *moment)
{
    struct looking *looking = analysis;
    const uint32_t rank = moment->location->rank;
    const struct mwa_call *call = moment->call;
    struct mwa_seen_call *now;
    struct mwa_seen_call seen;

    if (rank == MWA_NONE || !moment->location->master) {
        return MW_OK;
    }
    now = &looking->ranks[rank].now;
    if (moment->event->kind == MWA_ENTER && moment->mpi && moment->mpi_depth == 1) {
        *now = nothing;
        now->rank = rank;
    } else if (moment->mpi) {
        learn(looking->trace, now, moment->event);
    }
    if (!call || (call->region->kind != MWA_REGION_USER && !call->outermost)) {
        return MW_OK;
    }
    seen = call->outermost ? *now : nothing;
    seen.rank = rank;
    seen.region = call->region;
    seen.enter = call->enter;
    seen.leave = call->leave;
    seen.repeat = call->repeat;
    seen.site = call->outermost ? call->site : MWA_NONE;
    return see_call(&looking->ranks[rank], &seen);
}

static enum mw_status take_message(void *analysis, struct mwa_message *message)
{
    struct looking *looking = analysis;
    const struct mwa_exchange_call *end = message->receive_completion;
    const struct mwa_seen_message seen = { .sent = message->sent_at,
                                           .received = end ? end->leave : message->posted_at,
                                           .bytes = message->bytes,
                                           .from = message->send->rank,
                                           .to = message->receive->rank,
                                           .comm = message->comm,
                                           .tag = message->tag };

    if (!end) {
        return MW_OK;
    }
    if (!mwa_grow(&looking->messages, &looking->message_capacity, looking->message_count + 1,
                  sizeof *looking->messages)) {
        return MW_ERROR_MEMORY;
    }
    looking->messages[looking->message_count++] = seen;
    return MW_OK;
}

static enum mw_status take_wait(void *analysis, uint32_t rank, const struct mwa_region *call,
                                uint64_t from, uint64_t to)
{
    struct looking *looking = analysis;

    if (!mwa_grow(&looking->waits, &looking->wait_capacity, looking->wait_count + 1,
                  sizeof *looking->waits)) {
        return MW_ERROR_MEMORY;
    }
    looking->waits[looking->wait_count++] =
        (struct mwa_seen_wait){ .from = from, .to = to, .call = call, .rank = rank };
    return MW_OK;
}

/* --- what is in a close-up ---------------------------------------------------------------- */

static bool overlaps(const struct mwa_closeup *closeup, uint64_t from, uint64_t to)
{
    return from < closeup->to && to > closeup->from;
}

/* Says how many of count are kept; the rest is left out. */
static uint64_t keep(struct mwa_closeup *closeup, uint64_t count)
{
    const uint64_t kept = count < MWA_CLOSEUP_CALLS ? count : MWA_CLOSEUP_CALLS;

    closeup->left_out += count - kept;
    return kept;
}

/* Adds what a rank did, of its calls from the first on. */
static enum mw_status add_calls(struct mwa_closeup *closeup, const struct rank *rank,
                                uint64_t first)
{
    for (uint64_t i = first; i < rank->count; i++) {
        const struct mwa_seen_call *call = &rank->calls[i];

        if (!overlaps(closeup, call->enter, call->leave)) {
            continue;
        }
        if (!mwa_grow(&closeup->calls, &closeup->call_capacity, closeup->call_count + 1,
                      sizeof *closeup->calls)) {
            return MW_ERROR_MEMORY;
        }
        closeup->calls[closeup->call_count] = *call;
        closeup->call_count = keep(closeup, closeup->call_count + 1);
    }
    return MW_OK;
}

static int by_sent(const void *left, const void *right)
{
    const struct mwa_seen_message *a = left, *b = right;

    return mw_order(a->sent, b->sent) ?: mw_order(a->received, b->received)
               ?: mw_order(a->from, b->from) ?: mw_order(a->to, b->to)
               ?: mw_order(a->comm, b->comm) ?: mw_order(a->tag, b->tag)
               ?: mw_order(a->bytes, b->bytes);
}

static enum mw_status add_messages(struct mwa_closeup *closeup, const struct looking *looking,
                                   uint64_t first)
{
    const uint64_t had = closeup->message_count;
    uint64_t count = had;

    for (uint64_t i = first; i < looking->message_count; i++) {
        const struct mwa_seen_message *message = &looking->messages[i];

        if (!overlaps(closeup, message->sent, message->received)) {
            continue;
        }
        if (!mwa_grow(&closeup->messages, &closeup->message_capacity, count + 1,
                      sizeof *closeup->messages)) {
            return MW_ERROR_MEMORY;
        }
        closeup->messages[count++] = *message;
    }
    if (count > had) {
        qsort(closeup->messages + had, count - had, sizeof *closeup->messages, by_sent);
        closeup->message_count = keep(closeup, count);
    }
    return MW_OK;
}

static int by_begin(const void *left, const void *right)
{
    const struct mwa_seen_wait *a = left, *b = right;

    return mw_order(a->from, b->from) ?: mw_order(a->to, b->to) ?: mw_order(a->rank, b->rank);
}

static enum mw_status add_waits(struct mwa_closeup *closeup, const struct looking *looking,
                                uint64_t first)
{
    const uint64_t had = closeup->wait_count;
    uint64_t count = had;

    for (uint64_t i = first; i < looking->wait_count; i++) {
        const struct mwa_seen_wait *wait = &looking->waits[i];

        if (!overlaps(closeup, wait->from, wait->to)) {
            continue;
        }
        if (!mwa_grow(&closeup->waits, &closeup->wait_capacity, count + 1,
                      sizeof *closeup->waits)) {
            return MW_ERROR_MEMORY;
        }
        closeup->waits[count++] = *wait;
    }
    if (count > had) {
        qsort(closeup->waits + had, count - had, sizeof *closeup->waits, by_begin);
        closeup->wait_count = keep(closeup, count);
    }
    return MW_OK;
}

/* Adds what is kept; only_new: what this round told. */
static enum mw_status add_all(struct mwa_closeup *closeup, const struct looking *looking,
                              bool only_new)
{
    enum mw_status status = add_messages(closeup, looking, only_new ? looking->message_past : 0);

    if (status == MW_OK) {
        status = add_waits(closeup, looking, only_new ? looking->wait_past : 0);
    }
    for (uint64_t i = 0; i < looking->trace->rank_count && status == MW_OK; i++) {
        const struct rank *rank = &looking->ranks[i];

        status = add_calls(closeup, rank, only_new ? rank->past : 0);
    }
    return status;
}

/* --- the longest waits -------------------------------------------------------------------- */

static uint64_t length_of(const struct mwa_seen_wait *wait)
{
    return wait->to - wait->from;
}

/* Takes what is around wait out of what is kept. */
static enum mw_status look(const struct looking *looking, const struct mwa_seen_wait *wait,
                           struct mwa_closeup *closeup)
{
    const uint64_t around = length_of(wait) / 3 + 1;

    empty(closeup);
    closeup->wait = *wait;
    closeup->from = wait->from > around ? wait->from - around : 0;
    closeup->to = wait->to < UINT64_MAX - around ? wait->to + around : UINT64_MAX;
    return add_all(closeup, looking, false);
}

/* Drops one of the list, which keeps no order. */
static void drop(struct mwa_closeups *closeups, uint32_t index)
{
    empty(&closeups->list[index]);
    closeups->list[index] = closeups->list[--closeups->count];
    closeups->list[closeups->count] = (struct mwa_closeup){ 0 };
}

static bool is_longer(const struct mwa_seen_wait *wait, const struct mwa_seen_wait *than)
{
    return length_of(wait) > length_of(than) + length_of(than) / 10;
}

static uint32_t least_of(const struct mwa_closeups *closeups)
{
    uint32_t least = 0;

    for (uint32_t i = 1; i < closeups->count; i++) {
        least = length_of(&closeups->list[i].wait) < length_of(&closeups->list[least].wait)
                    ? i
                    : least;
    }
    return least;
}

/* Whether wait may be one of the longest, whatever it is at the same time as. */
static bool is_long(const struct mwa_closeups *closeups, const struct mwa_seen_wait *wait)
{
    return closeups->count < MWA_CLOSEUPS ||
           is_longer(wait, &closeups->list[least_of(closeups)].wait);
}

/* Makes room for a wait among the longest. False: it is none of them. */
static bool make_room(struct mwa_closeups *closeups, const struct mwa_seen_wait *wait)
{
    for (uint32_t i = 0; i < closeups->count; i++) {
        const struct mwa_seen_wait *other = &closeups->list[i].wait;

        if (wait->from < other->to && wait->to > other->from && !is_longer(wait, other)) {
            return false;
        }
    }
    for (uint32_t i = closeups->count; i-- > 0;) {
        const struct mwa_seen_wait *other = &closeups->list[i].wait;

        if (wait->from < other->to && wait->to > other->from) {
            drop(closeups, i);
        }
    }
    if (closeups->count < MWA_CLOSEUPS) {
        return true;
    }
    if (!is_long(closeups, wait)) {
        return false;
    }
    drop(closeups, least_of(closeups));
    return true;
}

static int by_length(const void *left, const void *right)
{
    const struct mwa_seen_wait *a = left, *b = right;

    return mw_order(length_of(b), length_of(a)) ?: by_begin(a, b);
}

/* Looks at those of the waits of this round that are among the longest, the longest first. */
static enum mw_status look_at_new(struct looking *looking)
{
    struct mwa_closeups *closeups = &looking->result;
    const uint64_t new = looking->wait_count - looking->wait_past;
    struct mwa_seen_wait *waits = new > 0 ? malloc(new * sizeof *waits) : NULL;
    enum mw_status status = new > 0 && !waits ? MW_ERROR_MEMORY : MW_OK;
    uint64_t count = 0;

    for (uint64_t i = looking->wait_past; waits && i < looking->wait_count; i++) {
        if (is_long(closeups, &looking->waits[i])) {
            waits[count++] = looking->waits[i];
        }
    }
    if (count > 1) {
        qsort(waits, count, sizeof *waits, by_length);
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        if (make_room(closeups, &waits[i])) {
            status = look(looking, &waits[i], &closeups->list[closeups->count++]);
        }
    }
    free(waits);
    return status;
}

/* --- rounds ------------------------------------------------------------------------------- */

/*
 * Forgets of count items what is too much, and returns how many are left: those of this round, from
 * past on, or if they are fewer than least the last ones by their order; null: as they stand.
 */
static uint64_t forget(void *list, size_t size, uint64_t count, uint64_t past, uint64_t least,
                       int (*order)(const void *left, const void *right))
{
    uint64_t first = past;

    if (count - past < least) {
        if (count <= 2 * least) {
            return count;
        }
        if (order) {
            qsort(list, count, size, order);
        }
        first = count - least;
    }
    if (first > 0) {
        memmove(list, (char *)list + first * size, (count - first) * size);
    }
    return count - first;
}

static enum mw_status end_round(void *analysis)
{
    struct looking *looking = analysis;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < looking->result.count && status == MW_OK; i++) {
        status = add_all(&looking->result.list[i], looking, true);
    }
    status = status == MW_OK ? look_at_new(looking) : status;
    looking->message_past = looking->message_count =
        forget(looking->messages, sizeof *looking->messages, looking->message_count,
               looking->message_past, MESSAGES_PAST, by_sent);
    looking->wait_past = looking->wait_count =
        forget(looking->waits, sizeof *looking->waits, looking->wait_count, looking->wait_past,
               WAITS_PAST, by_begin);
    for (uint64_t i = 0; i < looking->trace->rank_count; i++) {
        struct rank *rank = &looking->ranks[i];

        rank->past = rank->count = forget(rank->calls, sizeof *rank->calls, rank->count,
                                          rank->past, MWA_CLOSEUP_PAST, NULL);
    }
    return status;
}

static int longest_first(const void *left, const void *right)
{
    const struct mwa_closeup *a = left, *b = right;

    return by_length(&a->wait, &b->wait);
}

static enum mw_status finish(void *analysis, void *result)
{
    struct mwa_closeups *closeups = &((struct looking *)analysis)->result;
    enum mw_status status = end_round(analysis);

    qsort(closeups->list, closeups->count, sizeof *closeups->list, longest_first);
    *(struct mwa_closeups *)result = *closeups;
    *closeups = (struct mwa_closeups){ 0 };
    return status;
}

const struct mwa_exchange_analysis mwa_closeups_analysis = { .name = "close-ups",
                                                             .create = create,
                                                             .listener = { .message =
                                                                               take_message,
                                                                           .round = end_round },
                                                             .moment = take_moment,
                                                             .wait = take_wait,
                                                             .finish = finish,
                                                             .destroy = destroy };
