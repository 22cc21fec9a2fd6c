#ifndef MWA_ANALYSIS_HANG_HANG_GRAPH_H
#define MWA_ANALYSIS_HANG_HANG_GRAPH_H

#include "analyzer/analysis/hang/hang_state.h"

/*
 * Who waits for whom at the end: the wait-for graph with AND and OR of Hilbrich, Protze, Schulz, de
 * Supinski and Müller, "MPI runtime error detection with MUST" (SC 2012). A rank needs all of its
 * clauses, and of each clause one of the ranks in it; a rank that is outside of MPI, or of which
 * nothing is known, can give anything. Who can't go on, however the others do, is dead.
 */

/*
 * So many members that have not come are looked at for a rank: with thousands of ranks that wait
 * for thousands of others there would be millions of clauses. Without some a rank is told to be
 * able to go on that is not, and never the other way round.
 */
#define MWA_HANG_MEMBERS_MAX 64u

enum mwa_hang_why {
    MWA_HANG_TO_SEND,    /* a message that it wants */
    MWA_HANG_TO_RECEIVE, /* a message that it sends */
    MWA_HANG_TO_COME,    /* to what all of a communicator do, and it has not come */
    MWA_HANG_TO_POST,    /* its window, which this one has started to access */
    MWA_HANG_TO_COMPLETE, /* its access to this one's window */
    MWA_HANG_TO_UNLOCK,  /* a window */
    MWA_HANG_TO_MAKE_READY, /* partitions of its own send: it waits for itself */
    MWA_HANG_TO_AGREE    /* it is in another operation, or has another root, on that */
};

struct mwa_hang_clause {
    uint32_t rank;   /* that waits */
    bool is_proved;  /* else it may well go on without */
    enum mwa_hang_why why;
    uint32_t comm;   /* MWA_NONE: not known */
    int32_t tag;     /* of messages, below 0: any */
    bool is_any;     /* of messages: from anybody */
    bool is_behind;  /* of what it sends: messages before it have the receives that are there */
    uint64_t bytes;  /* of what it sends, UINT64_MAX: not known */
    uint64_t first;  /* in targets … */
    uint64_t count;  /* … so many: one of them will do */
};

/* Whether a rank can go on. */
enum mwa_hang_life {
    MWA_HANG_LIVES,
    MWA_HANG_MAY_BE_DEAD, /* it is by what is possible, and not by what is proved alone */
    MWA_HANG_DEAD
};

struct mwa_hang_graph {
    struct mwa_hang_clause *clauses; /* by rank */
    uint64_t clause_count;
    uint64_t clause_capacity;
    uint32_t *targets; /* world ranks */
    uint64_t target_count;
    uint64_t target_capacity;
    uint64_t *first_clause; /* by rank, and one behind the last */
    enum mwa_hang_life *life; /* by rank */
    bool *is_known; /* by rank: what it waits for is told in full */
    bool is_cut;    /* more members of a collective have not come than are in it for one rank */
};

/* \return MW_OK, MW_ERROR_MEMORY; mwa_hang_graph_fini is due in either case. */
enum mw_status mwa_hang_graph_make(const struct mwa_trace *trace,
                                   const struct mwa_hang_states *states,
                                   struct mwa_hang_graph *graph) MW_MUST_CHECK;
void mwa_hang_graph_fini(struct mwa_hang_graph *graph);

/* Whether another thread of the rank may call MPI while its main thread is in a call, and go on.
 * Any thread. */
bool mwa_hang_others_may_call(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                              uint32_t rank);

#endif
