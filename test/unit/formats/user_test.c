/* What programs said by the API, in spools written by hand. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "formats/archive/archive.h"
#include "formats/spool/record.h"
#include "test/unit/formats/maker.h"

static struct maker maker;
static struct mw_archive_result result;
static struct mw_diagnostic diagnostic;

static void set_up(void)
{
    maker_init(&maker);
}

static void tear_down(void)
{
    maker_fini(&maker);
}

TestSuite(user, .init = set_up, .fini = tear_down);

static void define_region(struct mw_definition_writer *writer, uint32_t region, const char *name)
{
    struct mw_definition definition = {.kind = MW_DEFINE_REGION,
                                       .of.region = {.region = region, .name = name}};

    maker_define(writer, &definition);
}

static void define_text(struct mw_definition_writer *writer, uint32_t text, const char *value)
{
    struct mw_definition definition = {.kind = MW_DEFINE_TEXT,
                                       .of.text = {.text = text, .value = value}};

    maker_define(writer, &definition);
}

static void say(struct mw_spool *spool, enum mw_record_type type, uint32_t number, uint64_t time)
{
    struct mw_call_record *record =
        mw_spool_begin_mark(spool, MW_RECORD_USER, MW_CALL_MPI_Pcontrol, time);
    struct mw_member *member = maker_member(spool, type, sizeof *member, number);

    mw_spool_commit(member);
    mw_spool_end(spool, record, time);
}

static void say_of_comm(struct mw_spool *spool, enum mw_record_type type, uint32_t comm,
                        uint32_t text, uint64_t time)
{
    struct mw_call_record *record =
        mw_spool_begin_mark(spool, MW_RECORD_USER, MW_CALL_MPI_Pcontrol, time);
    struct mw_value_member *member = maker_member(spool, type, sizeof *member, comm);

    member->value = text;
    mw_spool_commit(member);
    mw_spool_end(spool, record, time);
}

/* Writes ranks 0 .. count - 1 to run.otf2.zip, unpacks it at "x", and prints its events. */
static const char *archive(uint32_t count)
{
    struct mw_archive_job job = maker_job(&maker, count, "run.otf2.zip");

    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_OK, "%s", diagnostic.what);
    cr_assert_eq(maker_run(&maker, "unzip -q run.otf2.zip -d x"), 0, "%s", maker.text);
    return maker_print(&maker, "", "x");
}

Test(user, regions_nest_whatever_the_spool_says)
{
    struct mw_spool spool;
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    const char *text;

    define_region(writer, 0, "outer");
    define_region(writer, 1, "inner");
    maker_end(writer, 9000);
    maker_spool(&maker, 0, 0, &spool);
    say(&spool, MW_MEMBER_REGION_END, 0, 900); /* its begin is lost: a ring */
    maker_call(&spool, MW_CALL_MPI_Init, 1000, 1100);
    say(&spool, MW_MEMBER_REGION_BEGIN, 0, 1200);
    say(&spool, MW_MEMBER_REGION_BEGIN, 1, 1300);
    say(&spool, MW_MEMBER_REGION_BEGIN, 7, 1350); /* whose definition is lost */
    say(&spool, MW_MEMBER_REGION_END, 0, 1400);   /* inner's end, too */
    say(&spool, MW_MEMBER_REGION_BEGIN, 1, 1500); /* which never ends */
    maker_call(&spool, MW_CALL_MPI_Finalize, 1600, 1700);
    mw_spool_fini(&spool);
    text = archive(1);
    cr_assert_eq(count_of(text, "ENTER"), 5u, "%s", text);
    cr_assert_eq(count_of(text, "LEAVE"), 5u, "%s", text);
    cr_assert_eq(count_of(text, " 1200  Region: \"outer\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, " 1400  Region: \"outer\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, " 1400  Region: \"inner\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, " 1500  Region: \"inner\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, " 1700  Region: \"inner\""), 1u, "%s", text);
}

