#ifndef MWA_ANALYSIS_HANG_HANG_CALLS_H
#define MWA_ANALYSIS_HANG_HANG_CALLS_H

#include "analyzer/analysis/hang/hang_state.h"

/* Where a rank's main thread is, by the calls that it enters and leaves. Any thread. */

void mwa_hang_enter(struct mwa_hang_rank *rank, const struct mwa_moment *moment);
void mwa_hang_leave(struct mwa_hang_rank *rank, const struct mwa_moment *moment);

/* Adds what other locations of the rank told of it. */
void mwa_hang_merge_rank(struct mwa_hang_rank *into, const struct mwa_hang_rank *from);

#endif
