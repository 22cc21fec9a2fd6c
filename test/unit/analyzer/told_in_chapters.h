#ifndef MW_TEST_UNIT_ANALYZER_TOLD_IN_CHAPTERS_H
#define MW_TEST_UNIT_ANALYZER_TOLD_IN_CHAPTERS_H

#include "test/unit/analyzer/told_run.h"
#include "test/unit/analyzer/travel.h"

/*
 * Analyses of exchanges that are told of a run: of all of it at once, or of its chapters, each by
 * an engine of its own, of which the later ones travel and are appended then.
 */

/* Which meetings a run is cut at, in one of so many ways: one, all, the last, none, or any. */
#define TOLD_WAYS 5u

void told_cut(struct told *told, uint32_t way, bool cuts[TOLD_MEETINGS]);

/*
 * The result of an analysis, whose traveller needs to know neither trace nor scope, of the run cut
 * where cuts, a flag for each meeting, has true. Events are told up to so many of a rank at a time.
 */
void told_follow(const struct told *told, const struct traveller *of,
                 const struct mwa_what_if_cases *cases, const bool *cuts, uint64_t most,
                 void *result);

#endif
