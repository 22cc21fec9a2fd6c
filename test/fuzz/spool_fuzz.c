/*
 * Fuzzes what reads spools. An input's first byte says what the rest is: an even one the
 * events of a thread, an odd one the definitions of a process. Each input is read as it
 * is, and definitions once more with their checksums put right, so that what is behind
 * them is reached; then an archive is made of it, as mpiwatch-recover would.
 *
 * LLVMFuzzerTestOneInput is libFuzzer's entry. Compiled with -DPLAIN_DRIVER it has a main
 * of its own: spool_fuzz RUNS [FILE...] reads the files, then RUNS random variations of
 * the seeds, which it writes itself through the writer (a seed that is checked in would
 * be of an older table of calls, and refused). The variations are the same every time.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/archive/archive.h"
#include "formats/base/scratch.h"
#include "formats/spool/definition_reader.h"
#include "formats/spool/definition_writer.h"
#include "formats/spool/spool_reader.h"
#include "formats/spool/spool_writer.h"
#include "formats/table/calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define NONCE 7u
#define INPUT_MAX (1u << 20)

static struct mw_scratch place;

static const char *in_place(const char *name)
{
    static char paths[4][4200];
    static unsigned turn;
    char *path = paths[turn++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", place.path, name);
    return path;
}

static void write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "w");

    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0) {
        abort();
    }
}

/* --- seeds ------------------------------------------------------------------------ */

/* An operation that has a root begins; it does not end. */
static void write_operation(struct mw_spool *spool, unsigned number)
{
    struct mw_call_record *record =
        mw_spool_begin(spool, MW_CALL_MPI_Ibcast, number * 10 + UINT64_C(7));
    struct mw_member *root =
        record ? mw_spool_member(spool, MW_MEMBER_ROOT, sizeof *root, number % 5) : NULL;
    struct mw_request_member *post;

    if (root) {
        mw_spool_commit(root);
    }
    post = record ? mw_spool_member(spool, MW_MEMBER_COLL_POST, sizeof *post, number % 3) : NULL;
    if (post) {
        post->request = number;
        mw_spool_commit(post);
    }
    if (record) {
        mw_spool_end(spool, record, number * 10 + UINT64_C(8));
    }
}

/* What a program does, n times, so that windows change. */
static void write_calls(struct mw_spool *spool, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct mw_call_record *record = mw_spool_begin(spool, MW_CALL_MPI_Waitall, i * 10);
        struct mw_request_message_member *receive;
        struct mw_collective_member *collective;

        if (!record) {
            return;
        }
        receive = mw_spool_member(spool, MW_MEMBER_RECV_COMPLETE, sizeof *receive, i % 3);
        if (receive) {
            receive->request = i;
            receive->message.bytes = i;
            mw_spool_commit(receive);
        }
        collective = mw_spool_member(spool, MW_MEMBER_COLL, sizeof *collective, 0);
        if (collective) {
            collective->root = MW_ROOT_NONE;
            collective->operation = MW_OPERATION_NEIGHBORS * (i % 2) |
                                    (i % 7 == 0 ? mw_operation_on(i) : mw_operation_with(i % 3));
            mw_spool_commit(collective);
        }
        if (i % 100 != 99) {
            mw_spool_end(spool, record, i * 10 + 5);
        }
        record = mw_spool_begin_mark(spool, i % 2 ? MW_RECORD_RESUME : MW_RECORD_PAUSE,
                                     MW_CALL_MPI_Pcontrol, i * 10 + 6);
        if (record) {
            mw_spool_end(spool, record, i * 10 + 6);
        }
        if (i % 4 == 0) {
            write_operation(spool, i);
        }
    }
}

static void make_events(const char *path, unsigned calls, bool wrap)
{
    struct mw_spool_identity identity = {.nonce = NONCE, .wrap = wrap};
    struct mw_spool spool;

    unlink(path);
    if (mw_spool_init(&spool, path, &identity, wrap ? 274432 : 0, NULL) != MW_OK) {
        abort();
    }
    write_calls(&spool, calls);
    mw_spool_fini(&spool);
}

