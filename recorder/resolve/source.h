#ifndef MWR_RESOLVE_SOURCE_H
#define MWR_RESOLVE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/archive/archive.h"

/* What debugging information says of addresses in one file. */

struct mwr_source;

/* The place of a call in the source; texts are valid until the next one is asked for. */
struct mwr_source_place {
    const char *file; /* as the compiler was told, as paths says; "": not known */
    uint32_t line;
    const char *function; /* with its offset if there is no line: "solve+0x12"; "": not known */
};

/*
 * Opens the program or library at path, with what debugging information there is of it in it,
 * beside it, in /usr/lib/debug or in directory ("": none; else its absolute path), by build-id or
 * debug link. build_id (hexadecimal; "": any) is what it has to have; if it has another one, or is
 * not there, what directory has with this build-id stands for it.
 *
 * \return null: it can't be read, or is another one by now.
 */
struct mwr_source *mwr_source_create(const char *path, const char *build_id,
                                     enum mw_source_paths paths, const char *directory);
void mwr_source_destroy(struct mwr_source *source);

/*
 * Says where the call is that returns to address, as the file counts addresses. Call: the function
 * of MPI that it is a call of, be it that another function is called there which ends in a jump to
 * that one, where no frame tells it (recorder/resolve/tail_calls.h); "": it is none of MPI's.
 */
void mwr_source_find(struct mwr_source *source, uint64_t address, const char *call,
                     struct mwr_source_place *place);

#endif
