/*
 * The index comes from the archive that is being doubted: entries are checked
 * against each other before anything of them is used.
 */
#include "analyzer/load/block_index.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"

#define NAME_BYTES_MAX 4096u

static uint64_t little(const unsigned char *bytes, unsigned count)
{
    uint64_t value = 0;

    while (count-- > 0) {
        value = value << 8 | bytes[count];
    }
    return value;
}

uint64_t mwa_block_offset(const struct mwa_indexed_member *member, uint64_t block)
{
    return block < member->blocks ? little(member->offsets + 8 * block, 8)
                                  : member->compressed_size;
}

uint64_t mwa_block_size(const struct mwa_block_index *index,
                        const struct mwa_indexed_member *member, uint64_t block)
{
    uint64_t left = member->size - block * index->block_size;

    return left < index->block_size ? left : index->block_size;
}

static enum mw_status check_head(const unsigned char *bytes, uint64_t size, const char *where,
                                 struct mw_diagnostic *diagnostic)
{
    if (size < MWA_INDEX_HEAD_BYTES || memcmp(bytes, "MWBLOCKS", 8) != 0) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, where, 0, "it is no index of blocks");
    }
    if (little(bytes + 8, 4) != 1) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, where, 8, "its version is %u, not 1",
                       (unsigned)little(bytes + 8, 4));
    }
    if (little(bytes + 16, 8) != MWA_INDEX_BLOCK_BYTES) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, where, 16, "its blocks are not of %u bytes",
                       MWA_INDEX_BLOCK_BYTES);
    }
    if (little(bytes + 24, 8) > (size - MWA_INDEX_HEAD_BYTES) / MWA_INDEX_ENTRY_BYTES) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, where, 24,
                       "it promises more entries than it can hold");
    }
    return MW_OK;
}

/* The offsets must ascend from 0 and stay inside the data. */
static enum mw_status check_offsets(const struct mwa_indexed_member *member, const char *where,
                                    struct mw_diagnostic *diagnostic)
{
    uint64_t last = 0;

    for (uint64_t i = 0; i < member->blocks; i++) {
        uint64_t offset = mwa_block_offset(member, i);

        if (i == 0 ? offset != 0 : offset <= last || offset >= member->compressed_size) {
            return mw_fail(diagnostic, MW_ERROR_FORMAT, where, member->place,
                           "block %llu of %.200s can't begin at %llu", (unsigned long long)i,
                           member->name, (unsigned long long)offset);
        }
        last = offset;
    }
    return MW_OK;
}

/* Reads the entry at *at and moves *at behind it. */
static enum mw_status read_entry(const unsigned char *bytes, uint64_t size, const char *where,
                                 uint64_t *at, struct mwa_indexed_member *member,
                                 struct mw_diagnostic *diagnostic)
{
    const unsigned char *entry = bytes + *at;
    uint64_t left = size - *at;
    uint64_t length = left >= MWA_INDEX_ENTRY_BYTES ? little(entry, 4) : 0;
    uint64_t needed;

    if (left < MWA_INDEX_ENTRY_BYTES || length == 0 || length > NAME_BYTES_MAX ||
        length > left - MWA_INDEX_ENTRY_BYTES || memchr(entry + MWA_INDEX_ENTRY_BYTES, 0, length)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, where, *at, "an entry has no sane name");
    }
    *member = (struct mwa_indexed_member){ .crc = (uint32_t)little(entry + 4, 4),
                                           .size = little(entry + 8, 8),
                                           .compressed_size = little(entry + 16, 8),
                                           .data_offset = little(entry + 24, 8),
                                           .blocks = little(entry + 32, 8),
                                           .offsets = entry + MWA_INDEX_ENTRY_BYTES + length,
                                           .place = *at };
    needed = member->size / MWA_INDEX_BLOCK_BYTES + (member->size % MWA_INDEX_BLOCK_BYTES != 0);
    if (member->blocks != (needed ? needed : 1) ||
        member->blocks > (left - MWA_INDEX_ENTRY_BYTES - length) / 8) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, where, *at,
                       "an entry has another number of blocks than its size needs");
    }
    member->name = strndup((const char *)entry + MWA_INDEX_ENTRY_BYTES, length);
    if (!member->name) {
        return mw_fail(diagnostic, MW_ERROR_MEMORY, where, *at, "no memory for the index");
    }
    *at += MWA_INDEX_ENTRY_BYTES + length + 8 * member->blocks;
    return check_offsets(member, where, diagnostic);
}

enum mw_status mwa_block_index_parse(const unsigned char *bytes, uint64_t size, const char *where,
                                     struct mwa_block_index *index,
                                     struct mw_diagnostic *diagnostic)
{
    enum mw_status status = check_head(bytes, size, where, diagnostic);
    uint64_t at = MWA_INDEX_HEAD_BYTES;
    uint64_t capacity = 0;
    uint64_t count;

    *index = (struct mwa_block_index){ .block_size = MWA_INDEX_BLOCK_BYTES };
    if (status != MW_OK) {
        return status;
    }
    count = little(bytes + 24, 8);
    while (status == MW_OK && index->count < count) {
        struct mwa_indexed_member member = { 0 };

        status = read_entry(bytes, size, where, &at, &member, diagnostic);
        if (!mwa_grow(&index->members, &capacity, index->count + 1, sizeof *index->members)) {
            free(member.name);
            status = mw_fail(diagnostic, MW_ERROR_MEMORY, where, at, "no memory for the index");
            break;
        }
        index->members[index->count++] = member;
    }
    if (status == MW_OK && at != size) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, where, at,
                         "it has bytes behind its last entry");
    }
    if (status != MW_OK) {
        mwa_block_index_fini(index);
    }
    return status;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(((const struct mwa_indexed_member *)one)->name,
                  ((const struct mwa_indexed_member *)other)->name);
}

void mwa_block_index_sort(struct mwa_block_index *index)
{
    if (index->count > 0) {
        qsort(index->members, index->count, sizeof *index->members, by_name);
    }
}

const struct mwa_indexed_member *mwa_block_index_find(const struct mwa_block_index *index,
                                                      const char *name)
{
    const struct mwa_indexed_member wanted = { .name = (char *)(uintptr_t)name };

    return index->count > 0 ? bsearch(&wanted, index->members, index->count,
                                      sizeof *index->members, by_name)
                            : NULL;
}

void mwa_block_index_fini(struct mwa_block_index *index)
{
    for (uint64_t i = 0; i < index->count; i++) {
        free(index->members[i].name);
    }
    free(index->members);
    *index = (struct mwa_block_index){ 0 };
}
