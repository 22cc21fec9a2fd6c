#include "analyzer/analysis/waits/waits_internal.h"

#include <stdlib.h>

/*
 * Waits of point-to-point messages, as Scalasca defines them (SCOUT, MPI.pattern):
 *
 * Late Sender. A call that completes receives (Recv, Sendrecv, Wait, Waitall …, not Test) was
 * entered at E and left at L; the latest of the sends of what it received was entered at
 * E_send: it waited (min(E_send, L) - E)+, once per call.
 *
 * Late Sender, wrong order. Of each thread the last 100 late senders are kept. When a message is
 * received later that was sent earlier than the one of a late sender kept, receiving them the
 * other way round would have waited less: that late sender's time is also wrong order, once;
 * by the same source or by different ones, as the two messages are.
 *
 * Late Receiver. A blocking send, or the call that completes a non-blocking one, was entered at
 * E and left at L, and its receive was posted by a call entered at E_receive: if
 * L > E_receive it waited (E_receive - E)+. A call that completes several sends waited for
 * the latest, and only if it had no late sender.
 */

/* In a call's note: it had a late sender. Else it is a struct mwa_longest_wait, or 0. */
#define HAD_LATE_SENDER 1u

static enum mw_status charge_wrong_order(struct mwa_waiting *waiting,
                                         struct mwa_late_senders *late, uint64_t sent,
                                         uint32_t source)
{
    enum mw_status status = MW_OK;
    uint64_t last = 0;

    for (uint32_t i = 0; i < MWA_LATE_KEPT && status == MW_OK; i++) {
        struct mwa_late_sender *kept = &late->kept[i];

        if (kept->sent > sent) {
            status = mwa_waiting_charge(waiting,
                                        kept->wait.cause == source
                                            ? MWA_WAIT_WRONG_ORDER_SAME
                                            : MWA_WAIT_WRONG_ORDER_DIFFERENT,
                                        &kept->wait);
            kept->sent = 0;
        }
        last = kept->sent > last ? kept->sent : last;
    }
    late->last_sent = last;
    return status;
}

static enum mw_status keep_late_sender(struct mwa_waiting *waiting, uint32_t location,
                                       const struct mwa_wait *wait, uint64_t sent)
{
    struct mwa_late_senders **late = &waiting->late[location];

    if (!*late && !(*late = calloc(1, sizeof **late))) {
        return MW_ERROR_MEMORY;
    }
    (*late)->kept[(*late)->next++ % MWA_LATE_KEPT] = (struct mwa_late_sender){ sent, *wait };
    (*late)->last_sent = sent > (*late)->last_sent ? sent : (*late)->last_sent;
    return MW_OK;
}

/* A call that received something has ended: late senders. */
enum mw_status mwa_waits_on_end(void *user, struct mwa_exchange_call *call)
{
    struct mwa_waiting *waiting = user;
    struct mwa_late_senders *late = waiting->late[call->location];
    const struct mwa_message *latest = NULL;
    enum mw_status status = MW_OK;
    struct mwa_wait wait;

    for (const struct mwa_message *message = call->received; message && status == MW_OK;
         message = message->next_received) {
        uint64_t sent = message->send->enter;

        if (late && sent < late->last_sent) {
            status = charge_wrong_order(waiting, late, sent, message->send->rank);
        }
        latest = !latest || sent > latest->send->enter ? message : latest;
    }
    if (!latest || !mwa_may_wait(call) || status != MW_OK) {
        return status;
    }
    wait = (struct mwa_wait){ .time = call->enter,
                              .wait = mwa_waiting_until(waiting, call, call->enter,
                                                        latest->send->enter),
                              .rank = call->rank,
                              .cause = latest->send->rank,
                              .call = call->region,
                              .comm = latest->comm,
                              .other_thread = mwa_is_other_thread(waiting, call) };
    if (wait.wait == 0) {
        return MW_OK;
    }
    call->note[waiting->slot] = HAD_LATE_SENDER;
    waiting->result.rows[MWA_WAIT_LATE_SENDER].synchronizations += latest->bytes == 0;
    status = mwa_waiting_charge(waiting, MWA_WAIT_LATE_SENDER, &wait);
    return status == MW_OK
               ? keep_late_sender(waiting, call->location, &wait, latest->send->enter)
               : status;
}

enum mw_status mwa_waiting_remember(struct mwa_waiting *waiting, struct mwa_exchange_call *call,
                                    enum mwa_wait_pattern pattern, const struct mwa_wait *wait,
                                    uint64_t part_since)
{
    uint64_t *note = &call->note[waiting->slot];
    struct mwa_longest_wait *longest;

    if (*note == HAD_LATE_SENDER) {
        return MW_OK;
    }
    if (*note == 0) {
        longest = mwa_pool_take(&waiting->longest);
        if (!longest) {
            return MW_ERROR_MEMORY;
        }
        *note = (uintptr_t)longest;
    }
    longest = (struct mwa_longest_wait *)(uintptr_t)*note;
    if (wait->wait > longest->wait.wait) {
        *longest = (struct mwa_longest_wait){ *wait, pattern, part_since };
    }
    return MW_OK;
}

enum mw_status mwa_waits_on_message(void *user, struct mwa_message *message)
{
    struct mwa_waiting *waiting = user;
    struct mwa_exchange_call *call = message->send_completion;
    struct mwa_wait wait;

    if (!call || !mwa_may_wait(call) || call->note[waiting->slot] == HAD_LATE_SENDER ||
        message->receive->enter <= call->enter || message->receive->enter >= call->leave) {
        return MW_OK;
    }
    wait = (struct mwa_wait){ .time = call->enter,
                              .wait = message->receive->enter - call->enter,
                              .rank = call->rank,
                              .cause = message->receive->rank,
                              .call = call->region,
                              .comm = message->comm,
                              .other_thread = mwa_is_other_thread(waiting, call) };
    return call == message->send /* blocking: there is nothing else that it completes */
               ? mwa_waiting_charge(waiting, MWA_WAIT_LATE_RECEIVER, &wait)
               : mwa_waiting_remember(waiting, call, MWA_WAIT_LATE_RECEIVER, &wait, 0);
}

void mwa_waits_on_settled(void *user, struct mwa_exchange_call *call)
{
    struct mwa_waiting *waiting = user;
    uint64_t note = call->note[waiting->slot];

    if (note > HAD_LATE_SENDER) {
        struct mwa_longest_wait *longest = (struct mwa_longest_wait *)(uintptr_t)note;

        waiting->no_memory |=
            mwa_waiting_charge(waiting, longest->pattern, &longest->wait) != MW_OK ||
            (longest->pattern == MWA_WAIT_EARLY_WAIT &&
             mwa_waiting_charge_part(waiting, longest) != MW_OK);
        mwa_pool_give(&waiting->longest, longest);
    }
}
