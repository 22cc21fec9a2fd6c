#ifndef MWA_ANALYSIS_HANG_HANG_H
#define MWA_ANALYSIS_HANG_HANG_H

#include "analyzer/analysis/hang/hang_graph.h"

/*
 * Why a run that was killed hung, if it did: a verdict by the graph of who waits for whom, and
 * sentences that say it, the most important one first. Of a run that an MPI error, MPI_Abort or
 * exit ended: which ranks did that, where.
 */

enum mwa_hang_verdict {
    MWA_HANG_NONE,     /* no rank's record ends inside of a call, or the archive is complete */
    MWA_HANG_DEADLOCK, /* proved: some ranks can't go on, whatever the others do */
    MWA_HANG_ENDED,    /* some rank ended it: by an error, MPI_Abort or exit; it did not hang */
    MWA_HANG_POSSIBLE, /* a deadlock, if sends are not buffered, say */
    MWA_HANG_WAITING,  /* ranks wait for others that are outside of MPI */
    MWA_HANG_OPEN      /* none of these: not known, or they were about to go on */
};

struct mwa_hang {
    enum mwa_hang_verdict verdict;
    struct mwa_hang_graph graph;
    char **sentences;
    uint64_t sentence_count;
};

/* "deadlock", "possible deadlock" …; null: none. */
const char *mwa_hang_verdict_name(enum mwa_hang_verdict verdict);

/* If the run goes_on at this moment, sentences say since when ranks are where they are, by the time
 * of day. \return MW_OK, MW_ERROR_MEMORY; mwa_hang_fini is due in either case. */
enum mw_status mwa_hang_make(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                             bool goes_on, struct mwa_hang *hang) MW_MUST_CHECK;
void mwa_hang_fini(struct mwa_hang *hang);

#endif
