#ifndef MWR_FINALIZE_FORESIGHT_H
#define MWR_FINALIZE_FORESIGHT_H

#include <stdint.h>

#include "recorder/recorder.h"

/*
 * What is known at the start to go wrong at the end, when it would be too late: ranks without a
 * spool, spools without room, an archive without room. Gathered by rank 0, which says each of them
 * once, however many ranks it is true of. Not thread-safe.
 */

/* All zero: nothing is foreseen. */
struct mwr_foresight {
    uint32_t without; /* ranks that record nothing */
    uint32_t first;   /* the lowest of them, and why */
    char reason[MWR_PATH_BYTES];
    uint64_t room; /* the least that a rank's calls have, in bytes; 0: nobody knows */
    uint32_t rank; /* whose it is, and where its spool lies */
    char spool[MWR_PATH_BYTES];
};

/* rank records nothing, for this reason. */
void mwr_foresight_take_trouble(struct mwr_foresight *foresight, uint32_t rank,
                                const char *reason);

/* The calls of rank may take room bytes (0: not known) in the directory spool. */
void mwr_foresight_take_room(struct mwr_foresight *foresight, uint32_t rank, uint64_t room,
                             const char *spool);

/* Says what there is to say, of where the archive goes as well: nothing when all is well. */
void mwr_foresight_say(const struct mwr_foresight *foresight);

#endif
