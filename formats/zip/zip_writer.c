/*
 * Everything is ZIP64, also what is small: so the length of a local header is
 * known before the sizes in it are, and data are deflated to their place first.
 * Only offsets wait until the order of the pieces is known.
 */
#include "formats/zip/zip_writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/file.h"

#define LOCAL_HEADER 0x04034b50u
#define CENTRAL_HEADER 0x02014b50u
#define ZIP64_END 0x06064b50u
#define ZIP64_LOCATOR 0x07064b50u
#define END 0x06054b50u

#define VERSION_ZIP64 45u
#define MADE_BY_UNIX (3u << 8 | VERSION_ZIP64)
#define FLAG_UTF8 (1u << 11)
#define METHOD_DEFLATE 8u
#define DATE_1980_01_01 0x21u
#define ZIP64_EXTRA 1u
#define REGULAR_FILE_0644 (0100644u << 16)
#define IN_ZIP64_EXTRA 0xffffffffu

#define LOCAL_HEADER_BYTES 50u /* without the name, with the ZIP64 extra field */
#define ENTRY_BYTES 40u        /* without name and blocks */
#define ZIP64_END_BYTES 56u

enum mw_status mw_zip_piece_init(struct mw_zip_piece *piece, const char *path,
                                 struct mw_diagnostic *diagnostic)
{
    memset(piece, 0, sizeof *piece);
    snprintf(piece->path, sizeof piece->path, "%s", path);
    piece->descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (piece->descriptor < 0) {
        return mw_fail(diagnostic, mw_file_write_error(), path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't create a scratch file");
    }
    return MW_OK;
}

void mw_zip_piece_fini(struct mw_zip_piece *piece)
{
    if (piece->path[0] && piece->descriptor >= 0) {
        close(piece->descriptor);
        unlink(piece->path);
    }
    mw_buffer_fini(&piece->entries);
    mw_buffer_fini(&piece->member.blocks);
    memset(piece, 0, sizeof *piece);
    piece->descriptor = -1;
}

/* What local and central headers have in common, from the version needed to the sizes. */
static void put_common(struct mw_buffer *header, uint32_t crc, uint32_t name_bytes,
                       uint16_t extra_bytes)
{
    mw_buffer_u16(header, VERSION_ZIP64);
    mw_buffer_u16(header, FLAG_UTF8);
    mw_buffer_u16(header, METHOD_DEFLATE);
    mw_buffer_u16(header, 0); /* midnight */
    mw_buffer_u16(header, DATE_1980_01_01);
    mw_buffer_u32(header, crc);
    mw_buffer_u32(header, IN_ZIP64_EXTRA); /* compressed size */
    mw_buffer_u32(header, IN_ZIP64_EXTRA); /* size */
    mw_buffer_u16(header, (uint16_t)name_bytes);
    mw_buffer_u16(header, extra_bytes);
}

static void put_local_header(struct mw_buffer *header, const char *name,
                             const struct mw_deflated *deflated)
{
    uint32_t name_bytes = (uint32_t)strlen(name);

    mw_buffer_u32(header, LOCAL_HEADER);
    put_common(header, deflated->crc, name_bytes, 20);
    mw_buffer_append(header, name, name_bytes);
    mw_buffer_u16(header, ZIP64_EXTRA);
    mw_buffer_u16(header, 16);
    mw_buffer_u64(header, deflated->bytes);
    mw_buffer_u64(header, deflated->compressed);
}

static void put_entry(struct mw_buffer *entries, const char *name,
                      const struct mw_deflated *deflated)
{
    uint32_t name_bytes = (uint32_t)strlen(name);

    mw_buffer_u32(entries, name_bytes);
    mw_buffer_u32(entries, deflated->crc);
    mw_buffer_u64(entries, deflated->bytes);
    mw_buffer_u64(entries, deflated->compressed);
    mw_buffer_u64(entries, deflated->offset);
    mw_buffer_u64(entries, deflated->block_count);
    mw_buffer_append(entries, name, name_bytes);
    mw_buffer_append(entries, deflated->blocks.data, deflated->blocks.bytes);
}

void mw_zip_piece_begin(struct mw_zip_piece *piece, const char *name)
{
    mw_buffer_fini(&piece->member.blocks);
    snprintf(piece->name, sizeof piece->name, "%s", name);
    piece->member = (struct mw_deflated){
        .target = piece->descriptor,
        .path = piece->path,
        .offset = piece->bytes + LOCAL_HEADER_BYTES + strlen(piece->name),
    };
}

/* Puts the header before the member, whose data are where they belong. */
static enum mw_status end_member(struct mw_zip_piece *piece, struct mw_diagnostic *diagnostic)
{
    const struct mw_deflated *member = &piece->member;
    struct mw_buffer header = {0};
    enum mw_status status;

    put_local_header(&header, piece->name, member);
    put_entry(&piece->entries, piece->name, member);
    if (header.failed || piece->entries.failed) {
        status = mw_fail(diagnostic, MW_ERROR_MEMORY, piece->path, piece->bytes,
                         "no memory for a member of the archive");
    } else {
        status = mw_file_write(piece->descriptor, header.data, header.bytes, piece->bytes,
                               piece->path, diagnostic);
    }
    piece->bytes = member->offset + member->compressed;
    mw_buffer_fini(&header);
    return status;
}

enum mw_status mw_zip_piece_append(struct mw_zip_piece *piece, struct mw_deflater *deflater,
                                   const void *block, size_t bytes, bool is_last,
                                   struct mw_diagnostic *diagnostic)
{
    enum mw_status status =
        mw_deflate_block(deflater, block, bytes, is_last, &piece->member, diagnostic);

