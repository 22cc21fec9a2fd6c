#ifndef MW_FORMATS_ZIP_ZIP_WRITER_H
#define MW_FORMATS_ZIP_ZIP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/status.h"
#include "formats/zip/deflate.h"

/*
 * A ZIP64 archive in pieces. Every process puts its members, local headers and
 * deflated data, into a file of its own; the pieces follow each other in the archive,
 * and rank 0 writes the block index and the central directory from the entries of
 * all. Layout and the index's bytes: formats/ARCHIVE.md.
 */

#define MW_ZIP_INDEX_NAME "mpiwatch.idx"

struct mw_zip_piece {
    int descriptor; /* the piece's file, owned */
    char path[4096];
    uint64_t bytes;
    struct mw_buffer entries; /* of the block index; data offsets count from the piece */
    struct mw_deflated member; /* that is being added */
    char name[256];            /* its own */
};

/* One entry of the block index, taken apart; name and blocks point into it. */
struct mw_zip_entry {
    uint32_t name_bytes;
    uint32_t crc;
    uint64_t bytes;
    uint64_t compressed;
    uint64_t data_offset;
    uint64_t block_count;
    const char *name;   /* not terminated */
    const char *blocks; /* u64 each, little-endian */
};

/* Creates the piece's file path anew. \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_SPACE. */
enum mw_status mw_zip_piece_init(struct mw_zip_piece *piece, const char *path,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Closes and removes the piece's file. */
void mw_zip_piece_fini(struct mw_zip_piece *piece);

/* Begins the member name, of fewer than 256 bytes; it is there once its last block is. */
void mw_zip_piece_begin(struct mw_zip_piece *piece, const char *name);

/* Adds the next block of the member that was begun. \return as mw_deflate_block. */
enum mw_status mw_zip_piece_append(struct mw_zip_piece *piece, struct mw_deflater *deflater,
                                   const void *block, size_t bytes, bool is_last,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Says that the piece begins at base in the archive: moves its entries' data offsets. */
void mw_zip_piece_place(struct mw_zip_piece *piece, uint64_t base);

/* Takes the next entry from cursor; false at the end, or when it is cut or damaged. */
bool mw_zip_entry_next(struct mw_cursor *cursor, struct mw_zip_entry *entry);

/*
 * Puts the block index of all entries, which stand back to back in entries, into
 * index. block_bytes is the uncompressed size of every block but a member's last.
 */
void mw_zip_index(struct mw_buffer *index, const struct mw_buffer *entries,
                  uint64_t block_bytes);

/* Puts the central directory of entries and the ends of the archive, to stand at offset. */
void mw_zip_directory(struct mw_buffer *directory, const struct mw_buffer *entries,
                      uint64_t offset);

#endif
