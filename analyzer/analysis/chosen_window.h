#ifndef MWA_ANALYSIS_CHOSEN_WINDOW_H
#define MWA_ANALYSIS_CHOSEN_WINDOW_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/load/input.h"
#include "formats/base/status.h"

#define MWA_WINDOW_BINS 50u

/*
 * The window from from_ns (MWA_FIRST_NS: mwa_trace_origin) to to_ns (MWA_LAST_NS: the end), in
 * bins pieces (0: MWA_WINDOW_BINS), or fewer if it has fewer ticks. Reads all events where the
 * archive does not say how long it is; what comes before from_ns
 * doesn't count.
 *
 * \return MW_OK; as mwa_pass_run; MW_ERROR_USAGE when its end lies before its begin.
 */
enum mw_status mwa_window_make(struct mwa_input *input, int64_t from_ns, int64_t to_ns,
                               uint32_t bins, struct mwa_window *window,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * When the trace ends, in its ticks: where its definitions say, or with the last of all events,
 * which are read, if that is later. For who doubts the definitions.
 *
 * \return as mwa_pass_run.
 */
enum mw_status mwa_window_last_time(struct mwa_input *input, uint64_t *end,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
