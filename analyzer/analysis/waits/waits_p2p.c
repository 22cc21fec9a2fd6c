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
 * analysis.h) need nothing of each other's: what is received behind a seam was sent behind it,
 * nothing being under way there, so its E_send is not before its sender left the call between both.
 * A late sender of before was received, and so sent, before it, so its E_send is not after its
 * sender entered that call. All have entered it before any left: no message received behind a seam
 * was sent earlier than one received before, and of late senders behind it the last 100 are kept
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

#define LATE_KEPT 100u

struct late_sender {
    uint64_t sent; /* ticks; 0: none, or found to be in wrong order already */
    struct mwa_wait wait;
};

struct mwa_late_senders {
    struct late_sender kept[LATE_KEPT];
    uint64_t next;      /* where the next one goes, modulo LATE_KEPT */
    uint64_t last_sent; /* not before any of kept, */
    uint64_t wrong_sent; /* nor of those that were found to be in wrong order */
    uint64_t left; /* ticks: the last call that received anything */
};

static enum mw_status charge_wrong_order(struct mwa_wait_ledger *ledger,
                                         struct mwa_late_senders *late, uint64_t sent,
                                         uint32_t source)
{
    enum mw_status status = MW_OK;
    uint64_t last = 0;

    for (uint32_t i = 0; i < LATE_KEPT && status == MW_OK; i++) {
        struct late_sender *kept = &late->kept[i];

        if (kept->sent > sent) {
            status = mwa_wait_charge(ledger,
                                     kept->wait.cause == source ? MWA_WAIT_WRONG_ORDER_SAME
                                                                : MWA_WAIT_WRONG_ORDER_DIFFERENT,
                                     &kept->wait);
            late->wrong_sent = kept->sent > late->wrong_sent ? kept->sent : late->wrong_sent;
            kept->sent = 0;
        }
        last = kept->sent > last ? kept->sent : last;
    }
    late->last_sent = last;
    return status;
}

static enum mw_status keep_late_sender(struct mwa_late_senders **late,
                                       const struct mwa_wait *wait, uint64_t sent)
{
    if (!*late && !(*late = calloc(1, sizeof **late))) {
        return MW_ERROR_MEMORY;
    }
    (*late)->kept[(*late)->next++ % LATE_KEPT] = (struct late_sender){ sent, *wait };
    (*late)->last_sent = sent > (*late)->last_sent ? sent : (*late)->last_sent;
    return MW_OK;
}

/* Whether what a call received was a request's that the program had freed before it was complete:
 * it is told by later calls, and in no order of the program's. */
static bool tells_of_freed(const struct mwa_exchange_call *call)
{
    return call->region && (mw_call_kind(call->region->call) == MW_KIND_REQUEST_FREE ||
                            call->region->call == MW_CALL_MPI_Session_finalize ||
                            call->region->kind == MWA_REGION_FINALIZE);
}

/* Looks for late senders that should have been received behind what call has received. */
static enum mw_status look_at_order(struct mwa_wait_ledger *ledger, struct mwa_late_senders *late,
                                    const struct mwa_exchange_call *call)
{
    enum mw_status status = MW_OK;
    bool is_wrong = false;

    for (const struct mwa_message *message = call->received; message && status == MW_OK;
         message = message->next_received) {
        const uint64_t sent = message->send->enter;

        if (sent < late->last_sent) {
            status = charge_wrong_order(ledger, late, sent, message->send->rank);
        }
        is_wrong |= sent < late->wrong_sent;
    }
    if (is_wrong && status == MW_OK && call->enter > late->left) {
        status = mwa_wait_reordered(ledger, call, call->enter - late->left);
    }
    return status;
}

enum mw_status mwa_waits_of_receives(struct mwa_wait_ledger *ledger,
                                     struct mwa_late_senders **late,
                                     struct mwa_exchange_call *call)
{
    const struct mwa_message *latest = NULL;
    enum mw_status status = MW_OK;
    uint64_t earliest = UINT64_MAX;
    struct mwa_wait wait;

    for (const struct mwa_message *message = call->received; message;
         message = message->next_received) {
        const uint64_t sent = message->send->enter;

        latest = !latest || sent > latest->send->enter ? message : latest;
        earliest = sent < earliest ? sent : earliest;
    }
    if (latest && *late && !tells_of_freed(call)) {
        if (earliest < (*late)->last_sent || earliest < (*late)->wrong_sent) {
            status = look_at_order(ledger, *late, call);
        }
        (*late)->left = call->leave;
    }
    latest = latest ? latest : call->found;
    if (!latest || !mwa_may_wait(call) || status != MW_OK) {
        return status;
    }
    wait = mwa_wait_until(ledger, call, latest->send, latest->comm);
    if (wait.wait == 0) {
        return MW_OK;
    }
    wait.message = latest->number;
    ledger->result.rows[MWA_WAIT_LATE_SENDER].synchronizations += latest->bytes == 0;
    status = mwa_wait_charge_late_sender(ledger, call, &wait);
    status = status == MW_OK ? keep_late_sender(late, &wait, latest->send->enter) : status;
    if (status == MW_OK) {
        (*late)->left = call->received ? call->leave : (*late)->left;
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
        message->receive->enter <= call->enter || message->receive->enter >= call->leave ||
        !is_seen_to_wait(ledger, call, message->receive, message)) {
        return MW_OK;
    }
    wait = mwa_wait_until(ledger, call, message->receive, message->comm);
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
