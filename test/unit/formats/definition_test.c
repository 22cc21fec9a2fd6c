#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "test/unit/formats/maker.h"

static struct maker maker;

static void set_up(void)
{
    maker_init(&maker);
}

static void tear_down(void)
{
    maker_fini(&maker);
}

TestSuite(definition, .init = set_up, .fini = tear_down);

/* A definitions file put together by hand: a header and one record of kind. */
static const char *write_by_hand(const unsigned char *payload, size_t bytes, uint32_t crc_flip,
                                 size_t cut)
{
    const char *path = maker_path(&maker, "definitions");
    unsigned char file[256] = "MWDEFS";
    uint32_t version = 1, order = 0x01020304, rank = 2, length = (uint32_t)bytes;
    uint64_t nonce = NONCE, fingerprint = mw_calls_fingerprint();
    uint32_t crc = (uint32_t)crc32(0, payload, (uInt)bytes) ^ crc_flip;
    FILE *stream = fopen(path, "w");

    memcpy(file + 8, &version, 4);
    memcpy(file + 12, &order, 4);
    memcpy(file + 16, &nonce, 8);
    memcpy(file + 24, &rank, 4);
    memcpy(file + 32, &fingerprint, 8);
    memcpy(file + 40, &length, 4);
    memcpy(file + 44, &crc, 4);
    memcpy(file + 48, payload, bytes);
    cr_assert_eq(fwrite(file, 1, 48 + bytes - cut, stream), 48 + bytes - cut);
    fclose(stream);
    return path;
}

/* MW_DEFINE_COMM_NAME of communicator 7, from MPI, at 258, "halo". */
static const unsigned char name_record[] = {4, 7, 0, 0, 0, 0, 0, 0,   0,   2,   1,  0,
                                            0, 0, 0, 0, 0, 4, 0, 0, 0, 'h', 'a', 'l', 'o'};

static void is_of_version(const char *path, uint32_t version)
{
    FILE *stream = fopen(path, "r+");

    cr_assert_eq(fseek(stream, 8, SEEK_SET), 0);
    cr_assert_eq(fwrite(&version, sizeof version, 1, stream), 1u);
    fclose(stream);
}

