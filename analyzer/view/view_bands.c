/*
 * What a member waited in an operation are the waits of its calls that are for no message: of a
 * call that completes several operations those for a member that had not begun this one by then.
 */
#include "analyzer/view/view_bands.h"

#include <stdlib.h>

#include "analyzer/analysis/waits/waits.h"
#include "analyzer/model/exchanged.h"
#include "analyzer/table/values.h"
#include "analyzer/view/view_detail.h"
#include "formats/base/order.h"

static const struct mwa_view_collective *collective_at(const struct mwa_view_store *store,
                                                       uint32_t number)
{
    return mwa_view_array_at(&store->collectives, number);
}

static json_t *number(uint32_t value)
{
    return value == MWA_NONE ? json_null() : mwa_json_number(value);
}

bool mwa_view_is_band(const struct mwa_view_store *store, uint32_t collective)
{
    const uint32_t kind = collective_at(store, collective)->kind;

    return kind != MWA_GROUP_POST && kind != MWA_GROUP_COMPLETE && kind != MWA_GROUP_LOCK;
}

uint32_t mwa_view_band_call(const struct mwa_view_store *store, uint32_t number)
{
    const struct mwa_view_collective *collective = collective_at(store, number);

    for (uint32_t i = 0; i < collective->count; i++) {
        const uint32_t begin = mwa_view_member_at(store, collective->first + i)->begin;

        if (begin != MWA_NONE) {
            return begin;
        }
    }
    return MWA_NONE;
}

/* --- of what is near ---------------------------------------------------------------------- */

struct extent {
    uint64_t from; /* ticks */
    uint64_t to;
    uint32_t last; /* member that begins last, as mwa_is_later has it; MWA_NONE: none does */
    uint32_t present;
};

static struct extent extent_of(const struct mwa_view_store *store,
                               const struct mwa_view_collective *collective)
{
    struct extent extent = { .from = UINT64_MAX, .last = MWA_NONE };
    uint64_t latest = 0;

    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_view_member *member = mwa_view_member_at(store, collective->first + i);
        const struct mwa_view_call *begin, *end;

        if (member->begin == MWA_NONE) {
            continue;
        }
        begin = mwa_view_call_at(store, member->begin);
        end = mwa_view_call_at(store, member->end == MWA_NONE ? member->begin : member->end);
        extent.from = begin->enter < extent.from ? begin->enter : extent.from;
        extent.to = end->leave > extent.to ? end->leave : extent.to;
        extent.present++;
        if (extent.last == MWA_NONE || begin->enter > latest ||
            (begin->enter == latest &&
             member->rank < mwa_view_member_at(store, extent.last)->rank)) {
            extent.last = collective->first + i;
            latest = begin->enter;
        }
    }
    return extent;
}

static bool has_row(const struct mwa_view_span *span, uint32_t row)
{
    for (uint32_t place = 0; place < span->row_count; place++) {
        if (mwa_view_span_row(span, place) == row) {
            return true;
        }
    }
    return false;
}

static json_t *rows_of(const struct mwa_view_store *store, const struct mwa_view_span *span,
                       const struct mwa_view_collective *collective)
{
    json_t *rows = json_array();

    for (uint32_t i = 0; i < collective->count; i++) {
        const uint32_t call = mwa_view_member_at(store, collective->first + i)->begin;
        uint64_t n;
        uint32_t row;

        if (call == MWA_NONE) {
            continue;
        }
        row = mwa_view_row_of(store, mwa_view_location_of(store, call, &n));
        if (row != MWA_NONE && has_row(span, row)) {
            json_array_append_new(rows, mwa_json_number(row));
        }
    }
    return rows;
}

json_t *mwa_view_band(const struct mwa_view_store *store, const struct mwa_view_span *span,
                      uint32_t index, json_t *name, json_t *comm)
{
    const struct mwa_view_collective *collective = collective_at(store, index);
    const struct extent extent = extent_of(store, collective);

    return json_pack("[o,o,o,o,o,o,o,o,o,o]", mwa_json_number(index), name, comm,
                     mwa_json_number(extent.from - store->from),
                     mwa_json_number(extent.to - store->from), mwa_json_number(collective->count),
                     number(collective->root), mwa_json_number(collective->bytes_sent),
                     mwa_json_number(collective->bytes_received),
                     rows_of(store, span, collective));
}

/* --- of one ------------------------------------------------------------------------------- */

/* Whether a member began it later than a wait ended, or completed it, so that the wait may be for
 * that. */
