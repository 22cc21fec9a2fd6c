#ifndef MWA_LOAD_CHAPTERS_H
#define MWA_LOAD_CHAPTERS_H

#include "analyzer/load/reading_start.h"

/*
 * A run in parts that can be followed each by itself. One ends, and the next one begins, with a
 * call of all ranks before which nothing is under way (quiet_places.h) and in which all wait for
 * all: an MPI_Barrier, an MPI_Allreduce …, that each had entered before any left. Both parts have
 * it. Or one ends and the next one begins at a lull.
 */

struct mwa_chapters {
    uint32_t count;                    /* 2 at least */
    struct mwa_reading_start **starts; /* of all but the first */
    bool at_lulls;                     /* each begins at one */
};

/* Who finds starts instead of mwa_reading_starts_at, which is told the same. */
struct mwa_starts_finder {
    void (*find)(void *user, const uint64_t *numbers, uint32_t count,
                 struct mwa_reading_start **starts);
    void *user;
};

/*
 * Cuts the run of input, which is no joint one and has no readers, into so many parts at most of
 * about as many events, by what states of its archive has; which is read to see whether it is as it
 * should be. At lulls where those are what is known. finder (null: nobody) is asked once at most,
 * for the places that are looked at first.
 *
 * \return chapters, to be freed with mwa_chapters_free when nobody reads from them any more; null:
 * it can't be cut, or not so that it saves time, or there is no memory to.
 */
struct mwa_chapters *mwa_chapters_find(struct mwa_input *input,
                                       const struct mwa_block_states *states, uint32_t most,
                                       const struct mwa_starts_finder *finder);
void mwa_chapters_free(struct mwa_chapters *chapters); /* null is fine */

#endif
