#ifndef MWA_LOAD_RECORD_SIZES_H
#define MWA_LOAD_RECORD_SIZES_H

#include <stdint.h>

#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/* What an archive's bytes are: files by what they hold, and events by their kind. */

struct mwa_record_size {
    const char *name; /* as OTF2 calls it; "times" in front of events, "attributes" of theirs */
    uint64_t count;
    uint64_t bytes; /* not compressed */
};

struct mwa_record_sizes {
    struct mwa_record_size *records; /* owned; those that there are, in OTF2's order */
    uint64_t count;
    uint64_t event_bytes; /* of the files of events, not compressed */
    uint64_t rest_bytes;  /* of that, heads of chunks and their unused ends */
    uint64_t event_stored_bytes; /* as they are in the archive: compressed, if it is one file */
    uint64_t other_bytes;        /* of definitions, metadata and everything else */
    uint64_t other_stored_bytes;
};

/*
 * Reads the files of the archive at path, of which trace has the locations. Memory: a chunk.
 *
 * \return MW_OK and sizes, to be freed with mwa_record_sizes_fini.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY, MW_ERROR_FORMAT.
 */
enum mw_status mwa_record_sizes_read(const struct mwa_trace *trace, const char *path,
                                     struct mwa_record_sizes *sizes) MW_MUST_CHECK;

void mwa_record_sizes_fini(struct mwa_record_sizes *sizes);

#endif
