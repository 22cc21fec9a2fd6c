#ifndef MWA_LOAD_ANCHOR_H
#define MWA_LOAD_ANCHOR_H

#include "analyzer/load/files.h"
#include "formats/base/status.h"

/*
 * The anchor file, before libotf2 sees it. libotf2 3.0 believes its numbers: it allocates 16
 * bytes for each property that is promised, and the product is one of 32 bits, so that 2^31
 * properties are written behind what was allocated.
 */

/* Sizes of chunks that libotf2 can deal with, and so that of an anchor file. */
#define MWA_CHUNK_BYTES_MIN ((uint64_t)256 << 10)
#define MWA_CHUNK_BYTES_MAX ((uint64_t)16 << 20)

/*
 * Checks that the anchor file is one of OTF2, that its texts and properties end inside of it
 * and that its sizes of chunks can be. Newer formats than 3 are checked as far as they go.
 *
 * \return MW_OK.
 * \return MW_ERROR_FORMAT with the offset in the anchor file; MW_ERROR_SYSTEM,
 * MW_ERROR_MEMORY, or what the stream of a member says (a wrong CRC).
 */
enum mw_status mwa_anchor_check(struct mwa_files *files,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether the anchor file has a property of that name; false also when it is no anchor file. */
bool mwa_anchor_has_property(struct mwa_files *files, const char *name);

/* The bytes of a chunk of events, as the anchor file says; 0 when it is no anchor file. */
uint64_t mwa_anchor_event_chunk(struct mwa_files *files);

#endif
