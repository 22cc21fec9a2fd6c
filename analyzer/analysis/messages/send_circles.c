/*
 * Which send needs which is known when its message is, in any order of these within a round; the
 * last one of a circle closes it. All of a circle are under way at the same time, so that of each
 * rank only the latest are kept from round to round, and some before them: clocks that are far
 * apart have ranks told in rounds of their own. Chains of needs go far back where messages are
 * passed on and on: who has gone along one leaves a short cut behind (as finding in union-find
 * does, Tarjan 1975), and a circle is walked through only where there is one.
 */
#include "analyzer/analysis/messages/send_circles.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/messages/mistake_packing.h"

#define KEPT  64u /* sends of a rank, from round to round */
#define STEPS 32u /* ranks in a circle, at most */

#define NOWHERE UINT64_MAX /* no send has this number */

/* A send that needs another one. */
struct need {
    uint64_t number; /* of the rank's sends, from 1; 0: it is not told, or needs none */
    uint64_t needed; /* likewise, of the receiver's */
    uint64_t farther; /* the needed one, or one that it needs in turn, … */
    uint32_t beyond;  /* … of this rank's */
    uint32_t receiver;
    uint32_t site;
    uint32_t comm;
    uint32_t tag;
    uint64_t bytes; /* of the message; UINT64_MAX: not known */
};

struct sender {
    uint64_t sends; /* that it has left */
    struct need *kept; /* those from number first on */
    uint64_t capacity;
    uint64_t first;
    uint64_t count;
};

struct circles {
    const struct mwa_trace *trace;
    const bool *comms; /* null: all */
    uint32_t slot;
    struct sender *senders; /* per rank */
    struct mwa_mistakes result;
};

static void destroy(void *analysis)
{
    struct circles *circles = analysis;

    for (uint64_t i = 0; circles && circles->senders && i < circles->trace->rank_count; i++) {
        free(circles->senders[i].kept);
    }
    if (circles) {
        free(circles->senders);
        mwa_mistakes_fini(&circles->result);
        free(circles);
    }
}

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct circles *circles = *analysis = calloc(1, sizeof *circles);

    if (!circles) {
        return MW_ERROR_MEMORY;
    }
    circles->trace = trace;
    circles->comms = scope->comms;
    circles->slot = slot;
    circles->senders = calloc(trace->rank_count + 1, sizeof *circles->senders);
    return circles->senders ? MW_OK : MW_ERROR_MEMORY;
}

/* In the standard mode, in which the MPI may keep the message, and blocking. */
static bool is_send(const struct mwa_exchange_call *call)
{
    return call->region && (call->region->call == MW_CALL_MPI_Send ||
                            call->region->call == MW_CALL_MPI_Send_c);
}

static bool is_main(const struct circles *circles, const struct mwa_exchange_call *call)
{
    return circles->trace->locations[call->location].master;
}

/* A call keeps how many sends its rank had left when it began. */
static enum mw_status begin_call(void *analysis, struct mwa_exchange_call *call)
{
    struct circles *circles = analysis;

    call->note[circles->slot] = is_main(circles, call) ? circles->senders[call->rank].sends : 0;
    return MW_OK;
}

static enum mw_status end_call(void *analysis, struct mwa_exchange_call *call)
{
    struct circles *circles = analysis;

    circles->senders[call->rank].sends += is_main(circles, call) && is_send(call);
    return MW_OK;
}

/* The send of a rank with that number, if it is kept and needs another one; else null. */
static struct need *need_of(const struct circles *circles, uint32_t rank, uint64_t number)
{
    const struct sender *sender = &circles->senders[rank];
    const uint64_t at = number - sender->first;

    return number >= sender->first && at < sender->count && sender->kept[at].number == number
               ? &sender->kept[at]
               : NULL;
}

/* Keeps what a send of the rank needs, unless others have followed in rounds before. */
static enum mw_status keep(struct sender *sender, const struct need *need)
{
    const uint64_t at = need->number - sender->first;

    if (need->number < sender->first) {
        return MW_OK;
    }
    if (!mwa_grow(&sender->kept, &sender->capacity, at + 1, sizeof *sender->kept)) {
        return MW_ERROR_MEMORY;
    }
    while (sender->count <= at) {
        sender->kept[sender->count++] = (struct need){ .number = 0 };
    }
    sender->kept[at] = *need;
    return MW_OK;
}

static enum mw_status end_round(void *analysis)
{
    struct circles *circles = analysis;

    for (uint64_t i = 0; i < circles->trace->rank_count; i++) {
        struct sender *sender = &circles->senders[i];
        const uint64_t gone = sender->count > KEPT ? sender->count - KEPT : 0;

        if (gone > 0) {
            memmove(sender->kept, sender->kept + gone, KEPT * sizeof *sender->kept);
            sender->first += gone;
            sender->count = KEPT;
        }
    }
    return MW_OK;
}

