/*
 * Fuzzes what reads archives before libotf2 does. An input's first byte, modulo 3, says
 * what the rest is: 0 a ZIP file, of which all members are read; 1 mpiwatch.idx; 2
 * mpiwatch.json.
 *
 * LLVMFuzzerTestOneInput is libFuzzer's entry. Compiled with -DPLAIN_DRIVER it has a main
 * of its own: archive_fuzz RUNS SEED... reads the seeds (test/fuzz/seeds), then RUNS random
 * variations of them, the same every time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/load/files.h"
#include "analyzer/load/metadata.h"
#include "analyzer/load/zip.h"
#include "analyzer/validate/block_index.h"

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
    FILE *stream = mwa_member_open(zip, member, "x.zip", &log);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static void (*const readers[])(const uint8_t *, size_t) = { read_zip, read_index,
                                                                read_metadata };

    if (bytes > 0 && bytes <= INPUT_MAX) {
        readers[data[0] % 3](data + 1, bytes - 1);
    }
    return 0;
}

#ifdef PLAIN_DRIVER
/* --- a driver ---------------------------------------------------------------------------- */

#define SEEDS_MAX 64

struct input {
    uint8_t *data;
    size_t bytes;
};

static uint64_t state = 88172645463325252u;

/* Marsaglia's xorshift: the same numbers everywhere. */
static uint64_t chance(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static struct input load(const char *path)
{
    FILE *file = fopen(path, "r");
    struct input input = { malloc(INPUT_MAX), 0 };

    if (!file || !input.data) {
        fprintf(stderr, "archive_fuzz: can't read %s\n", path);
        exit(2);
    }
    input.bytes = fread(input.data, 1, INPUT_MAX, file);
    fclose(file);
    return input;
}

/* Bits, bytes, numbers that are too large, or the rest cut off. */
static size_t vary(const struct input *seed, uint8_t *data)
{
    uint64_t changes = 1 + chance(6);

    memcpy(data, seed->data, seed->bytes);
    for (uint64_t i = 0; i < changes; i++) {
        size_t at = 1 + (size_t)chance(seed->bytes - 1);
        size_t length = (size_t)1 << chance(4);

        length = length < seed->bytes - at ? length : seed->bytes - at;
        if (chance(3) == 0) {
            data[at] ^= (uint8_t)(1u << chance(8));
        } else if (chance(2) == 0) {
            memset(data + at, chance(2) ? 0xff : 0, length);
        } else {
            memcpy(data + at, seed->data + 1 + chance(seed->bytes - length), length);
        }
    }
    return chance(10) == 0 ? 1 + (size_t)chance(seed->bytes) : seed->bytes;
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    uint8_t *data = malloc(INPUT_MAX);
    struct input seeds[SEEDS_MAX];
    int count = 0;

    for (int i = 2; i < argc && count < SEEDS_MAX; i++) {
        seeds[count] = load(argv[i]);
        LLVMFuzzerTestOneInput(seeds[count].data, seeds[count].bytes);
        count++;
    }
    if (count == 0 || !data) {
        fprintf(stderr, "usage: archive_fuzz RUNS SEED...\n");
        return 2;
    }
    for (uint64_t i = 0; i < runs; i++) {
        const struct input *seed = &seeds[chance((uint64_t)count)];

        LLVMFuzzerTestOneInput(data, vary(seed, data));
    }
    for (int i = 0; i < count; i++) {
        free(seeds[i].data);
    }
    free(data);
    printf("archive_fuzz: %d seeds, %llu variations\n", count, (unsigned long long)runs);
    return 0;
}
#endif
