#ifndef MW_FORMATS_SPOOL_SPOOL_HEADER_H
#define MW_FORMATS_SPOOL_SPOOL_HEADER_H

#include <stddef.h>

#include "formats/base/status.h"
#include "formats/spool/spool.h"

/* Whether a file is a spool that this program can read. */

#define MW_SPOOL_VERSION_WITHOUT_BLOCKS 1u
#define MW_SPOOL_VERSION_WITHOUT_NOW    2u

/*
 * Checks the header of the file path, of which so many bytes could be read.
 *
 * \return MW_OK; MW_ERROR_FORMAT: not a spool. MW_ERROR_VERSION: of another version, byte order
 * or table of calls. Thread-safe.
 */
enum mw_status mw_spool_header_check(const struct mw_spool_header *header, size_t bytes,
                                     const char *path,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