static const uint32_t members[] = {0, 1};
static const struct mw_definition definitions[] = {
    {.kind = MW_DEFINE_PROCESS,
     .of.process = {.size = 2,
                    .time_resolution = 1000000000,
                    .host_name = "h",
                    .program = "/p",
                    .arguments = "p",
                    .working_directory = "/",
                    .mpi_library = "m",
                    .recorder = "r"}},
    {.kind = MW_DEFINE_THREAD, .of.thread = {.is_main = true}},
    {.kind = MW_DEFINE_COMM,
     .of.comm = {.comm = 2,
                 .uid = {1, 2},
                 .size = 2,
                 .created = 5,
                 .member_count = 2,
                 .members = members}},
    {.kind = MW_DEFINE_COMM,
     .of.comm = {.comm = 3,
                 .uid = {3, 4},
                 .flags = MW_COMM_INTER,
                 .size = 1,
                 .remote_size = 1,
                 .local_group = {5, 6},
                 .remote_group = {7, 8}}},
    {.kind = MW_DEFINE_SOURCES,
     .of.sources = {.comm = 2, .count = 2, .ranks = members}},
    {.kind = MW_DEFINE_SOURCES, .of.sources = {.sources = 1, .comm = 3}},
    {.kind = MW_DEFINE_COMM_NAME, .of.comm_name = {.comm = 2, .time = 6, .name = "name"}},
    {.kind = MW_DEFINE_COMM_FREED, .of.comm_freed = {.comm = 2, .time = 7}},
    {.kind = MW_DEFINE_CLOCK, .of.clock = {.time = 1, .offset = -3, .error = 2}},
    {.kind = MW_DEFINE_SETTING, .of.setting = {.name = "a", .value = "b"}},
    {.kind = MW_DEFINE_LOSS, .of.loss = {.reason = MW_LOSS_SPACE, .count = 9}},
    {.kind = MW_DEFINE_END, .of.end = {.time = 99, .how = MW_ENDED_EXIT, .code = 1}},
};

static void make_definitions(const char *path)
{
    struct mw_definition_writer *writer;

    unlink(path);
    if (mw_definition_writer_create(path, NONCE, 0, &writer, NULL) != MW_OK) {
        abort();
    }
    for (size_t i = 0; i < sizeof definitions / sizeof definitions[0]; i++) {
        if (mw_definition_write(writer, &definitions[i], NULL) != MW_OK) {
            abort();
        }
    }
    mw_definition_writer_destroy(writer);
}

/* --- what is fuzzed -------------------------------------------------------------------- */

static void read_events(const char *path)
{
    struct mw_spool_reader *reader;
    struct mw_spool_call call;
    volatile uint64_t sum = 0;

    if (mw_spool_reader_create(path, &reader, NULL) != MW_OK) {
        return;
    }
    while (mw_spool_reader_next(reader, &call, NULL) == MW_OK) {
        const struct mw_member *member = NULL;

        while ((member = mw_spool_call_member(&call, member))) {
            sum += member->type;
        }
    }
    mw_spool_reader_destroy(reader);
}

static void read_definitions(const uint8_t *data, size_t bytes)
{
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    char *image = malloc(bytes + 1); /* of just this size, for the sanitizer */

    if (!image) {
        return;
    }
    memcpy(image, data, bytes);
    if (mw_definition_reader_create_image("input", image, bytes, &reader, NULL) == MW_OK) {
        while (mw_definition_reader_next(reader, &definition, NULL) == MW_OK) {
        }
        mw_definition_reader_destroy(reader);
    }
    free(image);
}

/* Puts the checksum of every record right that lies in the file as a whole. */
static void mend_checksums(uint8_t *data, size_t bytes)
{
    size_t at = 40; /* behind the header */
    uint32_t length;

    while (at + 8 <= bytes) {
        memcpy(&length, data + at, sizeof length);
        if (length == 0 || length > bytes - at - 8) {
            return;
        }
        uint32_t crc = (uint32_t)crc32_z(0, data + at + 8, length);

        memcpy(data + at + 4, &crc, sizeof crc);
        at += 8 + (size_t)length;
    }
}

static void make_archive(void)
{
    static struct mw_archive_result result;
    const char *spool = in_place("spool");
    struct mw_archive_job job = {
        .spools = &spool,
        .spool_count = 1,
        .scratch = place.path,
        .output = in_place("out.zip"),
        .replace = true,
        .incomplete = true,
        .salvage = true,
    };
    struct mw_transport transport;

    if (mw_transport_serial_init(&transport, NULL) == MW_OK) {
        (void)!mw_archive_write(&job, &transport, &result, NULL);
        mw_transport_serial_fini(&transport);
    }
}

