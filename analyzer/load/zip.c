/*
 * The directory may have been made to mislead: every number is held against the
 * file and the other members before anything is read or allocated by it.
 */
#include "analyzer/load/zip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/base/index_table.h"
#include "formats/base/order.h"

#define LOCAL_MAGIC       0x04034b50u
#define CENTRAL_MAGIC     0x02014b50u
#define END_MAGIC         0x06054b50u
#define END64_MAGIC       0x06064b50u
#define LOCATOR64_MAGIC   0x07064b50u
#define LOCAL_BYTES       30u
#define CENTRAL_BYTES     46u
#define END_BYTES         22u
#define END64_BYTES       56u
#define LOCATOR64_BYTES   20u
#define COMMENT_BYTES_MAX 65535u
#define FLAG_ENCRYPTED    0x0001u
/* Deflate makes at most 258 bytes of 2 bits. */
#define DEFLATE_RATIO_MAX 1032u

struct mwa_zip {
    int descriptor;
    uint64_t file_size;
    char *path;
    unsigned char *directory; /* the central directory; names point into text */
    char *names;
    struct mwa_zip_member *members;
    uint64_t count;
    struct mwa_zip_sums sums;
};

/* Where the central directory is. */
struct directory_place {
    uint64_t offset;
    uint64_t size;
    uint64_t count;
    uint64_t end; /* offset of the first end record: members and directory lie before it */
};

static uint64_t little(const unsigned char *bytes, unsigned count)
{
    uint64_t value = 0;

    while (count-- > 0) {
        value = value << 8 | bytes[count];
    }
    return value;
}

static enum mw_status read_at(const struct mwa_zip *zip, uint64_t offset, void *buffer, size_t size,
                              struct mw_diagnostic *diagnostic)
{
    size_t have = 0;

    while (have < size) {
        ssize_t got = pread(zip->descriptor, (char *)buffer + have, size - have,
                            (off_t)(offset + have));

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return mw_fail(diagnostic, MW_ERROR_SYSTEM, zip->path, offset, "cannot read");
        }
        if (got == 0) {
            return mw_fail(diagnostic, MW_ERROR_FORMAT, zip->path, offset + have,
                           "the file ends too early");
        }
        have += (size_t)got;
    }
    return MW_OK;
}

/* Reads the ZIP64 end record that the locator before the end record at end_offset names. */
static enum mw_status read_end64(const struct mwa_zip *zip, uint64_t end_offset,
                                 struct directory_place *place, struct mw_diagnostic *diagnostic)
{
    unsigned char locator[LOCATOR64_BYTES];
    unsigned char end[END64_BYTES];
    enum mw_status status;
    uint64_t offset;

    if (end_offset < LOCATOR64_BYTES) {
        return MW_END;
    }
    status = read_at(zip, end_offset - LOCATOR64_BYTES, locator, sizeof locator, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    if (little(locator, 4) != LOCATOR64_MAGIC) {
        return MW_END;
    }
    offset = little(locator + 8, 8);
    if (offset > end_offset - LOCATOR64_BYTES ||
        end_offset - LOCATOR64_BYTES - offset < END64_BYTES) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, zip->path, end_offset - LOCATOR64_BYTES,
                       "the ZIP64 locator points outside the file");
    }
    status = read_at(zip, offset, end, sizeof end, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    if (little(end, 4) != END64_MAGIC || little(end + 24, 8) != little(end + 32, 8)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, zip->path, offset,
                       "the ZIP64 end record is damaged");
    }
    *place = (struct directory_place){ .count = little(end + 32, 8),
                                       .size = little(end + 40, 8),
                                       .offset = little(end + 48, 8),
                                       .end = offset };
    return MW_OK;
}

/* The last place in tail that can be an end record, or -1. */
static int64_t end_record_in(const unsigned char *tail, size_t size)
{
    for (int64_t at = (int64_t)size - (int64_t)END_BYTES; at >= 0; at--) {
        if (little(tail + at, 4) == END_MAGIC &&
            little(tail + at + 20, 2) == size - END_BYTES - (uint64_t)at) {
            return at;
        }
    }
    return -1;
}

