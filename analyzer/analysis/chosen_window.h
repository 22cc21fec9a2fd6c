#ifndef MWA_ANALYSIS_CHOSEN_WINDOW_H
#define MWA_ANALYSIS_CHOSEN_WINDOW_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/load/input.h"
#include "formats/base/status.h"

#define MWA_WINDOW_BINS 50u

/*
 * The window from from_ns to to_ns (UINT64_MAX: the end), since the trace's beginning, in
 * bins pieces (0: MWA_WINDOW_BINS), or fewer if it has fewer ticks. Reads all events where the
 * archive does not say how long it is; events before the trace's beginning don't count, as in
 * all other times.
 *
 * \return MW_OK; as mwa_pass_run; MW_ERROR_USAGE when its end lies before its begin.
 */
enum mw_status mwa_window_make(struct mwa_input *input, uint64_t from_ns, uint64_t to_ns,
                               uint32_t bins, struct mwa_window *window,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
