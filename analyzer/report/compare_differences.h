#ifndef MWA_REPORT_COMPARE_DIFFERENCES_H
#define MWA_REPORT_COMPARE_DIFFERENCES_H

#include "analyzer/report/compare.h"

/* In what runs are not to be compared, in sentences (MWA_SENTENCE_BYTES: compare_words.h). */

#define MWA_DIFFERENCES     10u
#define MWA_DIFFERENT_RANKS 2u

/*
 * In what the run `to` is another one than `from`, so that times can't simply be compared: program,
 * arguments, ranks (MWA_DIFFERENT_RANKS), commit, CPU, machines, MPI library, how long other
 * threads ran; or in what neither can be: a record that is incomplete, ranks that share cores.
 * Returns text, of MWA_SENTENCE_BYTES, for index below MWA_DIFFERENCES; null: this is the same, or
 * not known of one.
 */
const char *mwa_compared_difference(const struct mwa_comparison *comparison, uint64_t from,
                                    uint64_t to, const char *from_name, const char *to_name,
                                    unsigned index, char *text);

/* Of a study, in one text, the ranks of all runs that have others than the first; null but for the
 * first of these. */
const char *mwa_compared_ranks(const struct mwa_comparison *comparison, uint64_t run, char *text);

/* Whether all times of a run tell of its cores, too. */
bool mwa_compared_lacks_cores(const struct mwa_compared_run *run);

#endif