static bool may_wait_for(const struct mwa_view_store *store,
                         const struct mwa_view_collective *collective,
                         const struct mwa_view_wait *wait)
{
    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_view_member *member = mwa_view_member_at(store, collective->first + i);

        const uint32_t call = wait->pattern == MWA_WAIT_LATE_COMPLETION ? member->end
                                                                        : member->begin;

        if (member->rank == wait->cause && call != MWA_NONE) {
            return mwa_view_call_at(store, call)->enter >= wait->to;
        }
    }
    return false;
}

/* Ticks. */
static uint64_t waited_in(const struct mwa_view_store *store,
                          const struct mwa_view_collective *collective, uint32_t call,
                          bool is_alone)
{
    uint64_t sum = 0;

    for (uint32_t at = call == MWA_NONE ? MWA_NONE : mwa_view_call_at(store, call)->waits;
         at != MWA_NONE; at = mwa_view_wait_at(store, at)->next) {
        const struct mwa_view_wait *wait = mwa_view_wait_at(store, at);

        if (wait->message == UINT64_MAX && wait->comm == collective->comm &&
            (is_alone || may_wait_for(store, collective, wait))) {
            sum += wait->to - wait->from;
        }
    }
    return sum;
}

static uint64_t waited_by(const struct mwa_view_store *store,
                          const struct mwa_view_collective *collective,
                          const struct mwa_view_member *member)
{
    const bool is_blocking = member->begin == member->end;

    return waited_in(store, collective, member->begin, is_blocking) +
           (is_blocking ? 0 : waited_in(store, collective, member->end, false));
}

struct waiter {
    const struct mwa_view_member *member;
    uint64_t ticks;
};

static int by_wait(const void *one, const void *other)
{
    const struct waiter *a = one, *b = other;

    return mw_order(b->ticks, a->ticks) ?: mw_order(a->member->rank, b->member->rank);
}

static json_t *waiter_json(const struct mwa_view_store *store, const struct waiter *waiter)
{
    const struct mwa_view_member *member = waiter->member;

    return json_pack("{s:o,s:o,s:o,s:o}", "rank", number(member->rank), "begin",
                     mwa_view_place(store, member->begin), "end",
                     mwa_view_place(store, member->end), "wait_ns",
                     mwa_json_number(mwa_trace_ns(store->trace, waiter->ticks)));
}

/* Those who took part, with what they waited; *ticks of all. Null: no memory. */
static json_t *list_waiters(const struct mwa_view_store *store,
                            const struct mwa_view_collective *collective, uint64_t *ticks)
{
    struct waiter *waiters = malloc((collective->count + 1ul) * sizeof *waiters);
    json_t *list = waiters ? json_array() : NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; waiters && i < collective->count; i++) {
        const struct mwa_view_member *member = mwa_view_member_at(store, collective->first + i);

        if (member->begin != MWA_NONE) {
            waiters[count++] =
                (struct waiter){ member, waited_by(store, collective, member) };
            *ticks += waiters[count - 1].ticks;
        }
    }
    if (waiters) {
        qsort(waiters, count, sizeof *waiters, by_wait);
    }
    for (uint32_t i = 0; i < count && i < MWA_VIEW_DETAIL_MOST; i++) {
        json_array_append_new(list, waiter_json(store, &waiters[i]));
    }
    free(waiters);
    return list;
}

json_t *mwa_view_band_detail(const struct mwa_view_store *store, uint32_t index)
{
    const struct mwa_view_collective *collective;
    uint64_t ticks = 0;
    struct extent extent;
    uint32_t first, last;
    json_t *waiters;

    if (index >= store->collectives.count) {
        return NULL;
    }
    collective = collective_at(store, index);
    extent = extent_of(store, collective);
    first = mwa_view_band_call(store, index);
    if (first == MWA_NONE) {
        return NULL;
    }
    last = mwa_view_member_at(store, extent.last)->begin;
    waiters = list_waiters(store, collective, &ticks);
    return json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:I,s:o,s:o,s:o,s:o}", "collective",
        mwa_json_number(index), "name",
        mwa_json_text(store->trace->regions[mwa_view_call_at(store, first)->region].name), "comm",
        mwa_json_text(collective->comm == MWA_NONE ? NULL
                                                   : store->trace->comms[collective->comm].name),
        "root", number(collective->root), "count", mwa_json_number(collective->count), "present",
        mwa_json_number(extent.present), "bytes_sent", mwa_json_number(collective->bytes_sent),
        "bytes_received", mwa_json_number(collective->bytes_received), "from_ns",
        (json_int_t)mwa_trace_since_begin(store->trace, extent.from), "took_ns",
        mwa_json_number(mwa_trace_ns(store->trace, extent.to - extent.from)), "wait_ns",
        mwa_json_number(mwa_trace_ns(store->trace, ticks)), "last",
        mwa_view_place(store, last), "members", waiters);
}
