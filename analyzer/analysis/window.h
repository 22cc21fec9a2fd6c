#ifndef MWA_ANALYSIS_WINDOW_H
#define MWA_ANALYSIS_WINDOW_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/load/input.h"
#include "formats/status.h"

/* Parts of the run, and equal pieces (bins) of them. */

/*
 * The window from from_ns to to_ns (UINT64_MAX: the end), since the trace's beginning, in
 * bins pieces, or fewer if it has fewer ticks. Reads all events where the archive does not
 * say how long it is; events before the trace's beginning don't count, as in all other times.
 *
 * \return MW_OK; as mwa_pass_run; MW_ERROR_USAGE when its end lies before its begin.
 */
enum mw_status mwa_window_make(struct mwa_input *input, uint64_t from_ns, uint64_t to_ns,
                               uint32_t bins, struct mwa_window *window,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * The first tick of a bin; of bin number window->bins, the first tick behind the window.
 * The bins are [edge, next edge), and the last one has the window's last tick as well.
 */
uint64_t mwa_window_edge(const struct mwa_window *window, uint32_t bin);

/* The bin of a time; of times outside the window, the first or the last one. */
uint32_t mwa_window_bin(const struct mwa_window *window, uint64_t time);

static inline bool mwa_window_has(const struct mwa_window *window, uint64_t time)
{
    return time >= window->from && time <= window->to;
}

#endif
