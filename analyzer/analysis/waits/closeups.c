/*
 * Which waits are the longest is known at the end only, and then what was around them has gone by:
 * so the last calls, messages and waits are kept in rings, and what is around a wait that is among
 * the longest so far is taken out of them, and added to while more of it comes.
 */
#include "analyzer/analysis/waits/closeups.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"
#include "formats/base/order.h"

#define MESSAGES_PAST 4096u
#define WAITS_PAST    1024u

/* What is known of a rank. */
struct rank {
    struct mwa_seen_call now; /* what the call being made has told so far */
    struct mwa_seen_call *past; /* a ring of MWA_CLOSEUP_PAST, by seen; null: none yet */
    uint64_t seen;
};

struct looking {
    const struct mwa_trace *trace;
    struct rank *ranks;
    struct mwa_seen_message *messages; /* a ring of MESSAGES_PAST */
    uint64_t message_count;
    struct mwa_seen_wait *waits; /* a ring of WAITS_PAST */
    uint64_t wait_count;
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
            free(looking->ranks[i].past);
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
    looking->messages = calloc(MESSAGES_PAST, sizeof *looking->messages);
    looking->waits = calloc(WAITS_PAST, sizeof *looking->waits);
    return looking->ranks && looking->messages && looking->waits ? MW_OK : MW_ERROR_MEMORY;
}

/* --- what is seen ------------------------------------------------------------------------- */

static bool overlaps(const struct mwa_closeup *closeup, uint64_t from, uint64_t to)
{
    return from < closeup->to && to > closeup->from;
}

/* Adds one of what a close-up has lists of, if it is in it. */
#define ADD(closeup, list, item_count, capacity, item, from, to)                                   \
    (!overlaps(closeup, from, to)               ? MW_OK                                           \
     : (closeup)->item_count == MWA_CLOSEUP_CALLS                                                  \
         ? ((closeup)->left_out++, MW_OK)                                                          \
     : mwa_grow(&(closeup)->list, &(closeup)->capacity, (closeup)->item_count + 1,                 \
                sizeof *(closeup)->list)                                                           \
         ? ((closeup)->list[(closeup)->item_count++] = (item), MW_OK)                              \
         : MW_ERROR_MEMORY)

static enum mw_status add_call(struct mwa_closeup *closeup, const struct mwa_seen_call *call)
{
    return ADD(closeup, calls, call_count, call_capacity, *call, call->enter, call->leave);
}

static enum mw_status add_message(struct mwa_closeup *closeup,
                                  const struct mwa_seen_message *message)
{
    return ADD(closeup, messages, message_count, message_capacity, *message, message->sent,
               message->received);
}

static enum mw_status add_wait(struct mwa_closeup *closeup, const struct mwa_seen_wait *wait)
{
    return ADD(closeup, waits, wait_count, wait_capacity, *wait, wait->from, wait->to);
}

static enum mw_status see_call(struct looking *looking, const struct mwa_seen_call *call)
{
    struct rank *rank = &looking->ranks[call->rank];
    enum mw_status status = MW_OK;

    if (!rank->past) {
        rank->past = calloc(MWA_CLOSEUP_PAST, sizeof *rank->past);
        if (!rank->past) {
            return MW_ERROR_MEMORY;
        }
    }
    rank->past[rank->seen++ % MWA_CLOSEUP_PAST] = *call;
    for (uint32_t i = 0; i < looking->result.count && status == MW_OK; i++) {
        status = add_call(&looking->result.list[i], call);
    }
    return status;
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
    return see_call(looking, &seen);
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
    enum mw_status status = MW_OK;

    if (!end) {
        return MW_OK;
    }
    looking->messages[looking->message_count++ % MESSAGES_PAST] = seen;
    for (uint32_t i = 0; i < looking->result.count && status == MW_OK; i++) {
        status = add_message(&looking->result.list[i], &seen);
    }
    return status;
}

/* --- close-ups ---------------------------------------------------------------------------- */

static uint64_t length_of(const struct mwa_seen_wait *wait)
{
    return wait->to - wait->from;
}

/* Takes what is around wait out of the rings. */
static enum mw_status look(struct looking *looking, const struct mwa_seen_wait *wait,
                           struct mwa_closeup *closeup)
{
    const uint64_t around = length_of(wait) / 3 + 1;
    enum mw_status status = MW_OK;

    empty(closeup);
    closeup->wait = *wait;
    closeup->from = wait->from > around ? wait->from - around : 0;
    closeup->to = wait->to < UINT64_MAX - around ? wait->to + around : UINT64_MAX;
    for (uint64_t i = 0; i < looking->trace->rank_count; i++) {
        const struct rank *rank = &looking->ranks[i];

        for (uint64_t k = 0; k < MWA_CLOSEUP_PAST && k < rank->seen && status == MW_OK; k++) {
            status = add_call(closeup, &rank->past[k]);
        }
    }
    for (uint64_t i = 0; i < MESSAGES_PAST && i < looking->message_count && status == MW_OK; i++) {
        status = add_message(closeup, &looking->messages[i]);
    }
    for (uint64_t i = 0; i < WAITS_PAST && i < looking->wait_count && status == MW_OK; i++) {
        status = add_wait(closeup, &looking->waits[i]);
    }
    return status;
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

/* Makes room for a wait among the longest. False: it is none of them. */
static bool make_room(struct mwa_closeups *closeups, const struct mwa_seen_wait *wait)
{
    uint32_t least = 0;

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
    for (uint32_t i = 1; i < closeups->count; i++) {
        least = length_of(&closeups->list[i].wait) < length_of(&closeups->list[least].wait)
                    ? i
                    : least;
    }
    if (!is_longer(wait, &closeups->list[least].wait)) {
        return false;
    }
    drop(closeups, least);
    return true;
}

static enum mw_status take_wait(void *analysis, uint32_t rank, const struct mwa_region *call,
                                uint64_t from, uint64_t to)
{
    struct looking *looking = analysis;
    struct mwa_closeups *closeups = &looking->result;
    const struct mwa_seen_wait wait = { .from = from, .to = to, .call = call, .rank = rank };
    enum mw_status status = MW_OK;

    looking->waits[looking->wait_count++ % WAITS_PAST] = wait;
    for (uint32_t i = 0; i < closeups->count && status == MW_OK; i++) {
        status = add_wait(&closeups->list[i], &wait);
    }
    return status == MW_OK && make_room(closeups, &wait)
               ? look(looking, &wait, &closeups->list[closeups->count++])
               : status;
}

static int by_length(const void *left, const void *right)
{
    const struct mwa_closeup *a = left, *b = right;

    return mw_order(length_of(&b->wait), length_of(&a->wait)) ?: mw_order(a->from, b->from);
}

static enum mw_status finish(void *analysis, void *result)
{
    struct mwa_closeups *closeups = &((struct looking *)analysis)->result;

    qsort(closeups->list, closeups->count, sizeof *closeups->list, by_length);
    *(struct mwa_closeups *)result = *closeups;
    *closeups = (struct mwa_closeups){ 0 };
    return MW_OK;
}

const struct mwa_exchange_analysis mwa_closeups_analysis = { .name = "close-ups",
                                                             .create = create,
                                                             .listener = { .message =
                                                                               take_message },
                                                             .moment = take_moment,
                                                             .wait = take_wait,
                                                             .finish = finish,
                                                             .destroy = destroy };
