/*
 * Behind a lull only those messages can be in wrong order with one that was received before it that
 * were sent before the location came to it: few, of which the chapter keeps when they were sent.
 */
#include "analyzer/analysis/waits/late_senders.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"

#define LATE_KEPT 100u

struct late_sender {
    uint64_t sent; /* ticks; 0: none, or found to be in wrong order already */
    struct mwa_wait wait;
};

/* A call behind a lull that has received what was sent before its location came there. */
struct early_call {
    uint64_t enter;
    uint64_t left;   /* the call before that received anything was; 0: it is before the lull */
    uint64_t before; /* late senders of the chapter by then */
    uint32_t rank;
    uint32_t first, count; /* of its messages */
    bool is_wrong;   /* that it has reordered is known by the chapter alone */
};

struct early_message {
    uint64_t sent;
    uint32_t source;
};

struct mwa_late_senders {
    struct late_sender kept[LATE_KEPT];
    uint64_t next;      /* where the next one goes, modulo LATE_KEPT */
    uint64_t last_sent; /* not before any of kept, */
    uint64_t wrong_sent; /* nor of those that were found to be in wrong order */
    uint64_t left; /* ticks: the last call that received anything */
    uint64_t began_at;
    struct early_call *calls;
    uint64_t call_count, call_capacity;
    struct early_message *messages;
    uint64_t message_count, message_capacity;
};

struct mwa_late_senders *mwa_late_senders_create(uint64_t began_at)
{
    struct mwa_late_senders *late = calloc(1, sizeof *late);

    if (late) {
        late->began_at = began_at;
    }
    return late;
}

void mwa_late_senders_destroy(struct mwa_late_senders *late)
{
    if (late) {
        free(late->calls);
        free(late->messages);
        free(late);
    }
}

/* Charges kept, which was sent later than what a call from source receives behind it. */
static enum mw_status charge(struct mwa_wait_ledger *ledger, struct mwa_late_senders *late,
                             struct late_sender *kept, uint32_t source)
{
    const enum mw_status status =
        mwa_wait_charge(ledger,
                        kept->wait.cause == source ? MWA_WAIT_WRONG_ORDER_SAME
                                                   : MWA_WAIT_WRONG_ORDER_DIFFERENT,
                        &kept->wait);

    late->wrong_sent = kept->sent > late->wrong_sent ? kept->sent : late->wrong_sent;
    kept->sent = 0;
    return status;
}

static enum mw_status charge_wrong_order(struct mwa_wait_ledger *ledger,
                                         struct mwa_late_senders *late, uint64_t sent,
                                         uint32_t source)
{
    enum mw_status status = MW_OK;
    uint64_t last = 0;

    for (uint32_t i = 0; i < LATE_KEPT && status == MW_OK; i++) {
        struct late_sender *kept = &late->kept[i];

        if (kept->sent > sent) {
            status = charge(ledger, late, kept, source);
        }
        last = kept->sent > last ? kept->sent : last;
    }
    late->last_sent = last;
    return status;
}

void mwa_late_senders_keep(struct mwa_late_senders *late, const struct mwa_wait *wait,
                           uint64_t sent)
{
    late->kept[late->next++ % LATE_KEPT] = (struct late_sender){ sent, *wait };
    late->last_sent = sent > late->last_sent ? sent : late->last_sent;
}

/* Looks for late senders that should have been received behind what call has received. */
static enum mw_status look_at_order(struct mwa_wait_ledger *ledger, struct mwa_late_senders *late,
                                    const struct mwa_exchange_call *call, bool *is_wrong)
{
    enum mw_status status = MW_OK;

    for (const struct mwa_message *message = call->received; message && status == MW_OK;
         message = message->next_received) {
        const uint64_t sent = message->send->enter;

        if (sent < late->last_sent) {
            status = charge_wrong_order(ledger, late, sent, message->send->rank);
        }
        *is_wrong |= sent < late->wrong_sent;
    }
    return *is_wrong && status == MW_OK && call->enter > late->left
               ? mwa_wait_reordered(ledger, call->rank, call->enter - late->left)
               : status;
}

/* Remembers what call has received. */
static enum mw_status remember(struct mwa_late_senders *late, const struct mwa_exchange_call *call,
                               bool is_wrong)
{
    struct early_call one = { .enter = call->enter,
                              .left = late->left,
                              .before = late->next,
                              .rank = call->rank,
                              .first = (uint32_t)late->message_count,
                              .is_wrong = is_wrong };

    for (const struct mwa_message *message = call->received; message;
         message = message->next_received) {
        if (!mwa_grow(&late->messages, &late->message_capacity, late->message_count + 1,
                      sizeof *late->messages)) {
            return MW_ERROR_MEMORY;
        }
        late->messages[late->message_count++] =
            (struct early_message){ message->send->enter, message->send->rank };
        one.count++;
    }
    if (!mwa_grow(&late->calls, &late->call_capacity, late->call_count + 1, sizeof *late->calls)) {
        return MW_ERROR_MEMORY;
    }
    late->calls[late->call_count++] = one;
    return MW_OK;
}

