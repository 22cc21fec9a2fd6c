/*
 * Behind a lull only those messages can be in wrong order with one that was received before it that
 * were sent before the location came to it: few, of which the chapter keeps when they were sent.
 */
#include "analyzer/analysis/waits/late_senders.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/waits/waits_packing.h"
#include "analyzer/model/map.h"
#include "analyzer/team/packing.h"

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
    struct late_sender *kept; /* LATE_KEPT at most: where the next one goes there is room by then */
    uint64_t kept_capacity;
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
        free(late->kept);
        free(late->calls);
        free(late->messages);
        free(late);
    }
}

/* How many are kept, some of which are none any more. */
static uint64_t count_kept(const struct mwa_late_senders *late)
{
    return late->next < LATE_KEPT ? late->next : LATE_KEPT;
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

    for (uint64_t i = 0; i < count_kept(late) && status == MW_OK; i++) {
        struct late_sender *kept = &late->kept[i];

        if (kept->sent > sent) {
            status = charge(ledger, late, kept, source);
        }
        last = kept->sent > last ? kept->sent : last;
    }
    late->last_sent = last;
    return status;
}

enum mw_status mwa_late_senders_keep(struct mwa_late_senders *late, const struct mwa_wait *wait,
                                     uint64_t sent)
{
    const uint64_t at = late->next % LATE_KEPT;

    if (!mwa_grow(&late->kept, &late->kept_capacity, at + 1, sizeof *late->kept)) {
        return MW_ERROR_MEMORY;
    }
    late->kept[at] = (struct late_sender){ sent, *wait };
    late->next++;
    late->last_sent = sent > late->last_sent ? sent : late->last_sent;
    return MW_OK;
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
            struct late_sender *kept = age <= late->next
                                           ? &late->kept[(late->next - age) % LATE_KEPT]
                                           : NULL;

            if (kept && kept->sent > message->sent) {
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
static enum mw_status keep_both(struct mwa_late_senders *late, struct mwa_late_senders *later)
{
    const uint64_t own = count_kept(later);
    const uint64_t most = count_kept(late);
    const uint64_t others = own + most < LATE_KEPT ? most : LATE_KEPT - own;
    struct late_sender kept[LATE_KEPT];

    if (!mwa_grow(&later->kept, &later->kept_capacity, others + own, sizeof *later->kept)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < others; i++) {
        kept[i] = late->kept[(late->next - others + i) % LATE_KEPT];
        later->last_sent = kept[i].sent > later->last_sent ? kept[i].sent : later->last_sent;
    }
    for (uint64_t i = 0; i < own; i++) {
        kept[others + i] = later->kept[(later->next - own + i) % LATE_KEPT];
    }
    if (others + own > 0) {
        memcpy(later->kept, kept, (others + own) * sizeof *kept);
    }
    later->next = others + own;
    later->wrong_sent =
        late->wrong_sent > later->wrong_sent ? late->wrong_sent : later->wrong_sent;
    later->left = later->left > 0 ? later->left : late->left;
    return MW_OK;
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
    for (uint64_t i = 0; i < count_kept(*later) && status == MW_OK; i++) {
        struct late_sender *kept = &(*later)->kept[i];

        status = kept->sent == 0 || mwa_wait_place_in_run(&kept->wait, seam) ? MW_OK
                                                                             : MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; *late && i < (*later)->call_count && status == MW_OK; i++) {
        status = look_back(ledger, *late, *later, &(*later)->calls[i]);
    }
    if (*late && status == MW_OK) {
        status = keep_both(*late, *later);
    }
    mwa_late_senders_destroy(*late);
    *late = *later;
    *later = NULL;
    return status;
}

/* --- for another process ---------------------------------------------------------------------- */

struct packed {
    uint64_t next;
    uint64_t wrong_sent;
    uint64_t left;
    uint64_t began_at;
};

/* A call and a message, without padding. */
struct packed_call {
    uint64_t enter, left, before;
    uint32_t rank;
    uint32_t first, count;
    uint32_t is_wrong;
};

struct packed_message {
    uint64_t sent;
    uint64_t source;
};

static void pack_calls(const struct mwa_late_senders *late, struct mw_buffer *to)
{
    mwa_pack_array(to, &late->call_count, 1, sizeof late->call_count);
    for (uint64_t i = 0; i < late->call_count; i++) {
        const struct early_call *call = &late->calls[i];
        const struct packed_call packed = { call->enter, call->left,  call->before, call->rank,
                                            call->first, call->count, call->is_wrong };

        mwa_pack_array(to, &packed, 1, sizeof packed);
    }
    mwa_pack_array(to, &late->message_count, 1, sizeof late->message_count);
    for (uint64_t i = 0; i < late->message_count; i++) {
        const struct packed_message packed = { late->messages[i].sent, late->messages[i].source };

        mwa_pack_array(to, &packed, 1, sizeof packed);
    }
}

void mwa_late_senders_pack(const struct mwa_trace *trace, const struct mwa_late_senders *late,
                           struct mw_buffer *to)
{
    const struct packed packed = late ? (struct packed){ late->next, late->wrong_sent, late->left,
                                                         late->began_at }
                                      : (struct packed){ 0 };

    mwa_pack_array(to, &packed, late ? 1 : 0, sizeof packed);
    for (uint64_t i = 0; late && i < count_kept(late); i++) {
        mwa_pack_array(to, &late->kept[i].sent, 1, sizeof late->kept[i].sent);
        if (late->kept[i].sent > 0) {
            mwa_wait_pack(trace, &late->kept[i].wait, to);
        }
    }
    if (late) {
        pack_calls(late, to);
    }
}

static enum mw_status unpack_calls(const struct mwa_trace *trace, struct mw_cursor *from,
                                   struct mwa_late_senders *late)
{
    uint64_t calls = 0, messages = 0;
    enum mw_status status = mwa_unpack_into(from, &calls, 1, sizeof calls);

    for (uint64_t i = 0; i < calls && status == MW_OK; i++) {
        struct packed_call packed = { 0 };

        status = mwa_unpack_into(from, &packed, 1, sizeof packed);
        if (status == MW_OK && packed.rank >= trace->rank_count) {
            status = MW_ERROR_FORMAT;
        }
        if (status == MW_OK && !mwa_grow(&late->calls, &late->call_capacity,
                                         late->call_count + 1, sizeof *late->calls)) {
            status = MW_ERROR_MEMORY;
        }
        if (status == MW_OK) {
            late->calls[late->call_count++] =
                (struct early_call){ packed.enter, packed.left,  packed.before,       packed.rank,
                                     packed.first, packed.count, packed.is_wrong != 0 };
        }
    }
    if (status == MW_OK) {
        status = mwa_unpack_into(from, &messages, 1, sizeof messages);
    }
    for (uint64_t i = 0; i < messages && status == MW_OK; i++) {
        struct packed_message packed = { 0 };

        status = mwa_unpack_into(from, &packed, 1, sizeof packed);
        if (status == MW_OK && !mwa_grow(&late->messages, &late->message_capacity,
                                         late->message_count + 1, sizeof *late->messages)) {
            status = MW_ERROR_MEMORY;
        }
        if (status == MW_OK) {
            late->messages[late->message_count++] =
                (struct early_message){ packed.sent, (uint32_t)packed.source };
        }
    }
    for (uint64_t i = 0; i < late->call_count && status == MW_OK; i++) {
        const struct early_call *call = &late->calls[i];

        if (call->first > late->message_count ||
            call->count > late->message_count - call->first) {
            status = MW_ERROR_FORMAT;
        }
    }
    return status;
}

enum mw_status mwa_late_senders_unpack(const struct mwa_trace *trace,
                                       struct mwa_region_paths *paths, struct mw_cursor *from,
                                       struct mwa_late_senders **late)
{
    struct packed *packed = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_array(from, &packed, &count, sizeof *packed);
    struct mwa_late_senders *made = NULL;

    if (status == MW_OK && count == 1) {
        made = mwa_late_senders_create(packed->began_at);
        status = made && mwa_grow(&made->kept, &made->kept_capacity,
                                  packed->next < LATE_KEPT ? packed->next : LATE_KEPT,
                                  sizeof *made->kept)
                     ? MW_OK
                     : MW_ERROR_MEMORY;
    } else if (status == MW_OK && count > 1) {
        status = MW_ERROR_FORMAT;
    }
    if (made) {
        made->next = packed->next;
        made->wrong_sent = packed->wrong_sent;
        made->left = packed->left;
    }
    free(packed);
    for (uint64_t i = 0; made && i < count_kept(made) && status == MW_OK; i++) {
        struct late_sender *kept = &made->kept[i];

        status = mwa_unpack_into(from, &kept->sent, 1, sizeof kept->sent);
        if (status == MW_OK && kept->sent > 0) {
            status = mwa_wait_unpack(trace, paths, from, &kept->wait);
            made->last_sent = kept->sent > made->last_sent ? kept->sent : made->last_sent;
        }
    }
    if (made && status == MW_OK) {
        status = unpack_calls(trace, from, made);
    }
    if (status == MW_OK) {
        mwa_late_senders_destroy(*late);
        *late = made;
    } else {
        mwa_late_senders_destroy(made);
    }
    return status;
}
