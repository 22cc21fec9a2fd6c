#ifndef MWA_LOAD_READING_START_H
#define MWA_LOAD_READING_START_H

#include "analyzer/load/block_states.h"

/*
 * A place that is quiet, or a lull (quiet_places.h), for all who read an archive from there on
 * instead of its beginning.
 */

/* The outermost call of MPI before which a location begins, in which all main threads are. */
struct mwa_first_call {
    uint64_t enter, leave; /* ticks */
    uint64_t events;       /* of OTF2 up to its leave, of other threads before the place; 0: the
                              record ends inside of it */
    bool all_meet;         /* all it does is a collective operation in which all wait for all: */
    uint32_t comm, operation, root; /* as struct mwa_collective_data has them */
};

/* Where a location begins. */
struct mwa_location_start {
    bool is_there;                 /* false: at its beginning, for it has no calls of MPI */
    bool has_first;                /* false: it is not the main thread, or this is a lull, and it
                                      goes on as it does */
    uint64_t events;               /* of OTF2 before it */
    uint64_t left;                 /* of a lull: as struct mwa_quiet_place has it */
    struct mwa_record_mark mark;   /* before it; of no events: reading begins at the beginning */
    struct mwa_open_call *calls;   /* of the program that are open, the outermost first */
    uint32_t call_count;
    struct mwa_first_call first;
    struct mwa_carried_request *carried; /* requests that are open, by what begins them … */
    uint64_t carried_count;
    uint64_t resting;                    /* … and so many more of messages that never end */
};

struct mwa_reading_start {
    bool is_lull;
    struct mwa_location_start *locations;
    uint64_t location_count;
};

/*
 * Finds the last quiet place before time (ticks) by what states of input's archive has, and reads
 * from the blocks before it on whether it is as it should be. input is no joint one, and has no
 * readers.
 *
 * \return start, to be freed with mwa_reading_start_free when nobody reads from it any more; null:
 * all are to be read from the beginning. states may be null.
 */
struct mwa_reading_start *mwa_reading_start_find(struct mwa_input *input,
                                                 const struct mwa_block_states *states,
                                                 uint64_t time);
/*
 * The same of count places, 1 at least, by their numbers, which there are, ascending: starts[i],
 * null where that place can't be gone to. By as many threads as are worth it. share: a flag for
 * each location, of which the others are left as if they had nothing there; null: all.
 */
void mwa_reading_starts_at(struct mwa_input *input, const struct mwa_block_states *states,
                           const uint64_t *numbers, uint32_t count, const bool *share,
                           struct mwa_reading_start **starts);
void mwa_reading_start_free(struct mwa_reading_start *start); /* null is fine */

void mwa_location_start_fini(struct mwa_location_start *start); /* all zeros are fine */

#endif
