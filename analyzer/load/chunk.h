#ifndef MWA_LOAD_CHUNK_H
#define MWA_LOAD_CHUNK_H

#include <stddef.h>
#include <stdint.h>

/*
 * What libotf2 takes on trust. It reads a file chunk by chunk, and believes each count that a
 * record has in it: a table of 2^63 numbers is read over the end of all memory, or written. So each
 * chunk is gone through before libotf2 gets it: the fields of every record lie within the length
 * that it states, and that within the chunk.
 */

enum mwa_chunk_kind { MWA_CHUNK_GLOBAL_DEFINITIONS, MWA_CHUNK_LOCAL_DEFINITIONS, MWA_CHUNK_EVENTS };

/* How many records of each type there are, and their bytes. */
#define MWA_CHUNK_TYPES 256u

struct mwa_chunk_counts {
    uint64_t records[MWA_CHUNK_TYPES];
    uint64_t bytes[MWA_CHUNK_TYPES];
};

/* What is carried from one chunk of a file to the next; all zero before the first. */
struct mwa_chunk_state {
    uint64_t attributes; /* of the event that comes next */
    uint64_t contexts;   /* CallingContexts so far, the last one's id */
    uint64_t context;
    uint64_t moved; /* entries that libotf2 has to move at most to keep ids in order */
    struct mwa_chunk_counts *counts; /* not owned: gets events added; null: nobody counts */
};

/*
 * Goes through the chunk of size bytes.
 *
 * \return null: libotf2 may have it, and refuses by itself what else may be wrong; or what is
 * wrong, a text that lives as long as the program, *offset bytes into the chunk.
 */
const char *mwa_chunk_check(enum mwa_chunk_kind kind, struct mwa_chunk_state *state,
                            const unsigned char *chunk, size_t size, size_t *offset);

#endif
