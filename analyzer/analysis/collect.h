#ifndef MWA_ANALYSIS_COLLECT_H
#define MWA_ANALYSIS_COLLECT_H

#include "analyzer/analysis/results.h"
#include "analyzer/load/input.h"
#include "formats/base/status.h"

/* What a pass is to compute. */
enum mwa_need {
    MWA_NEED_PROFILE = 1,
    MWA_NEED_MATCHING = 2,
    MWA_NEED_TRAFFIC = 4,
    MWA_NEED_COMMS = 8,
    MWA_NEED_REGIONS = 16,
    MWA_NEED_IMBALANCE = 32 | MWA_NEED_PROFILE | MWA_NEED_REGIONS,
    MWA_NEED_WAITS = 64,
    MWA_NEED_POP = 128 | MWA_NEED_PROFILE | MWA_NEED_REGIONS, /* and the critical path */
    MWA_NEED_QUEUEING = 256,
    MWA_NEED_PEAKS = 512,
    MWA_NEED_MARKERS = 1024,
    MWA_NEED_ALL = 2047,
    MWA_NEED_TRACKS = 1 << 16,                       /* and counters */
    MWA_NEED_WATERMARKS = 1 << 19 | MWA_NEED_TRACKS, /* and levels */
    MWA_NEED_COURSES = 1 << 20,                      /* of levels */
    MWA_NEED_TIMELINE = 1 << 17,
    MWA_NEED_DELAYS = 1 << 18 | MWA_NEED_WAITS, /* what caused the waits, too */
    MWA_NEED_TABLES = MWA_NEED_ALL | MWA_NEED_WATERMARKS | MWA_NEED_TIMELINE | MWA_NEED_DELAYS,
    MWA_NEED_PAGE = MWA_NEED_TABLES | MWA_NEED_COURSES
};

/*
 * Runs one pass over input with the analyses that needs (enum mwa_need) asks for and
 * fills results, which refers to input and path and is to be freed with
 * mwa_results_fini before them, also after a failure.
 *
 * \return MW_OK; as mwa_pass_run.
 */
enum mw_status mwa_collect(struct mwa_input *input, const char *path, unsigned needs,
                           struct mwa_results *results,
                           struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * The same; of waits only those that selection (null: all) describes, and watermarks from its
 * beginning to its end. With comms, a flag for
 * each communicator, calls, ranks and messages are those on the communicators that have it,
 * and results->selected_comms is comms.
 */
enum mw_status mwa_collect_selected(struct mwa_input *input, const char *path, unsigned needs,
                                    const struct mwa_waits_selection *selection,
                                    const bool *comms,
                                    struct mwa_results *results,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_results_fini(struct mwa_results *results);

#endif
