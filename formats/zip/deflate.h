#ifndef MW_FORMATS_ZIP_DEFLATE_H
#define MW_FORMATS_ZIP_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * Deflates files in blocks: the stream is fully flushed after every block, so that
 * inflation can begin at any of them. Memory: a block in, a block out, zlib's 256 KiB.
 */
struct mw_deflater;

/* One deflated file. */
struct mw_deflated {
    uint64_t bytes;      /* uncompressed */
    uint64_t compressed; /* bytes */
    uint32_t crc;        /* CRC-32 of what is uncompressed */
    uint64_t block_count;
};

/*
 * level is zlib's, 0 to 9 (0 stores, but in a deflate stream, cut alike).
 *
 * \return MW_OK and *deflater, to be freed with mw_deflater_destroy; MW_ERROR_MEMORY.
 */
enum mw_status mw_deflater_create(int level, size_t block_bytes, struct mw_deflater **deflater,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mw_deflater_destroy(struct mw_deflater *deflater);

/*
 * Deflates the file source_path into the file target from target_offset on, and
 * appends to blocks a u64 for each block: its offset from target_offset.
 *
 * \return MW_OK and *deflated; MW_ERROR_SYSTEM, MW_ERROR_SPACE, MW_ERROR_MEMORY.
 */
enum mw_status mw_deflate_file(struct mw_deflater *deflater, const char *source_path, int target,
                               const char *target_path, uint64_t target_offset,
                               struct mw_deflated *deflated, struct mw_buffer *blocks,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
