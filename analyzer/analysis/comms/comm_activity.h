#ifndef MWA_ANALYSIS_COMMS_COMM_ACTIVITY_H
#define MWA_ANALYSIS_COMMS_COMM_ACTIVITY_H

#include "analyzer/analysis/analysis.h"

/*
 * What happens on each communicator in each bin of the pass's window, which it needs.
 *
 * Calls are those that are charged to a communicator (analyzer/analysis/comms/charge.h). A call
 * counts in the bin in which it is entered, its time in each bin that it covers (of
 * coalesced polls, what they spent inside, spread evenly from the first to the last). Bytes
 * are those sent: of messages when they begin, of collectives when they are complete. What
 * lies outside of the window does not count.
 *
 * Memory: one cell per communicator and bin in which there is anything.
 */

struct mwa_comm_cell {
    uint32_t comm; /* index */
    uint32_t bin;
    uint64_t calls;
    uint64_t bytes;
    uint64_t time_ns; /* of all members together */
};

struct mwa_comm_activity {
    struct mwa_comm_cell *cells; /* by communicator, then bin */
    uint64_t count;
};

extern const struct mwa_analysis mwa_comm_activity_analysis; /* … struct mwa_comm_activity */

void mwa_comm_activity_fini(struct mwa_comm_activity *activity);

#endif
