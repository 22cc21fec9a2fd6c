#ifndef MWA_ANALYSIS_COUNTERS_LEVEL_WINDOWS_H
#define MWA_ANALYSIS_COUNTERS_LEVEL_WINDOWS_H

#include "analyzer/analysis/counters/counters.h"

/*
 * The greatest value of a level in each window of the run, by its samples and by what is known of
 * the time between them (analyzer/analysis/counters/between.h): cells_lower and cells_upper of the
 * row, and cells, which is the upper one where that is known, so that the greatest of all windows
 * is that of the run; else what samples say that are held until the next. cells_lower is NAN where
 * nothing was seen, cells_upper where nothing bounds it.
 */
void mwa_level_windows_set(const struct mwa_tracks *tracks, struct mwa_counter_row *row);

#endif