/* Ranks number their words as they come; in the archive equal ones are one. */
Test(user, words_are_merged_over_ranks)
{
    const char *text;

    for (uint32_t rank = 0; rank < 2; rank++) {
        struct mw_spool spool;
        struct mw_definition_writer *writer = maker_definitions(&maker, rank, 2);

        define_region(writer, 0, rank == 0 ? "first" : "second");
        define_region(writer, 1, rank == 0 ? "second" : "third");
        define_text(writer, 0, rank == 0 ? "this" : "that");
        define_text(writer, 1, rank == 0 ? "that" : "other");
        maker_end(writer, 9000);
        maker_spool(&maker, rank, 0, &spool);
        maker_call(&spool, MW_CALL_MPI_Init, 1000, 1100);
        say(&spool, MW_MEMBER_REGION_BEGIN, rank == 0, 1200 + rank);
        say(&spool, MW_MEMBER_MARKER, rank == 0, 1300 + rank);
        say(&spool, MW_MEMBER_MARKER, 99, 1350); /* whose text is lost */
        say(&spool, MW_MEMBER_REGION_END, rank == 0, 1400 + rank);
        maker_call(&spool, MW_CALL_MPI_Finalize, 1600, 1700);
        mw_spool_fini(&spool);
    }
    text = archive(2);
    cr_assert_eq(count_of(text, "Region: \"second\""), 4u, "%s", text);
    cr_assert_eq(count_of(text, "Parameter: \"mpiwatch.marker\""), 2u, "%s", text);
    cr_assert_eq(count_of(text, "Value: \"that\""), 2u, "%s", text);
    text = maker_print(&maker, "-G", "x");
    cr_assert_eq(count_of(text, "Name: \"first\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, "Name: \"second\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, "Name: \"third\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, "Paradigm: USER"), 3u, "%s", text);
}

static void define_name(struct mw_definition_writer *writer, uint32_t source, uint64_t time,
                        const char *name)
{
    struct mw_definition definition = {
        .kind = MW_DEFINE_COMM_NAME,
        .of.comm_name = {.comm = MW_COMM_WORLD, .source = source, .time = time, .name = name}};

    maker_define(writer, &definition);
}

Test(user, registrations_are_intervals_of_each_rank)
{
    struct mw_spool spool;
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    const char *names[2];
    const char *text;
    json_int_t from[2];
    json_int_t to;
    json_t *open;
    json_t *json;

    define_text(writer, 0, "one");
    define_text(writer, 1, "two");
    define_name(writer, MW_NAME_REGISTERED, 2000, "one");
    define_name(writer, MW_NAME_MPI, 2500, "set");
    define_name(writer, MW_NAME_REGISTERED, 3000, "two");
    define_name(writer, MW_NAME_UNREGISTERED, 4000, "");
    define_name(writer, MW_NAME_REGISTERED, 5000, "one");
    maker_end(writer, 9000);
    maker_spool(&maker, 0, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Init, 1000, 1100);
    say_of_comm(&spool, MW_MEMBER_REGISTERED, MW_COMM_WORLD, 0, 2000);
    say_of_comm(&spool, MW_MEMBER_UNREGISTERED, MW_COMM_WORLD, 1, 4000);
    mw_spool_fini(&spool);
    text = archive(1);
    cr_assert_eq(count_of(text, " 2000  Parameter: \"mpiwatch.registered\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, " 4000  Parameter: \"mpiwatch.unregistered\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, "(\"mpiwatch.comm\" <4>; COMM; \"one\" <0>)"), 2u, "%s", text);
    json = json_load_file(maker_path(&maker, "x/mpiwatch.json"), 0, NULL);
    cr_assert_eq(json_unpack(json,
                             "{s:[{s:s, s:[{s:s, s:I, s:I}, {s:s, s:I}, {s:o}]}]}",
                             "communicators", "name", &text, "registered", "name", &names[0],
                             "from_ns", &from[0], "to_ns", &to, "name", &names[1], "from_ns",
                             &from[1], "to_ns", &open),
                 0);
    cr_assert_str_eq(text, "one");
    cr_assert_str_eq(names[0], "one");
    cr_assert_str_eq(names[1], "two");
    cr_assert_eq(from[0], 2000);
    cr_assert_eq(to, 3000);
    cr_assert_eq(from[1], 3000);
    cr_assert(json_is_null(open));
    json_decref(json);
}

static void define_filtered(struct mw_definition_writer *writer, uint32_t comm, unsigned call,
                            uint64_t calls, uint64_t sent)
{
    struct mw_definition definition = {
        .kind = MW_DEFINE_FILTERED,
        .of.filtered = {.comm = comm, .call = call, .calls = calls, .bytes_sent = sent}};

    maker_define(writer, &definition);
}

Test(user, filtered_calls_are_summed_up_by_communicator_and_call)
{
    json_t *json;
    json_t *list;
    json_int_t calls[3];
    json_int_t bytes;
    json_int_t of_rank;
    int comm;
    const char *call;

    for (uint32_t rank = 0; rank < 2; rank++) {
        struct mw_spool spool;
        struct mw_definition_writer *writer = maker_definitions(&maker, rank, 2);

        define_filtered(writer, MW_COMM_WORLD, MW_CALL_MPI_Send, 3, 30); /* of two threads */
        define_filtered(writer, MW_COMM_WORLD, MW_CALL_MPI_Send, 4, 40);
        define_filtered(writer, MW_COMM_NONE, MW_CALL_MPI_Recv, 1, 0);
        define_filtered(writer, MW_COMM_WORLD, MW_CALL_COUNT, 100, 0); /* no such call */
        define_filtered(writer, MW_COMM_WORLD, MW_CALL_MPI_Bcast, rank, 0);
        maker_end(writer, 9000);
        maker_spool(&maker, rank, 0, &spool);
        maker_call(&spool, MW_CALL_MPI_Init, 1000, 1100);
        mw_spool_fini(&spool);
    }
    (void)archive(2);
    json = json_load_file(maker_path(&maker, "x/mpiwatch.json"), 0, NULL);
    list = json_object_get(json, "filtered");
    cr_assert_eq(json_array_size(list), 3u);
    cr_assert_eq(json_unpack(list, "[{s:i, s:s, s:I, s:I}, {s:I}, {s:n, s:I}]", "communicator",
                             &comm, "call", &call, "calls", &calls[0], "bytes_sent", &bytes,
                             "calls", &calls[1], "communicator", "calls", &calls[2]),
                 0);
    cr_assert_eq(comm, 0);
    cr_assert_str_eq(call, "MPI_Send");
    cr_assert_eq(calls[0], 14);
    cr_assert_eq(bytes, 140);
    cr_assert_eq(calls[1], 1);
    cr_assert_eq(calls[2], 2);
    cr_assert_eq(json_unpack(json, "{s:[{s:{s:I}}]}", "ranks", "filtered", "calls", &of_rank), 0);
    cr_assert_eq(of_rank, 8);
    json_decref(json);
}