/* Files of version 1 have metrics without categories; those of versions 2 and 3 must have them. */
Test(definition, of_the_version_before_are_read)
{
    unsigned char record[] = {32, 0, 0, 0, 0, 1, 0, 0, 0, 'q', 1, 0, 0, 0, 1, 0, 0, 0,
                              0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
                              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
                              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const char *path = write_by_hand(record, sizeof record, 0, 0);
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    struct mw_diagnostic diagnostic;

    cr_assert_eq(mw_definition_reader_create(path, &reader, &diagnostic), MW_OK, "%s",
                 diagnostic.what);
    cr_assert_eq(mw_definition_reader_next(reader, &definition, &diagnostic), MW_OK, "%s",
                 diagnostic.what);
    cr_assert_eq(definition.kind, MW_DEFINE_METRIC);
    cr_assert_str_eq(definition.of.metric.name, "q");
    cr_assert_eq(definition.of.metric.bits, 64u);
    cr_assert_eq(definition.of.metric.elements, 1u);
    cr_assert_str_eq(definition.of.metric.categories, "");
    mw_definition_reader_destroy(reader);

    is_of_version(path, 2);
    cr_assert_eq(mw_definition_reader_create(path, &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_definition_reader_next(reader, &definition, &diagnostic), MW_ERROR_FORMAT);
    mw_definition_reader_destroy(reader);
}

/* Files before version 3 have baselines without a doubt; those of version 3 must have it. */
Test(definition, of_version_2_are_read)
{
    unsigned char record[] = {33, 3, 0, 0, 0, 255, 255, 255, 255, 1, 0,
                              0,  0, 9, 0, 0, 0,   0,   0,   0,   0};
    const char *path = write_by_hand(record, sizeof record, 0, 0);
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    struct mw_diagnostic diagnostic;

    is_of_version(path, 2);
    cr_assert_eq(mw_definition_reader_create(path, &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_definition_reader_next(reader, &definition, &diagnostic), MW_OK, "%s",
                 diagnostic.what);
    cr_assert_eq(definition.of.baseline.metric, 3u);
    cr_assert_eq(definition.of.baseline.value, 9u);
    cr_assert_eq(definition.of.baseline.doubt, 0u);
    mw_definition_reader_destroy(reader);

    is_of_version(path, 3);
    cr_assert_eq(mw_definition_reader_create(path, &reader, &diagnostic), MW_OK);
    cr_assert_eq(mw_definition_reader_next(reader, &definition, &diagnostic), MW_ERROR_FORMAT);
    mw_definition_reader_destroy(reader);
}

Test(definition, reads_what_the_format_text_says)
{
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    struct mw_diagnostic diagnostic;

    cr_assert_eq(mw_definition_reader_create(
                     write_by_hand(name_record, sizeof name_record, 0, 0), &reader,
                     &diagnostic),
                 MW_OK);
    cr_assert_eq(mw_definition_reader_nonce(reader), NONCE);
    cr_assert_eq(mw_definition_reader_rank(reader), 2u);
    cr_assert_eq(mw_definition_reader_next(reader, &definition, &diagnostic), MW_OK);
    cr_assert_eq(definition.kind, MW_DEFINE_COMM_NAME);
    cr_assert_eq(definition.of.comm_name.comm, 7u);
    cr_assert_eq(definition.of.comm_name.time, 258u);
    cr_assert_str_eq(definition.of.comm_name.name, "halo");
    cr_assert_eq(mw_definition_reader_next(reader, &definition, &diagnostic), MW_END);
    mw_definition_reader_destroy(reader);
}

static enum mw_status first_of(const char *path, struct mw_diagnostic *diagnostic)
{
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    enum mw_status status = mw_definition_reader_create(path, &reader, diagnostic);

    if (status == MW_OK) {
        status = mw_definition_reader_next(reader, &definition, diagnostic);
        mw_definition_reader_destroy(reader);
    }
    return status;
}

Test(definition, that_a_kill_cut_short_ends_the_stream)
{
    struct mw_diagnostic diagnostic;

    for (size_t cut = 1; cut < sizeof name_record + 8; cut++) {
        const char *path = write_by_hand(name_record, sizeof name_record, 0, cut);

        cr_assert_eq(first_of(path, &diagnostic), MW_END, "cut by %zu", cut);
    }
}

Test(definition, with_a_wrong_checksum_is_an_error_with_its_offset)
{
    struct mw_diagnostic diagnostic;

    cr_assert_eq(first_of(write_by_hand(name_record, sizeof name_record, 1, 0), &diagnostic),
                 MW_ERROR_FORMAT);
    cr_assert_eq(diagnostic.offset, 40u);
}

Test(definition, that_contradicts_its_kind_is_an_error)
{
    struct mw_diagnostic diagnostic;
    unsigned char wrong[sizeof name_record + 1];

    memcpy(wrong, name_record, sizeof name_record);
    wrong[sizeof name_record] = 0; /* a byte too many */
    cr_assert_eq(first_of(write_by_hand(wrong, sizeof wrong, 0, 0), &diagnostic),
                 MW_ERROR_FORMAT);
    wrong[17] = 200; /* a text longer than the record */
    cr_assert_eq(first_of(write_by_hand(wrong, sizeof name_record, 0, 0), &diagnostic),
                 MW_ERROR_FORMAT);
    wrong[0] = 99; /* no such kind */
    cr_assert_eq(first_of(write_by_hand(wrong, sizeof name_record, 0, 0), &diagnostic),
                 MW_ERROR_FORMAT);
}

Test(definition, of_another_version_or_byte_order_is_refused)
{
    struct mw_diagnostic diagnostic;
    const size_t places[] = {8, 12, 32};

    for (size_t i = 0; i < 3; i++) {
        const char *path = write_by_hand(name_record, sizeof name_record, 0, 0);
        FILE *stream = fopen(path, "r+");
        int byte;

        fseek(stream, (long)places[i], SEEK_SET);
        byte = fgetc(stream);
        fseek(stream, (long)places[i], SEEK_SET);
        fputc(byte ^ 0x40, stream);
        fclose(stream);
        cr_assert_eq(first_of(path, &diagnostic), MW_ERROR_VERSION);
    }
}

Test(definition, comes_back_as_it_was_written)
{
    const uint32_t members[] = {4, 0, 2};
    struct mw_definition comm = {
        .kind = MW_DEFINE_COMM,
        .of.comm = {.comm = 5,
                    .uid = {1, 2},
                    .parent = {3, 4},
                    .call = MW_CALL_MPI_Comm_split,
                    .sequence = 6,
                    .flags = MW_COMM_INTER,
                    .rank = 1,
                    .size = 3,
                    .remote_size = 9,
                    .local_group = {5, 6},
                    .remote_group = {7, 8},
                    .leader = 4,
                    .created = 1234567890123u,
                    .member_count = 3,
                    .members = members},
    };
    struct mw_definition clock = {.kind = MW_DEFINE_CLOCK,
                                  .of.clock = {.time = 1, .offset = -2, .error = 3}};
    struct mw_definition sources = {
        .kind = MW_DEFINE_SOURCES,
        .of.sources = {.sources = 6, .comm = 5, .count = 3, .ranks = members}};
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 4);
    struct mw_definition_reader *reader;
    struct mw_definition read;
    struct mw_diagnostic diagnostic;

    maker_define(writer, &comm);
    maker_define(writer, &clock);
    maker_define(writer, &sources);
    mw_definition_writer_destroy(writer);
    cr_assert_eq(mw_definition_reader_create(maker_path(&maker, "r0/definitions"), &reader,
                                             &diagnostic),
                 MW_OK);
    cr_assert_eq(mw_definition_reader_next(reader, &read, &diagnostic), MW_OK);
    cr_assert_eq(read.of.process.size, 4u);
    cr_assert_str_eq(read.of.process.host_name, "node\xff" "1");
    cr_assert_str_eq(read.of.process.recorder, "mpiwatch 0.1.0");
    cr_assert_eq(mw_definition_reader_next(reader, &read, &diagnostic), MW_OK);
    cr_assert_eq(read.of.comm.member_count, 3u);
    cr_assert_arr_eq(read.of.comm.members, members, sizeof members);
    cr_assert_eq(read.of.comm.created, 1234567890123u);
    cr_assert(mw_uid_equal(read.of.comm.remote_group, comm.of.comm.remote_group));
    cr_assert_eq(mw_definition_reader_next(reader, &read, &diagnostic), MW_OK);
    cr_assert_eq(read.of.clock.offset, -2);
    cr_assert_eq(mw_definition_reader_next(reader, &read, &diagnostic), MW_OK);
    cr_assert_eq(read.of.sources.sources, 6u);
    cr_assert_eq(read.of.sources.comm, 5u);
    cr_assert_eq(read.of.sources.count, 3u);
    cr_assert_arr_eq(read.of.sources.ranks, members, sizeof members);
    cr_assert_eq(mw_definition_reader_next(reader, &read, &diagnostic), MW_END);
    mw_definition_reader_destroy(reader);
}

/* A communicator like number parent, in call Comm_dup, its uid {number, number}. */
static struct mw_definition like(uint32_t number, uint32_t parent)
{
    return (struct mw_definition){
        .kind = MW_DEFINE_COMM_LIKE,
        .of.comm_like = {.comm = number,
                         .parent = parent,
                         .uid = {number, number},
                         .call = MW_CALL_MPI_Comm_dup,
                         .sequence = number + 10,
                         .created = number * 100},
    };
}

Test(definition, of_a_communicator_like_its_parent_is_completed_from_it)
{
    const uint32_t members[] = {4, 0, 2};
    struct mw_definition model = {
        .kind = MW_DEFINE_COMM,
        .of.comm = {.comm = 5,
                    .uid = {5, 5},
                    .parent = {3, 4},
                    .call = MW_CALL_MPI_Comm_split,
                    .sequence = 6,
                    .flags = MW_COMM_INTER | MW_COMM_PREDEFINED | MW_COMM_FOREIGN,
                    .rank = 1,
                    .size = 3,
                    .remote_size = 9,
                    .local_group = {5, 6},
                    .remote_group = {7, 8},
                    .leader = 4,
                    .created = 7,
                    .member_count = 3,
                    .members = members},
    };
    struct mw_definition dup = like(6, 5), dup_of_dup = like(7, 6), orphan = like(8, 9);
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 4);
    struct mw_definition_reader *reader;
    struct mw_definition read;
    struct mw_diagnostic diagnostic;

    maker_define(writer, &model);
    maker_define(writer, &dup);
    maker_define(writer, &dup_of_dup);
    maker_define(writer, &orphan);
    mw_definition_writer_destroy(writer);
    cr_assert_eq(mw_definition_reader_create(maker_path(&maker, "r0/definitions"), &reader,
                                             &diagnostic),
                 MW_OK);
    cr_assert_eq(mw_definition_reader_next(reader, &read, &diagnostic), MW_OK);
    cr_assert_eq(mw_definition_reader_next(reader, &read, &diagnostic), MW_OK);
    for (uint32_t number = 6; number <= 7; number++) {
        const struct mw_define_comm *comm = &read.of.comm;

        cr_assert_eq(mw_definition_reader_next(reader, &read, &diagnostic), MW_OK);
        cr_assert_eq(read.kind, MW_DEFINE_COMM);
        cr_expect_eq(comm->comm, number);
        cr_expect(mw_uid_equal(comm->uid, (struct mw_uid){number, number}));
        cr_expect(mw_uid_equal(comm->parent, (struct mw_uid){number - 1, number - 1}));
        cr_expect_eq(comm->call, (uint32_t)MW_CALL_MPI_Comm_dup);
        cr_expect_eq(comm->sequence, number + 10);
        cr_expect_eq(comm->created, number * 100);
        cr_expect_eq(comm->flags, (uint32_t)MW_COMM_INTER);
        cr_expect_eq(comm->rank, 1u);
        cr_expect_eq(comm->size, 3u);
        cr_expect_eq(comm->remote_size, 9u);
        cr_expect(mw_uid_equal(comm->remote_group, model.of.comm.remote_group));
        cr_expect_eq(comm->leader, 4u);
        cr_assert_eq(comm->member_count, 3u);
        cr_expect_arr_eq(comm->members, members, sizeof members);
    }
    cr_expect_eq(mw_definition_reader_next(reader, &read, &diagnostic), MW_ERROR_FORMAT);
    mw_definition_reader_destroy(reader);
}

Test(definition, file_that_exists_is_never_written_over)
{
    struct mw_definition_writer *writer;
    struct mw_diagnostic diagnostic;
    const char *path = maker_path(&maker, "link");

    cr_assert_eq(symlink("/dev/null", path), 0);
    cr_assert_eq(mw_definition_writer_create(path, NONCE, 0, &writer, &diagnostic),
                 MW_ERROR_SYSTEM);
}

static struct mw_definition name_of(uint32_t comm, const char *name)
{
    return (struct mw_definition){.kind = MW_DEFINE_COMM_NAME,
                                  .of.comm_name = {.comm = comm, .name = name}};
}

/* Reads names of communicators 0 to, not with, count, behind what maker_definitions wrote. */
static struct mw_definition_reader *expect_names(uint32_t count, const char *name)
{
    struct mw_definition_reader *reader;
    struct mw_definition read;

    cr_assert_eq(
        mw_definition_reader_create(maker_path(&maker, "r0/definitions"), &reader, NULL), MW_OK);
    cr_assert_eq(mw_definition_reader_next(reader, &read, NULL), MW_OK);
    cr_assert_eq(read.kind, MW_DEFINE_PROCESS);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(mw_definition_reader_next(reader, &read, NULL), MW_OK, "name %u", i);
        cr_assert_eq(read.of.comm_name.comm, i);
        cr_assert_str_eq(read.of.comm_name.name, name);
    }
    return reader;
}

