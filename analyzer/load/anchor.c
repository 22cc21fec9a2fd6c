/*
 * libotf2 can be made to write past its memory by this file alone, so that it is
 * read by hand first. Nothing is kept of it: libotf2 reads it again.
 */
#include "analyzer/load/anchor.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_layout.h"

#define FORMAT_KNOWN    3u
#define FIXED_BYTES     38u /* between the format of the anchor and its texts */
#define NUMBER_MAX      8u

/* The bytes of the file, and how far they have been looked at. */
struct anchor {
    const char *where;
    const unsigned char *bytes;
    size_t size;
    size_t at;
    bool big_endian;
    uint64_t event_chunk;
    const char *wanted; /* the name of a property, or null */
    bool has_wanted;
    struct mw_diagnostic *diagnostic;
};

static enum mw_status refuse(const struct anchor *anchor, size_t offset, const char *format, ...)
    MW_PRINTF(3, 4);

static enum mw_status refuse(const struct anchor *anchor, size_t offset, const char *format, ...)
{
    char what[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return mw_fail(anchor->diagnostic, MW_ERROR_FORMAT, anchor->where, offset,
                   "a damaged anchor file: %s", what);
}

/* The number of count bytes at offset, which are there. */
static uint64_t number_at(const struct anchor *anchor, size_t offset, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned place = anchor->big_endian ? i : count - 1 - i;

        value = value << 8 | anchor->bytes[offset + place];
    }
    return value;
}

/* Goes over a number of count bytes. */
static enum mw_status take_number(struct anchor *anchor, unsigned count, uint64_t *value)
{
    if (anchor->size - anchor->at < count) {
        return refuse(anchor, anchor->size, "it ends inside of a number");
    }
    *value = number_at(anchor, anchor->at, count);
    anchor->at += count;
    return MW_OK;
}

/* Goes over count texts. */
static enum mw_status take_texts(struct anchor *anchor, uint64_t count, const char *what)
{
    size_t begin = anchor->at;

    for (uint64_t i = 0; i < count; i++) {
        const unsigned char *text = anchor->bytes + anchor->at;
        const unsigned char *end = memchr(text, 0, anchor->size - anchor->at);

        if (!end) {
            return refuse(anchor, begin, "it ends inside of %s", what);
        }
        anchor->at += (size_t)(end - text) + 1;
    }
    return MW_OK;
}

/* Up to the number of the anchor's own format. */
static enum mw_status check_head(struct anchor *anchor, unsigned *format)
{
    static const char magic[] = "OTF2";

    if (anchor->size < 2 + sizeof magic + 1 || anchor->bytes[0] != MWA_CHUNK_BEGIN ||
        (anchor->bytes[1] != MWA_LITTLE_ENDIAN && anchor->bytes[1] != MWA_BIG_ENDIAN) ||
        memcmp(anchor->bytes + 2, magic, sizeof magic) != 0) {
        return mw_fail(anchor->diagnostic, MW_ERROR_FORMAT, anchor->where, 0,
                       "this is no anchor file of OTF2");
    }
    anchor->big_endian = anchor->bytes[1] == MWA_BIG_ENDIAN;
    anchor->at = 2 + sizeof magic;
    *format = anchor->bytes[anchor->at++];
    return *format > 0 ? MW_OK : refuse(anchor, anchor->at - 1, "it has no format");
}

/* Versions, sizes of chunks, substrate, compression, locations and definitions. */
static enum mw_status check_sizes(struct anchor *anchor)
{
    static const char *const of[] = { "events", "definitions" };
    size_t substrate = anchor->at + 4 + 2 * NUMBER_MAX;

    if (anchor->size - anchor->at < FIXED_BYTES) {
        return refuse(anchor, anchor->size, "it ends before its texts");
    }
    for (unsigned i = 0; i < 2; i++) {
        size_t offset = anchor->at + 4 + i * NUMBER_MAX;
        uint64_t bytes = number_at(anchor, offset, NUMBER_MAX);

        if (bytes < MWA_CHUNK_BYTES_MIN || bytes > MWA_CHUNK_BYTES_MAX) {
            return refuse(anchor, offset, "chunks of %s can't have %llu bytes", of[i],
                          (unsigned long long)bytes);
        }
    }
    anchor->event_chunk = number_at(anchor, anchor->at + 4, NUMBER_MAX);
    /* Of the others, one reads nothing, and takes what memory held before for it. */
    if (anchor->bytes[substrate] != OTF2_SUBSTRATE_POSIX) {
        return refuse(anchor, substrate, "its records are in no files of their own");
    }
    anchor->at += FIXED_BYTES;
    return MW_OK;
}

