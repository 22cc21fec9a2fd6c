#ifndef MWA_ANALYSIS_ANALYSES_H
#define MWA_ANALYSIS_ANALYSES_H

#include "analyzer/analysis/follower.h"
#include "analyzer/analysis/results.h"

/*
 * The rows of the table analyzer/analysis/analyses.def: what is made from which source, what it
 * requires, and where its result goes. Constant; any thread may ask.
 */

/* At most one of events, exchanges and waits is there. */
struct mwa_analysis_row {
    const char *name;
    size_t offset; /* of its result in struct mwa_results */
    uint64_t requires;
    const struct mwa_analysis *events;
    const struct mwa_exchange_analysis *exchanges;
    const struct mwa_wait_analysis *waits;
    enum mw_status (*make)(struct mwa_results *results); /* behind the pass, in their order */
};

/* Those of waits: a set of needs. */
extern const uint64_t mwa_analyses_of_waits;

/* What needs asks for, and all that it requires. */
uint64_t mwa_analyses_close(uint64_t needs);

/* The next row of a set of needs: begin with *at = 0; null behind the last one. */
const struct mwa_analysis_row *mwa_analyses_next(uint64_t set, unsigned *at);

/*
 * Sets list, with room for MWA_ANALYSES, to the analyses of events that results is to have: first
 * those that have parts, and those that can travel to another process, *travelling in number,
 * before the others. \return how many they are.
 */
uint32_t mwa_analyses_events(const struct mwa_results *results, const struct mwa_analysis **list,
                         uint32_t *travelling);

/* Sets wanted, with as much room, to those of exchanges, with where in results each one's goes.
 * \return how many they are. */
uint32_t mwa_analyses_exchanges(struct mwa_results *results, struct mwa_wanted_exchange *wanted);

/* The member of results that row makes. */
void *mwa_result_of(struct mwa_results *results, const struct mwa_analysis_row *row);

#endif
