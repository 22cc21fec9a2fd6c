#ifndef MWA_ANALYSIS_COMMS_H
#define MWA_ANALYSIS_COMMS_H

#include "analyzer/analysis/analysis.h"

/*
 * What happened on each communicator, and when it lived.
 *
 * The time of an outermost MPI call is charged to the communicator of the last message
 * or collective in it; calls without any (a post of a receive, MPI_Comm_rank) are charged
 * to none.
 */

struct mwa_comm_row {
    uint32_t comm;             /* index */
    uint64_t messages;         /* sent on it */
    uint64_t bytes;            /* of these messages */
    uint64_t collectives;      /* operations: events by members, divided by members, rounded up */
    uint64_t collective_bytes; /* sent in them by all members */
    uint64_t time_ns;          /* all ranks and threads together */
    bool has_created;
    uint64_t created_ns; /* by the first member, since the trace's beginning */
    bool has_freed;
    uint64_t freed_ns; /* by the last member */
};

struct mwa_comms {
    struct mwa_comm_row *rows; /* one per communicator of the trace, in its order */
    uint64_t count;
};

extern const struct mwa_analysis mwa_comms_analysis; /* finishes into struct mwa_comms */

void mwa_comms_fini(struct mwa_comms *comms);

/* Takes a message on comm (an index) out again: a send that was cancelled. */
void mwa_comms_forget(struct mwa_comms *comms, uint32_t comm, uint64_t bytes);

/* The most communicators that were alive at a time, those without CommCreate not counted. */
uint64_t mwa_comms_live_max(const struct mwa_comms *comms);

#endif
