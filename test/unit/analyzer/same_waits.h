#ifndef MWA_TEST_SAME_WAITS_H
#define MWA_TEST_SAME_WAITS_H

#include "analyzer/analysis/waits/waits.h"

/*
 * Expects two results of trace's to be the same: paths in any order, which regions of the program
 * are known by, and whatever else a result has, now or later, byte by byte. Frees both.
 */
void same_waits_expect(const struct mwa_trace *trace, struct mwa_waits *first,
                       struct mwa_waits *second);

#endif
