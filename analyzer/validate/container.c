/*
 * Inflating whole members does not show that the index is right, and readers that
 * use it would fail later: so each block is inflated by itself as well.
 */
#include "analyzer/validate/container.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/model/map.h"
#include "analyzer/load/block_index.h"
#include "analyzer/validate/found_in_parts.h"

#define INDEX_NAME      "mpiwatch.idx"
#define SUMS_NAME       "mpiwatch.sums"
#define JSON_NAME       "mpiwatch.json"
#define INDEX_BYTES_MAX ((uint64_t)1 << 30)
#define BUFFER_BYTES    65536u
#define THREAD_BYTES    ((uint64_t)4 << 20) /* less is inflated sooner than a thread is there */

/* What stream has from here to its end: bytes and CRC; false with a fault in the log. */
static bool sum_stream(FILE *stream, const struct mwa_stream_log *log, uint64_t *size,
                       uint32_t *crc)
{
    unsigned char buffer[BUFFER_BYTES];
    size_t got;

    *size = 0;
    *crc = 0;
    while ((got = fread(buffer, 1, sizeof buffer, stream)) > 0) {
        *crc = (uint32_t)crc32_z(*crc, buffer, got);
        *size += got;
    }
    return log->fault.status == MW_OK && !ferror(stream);
}

/* What is checked of a ZIP file, by several threads. */
struct zipped {
    const struct mwa_zip *zip;
    const char *path;
    const struct mwa_block_index *index; /* of its blocks, or not read yet */
    uint32_t threads;
};

/* The member's stream checks size and CRC by itself. */
static void check_member(void *user, uint64_t part, struct mwa_findings *findings)
{
    const struct zipped *zipped = user;
    const struct mwa_zip_member *member = mwa_zip_member(zipped->zip, part);
    struct mwa_stream_log log = { 0 };
    FILE *stream = mwa_member_open(zipped->zip, member, zipped->path, MWA_FOR_US, NULL, &log);
    uint64_t size;
    uint32_t crc;

    if (stream) {
        bool fine = sum_stream(stream, &log, &size, &crc);

        fclose(stream);
        if (fine && (size != member->size || crc != member->crc)) {
            mwa_findings_add(findings, MWA_CORRUPT, member->name, size,
                             "its size or CRC is not what the directory says");
        }
    }
    if (log.fault.status != MW_OK) {
        mwa_findings_add_failure(findings, &log.fault);
    }
}

/* One block of a member, inflated by itself. */
struct block {
    int descriptor;
    uint64_t at;   /* in the ZIP file */
    uint64_t end;
    uint64_t size; /* uncompressed */
};

/* Z_OK when block inflates to exactly its size; Z_MEM_ERROR; another number. Continues *crc. */
static int inflate_block(z_stream *inflater, struct block block, uint32_t *crc)
{
    unsigned char input[BUFFER_BYTES];
    unsigned char output[BUFFER_BYTES];
    int code = inflateReset(inflater);
    uint64_t produced = 0;

    inflater->avail_in = 0;
    while (code == Z_OK) {
        size_t made;

        if (inflater->avail_in == 0 && block.at < block.end) {
            size_t want = block.end - block.at < sizeof input ? (size_t)(block.end - block.at)
                                                              : sizeof input;
            ssize_t got = pread(block.descriptor, input, want, (off_t)block.at);

            if (got <= 0) {
                return Z_ERRNO;
            }
            block.at += (uint64_t)got;
            inflater->next_in = input;
            inflater->avail_in = (uInt)got;
        }
        inflater->next_out = output;
        inflater->avail_out = sizeof output;
        code = inflate(inflater, Z_SYNC_FLUSH);
        made = sizeof output - inflater->avail_out;
        *crc = (uint32_t)crc32_z(*crc, output, made);
        produced += made;
        if (produced > block.size) {
            return Z_DATA_ERROR;
        }
    }
    if (code == Z_MEM_ERROR) {
        return code;
    }
    /* Z_BUF_ERROR: all input is used up, as between two blocks. */
    return (code == Z_STREAM_END || code == Z_BUF_ERROR) && produced == block.size &&
                   block.at == block.end && inflater->avail_in == 0
               ? Z_OK
               : Z_DATA_ERROR;
}