Test(definition, is_in_the_file_at_once_for_the_reader_of_a_killed_process)
{
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    struct mw_definition_reader *reader;
    struct mw_definition read;

    for (uint32_t i = 0; i < 10000; i++) {
        struct mw_definition definition = name_of(i, "halo");

        maker_define(writer, &definition);
    }
    reader = expect_names(10000, "halo");
    cr_expect_eq(mw_definition_reader_next(reader, &read, NULL), MW_END);
    mw_definition_reader_destroy(reader);
    mw_definition_writer_destroy(writer);
}

Test(definition, may_be_larger_than_all_before)
{
    static char name[3000001];
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    struct mw_definition definition = name_of(0, name);
    struct mw_definition read;
    struct mw_definition_reader *reader;
    struct stat before;
    struct stat after;

    stat(maker_path(&maker, "r0/definitions"), &before);
    memset(name, 'n', sizeof name - 1);
    maker_define(writer, &definition);
    definition.of.comm_name.comm = 1;
    maker_define(writer, &definition);
    mw_definition_writer_destroy(writer);
    reader = expect_names(2, name);
    cr_expect_eq(mw_definition_reader_next(reader, &read, NULL), MW_END);
    mw_definition_reader_destroy(reader);
    /* Kind, comm, source, time and the name's length, after length and CRC. */
    stat(maker_path(&maker, "r0/definitions"), &after);
    cr_expect_lt(after.st_size, 40 + before.st_size + 2 * (8 + 1 + 4 + 1 + 8 + 4 + 3000000));
}

