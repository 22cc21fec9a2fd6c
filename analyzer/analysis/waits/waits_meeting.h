#ifndef MWA_ANALYSIS_WAITS_WAITS_MEETING_H
#define MWA_ANALYSIS_WAITS_WAITS_MEETING_H

#include "analyzer/analysis/waits/wait_ledger.h"

/* What the patterns of collective operations ask of one: whose enter and leave are the extremes,
 * and who is charged with waiting for whom. Times are ticks. */

/* An operation of a group that is looked at. */
struct mwa_wait_meeting {
    struct mwa_wait_ledger *ledger;
    const struct mwa_collective *collective;
    bool has_sides; /* data goes between the two groups of an intercommunicator */
    bool all_meet;  /* everybody waits for everybody */
};

/* Extremes over the members that count. */
struct mwa_wait_span {
    const struct mwa_member *last;   /* greatest E */
    const struct mwa_member *first;  /* least E */
    uint64_t first_leave;            /* least L */
};

static inline uint64_t mwa_enter_of(const struct mwa_member *member)
{
    return member->begin->enter;
}

/* The side of the member at position i, 0 or 1. */
static inline bool mwa_side_of(const struct mwa_wait_meeting *meeting, uint32_t i)
{
    return meeting->has_sides && i >= meeting->collective->first_count;
}

/* Over the members at positions from … to, exclusive, without the one at but. */
struct mwa_wait_span mwa_wait_span_of(const struct mwa_collective *collective, uint32_t from,
                                      uint32_t to, bool only_senders, uint32_t but);

/* Over those that the members of side wait for: all, or those of the other side; without but. */
struct mwa_wait_span mwa_wait_span_for(const struct mwa_wait_meeting *meeting, bool side,
                                       bool only_senders, uint32_t but);

/*
 * Charges member for having waited for cause to enter, null for nobody; in a non-blocking operation
 * the longest such wait of the completing call counts. \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_wait_for_member(const struct mwa_wait_meeting *meeting,
                                   enum mwa_wait_pattern pattern, const struct mwa_member *member,
                                   const struct mwa_member *cause) MW_MUST_CHECK;

#endif