static void lack_memory(const struct mwa_indexed_member *member, struct mwa_findings *findings)
{
    mwa_findings_add(findings, MWA_CORRUPT, INDEX_NAME, member->place,
                     "no memory to check the blocks of %s", member->name);
}

static void check_blocks(const struct mwa_zip *zip, const struct mwa_block_index *index,
                         const struct mwa_indexed_member *member, struct mwa_findings *findings)
{
    z_stream inflater = { 0 };
    uint32_t crc = 0;

    if (inflateInit2(&inflater, -MAX_WBITS) != Z_OK) {
        lack_memory(member, findings);
        return;
    }
    for (uint64_t i = 0; i < member->blocks; i++) {
        const struct block block = {
            .descriptor = mwa_zip_descriptor(zip),
            .at = member->data_offset + mwa_block_offset(member, i),
            .end = member->data_offset + mwa_block_offset(member, i + 1),
            .size = mwa_block_size(index, member, i)
        };
        const int code = inflate_block(&inflater, block, &crc);

        if (code == Z_MEM_ERROR) {
            lack_memory(member, findings);
            break;
        }
        if (code != Z_OK) {
            mwa_findings_add(findings, MWA_CORRUPT, INDEX_NAME, member->place,
                             "block %llu of %s is not where the index says",
                             (unsigned long long)i, member->name);
            break;
        }
        if (i + 1 == member->blocks && crc != member->crc) {
            mwa_findings_add(findings, MWA_CORRUPT, INDEX_NAME, member->place,
                             "the blocks of %s have another CRC", member->name);
        }
    }
    inflateEnd(&inflater);
}

/* An entry of the index is a member, with its blocks. */
static void check_entry(void *user, uint64_t part, struct mwa_findings *findings)
{
    const struct zipped *zipped = user;
    const struct mwa_indexed_member *entry = &zipped->index->members[part];
    const struct mwa_zip_member *member = mwa_zip_find(zipped->zip, entry->name);

    if (!member) {
        mwa_findings_add(findings, MWA_CORRUPT, INDEX_NAME, entry->place,
                         "%s is not in the archive", entry->name);
    } else if (entry->crc != member->crc || entry->size != member->size ||
               entry->compressed_size != member->compressed_size ||
               entry->data_offset != member->data_offset) {
        mwa_findings_add(findings, MWA_CORRUPT, INDEX_NAME, entry->place,
                         "%s has another size, place or CRC in the directory", entry->name);
    } else if (member->method == MWA_ZIP_DEFLATED) {
        check_blocks(zipped->zip, zipped->index, entry, findings);
    }
}

/* Every entry is a member, every member has an entry. */
static void compare_with_zip(struct zipped *zipped, struct mwa_findings *findings)
{
    const struct mwa_zip *zip = zipped->zip;
    const struct mwa_block_index *index = zipped->index;
    struct mwa_map seen = { 0 };
    uint64_t noted = 0; /* entries */
    bool is_enough = true;

    while (is_enough && noted < index->count) {
        const struct mwa_zip_member *member = mwa_zip_find(zip, index->members[noted].name);

        is_enough = !member || mwa_map_put(&seen, (struct mwa_key){ 0, member->header_offset },
                                           noted);
        noted += is_enough;
    }
    mwa_find_in_parts(findings, noted, zipped->threads, check_entry, zipped);
    if (!is_enough) {
        lack_memory(&index->members[noted], findings);
        mwa_map_fini(&seen);
        return;
    }
    for (uint64_t i = 0; i < mwa_zip_count(zip); i++) {
        const struct mwa_zip_member *member = mwa_zip_member(zip, i);

        if (strcmp(member->name, INDEX_NAME) != 0 &&
            mwa_map_get(&seen, (struct mwa_key){ 0, member->header_offset }) ==
                MWA_MAP_ABSENT) {
            mwa_findings_add(findings, MWA_CORRUPT, INDEX_NAME, MW_DIAGNOSTIC_OFFSET_NONE,
                             "%s is missing from it", member->name);
        }
    }
    mwa_map_fini(&seen);
}

