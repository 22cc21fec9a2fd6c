#ifndef MW_TEST_UNIT_ANALYZER_JOURNEY_H
#define MW_TEST_UNIT_ANALYZER_JOURNEY_H

#include "analyzer/analysis/analysis.h"

/* Analyses of exchanges whose findings go to another process, which this one is, too. */

struct journey {
    const struct mwa_exchange_analysis *analysis;
    const struct mwa_trace *trace;
    const struct mwa_scope *scope;
    size_t size; /* of the result, which fini frees */
    void (*fini)(void *result);
};

/* What analysis is once it was packed, and taken out again with its paths in paths; destroys
 * analysis. */
void *after_journey(const struct journey *journey, void *analysis, struct mwa_region_paths *paths);

/*
 * Packs analysis, and destroys it. Expects that its bytes are refused if they are cut short, and
 * that others are refused, or appended to nothing and finished.
 */
void expect_no_trust(const struct journey *journey, void *analysis);

#endif