static enum mw_status find_directory(const struct mwa_zip *zip, struct directory_place *place,
                                     struct mw_diagnostic *diagnostic)
{
    size_t size = zip->file_size < END_BYTES + COMMENT_BYTES_MAX ? (size_t)zip->file_size
                                                                 : END_BYTES + COMMENT_BYTES_MAX;
    uint64_t tail_offset = zip->file_size - size;
    unsigned char *tail = malloc(size ? size : 1);
    enum mw_status status;
    int64_t at;

    if (!tail) {
        return mw_no_memory(diagnostic, zip->path, "for the end of the file");
    }
    status = read_at(zip, tail_offset, tail, size, diagnostic);
    if (status != MW_OK) {
        goto out;
    }
    at = end_record_in(tail, size);
    if (at < 0) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, zip->path, zip->file_size,
                         zip->file_size == 0
                             ? "not an archive: the file is empty"
                         : mwa_zip_looks_like(zip->path)
                             ? "not a whole ZIP file: there is no end record"
                             : "not an archive: neither a ZIP file nor the anchor file *.otf2 of "
                               "one");
        goto out;
    }
    *place = (struct directory_place){ .count = little(tail + at + 10, 2),
                                       .size = little(tail + at + 12, 4),
                                       .offset = little(tail + at + 16, 4),
                                       .end = tail_offset + (uint64_t)at };
    status = read_end64(zip, place->end, place, diagnostic);
    status = status == MW_END ? MW_OK : status;
out:
    free(tail);
    return status;
}

static bool name_is_sane(const char *name, size_t length)
{
    size_t part = 0;

    if (length == 0 || length > 4096 || name[0] == '/' || memchr(name, 0, length) ||
        memchr(name, '\\', length)) {
        return false;
    }
    for (size_t i = 0; i <= length; i++) {
        if (i < length && name[i] != '/') {
            continue;
        }
        if ((i - part == 1 && name[part] == '.') ||
            (i - part == 2 && name[part] == '.' && name[part + 1] == '.') ||
            (i == part && i < length)) {
            return false;
        }
        part = i + 1;
    }
    return true;
}

/* Replaces the 32-bit fields that are all ones by those of the ZIP64 extra field. */
static bool apply_extra64(const unsigned char *extra, size_t size, struct mwa_zip_member *member)
{
    uint64_t *fields[] = { &member->size, &member->compressed_size, &member->header_offset };
    size_t at = 0;

    while (size - at >= 4) {
        size_t id = (size_t)little(extra + at, 2);
        size_t length = (size_t)little(extra + at + 2, 2);
        size_t used = 0;

        at += 4;
        if (length > size - at) {
            return false;
        }
        for (unsigned i = 0; id == 1 && i < 3; i++) {
            if (*fields[i] != UINT32_MAX) {
                continue;
            }
            if (length - used < 8) {
                return false;
            }
            *fields[i] = little(extra + at + used, 8);
            used += 8;
        }
        at += length;
    }
    return true;
}

static enum mw_status member_fail(const struct mwa_zip *zip, const struct mwa_zip_member *member,
                                  uint64_t offset, const char *what,
                                  struct mw_diagnostic *diagnostic)
{
    char where[sizeof diagnostic->where];

    snprintf(where, sizeof where, "%s!%s", zip->path, member->name);
    return mw_fail(diagnostic, MW_ERROR_FORMAT, where, offset, "%s", what);
}

