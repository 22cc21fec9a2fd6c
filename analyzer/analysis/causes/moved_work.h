#ifndef MWA_ANALYSIS_CAUSES_MOVED_WORK_H
#define MWA_ANALYSIS_CAUSES_MOVED_WORK_H

#include "analyzer/analysis/efficiency/what_if.h"
#include "analyzer/analysis/results.h"

/*
 * How long ranks are outside of MPI when work has been moved: no more of it is taken away than
 * others are given.
 *
 *   taken   of an imbalance's ranks, or, of idle ranks, of all that compute more than the average,
 *           what they do: from their stretches before calls at those places before which they have
 *           more than ranks on average, of each as much as it is of that
 *   given   to all that compute less than the average, as much as each of them lacks of all that
 *           they lack. What was taken before calls of a place they do before theirs at that place.
 *           Who makes none there does it where it computes now, or, if that is next to nothing,
 *           before all of its calls: before those that send, if it sends to ranks that had it,
 *           which may wait for that, as for all that it computes. Before each call of a place it is
 *           as much, or, where some stretches are far shorter than others, in proportion
 *
 * Where a rank of an imbalance is longer outside of MPI before calls of several places, and for
 * half or more of that shorter before calls of others, it is not known which of it is more work,
 * and which the same work elsewhere: nothing is moved.
 *
 * One worker's master does its part while it waits to be asked: it is in nobody's way, and no
 * stretch of it gets longer.
 */

/*
 * What the time outside of MPI is multiplied with without the cause, and what is added: *factors by
 * rank, then place, to be freed in any case; null: it is not known. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_move_work(const struct mwa_results *results, const struct mwa_cause *cause,
                             struct mwa_what_if_factor **factors, uint64_t *count) MW_MUST_CHECK;

#endif
