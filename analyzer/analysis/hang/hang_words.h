#ifndef MWA_ANALYSIS_HANG_HANG_WORDS_H
#define MWA_ANALYSIS_HANG_HANG_WORDS_H

#include <stdio.h>

#include "analyzer/analysis/hang/hang_graph.h"

/*
 * The words that sentences about a hang are made of: ranks, calls, what is waited for in them,
 * where they stand and since when. All write to out and belong to its thread; errors of out are its
 * writer's to look at. Names are as the archive has them.
 */
struct mwa_hang_words {
    const struct mwa_trace *trace;
    const struct mwa_hang_states *states;
    const struct mwa_hang_graph *graph;
    uint64_t now; /* ticks, while the run goes on; 0: it has ended, or has no time of day */
};

/* Of a communicator and of the function of a site, or "a communicator", "a call" of MWA_NONE. */
const char *mwa_hang_comm_name(const struct mwa_hang_words *words, uint32_t comm);
const char *mwa_hang_call_name(const struct mwa_hang_words *words, uint32_t site);

/* " at a.c:31", " in main"; nothing where that is not known. */
void mwa_hang_put_line(const struct mwa_hang_words *words, uint32_t site, FILE *out);

/* "rank 3", "ranks 0-2, 5": those of which is true. */
void mwa_hang_put_ranks(const struct mwa_hang_words *words, const bool *which, FILE *out);

/* What a rank is inside of: "MPI_Recv from 1 (tag 7, ring) at a.c:31". */
void mwa_hang_put_inside(const struct mwa_hang_words *words, uint32_t rank, FILE *out);

/* " for 3.1 s": how long a rank has been where it is, or all of those have of which is true. */
void mwa_hang_put_how_long_of(const struct mwa_hang_words *words, uint32_t rank, FILE *out);
void mwa_hang_put_how_long_all(const struct mwa_hang_words *words, const bool *which, FILE *out);

#endif
