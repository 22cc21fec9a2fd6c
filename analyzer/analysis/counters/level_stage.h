#ifndef MWA_ANALYSIS_COUNTERS_LEVEL_STAGE_H
#define MWA_ANALYSIS_COUNTERS_LEVEL_STAGE_H

#include "analyzer/analysis/counters/level_marks.h"

/*
 * Changes of levels that an earlier one can still come before, as locations are read one after the
 * other. Not thread-safe.
 */

struct mwa_level_row {
    struct mwa_level_change *list;
    uint64_t count, capacity;
};

/* Zeros are an empty one; fields are private. */
struct mwa_level_stage {
    struct mwa_level_row waiting; /* were looked through, in order */
    struct mwa_level_row added;   /* since then */
    struct mwa_level_row spare;   /* where others go when they are put in order */
    uint64_t frontier;            /* all before it were taken out */
};

/* Whether there are so many that some had better be taken out before more are added. */
bool mwa_level_stage_is_full(const struct mwa_level_stage *stage);

/* Adds change, which is one of the frontier if it comes too late. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_level_stage_add(struct mwa_level_stage *stage,
                                   const struct mwa_level_change *change) MW_MUST_CHECK;

/*
 * Nothing before frontier, ticks, is to come: hands all changes before it to marks, by time and
 * order, those that are the same in both as they were added. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_level_stage_drain(struct mwa_level_stage *stage, uint64_t frontier,
                                     struct mwa_level_marks *marks) MW_MUST_CHECK;

void mwa_level_stage_fini(struct mwa_level_stage *stage);

#endif