/* From formats 2 and 3 on. */
static enum mw_status check_properties(struct anchor *anchor)
{
    size_t offset = anchor->at;
    uint64_t count = 0;
    enum mw_status status = take_number(anchor, 4, &count);

    if (status != MW_OK) {
        return status;
    }
    if (count > (anchor->size - anchor->at) / 2) {
        return refuse(anchor, offset, "it has no room for %llu properties",
                      (unsigned long long)count);
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        const char *name = (const char *)anchor->bytes + anchor->at;

        status = take_texts(anchor, 2, "its properties");
        if (status == MW_OK && anchor->wanted && strcmp(name, anchor->wanted) == 0) {
            anchor->has_wanted = true;
        }
    }
    return status;
}

static enum mw_status check(struct anchor *anchor)
{
    unsigned format = 0;
    uint64_t ignored;
    enum mw_status status = check_head(anchor, &format);

    if (status == MW_OK) {
        status = check_sizes(anchor);
    }
    if (status == MW_OK) {
        status = take_texts(anchor, 3, "its texts");
    }
    if (status == MW_OK && format > 1) {
        status = check_properties(anchor);
    }
    if (status == MW_OK && format > 1) {
        status = take_number(anchor, 8, &ignored); /* the trace's identifier */
    }
    for (unsigned i = 0; i < 2 && status == MW_OK && format > 2; i++) {
        status = take_number(anchor, 4, &ignored); /* snapshots, thumbnails */
    }
    if (status == MW_OK && format == FORMAT_KNOWN &&
        (anchor->at == anchor->size || anchor->bytes[anchor->at] != MWA_FILE_END)) {
        status = refuse(anchor, anchor->at, "its end is not where it should be");
    }
    return status;
}

/* Reads the size bytes of the file; fewer are no error, but *size then. */
static enum mw_status read_file(struct mwa_files *files, unsigned char *bytes, size_t *size,
                                struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(files);
    FILE *stream = mwa_files_stream(files, mwa_files_anchor_name(files));

    if (stream) {
        *size = fread(bytes, 1, *size, stream);
        fclose(stream);
    }
    if (!stream || log->fault.status != MW_OK) {
        return mwa_otf2_fail(log, "the anchor file can't be read", diagnostic);
    }
    return MW_OK;
}

static enum mw_status read_and_check(struct mwa_files *files, struct anchor *anchor)
{
    struct mw_diagnostic *diagnostic = anchor->diagnostic;
    unsigned char *bytes;
    enum mw_status status;
    uint64_t size = 0;

    (void)mwa_files_size(files, mwa_files_anchor_name(files), &size);
    if (size > MWA_CHUNK_BYTES_MAX) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, mwa_files_path(files), 0,
                       "its anchor file has %llu bytes: it is none", (unsigned long long)size);
    }
    bytes = malloc((size_t)size + 1);
    if (!bytes) {
        return mw_no_memory(diagnostic, mwa_files_path(files), "to read the anchor file");
    }
    anchor->size = (size_t)size;
    status = read_file(files, bytes, &anchor->size, diagnostic);
    if (status == MW_OK) {
        anchor->bytes = bytes;
        status = check(anchor);
    }
    free(bytes);
    return status;
}

enum mw_status mwa_anchor_check(struct mwa_files *files, struct mw_diagnostic *diagnostic)
{
    struct anchor anchor = { .where = mwa_files_log(files)->last, .diagnostic = diagnostic };

    return read_and_check(files, &anchor);
}

bool mwa_anchor_has_property(struct mwa_files *files, const char *name)
{
    struct anchor anchor = { .where = mwa_files_log(files)->last, .wanted = name };

    return read_and_check(files, &anchor) == MW_OK && anchor.has_wanted;
}

uint64_t mwa_anchor_event_chunk(struct mwa_files *files)
{
    struct anchor anchor = { .where = mwa_files_log(files)->last };

    return read_and_check(files, &anchor) == MW_OK ? anchor.event_chunk : 0;
}