/* The local header must be inside the file and call the member by the same name. */
static enum mw_status check_local(const struct mwa_zip *zip, struct mwa_zip_member *member,
                                  uint64_t limit, struct mw_diagnostic *diagnostic)
{
    unsigned char header[LOCAL_BYTES];
    size_t length = strlen(member->name);
    char name[4097];
    enum mw_status status;

    if (member->header_offset > limit || limit - member->header_offset < LOCAL_BYTES + length) {
        return member_fail(zip, member, member->header_offset, "its header lies outside the file",
                           diagnostic);
    }
    status = read_at(zip, member->header_offset, header, sizeof header, diagnostic);
    if (status == MW_OK) {
        status = read_at(zip, member->header_offset + LOCAL_BYTES, name, length, diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    if (little(header, 4) != LOCAL_MAGIC || little(header + 26, 2) != length ||
        memcmp(name, member->name, length) != 0 || little(header + 8, 2) != member->method) {
        return member_fail(zip, member, member->header_offset,
                           "its local header is not what the directory says", diagnostic);
    }
    member->data_offset =
        member->header_offset + LOCAL_BYTES + length + little(header + 28, 2);
    if (member->data_offset > limit || limit - member->data_offset < member->compressed_size) {
        return member_fail(zip, member, member->header_offset, "its data lie outside the file",
                           diagnostic);
    }
    return MW_OK;
}

static enum mw_status check_sizes(const struct mwa_zip *zip, const struct mwa_zip_member *member,
                                  struct mw_diagnostic *diagnostic)
{
    if (member->method != MWA_ZIP_STORED && member->method != MWA_ZIP_DEFLATED) {
        return member_fail(zip, member, member->header_offset,
                           "its compression method is neither stored nor deflate", diagnostic);
    }
    if (member->method == MWA_ZIP_STORED ? member->size != member->compressed_size
                                         : member->size / DEFLATE_RATIO_MAX >
                                               member->compressed_size) {
        return member_fail(zip, member, member->header_offset, "its sizes contradict each other",
                           diagnostic);
    }
    return MW_OK;
}

/* Reads the entry at *at of the central directory and moves *at behind it. */
static enum mw_status read_entry(struct mwa_zip *zip, const struct directory_place *place,
                                 uint64_t *at, char **name, struct mwa_zip_member *member,
                                 struct mw_diagnostic *diagnostic)
{
    const unsigned char *entry = zip->directory + *at;
    uint64_t left = place->size - *at;
    uint64_t length = left >= CENTRAL_BYTES ? little(entry + 28, 2) : 0;
    uint64_t extra = left >= CENTRAL_BYTES ? little(entry + 30, 2) : 0;
    uint64_t comment = left >= CENTRAL_BYTES ? little(entry + 32, 2) : 0;
    uint64_t total = CENTRAL_BYTES + length + extra + comment;
    enum mw_status status;

    if (left < total || little(entry, 4) != CENTRAL_MAGIC) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, zip->path, place->offset + *at,
                       "the central directory is damaged");
    }
    if (!name_is_sane((const char *)entry + CENTRAL_BYTES, length)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, zip->path, place->offset + *at,
                       "a member has a name that no archive should have");
    }
    memcpy(*name, entry + CENTRAL_BYTES, length);
    (*name)[length] = 0;
    *member = (struct mwa_zip_member){ .name = *name,
                                       .method = (enum mwa_zip_method)little(entry + 10, 2),
                                       .crc = (uint32_t)little(entry + 16, 4),
                                       .compressed_size = little(entry + 20, 4),
                                       .size = little(entry + 24, 4),
                                       .header_offset = little(entry + 42, 4) };
    if (little(entry + 8, 2) & FLAG_ENCRYPTED) {
        return member_fail(zip, member, place->offset + *at, "it is encrypted", diagnostic);
    }
    if (!apply_extra64(entry + CENTRAL_BYTES + length, extra, member)) {
        return member_fail(zip, member, place->offset + *at, "its ZIP64 field is damaged",
                           diagnostic);
    }
    *name += length + 1;
    *at += total;
    status = check_sizes(zip, member, diagnostic);
    return status == MW_OK ? check_local(zip, member, place->offset, diagnostic) : status;
}

static int by_offset(const void *one, const void *other)
{
    const struct mwa_zip_member *a = one;
    const struct mwa_zip_member *b = other;

    return mw_order(a->header_offset, b->header_offset);
}

static int by_name(const void *one, const void *other)
{
    return strcmp(((const struct mwa_zip_member *)one)->name,
                  ((const struct mwa_zip_member *)other)->name);
}

/* No two members may share bytes or a name; leaves members sorted by name. */
static enum mw_status check_together(struct mwa_zip *zip, struct mw_diagnostic *diagnostic)
{
    struct mwa_zip_member *members = zip->members;

    qsort(members, zip->count, sizeof *members, by_offset);
    for (uint64_t i = 1; i < zip->count; i++) {
        if (members[i - 1].data_offset + members[i - 1].compressed_size >
            members[i].header_offset) {
            return member_fail(zip, &members[i], members[i].header_offset,
                               "it overlaps another member", diagnostic);
        }
    }
    qsort(members, zip->count, sizeof *members, by_name);
    for (uint64_t i = 1; i < zip->count; i++) {
        if (strcmp(members[i - 1].name, members[i].name) == 0) {
            return member_fail(zip, &members[i], members[i].header_offset,
                               "two members have this name", diagnostic);
        }
    }
    return MW_OK;
}

