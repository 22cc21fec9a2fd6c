#ifndef MW_FORMATS_ARCHIVE_ARCHIVE_JSON_H
#define MW_FORMATS_ARCHIVE_ARCHIVE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/status.h"
#include "formats/merge/merge.h"

/* What the archive says of itself beside the merged definitions. */
struct mw_archive_about {
    uint64_t nonce;
    const char *ended;
    bool complete;
};

/*
 * Writes mpiwatch.json (schema "mpiwatch-archive/1", formats/ARCHIVE.md) to path.
 *
 * \return MW_OK; MW_ERROR_SPACE; MW_ERROR_SYSTEM.
 */
enum mw_status mw_archive_json_write(const char *path, const struct mw_merged *merged,
                                     const struct mw_archive_about *about,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
