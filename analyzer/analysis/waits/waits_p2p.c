#include "analyzer/analysis/waits/waits_p2p.h"

#include <stdlib.h>

#include "analyzer/model/needs.h"

/*
 * Waits of point-to-point messages, as Scalasca defines them (SCOUT, MPI.pattern):
 *
 * Late Sender. A call that completes receives (Recv, Sendrecv, Wait, Waitall …, not Test) was
 * entered at E and left at L; the latest of the sends of what it received was entered at
 * E_send: it waited (min(E_send, L) - E)+, once per call. A blocking probe (MPI_Probe, MPI_Mprobe)
 * has waited so for the message that it found, which Scalasca does not know; who receives that
 * later was entered behind E_send.
 *
 * Late Sender, wrong order. Of each thread the last 100 late senders are kept. When a message is
 * received later that was sent earlier than the one of a late sender kept, receiving them the
 * other way round would have waited less, as far as there is something to do between the two
 * (reordered_ns, not Scalasca's): that late sender's time is also wrong order, once;
 * by the same source or by different ones, as the two messages are. Chapters of a run (append in
 * analysis.h) between which all ranks meet need nothing of each other's (at lulls: late_senders.c):
 * what is received behind a seam was sent behind it, nothing being under way there, so its E_send
 * is not before its sender left the call between both. A late sender of before was received, and so
 * sent, before it, so its E_send is not after its sender entered that call. All have entered it
 * before any left: no message received behind a seam was sent earlier than one received before, and
 * of late senders behind it the last 100 are kept
 * whatever there was before. Of requests that were freed nobody knows when they were complete.
 *
 * Late Receiver. A blocking send, or the call that completes a non-blocking one, was entered at
 * E and left at L, and its receive was posted by a call entered at E_receive: if
 * L > E_receive it waited (E_receive - E)+. A call that completes several sends waited for
 * the latest. A buffered send never waits.
 *
 * Late Progress (not Scalasca's). A call that completes one end of a message was left only after
 * the call that completes the other end, or one before it in a row, was entered, at E_other, before
 * which that rank had been outside of MPI from O on; of small messages soon after
 * (mwa_awaited_progress). It waited (E_other - max(E, O))+. As with receivers, only the longest
 * counts.
 *
 * Who had a late sender may have waited for these two behind it (mpiwatch's own), as far as it is
 * seen to (mwa_is_seen_to_wait): what counts is behind E_send. With Scalasca it has not.
 */

/* Whether what a call received was a request's that the program had freed before it was complete:
 * it is told by later calls, and in no order of the program's. */
static bool tells_of_freed(const struct mwa_exchange_call *call)
{
    return call->region && (mw_call_kind(call->region->call) == MW_KIND_REQUEST_FREE ||
                            call->region->call == MW_CALL_MPI_Session_finalize ||
                            call->region->kind == MWA_REGION_FINALIZE);
}

enum mw_status mwa_waits_of_receives(struct mwa_wait_ledger *ledger,
                                     struct mwa_late_senders **late,
                                     struct mwa_exchange_call *call)
{
    const struct mwa_message *latest = NULL;
    enum mw_status status = MW_OK;
    struct mwa_wait wait;

    for (const struct mwa_message *message = call->received; message;
         message = message->next_received) {
        latest = !latest || message->send->enter > latest->send->enter ? message : latest;
    }
    if (latest && *late && !tells_of_freed(call)) {
        status = mwa_late_senders_take(ledger, *late, call);
    }
    latest = latest ? latest : call->found;
    if (!latest || !mwa_may_wait(call) || status != MW_OK) {
        return status;
    }
    if (!mwa_wait_until(ledger, call, latest->send, latest->comm, &wait) || wait.wait == 0) {
        return MW_OK;
    }
    wait.message = latest->number;
    ledger->result.rows[MWA_WAIT_LATE_SENDER].synchronizations += latest->bytes == 0;
    status = mwa_wait_charge_late_sender(ledger, call, &wait);
    if (call->asks_anybody) {
        return status; /* in the senders' order: what came first was not to be received later */
    }
    if ((!*late && !(*late = mwa_late_senders_create(0))) ||
        mwa_late_senders_keep(*late, &wait, latest->send->enter) != MW_OK) {
        return MW_ERROR_MEMORY;
    }
    if (call->received) {
        mwa_late_senders_left(*late, call->leave);
    }
    return status;
}

/* Whether call, which may have had a late sender, is seen to have waited for other. */
static bool is_seen_to_wait(const struct mwa_wait_ledger *ledger,
                            const struct mwa_exchange_call *call,
                            const struct mwa_exchange_call *other,
                            const struct mwa_message *message)
{
    return mwa_is_seen_to_wait(call, mwa_wait_sent(ledger, call), other, message);
}

static enum mw_status wait_for_receiver(struct mwa_wait_ledger *ledger,
                                        const struct mwa_message *message)
{
    struct mwa_exchange_call *call = message->send_completion;
    struct mwa_wait wait;

    if (!call || !mwa_may_wait(call) || !mwa_send_needs_receive(message) ||
        message->receive->enter >= call->leave ||
        !mwa_wait_until(ledger, call, message->receive, message->comm, &wait) ||
        !is_seen_to_wait(ledger, call, message->receive, message)) {
        return MW_OK;
    }
    wait.message = message->number;
    return call == message->send && call->receive_count == 0 /* nothing else is complete by it */
               ? mwa_wait_charge(ledger, MWA_WAIT_LATE_RECEIVER, &wait)
               : mwa_wait_remember(ledger, call, MWA_WAIT_LATE_RECEIVER, &wait, 0);
}

static enum mw_status wait_for_progress(struct mwa_wait_ledger *ledger,
                                        const struct mwa_message *message,
                                        struct mwa_exchange_call *call)
{
    const struct mwa_exchange_call *other = call ? mwa_awaited_progress(message, call) : NULL;
    struct mwa_wait wait;

    if (!other || !mwa_may_wait(call) || !is_seen_to_wait(ledger, call, other, message)) {
        return MW_OK;
    }
    wait = mwa_wait_in(ledger, call, other, message->comm);
    mwa_wait_last(&wait, call, mwa_message_progress_since(message, call, other), other->enter);
    wait.message = message->number;
    return mwa_wait_remember(ledger, call, MWA_WAIT_LATE_PROGRESS, &wait, 0);
}

enum mw_status mwa_waits_of_message(struct mwa_wait_ledger *ledger,
                                    const struct mwa_message *message)
{
    enum mw_status status = wait_for_receiver(ledger, message);

    if (status == MW_OK) {
        status = wait_for_progress(ledger, message, message->send_completion);
    }
    return status == MW_OK ? wait_for_progress(ledger, message, message->receive_completion)
                           : status;
}
