#ifndef MWA_ANALYSIS_MESSAGES_TRAFFIC_H
#define MWA_ANALYSIS_MESSAGES_TRAFFIC_H

#include "analyzer/analysis/analysis.h"

/*
 * Who sends how much to whom: point-to-point messages as their senders recorded them
 * (receive sides know less: IPM's README says why).
 */

struct mwa_pair {
    uint32_t from; /* world ranks */
    uint32_t to;
    uint64_t count;
    uint64_t bytes;
};

/* Sizes are counted exactly below 128 bytes, and in 64 steps per power of two above. */
#define MWA_SIZE_BINS 3776u
#define MWA_SIZE_POWERS 65u

struct mwa_traffic {
    uint64_t messages;
    uint64_t bytes;
    struct mwa_pair *pairs; /* by from, then to; without messages to undefined ranks */
    uint64_t pair_count;
    uint64_t sizes[MWA_SIZE_BINS];
    uint64_t powers[MWA_SIZE_POWERS]; /* messages of 0, of 1, of 2 to 3, of 4 to 7 bytes, … */
};

extern const struct mwa_analysis mwa_traffic_analysis; /* finishes into struct mwa_traffic */

void mwa_traffic_fini(struct mwa_traffic *traffic);

/* Takes a message out again: a send that was cancelled. */
void mwa_traffic_forget(struct mwa_traffic *traffic, uint32_t from, uint32_t to, uint64_t bytes);

/* The least size of a bin, and the bin of a size. */
uint64_t mwa_size_of_bin(unsigned bin);
unsigned mwa_bin_of_size(uint64_t bytes);

/* The median size, rounded down to its bin; 0 without messages. */
uint64_t mwa_traffic_median(const struct mwa_traffic *traffic);

/* The pair with the most bytes (the first of several), or null. */
const struct mwa_pair *mwa_traffic_heaviest(const struct mwa_traffic *traffic);

#endif
