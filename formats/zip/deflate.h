#ifndef MW_FORMATS_ZIP_DEFLATE_H
#define MW_FORMATS_ZIP_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * Deflates members in blocks: the stream is fully flushed after every block, so that
 * inflation can begin at any of them. Memory: a block out, zlib's 256 KiB or ISA-L's 360.
 */
struct mw_deflater;

/* A member: where it goes, and what has become of it so far. */
struct mw_deflated {
    int target;       /* the file's descriptor */
    const char *path; /* its name, for diagnostics */
    uint64_t offset;  /* in it */
    uint64_t bytes;      /* uncompressed */
    uint64_t compressed; /* bytes */
    uint32_t crc;        /* CRC-32 of what is uncompressed */
    uint64_t block_count;
    struct mw_buffer blocks; /* a u64 for each: its offset from the member's */
};

/*
 * level is zlib's, 0 to 9 (0 stores, but in a deflate stream, cut alike). At 1 ISA-L does what
 * zlib would, where it is installed.
 *
 * \return MW_OK and *deflater, to be freed with mw_deflater_destroy; MW_ERROR_MEMORY.
 */
enum mw_status mw_deflater_create(int level, size_t block_bytes, struct mw_deflater **deflater,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mw_deflater_destroy(struct mw_deflater *deflater);

/*
 * Deflates the next block of the member, of block_bytes or, if it is the last one, fewer (0
 * allowed). One member at a time: what comes behind a last block begins another one.
 *
 * \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_SPACE, MW_ERROR_MEMORY.
 */
enum mw_status mw_deflate_block(struct mw_deflater *deflater, const void *block, size_t bytes,
                                bool is_last, struct mw_deflated *deflated,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
