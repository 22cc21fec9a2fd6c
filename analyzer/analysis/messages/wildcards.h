#ifndef MWA_ANALYSIS_MESSAGES_WILDCARDS_H
#define MWA_ANALYSIS_MESSAGES_WILDCARDS_H

#include "analyzer/analysis/analysis.h"

/*
 * Which receives were posted for any source or any tag: what they get depends on timing, and the
 * MPI library has to look through more of its queues. A matched probe counts as a receive; other
 * probes that block are counted beside. Only mpiwatch's archives tell (attribute
 * mpiwatch.wildcards).
 */

struct mwa_wildcard_count {
    uint64_t receives;   /* all that were posted; 0 in counts by communicator */
    uint64_t any_source; /* those with MPI_ANY_SOURCE, perhaps with MPI_ANY_TAG as well */
    uint64_t any_tag;
    uint64_t any;        /* those with one or both */
    uint64_t probes;     /* that blocked, and found a message, of MPI_ANY_SOURCE; 0 in counts by
                            communicator */
};

struct mwa_wildcards {
    bool known;                      /* false: the archive does not tell */
    struct mwa_wildcard_count total;
    struct mwa_wildcard_count *ranks; /* per rank */
    struct mwa_wildcard_count *comms; /* per communicator, of receives that completed in the
                                         thread that posted them */
    uint64_t rank_count;
    uint64_t comm_count;
};

/* For how many messages of anybody it has asked: who probes for one receives it from whom he has
 * found. */
static inline uint64_t mwa_for_anybody(const struct mwa_wildcard_count *count)
{
    return count->any_source + count->probes;
}

/* Finishes into struct mwa_wildcards. With communicators selected, receives that completed. */
extern const struct mwa_analysis mwa_wildcards_analysis;

void mwa_wildcards_fini(struct mwa_wildcards *wildcards);

#endif
