#ifndef MWA_ANALYSIS_COMMS_COMM_TIMELINE_H
#define MWA_ANALYSIS_COMMS_COMM_TIMELINE_H

#include "analyzer/analysis/comms/comm_activity.h"
#include "analyzer/analysis/comms/comm_history.h"

/*
 * When communicators lived, what happened on them meanwhile, and how many were alive.
 *
 * A communicator is alive from its creation by the first member until its release by the
 * last one; one that is never freed, until the end. Predefined ones and those that were not
 * seen created do not count among those alive.
 */

struct mwa_alive {
    int64_t t_ns; /* as mwa_trace_since_begin has it */
    uint64_t count; /* from then on */
};

/* A communicator that has to do with the window. */
struct mwa_comm_lane {
    const struct mwa_comm_row *row;
    const struct mwa_comm_cell *cells; /* by bin */
    uint64_t cell_count;
};

struct mwa_comm_timeline {
    struct mwa_window window;
    struct mwa_comm_lane *lanes; /* not created ones first, then by creation, then definition */
    uint64_t count;
    struct mwa_alive *alive; /* by time, a change each; the first is the window's beginning */
    uint64_t alive_count;
    uint64_t alive_max;
    int64_t alive_max_ns; /* when it was first reached */
};

/*
 * Puts together what the pass found; selected (a flag for each communicator of the trace,
 * or null for all) says which get lanes. The result refers to comms and activity.
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_comm_timeline_fini is due in any case.
 */
enum mw_status mwa_comm_timeline_make(const struct mwa_trace *trace,
                                      const struct mwa_window *window,
                                      const struct mwa_comms *comms,
                                      const struct mwa_comm_activity *activity,
                                      const bool *selected,
                                      struct mwa_comm_timeline *timeline) MW_MUST_CHECK;
void mwa_comm_timeline_fini(struct mwa_comm_timeline *timeline);

#endif
