#ifndef MWA_LOAD_BLOCK_INDEX_H
#define MWA_LOAD_BLOCK_INDEX_H

#include <stdint.h>

#include "formats/base/status.h"

/* mpiwatch.idx, as formats/ARCHIVE.md has it: where the blocks of the members are. */

#define MWA_INDEX_HEAD_BYTES  32u
#define MWA_INDEX_ENTRY_BYTES 40u /* and the name, and 8 for each block */
#define MWA_INDEX_BLOCK_BYTES 262144u

struct mwa_indexed_member {
    char *name;
    uint32_t crc; /* of the uncompressed bytes */
    uint64_t size;
    uint64_t compressed_size;
    uint64_t data_offset; /* in the archive */
    uint64_t blocks;
    const unsigned char *offsets; /* blocks of them, for mwa_block_offset */
    uint64_t place; /* of the entry in the index */
};

struct mwa_block_index {
    struct mwa_indexed_member *members; /* in the order of the file */
    uint64_t count;
    uint64_t block_size; /* uncompressed bytes of all blocks but the last */
};

/*
 * Takes apart the size bytes of an index, which is called where in messages. Entries refer
 * to bytes. They have been checked against each other and against size, not against any
 * archive: the number of blocks fits the sizes, the offsets ascend from 0.
 *
 * \return MW_OK, and index is to be freed with mwa_block_index_fini.
 * \return MW_ERROR_FORMAT, MW_ERROR_VERSION, with the offset; MW_ERROR_MEMORY.
 */
enum mw_status mwa_block_index_parse(const unsigned char *bytes, uint64_t size, const char *where,
                                     struct mwa_block_index *index,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_block_index_fini(struct mwa_block_index *index);

/* Sorts the members by name, for mwa_block_index_find. */
void mwa_block_index_sort(struct mwa_block_index *index);

/* The member called name of a sorted index, or null. */
const struct mwa_indexed_member *mwa_block_index_find(const struct mwa_block_index *index,
                                                      const char *name);

/* Where a block begins, from the member's compressed data on; for the last + 1 its end. */
uint64_t mwa_block_offset(const struct mwa_indexed_member *member, uint64_t block);

/* Uncompressed bytes of block number block. */
uint64_t mwa_block_size(const struct mwa_block_index *index,
                        const struct mwa_indexed_member *member, uint64_t block);

#endif
