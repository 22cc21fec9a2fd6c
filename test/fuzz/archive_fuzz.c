/*
 * Fuzzes what reads archives before libotf2 does, or instead of it. An input's first byte, modulo
 * 5, says what the rest is: 0 a ZIP file, of which all members are read; 1 mpiwatch.idx; 2
 * mpiwatch.json; 3 an anchor file, which libotf2 gets to see as well if it passes; 4 a block of
 * events, and as many more of the same bytes as it goes on for.
 *
 * LLVMFuzzerTestOneInput is libFuzzer's entry; test/fuzz/driver.c calls it without libFuzzer.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <otf2/otf2.h>

#include "analyzer/load/anchor.h"
#include "analyzer/load/event_block.h"
#include "analyzer/load/files.h"
#include "analyzer/load/metadata.h"
#include "analyzer/load/otf2_layout.h"
#include "analyzer/load/otf2_error.h"
#include "analyzer/load/zip.h"
#include "analyzer/load/block_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define INPUT_MAX (1u << 20)

static char place[64];

static void remove_place(void)
{
    static const char *const names[] = { "x.zip", "traces.otf2", "mpiwatch.json" };
    char path[128];

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", place, names[i]);
        unlink(path);
    }
    rmdir(place);
}

static void write_file(const char *name, const void *data, size_t bytes, char *path, size_t size)
{
    FILE *file;

    if (!place[0]) {
        snprintf(place, sizeof place, "/tmp/mpiwatch-fuzz.XXXXXX");
        if (!mkdtemp(place)) {
            abort();
        }
        atexit(remove_place);
    }
    snprintf(path, size, "%s/%s", place, name);
    file = fopen(path, "w");
    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0) {
        abort();
    }
}

static void read_member(const struct mwa_zip *zip, const struct mwa_zip_member *member)
{
    struct mwa_stream_log log = { 0 };
    FILE *stream = mwa_member_open(zip, member, "x.zip", MWA_FOR_US, NULL, &log);
    uint64_t total = 0;
    char buffer[4096];
    size_t got;

    while (stream && (got = fread(buffer, 1, sizeof buffer, stream)) > 0) {
        total += got;
    }
    /* Either all of it is there, or something was said. */
    if (total != member->size && log.fault.status == MW_OK) {
        abort();
    }
    if (stream) {
        fclose(stream);
    }
}

static void read_zip(const uint8_t *data, size_t bytes)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_zip *zip = NULL;
    char path[128];

    write_file("x.zip", data, bytes, path, sizeof path);
    if (mwa_zip_open(path, &zip, &diagnostic) != MW_OK) {
        if (diagnostic.status == MW_OK || diagnostic.what[0] == 0) {
            abort();
        }
        return;
    }
    for (uint64_t i = 0; i < mwa_zip_count(zip); i++) {
        const struct mwa_zip_member *member = mwa_zip_member(zip, i);

        if (mwa_zip_find(zip, member->name) != member ||
            member->data_offset + member->compressed_size > bytes) {
            abort();
        }
        read_member(zip, member);
    }
    mwa_zip_close(zip);
}

static void read_index(const uint8_t *data, size_t bytes)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_block_index index;

    if (mwa_block_index_parse(data, bytes, "mpiwatch.idx", &index, &diagnostic) != MW_OK) {
        return;
    }
    for (uint64_t i = 0; i < index.count; i++) {
        const struct mwa_indexed_member *member = &index.members[i];
        uint64_t total = 0;

        for (uint64_t k = 0; k < member->blocks; k++) {
            total += mwa_block_size(&index, member, k);
            if (k > 0 && mwa_block_offset(member, k + 1) <= mwa_block_offset(member, k)) {
                abort();
            }
        }
        if (total != member->size) {
            abort();
        }
    }
    mwa_block_index_fini(&index);
}

/* A trace with two ranks and a communicator, for what mpiwatch.json says of them. */
static void read_metadata(const uint8_t *data, size_t bytes)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_trace trace = { .program = "", .creator = "" };
    struct mwa_files *files = NULL;
    uint64_t ranks = 0, comms = 0;
    char path[128];

    write_file("traces.otf2", "", 0, path, sizeof path);
    write_file("mpiwatch.json", data, bytes, path, sizeof path);
    if (!mwa_grow(&trace.ranks, &ranks, 2, sizeof *trace.ranks) ||
        !mwa_grow(&trace.comms, &comms, 1, sizeof *trace.comms) ||
        mwa_files_open(place, &files, &diagnostic) != MW_OK) {
        abort();
    }
    trace.rank_count = 2;
    trace.comm_count = 1;
    if (mwa_metadata_read(files, &trace, &diagnostic) != MW_OK && diagnostic.what[0] == 0) {
        abort();
    }
    mwa_files_close(files);
    mwa_trace_fini(&trace);
}

/* What passes our check does libotf2 no harm, whether it takes it or not. */
static void read_anchor(const uint8_t *data, size_t bytes)
{
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_files *files = NULL;
    OTF2_Reader *reader;
    char path[128];

    write_file("traces.otf2", data, bytes, path, sizeof path);
    if (mwa_files_open(path, &files, &diagnostic) != MW_OK) {
        return; /* one that looks like a ZIP file */
    }
    if (mwa_anchor_check(files, &diagnostic) == MW_OK) {
        mwa_otf2_errors_take();
        reader = OTF2_Reader_Open(mwa_files_anchor(files));
        if (reader) {
            OTF2_Reader_Close(reader);
        }
    } else if (diagnostic.what[0] == 0) {
        abort();
    }
    mwa_files_close(files);
}

