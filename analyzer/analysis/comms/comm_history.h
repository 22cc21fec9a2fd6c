#ifndef MWA_ANALYSIS_COMMS_COMM_HISTORY_H
#define MWA_ANALYSIS_COMMS_COMM_HISTORY_H

#include "analyzer/analysis/analysis.h"

/*
 * What happened on each communicator, and when it lived. Calls and their time are those
 * that are charged to it (analyzer/analysis/comms/charge.h), and its share is of the time in all
 * outermost MPI calls of all threads, but for MPI_Init and MPI_Finalize.
 */

/* The life of a communicator on one of its members; times as mwa_trace_since_begin has them. */
struct mwa_comm_life {
    uint32_t rank; /* world rank */
    bool has_created;
    bool has_freed;
    int64_t created_ns;
    int64_t freed_ns;
};

/* The time for which a rank had a communicator registered under a name. */
struct mwa_registration {
    uint32_t comm;
    uint32_t rank; /* world rank */
    const char *name;
    int64_t from_ns;
    bool has_end;   /* false: to the end of the run */
    int64_t to_ns; /* unregistered, registered under another name, or freed */
};

struct mwa_comm_row {
    uint32_t comm;             /* index */
    uint64_t calls;
    uint64_t messages;         /* sent on it */
    uint64_t bytes;            /* of these messages */
    uint64_t collectives;      /* operations: events by members, divided by members, rounded up */
    uint64_t collective_bytes; /* sent in them by all members */
    uint64_t time_ns;          /* all ranks and threads together */
    uint64_t filtered_calls;   /* not recorded, only counted (--comms) */
    uint64_t filtered_bytes;   /* sent in them */
    bool is_used;              /* a message, collective, window or file was seen, or counted */
    bool has_created;
    int64_t created_ns; /* by the first member */
    uint32_t created_site; /* at this site, index; MWA_NONE: not known */
    bool has_freed;
    int64_t freed_ns; /* by the last member */
    uint64_t first_life; /* in mwa_comms.lives: of those members that anything is known of */
    uint64_t life_count;
    uint64_t first_registration; /* in mwa_comms.registrations */
    uint64_t registration_count;
};

struct mwa_comms {
    struct mwa_comm_row *rows; /* one per communicator of the trace, in its order */
    uint64_t count;
    const struct mwa_comm_row **by_time; /* the same by time_ns, most first, then in their order */
    uint64_t created;   /* that were seen created */
    uint64_t alive_max; /* the most of these that were alive at a time */
    uint64_t mpi_ns;    /* in all MPI calls: what communicators have shares of */
    uint64_t none_ns;   /* in those that are charged to no communicator */
    struct mwa_comm_life *lives; /* by communicator, then rank */
    uint64_t life_count;
    struct mwa_registration *registrations; /* by communicator, then rank and time */
    uint64_t registration_count;
    uint64_t filtered_calls; /* of all, those beyond the ones that were told apart included */
    uint64_t filtered_bytes;
};

extern const struct mwa_analysis mwa_comms_analysis; /* finishes into struct mwa_comms */

void mwa_comms_fini(struct mwa_comms *comms);

/* Takes a message on comm (an index) out again: a send that was cancelled. */
void mwa_comms_forget(struct mwa_comms *comms, uint32_t comm, uint64_t bytes);

#endif