enum mw_status mwa_late_senders_take(struct mwa_wait_ledger *ledger,
                                     struct mwa_late_senders *late,
                                     const struct mwa_exchange_call *call)
{
    uint64_t earliest = UINT64_MAX;
    bool is_wrong = false;
    enum mw_status status = MW_OK;

    for (const struct mwa_message *message = call->received; message;
         message = message->next_received) {
        earliest = message->send->enter < earliest ? message->send->enter : earliest;
    }
    if (earliest < late->last_sent || earliest < late->wrong_sent) {
        status = look_at_order(ledger, late, call, &is_wrong);
    }
    if (earliest < late->began_at && status == MW_OK) {
        status = remember(late, call, is_wrong);
    }
    late->left = call->leave;
    return status;
}

void mwa_late_senders_left(struct mwa_late_senders *late, uint64_t time)
{
    late->left = time;
}

/* --- chapters --------------------------------------------------------------------------------- */

bool mwa_late_senders_are_before(const struct mwa_late_senders *late, uint64_t time)
{
    return !late || (late->last_sent <= time && late->wrong_sent <= time);
}

/* What one call of later's has received: those of late that it was in wrong order with. */
static enum mw_status look_back(struct mwa_wait_ledger *ledger, struct mwa_late_senders *late,
                                const struct mwa_late_senders *later,
                                const struct early_call *call)
{
    const uint64_t left = call->left > 0 ? call->left : late->left;
    enum mw_status status = MW_OK;
    bool is_wrong = false;

    for (uint32_t i = 0; i < call->count; i++) {
        const struct early_message *message = &later->messages[call->first + i];

        for (uint64_t k = call->before; k < LATE_KEPT && status == MW_OK; k++) {
            const uint64_t age = k - call->before + 1;
            struct late_sender *kept = &late->kept[(late->next - age) % LATE_KEPT];

            if (age <= late->next && kept->sent > message->sent) {
                status = charge(ledger, late, kept, message->source);
            }
        }
        is_wrong |= message->sent < late->wrong_sent;
    }
    return is_wrong && !call->is_wrong && status == MW_OK && call->enter > left
               ? mwa_wait_reordered(ledger, call->rank, call->enter - left)
               : status;
}

/* Adds those of late that are still kept to later's, the oldest first. */
static void keep_both(struct mwa_late_senders *late, struct mwa_late_senders *later)
{
    const uint64_t own = later->next < LATE_KEPT ? later->next : LATE_KEPT;
    const uint64_t most = late->next < LATE_KEPT ? late->next : LATE_KEPT;
    const uint64_t others = own + most < LATE_KEPT ? most : LATE_KEPT - own;
    struct late_sender kept[LATE_KEPT];

    for (uint64_t i = 0; i < others; i++) {
        kept[i] = late->kept[(late->next - others + i) % LATE_KEPT];
        later->last_sent = kept[i].sent > later->last_sent ? kept[i].sent : later->last_sent;
    }
    for (uint64_t i = 0; i < own; i++) {
        kept[others + i] = later->kept[(later->next - own + i) % LATE_KEPT];
    }
    memcpy(later->kept, kept, (others + own) * sizeof *kept);
    later->next = others + own;
    later->wrong_sent =
        late->wrong_sent > later->wrong_sent ? late->wrong_sent : later->wrong_sent;
    later->left = later->left > 0 ? later->left : late->left;
}

enum mw_status mwa_late_senders_append(struct mwa_wait_ledger *ledger,
                                       struct mwa_late_senders **late,
                                       struct mwa_late_senders **later,
                                       const struct mwa_seam *seam)
{
    enum mw_status status = MW_OK;

    if (!*later) {
        return MW_OK;
    }
    for (uint32_t i = 0; i < LATE_KEPT && status == MW_OK; i++) {
        struct late_sender *kept = &(*later)->kept[i];

        status = kept->sent == 0 || mwa_wait_place_in_run(&kept->wait, seam) ? MW_OK
                                                                             : MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; *late && i < (*later)->call_count && status == MW_OK; i++) {
        status = look_back(ledger, *late, *later, &(*later)->calls[i]);
    }
    if (*late) {
        keep_both(*late, *later);
    }
    mwa_late_senders_destroy(*late);
    *late = *later;
    *later = NULL;
    return status;
}