/* Compares a file with what was written of it; place is the line or entry in list. */
static void check_file(struct mwa_files *files, const char *name, uint64_t size, uint32_t crc,
                       const char *list, uint64_t place, struct mwa_findings *findings)
{
    struct mwa_stream_log *log = mwa_files_log(files);
    FILE *stream = mwa_files_stream(files, name);
    uint64_t found_size = 0;
    uint32_t found_crc = 0;

    if (!stream && log->fault.status == MW_OK) {
        mwa_findings_add(findings, MWA_CORRUPT, list, place, "%s is missing", name);
    } else if (!stream || !sum_stream(stream, log, &found_size, &found_crc)) {
        mwa_findings_add_failure(findings, &log->fault);
    } else if (found_size != size) {
        mwa_findings_add(findings, MWA_CORRUPT, name, found_size < size ? found_size : size,
                         "it has %llu bytes; %llu were written", (unsigned long long)found_size,
                         (unsigned long long)size);
    } else if (found_crc != crc) {
        mwa_findings_add(findings, MWA_CORRUPT, name, 0,
                         "its CRC is %08x; it was written with %08x", (unsigned)found_crc,
                         (unsigned)crc);
    }
    if (stream) {
        fclose(stream);
    }
    *log = (struct mwa_stream_log){ 0 };
}

