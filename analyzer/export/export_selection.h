#ifndef MWA_EXPORT_EXPORT_SELECTION_H
#define MWA_EXPORT_EXPORT_SELECTION_H

#include <stdbool.h>

#include "analyzer/load/reading_start.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/* The part of a trace that is exported: a window of time, and some of the ranks. */
struct mwa_selection {
    uint64_t from; /* ticks, both ends are in it */
    uint64_t to;   /* UINT64_MAX: to the end */
    uint8_t *ranks; /* 1 for each that is in it; null: all, also locations of no rank */
    uint64_t rank_count;
    const struct mwa_block_states *known; /* where reading may begin: a location for itself, … */
    const struct mwa_reading_start *start; /* … all together; not owned, null: at the beginning */
};

/*
 * From times as mwa_trace_since_begin has them (MWA_FIRST_NS, MWA_LAST_NS: all of them) and a list
 * of ranks such as "0-3,8" (null: all).
 *
 * \return MW_OK, to be freed with mwa_selection_fini, in any case. MW_ERROR_USAGE when the list
 * is none or names ranks that there are not, or the window is empty. MW_ERROR_MEMORY.
 */
enum mw_status mwa_selection_init(struct mwa_selection *selection, const struct mwa_trace *trace,
                                  int64_t from_ns, int64_t to_ns, const char *ranks,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_selection_fini(struct mwa_selection *selection);

/* All of the trace. */
bool mwa_selection_is_all(const struct mwa_selection *selection);
bool mwa_selection_has_rank(const struct mwa_selection *selection, uint32_t rank);

/*
 * When a viewer shows what is at time: viewers know no time below 0, so what comes before the
 * run's beginning stands there.
 */
static inline uint64_t mwa_viewer_ns(const struct mwa_trace *trace, uint64_t time)
{
    const int64_t ns = mwa_trace_since_begin(trace, time);

    return ns > 0 ? (uint64_t)ns : 0;
}

static inline bool mwa_selection_has_time(const struct mwa_selection *selection, uint64_t time)
{
    return time >= selection->from && time <= selection->to;
}

#endif
