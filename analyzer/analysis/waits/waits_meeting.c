/* The patterns that all members share one shape of are in waits_collective.c, those in which one is
 * apart in waits_rooted.c: both ask this. */
#include "analyzer/analysis/waits/waits_meeting.h"

#include "analyzer/model/needs.h"

struct mwa_wait_span mwa_wait_span_of(const struct mwa_collective *collective, uint32_t from,
                                      uint32_t to, bool only_senders, uint32_t but)
{
    struct mwa_wait_span span = { .first_leave = UINT64_MAX };

    for (uint32_t i = from; i < to; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (i == but || (only_senders && member->bytes_sent == 0)) {
            continue;
        }
        if (!span.last || mwa_is_later(member, span.last)) {
            span.last = member;
        }
        if (!span.first || mwa_enter_of(member) < mwa_enter_of(span.first) ||
            (mwa_enter_of(member) == mwa_enter_of(span.first) &&
             member->rank < span.first->rank)) {
            span.first = member;
        }
        if (member->end->leave < span.first_leave) {
            span.first_leave = member->end->leave;
        }
    }
    return span;
}

struct mwa_wait_span mwa_wait_span_for(const struct mwa_wait_meeting *meeting, bool side,
                                       bool only_senders, uint32_t but)
{
    const struct mwa_collective *collective = meeting->collective;
    uint32_t from = meeting->has_sides && !side ? collective->first_count : 0;
    uint32_t to = side ? collective->first_count : collective->count;

    return side && !meeting->has_sides /* there are none */
               ? (struct mwa_wait_span){ 0 }
               : mwa_wait_span_of(collective, from, to, only_senders, but);
}

enum mw_status mwa_wait_for_member(const struct mwa_wait_meeting *meeting,
                                   enum mwa_wait_pattern pattern, const struct mwa_member *member,
                                   const struct mwa_member *cause)
{
    struct mwa_exchange_call *call = member->end;
    struct mwa_wait wait;

    if (!cause || !mwa_may_wait(call) || cause == member) {
        return MW_OK;
    }
    if (!mwa_wait_until(meeting->ledger, call, cause->begin, meeting->collective->comm, &wait) ||
        wait.wait == 0) {
        return MW_OK;
    }
    wait.grouped = meeting->all_meet;
    return meeting->collective->nonblocking
               ? mwa_wait_remember(meeting->ledger, call, pattern, &wait, 0)
               : mwa_wait_charge(meeting->ledger, pattern, &wait);
}