    return status == MW_OK && is_last ? end_member(piece, diagnostic) : status;
}

bool mw_zip_entry_next(struct mw_cursor *cursor, struct mw_zip_entry *entry)
{
    const char *head = cursor->next;

    if (cursor->left < ENTRY_BYTES) {
        return false;
    }
    *entry = (struct mw_zip_entry){
        .name_bytes = mw_get_u32(head),
        .crc = mw_get_u32(head + 4),
        .bytes = mw_get_u64(head + 8),
        .compressed = mw_get_u64(head + 16),
        .data_offset = mw_get_u64(head + 24),
        .block_count = mw_get_u64(head + 32),
        .name = head + ENTRY_BYTES,
    };
    uint64_t left = cursor->left - ENTRY_BYTES;

    if (entry->name_bytes > left || entry->block_count > (left - entry->name_bytes) / 8) {
        return false;
    }
    size_t bytes = ENTRY_BYTES + entry->name_bytes + (size_t)entry->block_count * 8;

    entry->blocks = entry->name + entry->name_bytes;
    cursor->next += bytes;
    cursor->left -= bytes;
    return true;
}

void mw_zip_piece_place(struct mw_zip_piece *piece, uint64_t base)
{
    struct mw_cursor cursor = {piece->entries.data, piece->entries.bytes};
    char *head = piece->entries.data;
    struct mw_zip_entry entry;

    while (mw_zip_entry_next(&cursor, &entry)) {
        uint64_t offset = entry.data_offset + base;

        for (unsigned i = 0; i < 8; i++) {
            head[24 + i] = (char)(offset >> 8 * i);
        }
        head = piece->entries.data + (cursor.next - piece->entries.data);
    }
}

void mw_zip_index(struct mw_buffer *index, const struct mw_buffer *entries,
                  uint64_t block_bytes)
{
    struct mw_cursor cursor = {entries->data, entries->bytes};
    struct mw_zip_entry entry;
    uint64_t count = 0;

    while (mw_zip_entry_next(&cursor, &entry)) {
        count++;
    }
    mw_buffer_append(index, "MWBLOCKS", 8);
    mw_buffer_u32(index, 1);
    mw_buffer_u32(index, 0);
    mw_buffer_u64(index, block_bytes);
    mw_buffer_u64(index, count);
    mw_buffer_append(index, entries->data, entries->bytes);
}

static void put_central_header(struct mw_buffer *directory, const struct mw_zip_entry *entry)
{
    mw_buffer_u32(directory, CENTRAL_HEADER);
    mw_buffer_u16(directory, MADE_BY_UNIX);
    put_common(directory, entry->crc, entry->name_bytes, 28);
    mw_buffer_u16(directory, 0); /* comment */
    mw_buffer_u16(directory, 0); /* disk */
    mw_buffer_u16(directory, 0); /* internal attributes */
    mw_buffer_u32(directory, REGULAR_FILE_0644);
    mw_buffer_u32(directory, IN_ZIP64_EXTRA); /* offset of the local header */
    mw_buffer_append(directory, entry->name, entry->name_bytes);
    mw_buffer_u16(directory, ZIP64_EXTRA);
    mw_buffer_u16(directory, 24);
    mw_buffer_u64(directory, entry->bytes);
    mw_buffer_u64(directory, entry->compressed);
    mw_buffer_u64(directory, entry->data_offset - LOCAL_HEADER_BYTES - entry->name_bytes);
}

static void put_ends(struct mw_buffer *directory, uint64_t count, uint64_t bytes,
                     uint64_t offset)
{
    mw_buffer_u32(directory, ZIP64_END);
    mw_buffer_u64(directory, ZIP64_END_BYTES - 12);
    mw_buffer_u16(directory, MADE_BY_UNIX);
    mw_buffer_u16(directory, VERSION_ZIP64);
    mw_buffer_u32(directory, 0); /* this disk */
    mw_buffer_u32(directory, 0); /* the directory's disk */
    mw_buffer_u64(directory, count);
    mw_buffer_u64(directory, count);
    mw_buffer_u64(directory, bytes);
    mw_buffer_u64(directory, offset);

    mw_buffer_u32(directory, ZIP64_LOCATOR);
    mw_buffer_u32(directory, 0);
    mw_buffer_u64(directory, offset + bytes);
    mw_buffer_u32(directory, 1); /* disks */

    mw_buffer_u32(directory, END);
    mw_buffer_u16(directory, 0xffff);
    mw_buffer_u16(directory, 0xffff);
    mw_buffer_u16(directory, 0xffff);
    mw_buffer_u16(directory, 0xffff);
    mw_buffer_u32(directory, IN_ZIP64_EXTRA);
    mw_buffer_u32(directory, IN_ZIP64_EXTRA);
    mw_buffer_u16(directory, 0); /* comment */
}

void mw_zip_directory(struct mw_buffer *directory, const struct mw_buffer *entries,
                      uint64_t offset)
{
    struct mw_cursor cursor = {entries->data, entries->bytes};
    struct mw_zip_entry entry;
    uint64_t count = 0;

    while (mw_zip_entry_next(&cursor, &entry)) {
        put_central_header(directory, &entry);
        count++;
    }
    put_ends(directory, count, directory->bytes, offset);
}