Test(definition, of_losses_finds_room_when_there_is_none_for_others)
{
    const struct mw_definition loss = {
        .kind = MW_DEFINE_LOSS, .of.loss = {.thread = 0, .reason = MW_LOSS_SPACE, .count = 77}};
    const struct mw_definition end = {.kind = MW_DEFINE_END};
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    struct mw_definition_reader *reader;
    struct mw_definition read;
    struct mw_diagnostic diagnostic = {0};
    struct rlimit before;
    struct rlimit low;
    uint32_t count = 0;
    enum mw_status status = MW_OK;

    getrlimit(RLIMIT_FSIZE, &before);
    low = before;
    low.rlim_cur = 1; /* to go past it is a SIGXFSZ, which ends the test */
    setrlimit(RLIMIT_FSIZE, &low);
    while (status == MW_OK && count < 100000) {
        struct mw_definition definition = name_of(count, "halo");

        status = mw_definition_write(writer, &definition, &diagnostic);
        count += status == MW_OK;
    }
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect_eq(status, MW_ERROR_SPACE);
    cr_expect_eq(mw_definition_write(writer, &end, NULL), MW_ERROR_SPACE, "once failed");
    cr_expect_eq(mw_definition_write(writer, &loss, NULL), MW_OK);
    reader = expect_names(count, "halo");
    cr_expect_eq(mw_definition_reader_next(reader, &read, NULL), MW_OK);
    cr_expect_eq(read.kind, MW_DEFINE_LOSS);
    cr_expect_eq(read.of.loss.count, 77u);
    cr_expect_eq(mw_definition_reader_next(reader, &read, NULL), MW_END);
    mw_definition_reader_destroy(reader);
    mw_definition_writer_destroy(writer);
}