/* A circle of which the smallest message has so many bytes: it hangs when none of them is kept. */
static enum mw_status add_circle(struct circles *circles, uint32_t rank, const struct need *first,
                                 uint64_t bytes)
{
    const struct need *next = need_of(circles, first->receiver, first->needed);
    struct mwa_mistake mistake = { .kind = MWA_MISTAKE_CIRCLE,
                                   .is_sure = !mwa_trace_has_gaps(circles->trace) &&
                                              circles->trace->filtered_count == 0,
                                   .rank = rank,
                                   .other = first->receiver,
                                   .comm = first->comm,
                                   .tag = first->tag,
                                   .site = first->site,
                                   .other_site = next->site,
                                   .count = 1,
                                   .bytes = bytes,
                                   .other_bytes = UINT64_MAX };

    return circles->comms && (first->comm == MWA_NONE || !circles->comms[first->comm])
               ? MW_OK
               : mwa_mistakes_add(&circles->result, &mistake);
}

/* Whether the chain of needs from start on comes back to it, if all are kept that it has led to.
 * Nobody has gone beyond start, which is told now: short cuts lead to it at most. */
static bool comes_back(const struct circles *circles, struct need *start)
{
    uint64_t end = start->needed;
    uint32_t rank = start->receiver;
    struct need *need, *next;

    while ((need = need_of(circles, rank, end)) != NULL && need != start) {
        end = need->farther;
        rank = need->beyond;
    }
    if (need == start) {
        start->farther = NOWHERE; /* so that no short cuts go round and round */
        return true;
    }
    for (need = start; need; need = next) {
        next = need_of(circles, need->beyond, need->farther);
        need->farther = end;
        need->beyond = rank;
    }
    return false;
}

/* Goes from a send to those that it needs; back at it they are a circle, which is told of the
 * lowest rank's first send in it, wherever it was closed. */
static enum mw_status follow(struct circles *circles, uint32_t rank, const struct need *start)
{
    const struct need *need = start, *first = start;
    uint32_t at = rank, lowest = rank;
    uint64_t bytes = start->bytes;

    for (uint32_t i = 0; need && i < STEPS; i++) {
        at = need->receiver;
        need = need_of(circles, at, need->needed);
        if (need == start) {
            return add_circle(circles, lowest, first, bytes);
        }
        bytes = need && need->bytes < bytes ? need->bytes : bytes;
        if (need && (at < lowest || (at == lowest && need->number < first->number))) {
            lowest = at;
            first = need;
        }
    }
    return MW_OK;
}

static enum mw_status take_message(void *analysis, struct mwa_message *message)
{
    struct circles *circles = analysis;
    const struct mwa_exchange_call *send = message->send, *receive = message->receive;
    struct sender *sender = &circles->senders[send->rank];
    const struct need need = { .number = send->note[circles->slot] + 1,
                               .needed = receive->note[circles->slot],
                               .farther = receive->note[circles->slot],
                               .beyond = receive->rank,
                               .receiver = receive->rank,
                               .site = send->site,
                               .comm = message->comm,
                               .tag = message->tag,
                               .bytes = message->bytes };
    struct need *kept;

    if (!is_send(send) || message->send_completion != send || !is_main(circles, send) ||
        !is_main(circles, receive) || need.needed == 0 || !receive->region ||
        mw_call_waits(receive->region->call) ||
        mw_call_means(receive->region->call, MW_TESTS)) {
        return MW_OK;
    }
    if (keep(sender, &need) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    kept = need_of(circles, send->rank, need.number);
    return kept && comes_back(circles, kept) ? follow(circles, send->rank, kept) : MW_OK;
}

/* Circles do not reach from a chapter into the next one: nothing is under way between them. */
static enum mw_status append(void *analysis, void *later, const struct mwa_seam *seam)
{
    struct circles *circles = analysis;
    const struct circles *from = later;

    return mwa_mistakes_join(&circles->result, &from->result);
}

static void pack(void *analysis, struct mw_buffer *to)
{
    mwa_mistakes_pack(&((struct circles *)analysis)->result, to);
}

static enum mw_status unpack(void *analysis, struct mwa_region_paths *paths,
                             struct mw_cursor *from)
{
    struct circles *circles = analysis;

    return mwa_mistakes_unpack(&circles->result, circles->trace, from);
}

static enum mw_status finish(void *analysis, void *result)
{
    struct circles *circles = analysis;
    struct mwa_mistakes *mistakes = result;

    *mistakes = (struct mwa_mistakes){ 0 };
    return mwa_mistakes_join(mistakes, &circles->result);
}

const struct mwa_exchange_analysis mwa_send_circles_analysis = {
    .name = "circles of sends",
    .create = create,
    .listener = { .begin = begin_call,
                  .end = end_call,
                  .message = take_message,
                  .round = end_round,
                  .may_lag = true },
    .append = append,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .destroy = destroy
};