static void start(void)
{
    if (place.path[0] == '\0') {
        if (mw_scratch_create(&place, "/tmp", NULL) != MW_OK ||
            mkdir(in_place("spool"), 0700) != 0) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static unsigned count;
    bool of_definitions = bytes > 0 && data[0] % 2 == 1;
    uint8_t *mended;

    if (bytes == 0 || bytes > INPUT_MAX) {
        return 0;
    }
    start();
    if (of_definitions) {
        read_definitions(data + 1, bytes - 1);
        mended = malloc(bytes);
        memcpy(mended, data + 1, bytes - 1);
        mend_checksums(mended, bytes - 1);
        read_definitions(mended, bytes - 1);
        write_file(in_place("spool/definitions"), mended, bytes - 1);
        make_events(in_place("spool/0.events"), 20, false);
        free(mended);
    } else {
        write_file(in_place("spool/0.events"), data + 1, bytes - 1);
        make_definitions(in_place("spool/definitions"));
        read_events(in_place("spool/0.events"));
    }
    if (count++ % 4 == 0) {
        make_archive();
    }
    return 0;
}

#ifdef PLAIN_DRIVER
/* --- a driver ---------------------------------------------------------------------------- */

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

static struct input load(const char *path, int kind)
{
    FILE *file = fopen(path, "r");
    struct input input = {malloc(INPUT_MAX + 1), 0};

    if (!file || !input.data) {
        fprintf(stderr, "spool_fuzz: can't read %s\n", path);
        exit(2);
    }
    if (kind >= 0) {
        input.data[input.bytes++] = (uint8_t)kind;
    }
    input.bytes += fread(input.data + input.bytes, 1, INPUT_MAX - 1, file);
    fclose(file);
    return input;
}

/* Changes a few bytes, mostly where the headers and the first records are, or cuts it. */
static void vary(const struct input *seed, struct input *input)
{
    memcpy(input->data, seed->data, seed->bytes);
    input->bytes = seed->bytes;
    if (chance(8) == 0) {
        input->bytes = 1 + chance(seed->bytes);
    }
    for (uint64_t i = 1 + chance(6); i > 0; i--) {
        uint64_t reach = chance(2) ? input->bytes : 5000 < input->bytes ? 5000 : input->bytes;
        uint64_t at = reach > 1 ? 1 + chance(reach - 1) : 0;

        switch (at == 0 ? 9 : chance(4)) {
        case 0:
            input->data[at] = (uint8_t)chance(256);
            break;
        case 1:
            input->data[at] ^= (uint8_t)(1u << chance(8));
            break;
        case 2:
            input->data[at] = chance(2) ? 0 : 0xff;
            break;
        case 3: {
            uint64_t from = 1 + chance(input->bytes - 1);
            uint64_t most = input->bytes - (at > from ? at : from);

            memmove(input->data + at, input->data + from, most < 64 ? most : 64);
            break;
        }
        default:
            break;
        }
    }
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    struct input seeds[4];
    struct input input = {malloc(INPUT_MAX + 1), 0};

    for (int i = 2; i < argc; i++) {
        struct input given = load(argv[i], -1);

        LLVMFuzzerTestOneInput(given.data, given.bytes);
        free(given.data);
    }
    start();
    make_events(in_place("seed"), 40, false);
    seeds[0] = load(in_place("seed"), 0);
    make_events(in_place("seed"), 1500, false);
    seeds[1] = load(in_place("seed"), 0);
    make_events(in_place("seed"), 2500, true);
    seeds[2] = load(in_place("seed"), 0);
    make_definitions(in_place("seed"));
    seeds[3] = load(in_place("seed"), 1);
    for (unsigned long run = 0; run < runs; run++) {
        vary(&seeds[chance(4)], &input);
        LLVMFuzzerTestOneInput(input.data, input.bytes);
    }
    for (int i = 0; i < 4; i++) {
        LLVMFuzzerTestOneInput(seeds[i].data, seeds[i].bytes);
        free(seeds[i].data);
    }
    free(input.data);
    mw_scratch_remove(&place);
    printf("spool_fuzz: %lu variations of 4 seeds read\n", runs);
    return 0;
}
#endif
