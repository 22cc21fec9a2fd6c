#ifndef MWA_EXCHANGE_COURSES_H
#define MWA_EXCHANGE_COURSES_H

#include "analyzer/exchange/tails.h"

/* Of tails (tails.h) those of collectives; and what both ask of clocks. */

/* How far those of two ranks may be apart. */
struct mwa_clocks {
    const struct mwa_trace *trace;
    uint64_t error_ns;
};

static inline struct mwa_clocks mwa_clocks_of(const struct mwa_trace *trace, uint32_t one,
                                              uint32_t other)
{
    const bool share_host = trace->ranks[one].host == trace->ranks[other].host;

    return (struct mwa_clocks){ trace, 2 * (trace->clock_error_ns +
                                            (share_host ? 0 : trace->hosts_clock_error_ns)) };
}

/* Whether end, of who needs what begins at begin, may be after that. */
static inline bool mwa_clocks_allow(const struct mwa_clocks *clocks, uint64_t begin, uint64_t end)
{
    return begin <= end || mwa_trace_ns(clocks->trace, begin - end) <= clocks->error_ns;
}

/* Finds what of collectives is early. False without memory. */
bool mwa_courses_compare(struct mwa_tails *tails, const struct mwa_trace *trace,
                         struct mwa_beginnings *beginnings) MW_MUST_CHECK;

#endif