static enum mw_status read_members(struct mwa_zip *zip, const struct directory_place *place,
                                   struct mw_diagnostic *diagnostic)
{
    enum mw_status status;
    uint64_t at = 0;
    char *name;

    if (place->offset > place->end || place->size > place->end - place->offset ||
        place->count > place->size / CENTRAL_BYTES) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, zip->path, place->end,
                       "the end record contradicts the file's size");
    }
    zip->directory = malloc(place->size ? place->size : 1);
    zip->names = malloc(place->size + 1);
    zip->members = calloc(place->count ? place->count : 1, sizeof *zip->members);
    if (!zip->directory || !zip->names || !zip->members) {
        return mw_fail(diagnostic, MW_ERROR_MEMORY, zip->path, place->offset,
                       "no memory for the central directory");
    }
    status = read_at(zip, place->offset, zip->directory, place->size, diagnostic);
    if (status == MW_OK) {
        zip->sums = (struct mwa_zip_sums){
            .size = zip->file_size,
            .directory_crc = (uint32_t)crc32_z(0, zip->directory, place->size),
            .directory_hash = mw_hash_bytes(MW_HASH_START, zip->directory, place->size)
        };
    }
    name = zip->names;
    while (status == MW_OK && zip->count < place->count) {
        status = read_entry(zip, place, &at, &name, &zip->members[zip->count], diagnostic);
        zip->count += status == MW_OK;
    }
    if (status == MW_OK && at != place->size) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, zip->path, place->offset + at,
                         "the central directory has bytes that belong to no member");
    }
    return status == MW_OK ? check_together(zip, diagnostic) : status;
}

enum mw_status mwa_zip_open(const char *path, struct mwa_zip **result,
                            struct mw_diagnostic *diagnostic)
{
    struct directory_place place = { 0 };
    struct mwa_zip *zip = calloc(1, sizeof *zip);
    enum mw_status status;
    struct stat found;

    if (!zip || !(zip->path = strdup(path))) {
        free(zip);
        return mw_no_memory(diagnostic, path, "to open it");
    }
    zip->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* of a pipe: no waiting */
    if (zip->descriptor < 0 || fstat(zip->descriptor, &found) != 0) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "cannot open");
        goto out;
    }
    if (!S_ISREG(found.st_mode)) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "not an archive: neither a regular file nor a directory");
        goto out;
    }
    zip->file_size = (uint64_t)found.st_size;
    status = find_directory(zip, &place, diagnostic);
    if (status == MW_OK) {
        status = read_members(zip, &place, diagnostic);
    }
    free(zip->directory);
    zip->directory = NULL;
out:
    if (status != MW_OK) {
        mwa_zip_close(zip);
        return status;
    }
    *result = zip;
    return MW_OK;
}

void mwa_zip_close(struct mwa_zip *zip)
{
    if (!zip) {
        return;
    }
    if (zip->descriptor >= 0) {
        close(zip->descriptor);
    }
    free(zip->members);
    free(zip->names);
    free(zip->path);
    free(zip);
}

uint64_t mwa_zip_count(const struct mwa_zip *zip)
{
    return zip->count;
}

const struct mwa_zip_member *mwa_zip_member(const struct mwa_zip *zip, uint64_t index)
{
    return &zip->members[index];
}

const struct mwa_zip_member *mwa_zip_find(const struct mwa_zip *zip, const char *name)
{
    struct mwa_zip_member key = { .name = name };

    return bsearch(&key, zip->members, zip->count, sizeof key, by_name);
}

const struct mwa_zip_sums *mwa_zip_sums(const struct mwa_zip *zip)
{
    return &zip->sums;
}

int mwa_zip_descriptor(const struct mwa_zip *zip)
{
    return zip->descriptor;
}

bool mwa_zip_looks_like(const char *path)
{
    unsigned char magic[4] = { 0 };
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool yes = descriptor >= 0 && pread(descriptor, magic, 4, 0) == 4 &&
               (little(magic, 4) == LOCAL_MAGIC || little(magic, 4) == END_MAGIC);

    if (descriptor >= 0) {
        close(descriptor);
    }
    return yes;
}