/* As an archive's own tables may: any number out of any other. */
static uint64_t scramble(const void *tables, OTF2_MappingType kind, uint64_t id)
{
    return (id ^ kind) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Reads up to four such blocks; how it ends. */
static enum mwa_event_block_step read_blocks(struct mwa_event_block *block, const uint8_t *data,
                                             size_t bytes)
{
    enum mwa_event_block_step step = MWA_BLOCK_END;

    for (unsigned i = 0; i < 4 && step == MWA_BLOCK_END; i++) {
        step = mwa_event_block_begin(block, data, bytes);
        while (step != MWA_BLOCK_WRONG &&
               (step = mwa_event_block_next(block)) == MWA_BLOCK_EVENT) {
            continue;
        }
    }
    return step;
}

/* The same with a window on one of them. */
static enum mwa_event_block_step read_part(struct mwa_event_block *block, const uint8_t *data,
                                           size_t bytes)
{
    const size_t first = bytes < MWA_CHUNK_HEAD ? bytes : MWA_CHUNK_HEAD;
    enum mwa_event_block_step step = mwa_event_block_begin_part(block, data, first, bytes);

    while (step != MWA_BLOCK_WRONG) {
        step = mwa_event_block_next(block);
        if (step == MWA_BLOCK_MORE) {
            const uint64_t at = mwa_event_block_offset(block);

            mwa_event_block_resume(block, data + at,
                                   block->wanted < bytes - at ? block->wanted : bytes - at);
        } else if (step != MWA_BLOCK_EVENT) {
            break;
        }
    }
    return step;
}

static void read_in_parts(const uint8_t *data, size_t bytes)
{
    struct mwa_event_block whole = { .translate = scramble };
    struct mwa_event_block parts = { .translate = scramble };
    enum mwa_event_block_step step = mwa_event_block_begin(&whole, data, bytes);

    while (step != MWA_BLOCK_WRONG &&
           (step = mwa_event_block_next(&whole)) == MWA_BLOCK_EVENT) {
        continue;
    }
    if (read_part(&parts, data, bytes) != step || whole.wrong != parts.wrong ||
        whole.record.position != parts.record.position || whole.time != parts.time ||
        whole.attributes != parts.attributes ||
        mwa_event_block_offset(&whole) != mwa_event_block_offset(&parts)) {
        abort();
    }
    mwa_event_block_fini(&whole);
    mwa_event_block_fini(&parts);
}

/* Whether both have got as far and know the same. */
static bool are_at_one(const struct mwa_event_block *one, const struct mwa_event_block *other)
{
    return one->wrong == other->wrong && one->time == other->time &&
           one->record.position == other->record.position &&
           one->attributes == other->attributes &&
           mwa_event_block_offset(one) == mwa_event_block_offset(other);
}

static bool have_same_event(const struct mwa_event_block *one,
                            const struct mwa_event_block *other)
{
    return one->record.type == other->record.type && one->record.time == other->record.time &&
           memcmp(one->record.fields, other->record.fields, sizeof one->record.fields) == 0;
}

/* What is read quickly, since it has room behind it, is what is read with care when one counts. */
static void read_with_room(const uint8_t *data, size_t bytes)
{
    static struct mwa_chunk_counts counts;
    struct mwa_event_block quick = { .translate = scramble };
    struct mwa_event_block careful = { .translate = scramble, .counts = &counts };
    uint8_t *roomy = calloc(1, bytes + 512);
    enum mwa_event_block_step step, other;

    if (!roomy) {
        abort();
    }
    memcpy(roomy, data, bytes);
    step = mwa_event_block_begin(&quick, roomy, bytes + 512);
    other = mwa_event_block_begin(&careful, roomy, bytes + 512);
    while (step == other && step != MWA_BLOCK_WRONG) {
        step = mwa_event_block_next(&quick);
        other = mwa_event_block_next(&careful);
        if (step != MWA_BLOCK_EVENT) {
            break;
        }
        if (!have_same_event(&quick, &careful)) {
            abort();
        }
    }
    if (step != other || !are_at_one(&quick, &careful)) {
        abort();
    }
    mwa_event_block_fini(&quick);
    mwa_event_block_fini(&careful);
    free(roomy);
}

/* What is found wrong is said with its place, and all that is right for who wants attributes is so
 * for who does not. */
static void read_events(const uint8_t *data, size_t bytes)
{
    struct mwa_event_block block = { .translate = scramble };
    struct mwa_event_block skimmed = { .is_skimmed = true };
    enum mwa_event_block_step step = read_blocks(&block, data, bytes);
    enum mwa_event_block_step other = read_blocks(&skimmed, data, bytes);

    if ((step == MWA_BLOCK_WRONG) != (block.wrong != NULL) ||
        mwa_event_block_offset(&block) > bytes ||
        (step != MWA_BLOCK_WRONG &&
         (step != other || block.record.position != skimmed.record.position))) {
        abort();
    }
    mwa_event_block_fini(&block);
    mwa_event_block_fini(&skimmed);
    read_in_parts(data, bytes);
    read_with_room(data, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static void (*const readers[])(const uint8_t *, size_t) = {
        read_zip, read_index, read_metadata, read_anchor, read_events
    };

    if (bytes > 0 && bytes <= INPUT_MAX) {
        readers[data[0] % 5](data + 1, bytes - 1);
    }
    return 0;
}