/* All of the file called name, at most most bytes; null with a finding. */
static unsigned char *read_all(struct mwa_files *files, const char *name, uint64_t most,
                               uint64_t *size, struct mwa_findings *findings)
{
    struct mwa_stream_log *log = mwa_files_log(files);
    FILE *stream = mwa_files_stream(files, name);
    unsigned char *bytes = NULL;
    uint64_t capacity = 0;
    bool fine = stream != NULL;
    size_t got = 1;

    for (*size = 0; fine && got > 0; *size += got) {
        fine = *size <= most &&
               mwa_grow(&bytes, &capacity, *size + BUFFER_BYTES, 1);
        got = fine ? fread(bytes + *size, 1, BUFFER_BYTES, stream) : 0;
    }
    if (log->fault.status != MW_OK) {
        mwa_findings_add_failure(findings, &log->fault);
        fine = false;
    } else if (!fine) {
        mwa_findings_add(findings, MWA_CORRUPT, name, *size,
                         "it is too large: it can have %llu bytes", (unsigned long long)most);
    }
    if (stream) {
        fclose(stream);
    }
    *log = (struct mwa_stream_log){ 0 };
    if (!fine) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

/* The bytes that an index of the members has, if there is one entry for each. */
static uint64_t index_bytes(const struct mwa_zip *zip)
{
    uint64_t bytes = MWA_INDEX_HEAD_BYTES;

    for (uint64_t i = 0; i < mwa_zip_count(zip); i++) {
        const struct mwa_zip_member *member = mwa_zip_member(zip, i);

        bytes += MWA_INDEX_ENTRY_BYTES + strlen(member->name) +
                 8 * (member->size / MWA_INDEX_BLOCK_BYTES + 1);
    }
    return bytes < INDEX_BYTES_MAX ? bytes : INDEX_BYTES_MAX;
}

static void check_index(struct mwa_files *files, struct zipped *zipped,
                        struct mwa_findings *findings)
{
    const struct mwa_zip *zip = zipped->zip;
    struct mwa_block_index index = { 0 };
    struct mw_diagnostic diagnostic = { 0 };
    uint64_t size;
    unsigned char *bytes = read_all(files, INDEX_NAME,
                                    zip ? index_bytes(zip) : INDEX_BYTES_MAX, &size, findings);

    if (!bytes) {
        return;
    }
    if (mwa_block_index_parse(bytes, size, INDEX_NAME, &index, &diagnostic) != MW_OK) {
        mwa_findings_add_failure(findings, &diagnostic);
    } else if (zip) {
        zipped->index = &index;
        compare_with_zip(zipped, findings);
    } else {
        for (uint64_t i = 0; i < index.count; i++) {
            check_file(files, index.members[i].name, index.members[i].size, index.members[i].crc,
                       INDEX_NAME, index.members[i].place, findings);
        }
    }
    mwa_block_index_fini(&index);
    free(bytes);
}

/* A name in a list must stay inside the archive. */
static bool stays_inside(const char *name)
{
    return name[0] && name[0] != '/' && strcmp(name, "..") != 0 && strncmp(name, "../", 3) != 0 &&
           !strstr(name, "/../");
}

/* Names that have been listed, by their hash; two of one hash would pass for one. */
static struct mwa_key key_of_name(const char *name)
{
    struct mwa_key key = { 0xcbf29ce484222325u, 0 }; /* FNV-1a, and a second sum */

    for (; *name; name++) {
        key.high = (key.high ^ (unsigned char)*name) * 0x100000001b3u;
        key.low = key.low * 31 + (unsigned char)*name;
    }
    return key;
}

/* What is told of a file in the directory that the list does not have. */
struct unlisted {
    const struct mwa_map *listed;
    struct mwa_findings *findings;
};

static void look_for_unlisted(void *user, const char *name)
{
    const struct unlisted *unlisted = user;

    if (strcmp(name, SUMS_NAME) != 0 &&
        mwa_map_get(unlisted->listed, key_of_name(name)) == MWA_MAP_ABSENT) {
        /* Beside the anchor file lie a user's notes; among the locations' files nobody's. */
        mwa_findings_add(unlisted->findings, strchr(name, '/') ? MWA_CORRUPT : MWA_NOTE, name,
                         MW_DIAGNOSTIC_OFFSET_NONE,
                         SUMS_NAME " does not list it: it is not of this archive");
    }
}

static void check_sums(struct mwa_files *files, struct mwa_findings *findings)
{
    struct mwa_map listed = { 0 };
    struct unlisted unlisted = { &listed, findings };
    uint64_t size, line = 0;
    unsigned char *bytes = read_all(files, SUMS_NAME, INDEX_BYTES_MAX, &size, findings);

    for (uint64_t next = 0; bytes && line < size; line = next) {
        unsigned char *end = memchr(bytes + line, '\n', size - line);
        unsigned long long wanted = 0;
        unsigned crc = 0;
        int name = -1;

        if (end) {
            *end = 0;
            sscanf((char *)bytes + line, "%8x %20llu %n", &crc, &wanted, &name);
        }
        if (name < 0 || memchr(bytes + line, 0, (size_t)(end - bytes) - line) ||
            !stays_inside((char *)bytes + line + name)) {
            mwa_findings_add(findings, MWA_CORRUPT, SUMS_NAME, line,
                             "a line is not CRC, size and name");
            break;
        }
        check_file(files, (char *)bytes + line + name, wanted, crc, SUMS_NAME, line, findings);
        if (!mwa_map_put(&listed, key_of_name((char *)bytes + line + name), line)) {
            mwa_findings_add(findings, MWA_CORRUPT, SUMS_NAME, line, "no memory for its names");
            break;
        }
        next = (uint64_t)(end - bytes) + 1;
    }
    if (bytes && line >= size) {
        mwa_files_walk(files, look_for_unlisted, &unlisted);
    }
    mwa_map_fini(&listed);
    free(bytes);
}

/* How many threads are worth it for a ZIP file, of those that it may have. */
static uint32_t worth_it(const struct mwa_zip *zip, uint32_t threads)
{
    uint64_t bytes = 0;

    for (uint64_t i = 0; i < mwa_zip_count(zip); i++) {
        bytes += mwa_zip_member(zip, i)->size;
    }
    return bytes / THREAD_BYTES >= threads ? threads
           : bytes >= THREAD_BYTES         ? (uint32_t)(bytes / THREAD_BYTES)
                                           : 1;
}

void mwa_check_container(struct mwa_files *files, uint32_t threads, struct mwa_findings *findings)
{
    const struct mwa_zip *zip = mwa_files_zip(files);
    struct zipped zipped = { .zip = zip, .path = mwa_files_path(files) };
    uint64_t size;

    if (zip) {
        zipped.threads = worth_it(zip, threads);
        mwa_find_in_parts(findings, mwa_zip_count(zip), zipped.threads, check_member, &zipped);
    }
    if (findings->by_severity[MWA_CORRUPT] > 0) {
        return; /* the index would say the same again */
    }
    if (!zip && mwa_files_size(files, SUMS_NAME, &size)) {
        check_sums(files, findings);
    } else if (mwa_files_size(files, INDEX_NAME, &size)) {
        check_index(files, &zipped, findings);
    } else if (mwa_files_size(files, JSON_NAME, &size)) {
        mwa_findings_add(findings, MWA_INCOMPLETE, zip ? INDEX_NAME : SUMS_NAME,
                         MW_DIAGNOSTIC_OFFSET_NONE,
                         "it is missing: nothing says what the files should be");
    }
}
