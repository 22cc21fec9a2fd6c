#ifndef MWR_SITES_LOADED_H
#define MWR_SITES_LOADED_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the program consists of at this moment: itself and its libraries, as they are loaded. */

#define MWR_BUILD_ID_BYTES_MAX 64u

struct mwr_loaded {
    char path[4096];
    char build_id[2 * MWR_BUILD_ID_BYTES_MAX + 1]; /* hexadecimal; "" where there is none */
    bool is_program; /* no library, but what was begun with */
    uintptr_t bias;  /* what is to be subtracted from an address for the file's */
    uintptr_t begin; /* of the memory that it takes up */
    uintptr_t end;
    const void *frames;   /* its .eh_frame_hdr, null: it has none … */
    size_t frames_bytes; /* … and how long that is */
};

/*
 * Finds what the address lies in. Takes the loader's lock: none of ours may be held.
 * False: in nothing that was loaded from a file.
 */
bool mwr_loaded_find(const void *address, struct mwr_loaded *loaded);

/* Whether it is what runs Python, the program or its library, by their names. */
bool mwr_loaded_is_python(const struct mwr_loaded *loaded);

/*
 * Whether there is such a one: other programs are not to find a message of dlsym(3), of what they
 * do not have, or to lose one of their own. Takes the loader's lock: none of ours may be held.
 */
bool mwr_loaded_has_python(void);

/* Whether it is the recorder itself. */
bool mwr_loaded_is_own(const struct mwr_loaded *loaded);

/* Whether it is one of MPI's own libraries, those of its bindings and of coarrays among them. */
bool mwr_loaded_is_mpi(const struct mwr_loaded *loaded);

/* Whether it is a library that only MPI works in: a plug-in or the transports below it. */
bool mwr_loaded_is_below_mpi(const struct mwr_loaded *loaded);

/* Whether it is the C library, with those of threads and of loading. */
bool mwr_loaded_is_c(const struct mwr_loaded *loaded);

#endif
