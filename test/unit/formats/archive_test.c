#include <criterion/criterion.h>
#include <fcntl.h>
#include <jansson.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <string.h>

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

TestSuite(archive, .init = set_up, .fini = tear_down);

/* Writes ranks 0 .. count - 1 to name and unpacks it at "x". */
static void archive(uint32_t count, const char *name)
{
    struct mw_archive_job job = maker_job(&maker, count, name);
    char command[256];

    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_OK, "%s", diagnostic.what);
    snprintf(command, sizeof command, "unzip -tq %s && unzip -q %s -d x", name, name);
    cr_assert_eq(maker_run(&maker, command), 0, "%s", maker.text);
}

static json_t *load_json(void)
{
    json_error_t error;
    json_t *json = json_load_file(maker_path(&maker, "x/mpiwatch.json"), 0, &error);

    cr_assert_not_null(json, "%s", error.text);
    return json;
}

Test(archive, of_two_ranks_has_what_they_did)
{
    maker_rank(&maker, 0, 2);
    maker_rank(&maker, 1, 2);
    archive(2, "run.otf2.zip");
    cr_assert_eq(result.events, 14u);
    cr_assert_eq(result.calls, 6u);
    cr_assert_eq(result.ranks, 2u);
    cr_assert_eq(result.lost, 0u);
    const char *text = maker_print(&maker, "", "x");

    cr_assert_eq(count_of(text, "\nENTER "), 6u);
    cr_assert_eq(count_of(text, "\nLEAVE "), 6u);
    cr_assert_eq(count_of(text, "\nMPI_SEND "), 2u);
    cr_assert_not_null(strstr(text, "Tag: 42, Length: 800"));
    text = maker_print(&maker, "-G", "x");
    cr_assert_not_null(strstr(text, "Global Offset: 1000, Length: 4000"));
    cr_assert_eq(count_of(text, "\nLOCATION_GROUP "), 2u);
    cr_assert_eq(count_of(text, "\nREGION "), 3u);
    cr_assert_not_null(strstr(text, "\"node\xef\xbf\xbd" "1\""));
    cr_assert_eq(maker_run(&maker, "ls scratch"), 0);
    cr_assert_str_empty(maker.text, "scratch is left: %s", maker.text);
}

Test(archive, says_in_json_how_the_run_was)
{
    int ranks, pid, events;
    const char *host, *arguments;
    int complete;
    json_t *json;

    maker_rank(&maker, 0, 1);
    archive(1, "run.otf2.zip");
    json = load_json();
    cr_assert_eq(json_unpack(json, "{s:i, s:b, s:s, s:[{s:s, s:i, s:i}]}", "ranks_expected",
                             &ranks, "complete", &complete, "arguments", &arguments, "ranks",
                             "host", &host, "pid", &pid, "events", &events),
                 0);
    cr_assert_eq(ranks, 1);
    cr_assert(complete);
    cr_assert_eq(pid, 100);
    cr_assert_eq(events, 7);
    cr_assert_str_eq(host, "node\xef\xbf\xbd" "1");
    cr_assert_str_eq(arguments, "app 'a \"b\"'");
    json_decref(json);
}

Test(archive, closes_an_open_call_at_the_last_time_seen)
{
    struct mw_spool spool;
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    struct mw_definition freed = {.kind = MW_DEFINE_COMM_FREED,
                                  .of.comm_freed = {.comm = 1, .time = 9000}};
    json_t *json;
    const char *name;
    json_int_t since;

    maker_define(writer, &freed);
    mw_definition_writer_destroy(writer);
    maker_spool(&maker, 0, 0, &spool);
    mw_spool_begin(&spool, MW_CALL_MPI_Send, 2000); /* left by longjmp, not open at the end */
    struct mw_call_record *open = mw_spool_begin(&spool, MW_CALL_MPI_Wait, 3000);
    struct mw_request_member *done =
        maker_member(&spool, MW_MEMBER_SEND_COMPLETE, sizeof *done, MW_COMM_NONE);

    cr_assert_eq(open->state, MW_STATE_OPEN);
    done->request = 5;
    mw_spool_commit(done);
    mw_spool_fini(&spool);
    archive(1, "run.otf2.zip");
    const char *text = maker_print(&maker, "", "x");

    cr_assert_eq(count_of(text, "mpiwatch.open"), 1u, "%s", text);
    cr_assert_eq(count_of(text, " 2000  Region: \"MPI_Send\""), 2u, "%s", text);
    cr_assert_eq(count_of(text, " 3000  Region: \"MPI_Wait\""), 1u, "%s", text);
    cr_assert_eq(count_of(text, " 9000  Region: \"MPI_Wait\""), 1u, "%s", text);
    json = load_json();
    cr_assert_eq(json_unpack(json, "{s:[{s:[{s:{s:s, s:I}}]}]}", "ranks", "threads",
                             "open_call", "name", &name, "since_ns", &since),
                 0);
    cr_assert_str_eq(name, "MPI_Wait");
    cr_assert_eq(since, 3000);
    cr_assert(json_is_false(json_object_get(json, "complete")));
    json_decref(json);
}

/* The process was killed while the recorder took samples behind the call. */
Test(archive, ends_a_call_that_had_returned_when_its_record_was_not_through)
{
    struct mw_spool spool;

    mw_definition_writer_destroy(maker_definitions(&maker, 0, 1));
    maker_spool(&maker, 0, 0, &spool);
    struct mw_call_record *call = mw_spool_begin(&spool, MW_CALL_MPI_Wait, 3000);
    struct mw_request_member *done =
        maker_member(&spool, MW_MEMBER_SEND_COMPLETE, sizeof *done, MW_COMM_NONE);

    done->request = 5;
    mw_spool_commit(done);
    call->leave = 3500;
    mw_spool_fini(&spool);
    archive(1, "run.otf2.zip");
    const char *text = maker_print(&maker, "", "x");
    json_t *json = load_json();

    cr_expect_eq(count_of(text, "mpiwatch.open"), 0u, "%s", text);
    cr_expect_eq(count_of(text, " 3500  Request: "), 1u, "%s", text);
    cr_expect_eq(count_of(text, " 3500  Region: \"MPI_Wait\""), 1u, "%s", text);
    cr_expect(json_is_false(json_object_get(json, "complete")));
    json_decref(json);
}

Test(archive, says_what_an_open_call_waits_for_and_which_requests_are_not_complete)
{
    struct mw_spool spool;

    mw_definition_writer_destroy(maker_definitions(&maker, 0, 1));
    maker_spool(&maker, 0, 0, &spool);
    for (unsigned i = 0; i < 3; i++) {
        struct mw_call_record *post = mw_spool_begin(&spool, MW_CALL_MPI_Irecv, 1000 + 10 * i);
        struct mw_posted_member *member =
            maker_member(&spool, MW_MEMBER_POSTED, sizeof *member, MW_COMM_WORLD);

        member->source = i == 2 ? MW_POSTED_ANY : 0;
        member->tag = 70 + (int32_t)i;
        member->request = 5 + i;
        mw_spool_commit(member);
        mw_spool_end(&spool, post, 1005 + 10 * i);
    }
    struct mw_call_record *open = mw_spool_begin(&spool, MW_CALL_MPI_Waitall, 3000);
    struct mw_now *now = mw_spool_now(&spool);

    now->what = MW_NOW_COMPLETES;
    now->count = 2;
    now->requests[0] = 6;
    now->requests[1] = 7;
    mw_spool_now_tell(now, open);
    mw_spool_fini(&spool);
    archive(1, "run.otf2.zip");
    const char *text = maker_print(&maker, "", "x");

    cr_assert_eq(count_of(text, "MPI_REQUEST_TEST"), 3u, "%s", text);
    cr_assert_eq(count_of(text, "(\"mpiwatch.pending\" <20>; UINT8; 1)"), 1u, "%s", text);
    cr_assert_eq(count_of(text, "; UINT8; 2)"), 2u, "%s", text);
    cr_assert_eq(count_of(text, "mpiwatch.source\""), 3u, "%s", text);
    cr_assert_eq(count_of(text, "mpiwatch.wildcards"), 1u, "%s", text);
    cr_assert_eq(count_of(text, "mpiwatch.requests\""), 1u, "%s", text);
}

static void probe(struct mw_spool *spool, uint64_t time, uint32_t comm, uint32_t source)
{
    struct mw_call_record *call = mw_spool_begin(spool, MW_CALL_MPI_Probe, time);
    struct mw_found_member *member =
        maker_member(spool, MW_MEMBER_FOUND, sizeof *member, comm);

    member->source = source;
    member->tag = 70;
    mw_spool_commit(member);
    mw_spool_end(spool, call, time + 5);
}

/* The second one is on a communicator whose definition was lost, the third found nothing. */
Test(archive, says_what_probes_found)
{
    struct mw_spool spool;

    mw_definition_writer_destroy(maker_definitions(&maker, 0, 1));
    maker_spool(&maker, 0, 0, &spool);
    probe(&spool, 1000, MW_COMM_SELF, 0 | MW_FOUND_ANY);
    probe(&spool, 2000, 77, 0);
    mw_spool_end(&spool, mw_spool_begin(&spool, MW_CALL_MPI_Probe, 3000), 3005);
    mw_spool_fini(&spool);
    archive(1, "run.otf2.zip");
    const char *text = maker_print(&maker, "", "x");

    cr_assert_eq(count_of(text, "Region: \"MPI_Probe\""), 6u, "%s", text);
    cr_assert_eq(count_of(text, "(\"mpiwatch.found_comm\" <28>; COMM; \"MPI_COMM_SELF\" <1>), "
                                "(\"mpiwatch.found_source\" <29>; INT32; 0), "
                                "(\"mpiwatch.found_tag\" <30>; INT32; 70), "
                                "(\"mpiwatch.wildcards\" <11>; UINT8; 1)"),
                 1u, "%s", text);
    cr_assert_eq(count_of(text, "mpiwatch.found_comm"), 1u, "%s", text);
}

static void collective(struct mw_spool *spool, uint32_t operation, uint32_t comm, uint64_t time)
{
    struct mw_call_record *call = mw_spool_begin(spool, MW_CALL_MPI_Allreduce, time);
    struct mw_collective_member *member =
        maker_member(spool, MW_MEMBER_COLL, sizeof *member, comm);

    member->root = MW_ROOT_NONE;
    member->operation = operation;
    mw_spool_commit(member);
    mw_spool_end(spool, call, time + 5);
}

Test(archive, tells_terms_of_operations_where_they_are_others_than_before)
{
    const uint32_t sum = MW_TERMS_OF(MW_REDUCTION_SUM, MW_SCALAR(MW_SCALAR_SIGNED, 2));
    const uint32_t most = MW_TERMS_OF(MW_REDUCTION_MAX, MW_SCALAR(MW_SCALAR_FLOAT, 3));
    const uint32_t operations[] = {
        OTF2_COLLECTIVE_OP_ALLREDUCE | mw_operation_on(sum),
        OTF2_COLLECTIVE_OP_BARRIER,
        OTF2_COLLECTIVE_OP_ALLREDUCE | mw_operation_on(sum), /* as before */
        OTF2_COLLECTIVE_OP_ALLREDUCE | mw_operation_on(most),
        OTF2_COLLECTIVE_OP_REDUCE, /* not known from the start */
        OTF2_COLLECTIVE_OP_ALLREDUCE, /* not known any more */
        OTF2_COLLECTIVE_OP_ALLREDUCE | mw_operation_on(sum),
    };
    struct mw_spool spool;
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    const char *text;

    maker_spool(&maker, 0, 0, &spool);
    for (unsigned i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        collective(&spool, operations[i], MW_COMM_WORLD, 1000 + 10 * i);
    }
    collective(&spool, operations[0], MW_COMM_SELF, 2000);
    mw_spool_fini(&spool);
    maker_end(writer, 3000);
    archive(1, "run.otf2.zip");
    text = maker_print(&maker, "", "x");
    cr_assert_eq(count_of(text, "mpiwatch.terms"), 5u, "%s", text);
    cr_assert_eq(count_of(text, "UINT16; 163)"), 3u, "%s", text); /* 3 + 16 * (8 * 1 + 2) */
    cr_assert_eq(count_of(text, "UINT16; 433)"), 1u, "%s", text); /* 1 + 16 * (8 * 3 + 3) */
    cr_assert_eq(count_of(text, "UINT16; 0)"), 1u, "%s", text);
    cr_assert_eq(count_of(text, "mpiwatch.sources"), 0u, "%s", text);
}

/* A mark that is no call. */
static void mark(struct mw_spool *spool, enum mw_record_type type, uint64_t time)
{
    struct mw_call_record *record =
        mw_spool_begin_mark(spool, type, MW_CALL_MPI_Pcontrol, time);

    cr_assert_not_null(record);
    mw_spool_end(spool, record, time);
}

Test(archive, tells_when_threads_begin_and_end)
{
    struct mw_spool spool;
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    struct mw_definition thread = {.kind = MW_DEFINE_THREAD,
                                   .of.thread = {.thread = 1, .time = 2000}};

    maker_define(writer, &thread);
    maker_end(writer, 9000);
    maker_spool(&maker, 0, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Init_thread, 1000, 1500);
    mw_spool_fini(&spool);
    maker_spool(&maker, 0, 1, &spool);
    mark(&spool, MW_RECORD_THREAD_END, 1900); /* its begin is lost: a ring */
    mark(&spool, MW_RECORD_THREAD_BEGIN, 2000);
    maker_call(&spool, MW_CALL_MPI_Send, 2100, 2200);
    mark(&spool, MW_RECORD_THREAD_END, 2300);
    mark(&spool, MW_RECORD_THREAD_BEGIN, 2400);
    maker_call(&spool, MW_CALL_MPI_Send, 2500, 2600); /* and is still there */
    mw_spool_fini(&spool);
    archive(1, "run.otf2.zip");
    const char *text = maker_print(&maker, "", "x");

    /* Location 1 << 32 of rank 0; numbers: thread << 32 | which. */
    cr_assert_eq(count_of(text, "THREAD_BEGIN"), 2u, "%s", text);
    cr_assert_eq(count_of(text, "THREAD_END"), 2u, "%s", text);
    cr_assert_eq(count_of(text, " 2000  Thread Contingent: \"threads of MPI Rank 0\" <2>, "
                                "Sequence Count: 4294967297"),
                 1u, "%s", text);
    cr_assert_eq(count_of(text, " 2300  Thread Contingent"), 1u, "%s", text);
    cr_assert_eq(count_of(text, " 2400  Thread Contingent: \"threads of MPI Rank 0\" <2>, "
                                "Sequence Count: 4294967298"),
                 1u, "%s", text);
    cr_assert_eq(count_of(text, " 2600  Thread Contingent"), 1u, "%s", text);
    cr_assert_eq(count_of(text, "mpiwatch.open"), 1u, "%s", text);
}

Test(archive, tells_polls_from_calls)
{
    struct mw_spool spool;

    maker_end(maker_definitions(&maker, 0, 1), 9000);
    maker_spool(&maker, 0, 0, &spool);
    struct mw_call_record *call = mw_spool_begin(&spool, MW_CALL_MPI_Test, 1000);
    struct mw_value_member *poll =
        maker_member(&spool, MW_MEMBER_INSIDE, sizeof *poll, MW_COMM_NONE);

    call->repeat = 300;
    poll->value = 777;
    mw_spool_commit(poll);
    mw_spool_end(&spool, call, 8000);
    mw_spool_fini(&spool);
    archive(1, "run.otf2.zip");
    cr_assert_eq(result.calls, 300u);
    cr_assert_eq(result.events, 2u);
    const char *text = maker_print(&maker, "", "x");

    cr_assert_eq(count_of(text, "(\"mpiwatch.repeat\" <0>; UINT64; 300)"), 1u, "%s", text);
    cr_assert_eq(count_of(text, "(\"mpiwatch.inside\" <1>; UINT64; 777)"), 1u, "%s", text);
}

Test(archive, moves_times_that_run_backwards_and_counts_them)
{
    struct mw_spool spool;
    json_t *json;
    int clamped;

    maker_end(maker_definitions(&maker, 0, 1), 9000);
    maker_spool(&maker, 0, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Barrier, 2000, 3000);
    maker_call(&spool, MW_CALL_MPI_Barrier, 2500, 2600);
    maker_call(&spool, MW_CALL_MPI_Barrier, 4000, 5000);
    mw_spool_fini(&spool);
    archive(1, "run.otf2.zip");
    maker_print(&maker, "", "x");
    cr_assert_eq(count_of(maker.text, " 3000  "), 3u, "%s", maker.text);
    json = load_json();
    cr_assert_eq(json_unpack(json, "{s:[{s:[{s:i}]}]}", "ranks", "threads", "clamped_times",
                             &clamped),
                 0);
    cr_assert_eq(clamped, 2);
    json_decref(json);
}

/* What fits before rounding still does: the time inside of a call, a call open at the last time. */
Test(archive, tells_times_in_the_unit_that_was_asked_for)
{
    struct mw_spool spool;
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    struct mw_value_member *inside;
    struct mw_call_record *call;
    const char *text;

    maker_define(writer, &(struct mw_definition){
                             .kind = MW_DEFINE_SETTING,
                             .of.setting = {.name = "time-unit", .value = "16ns"}});
    maker_define(writer, &(struct mw_definition){
                             .kind = MW_DEFINE_COMM,
                             .of.comm = {.comm = 2,
                                         .uid = {7, 7},
                                         .call = MW_CALL_MPI_Comm_split,
                                         .size = 1,
                                         .created = 1151}});
    maker_spool(&maker, 0, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Init, 1000, 1039);
    maker_call(&spool, MW_CALL_MPI_Comm_rank, 1041, 1055);
    call = mw_spool_begin(&spool, MW_CALL_MPI_Test, 1056);
    inside = maker_member(&spool, MW_MEMBER_INSIDE, sizeof *inside, MW_COMM_NONE);
    inside->value = 31;
    mw_spool_commit(inside);
    call->repeat = 2;
    mw_spool_end(&spool, call, 1087);
    cr_assert_not_null(mw_spool_begin(&spool, MW_CALL_MPI_Barrier, 1150));
    mw_spool_fini(&spool);
    maker_end(writer, 1183);
    archive(1, "run.otf2.zip");
    text = maker_print(&maker, "", "x");
    /* 1000 = 62 * 16 + 8, 1039 = 64 * 16 + 15, 1041 = 65 * 16 + 1, 1183 = 73 * 16 + 15 */
    cr_assert_eq(maker_run(&maker, "otf2-print x/traces.otf2 | awk '$1 ~ /^(ENTER|LEAVE)$/"
                                   " {printf \"%s \", $3}'"),
                 0);
    cr_assert_str_eq(maker.text, "992 1024 1040 1040 1056 1072 1136 1168 ");
    text = maker_print(&maker, "", "x");
    cr_assert_not_null(strstr(text, "(\"mpiwatch.inside\" <1>; UINT64; 16)"), "%s", text);
    text = maker_print(&maker, "-G", "x");
    cr_assert_not_null(strstr(text, "Ticks per Seconds: 1000000000, Global Offset: 992"), "%s",
                       text);
    cr_assert_eq(maker_run(&maker, "grep -A1 created_ns x/mpiwatch.json | grep -q 1136"), 0,
                 "when the communicator was created");
}

Test(archive, has_a_place_for_ranks_that_left_no_spool)
{
    json_t *json;

    maker_rank(&maker, 0, 3);
    maker_rank(&maker, 1, 3);
    archive(2, "run.otf2.zip");
    cr_assert_eq(result.ranks, 2u);
    cr_assert_eq(result.ranks_expected, 3u);
    maker_print(&maker, "", "x");
    cr_assert_eq(count_of(maker_print(&maker, "-G", "x"), "\nLOCATION "), 3u);
    json = load_json();
    cr_assert(json_is_false(json_object_get(
        json_array_get(json_object_get(json, "ranks"), 2), "recorded")));
    cr_assert(json_is_false(json_object_get(json, "complete")));
    json_decref(json);
}

/*
 * Of a communicator of ranks 2, 3, 0, 1 the first two died: rank 2 is known as its
 * leader, who is at place 1 is known to nobody.
 */
static void make_survivor(uint32_t rank)
{
    struct mw_definition_writer *writer = maker_definitions(&maker, rank, 4);
    struct mw_spool spool;
    struct mw_definition comm = {
        .kind = MW_DEFINE_COMM,
        .of.comm = {.comm = 2,
                    .uid = {7, 7},
                    .call = MW_CALL_MPI_Comm_split,
                    .rank = rank + 2,
                    .size = 4,
                    .leader = 2,
                    .created = 1},
    };

    maker_define(writer, &comm);
    mw_definition_writer_destroy(writer);
    maker_spool(&maker, rank, 0, &spool);
    for (uint32_t number = 2; number < 4; number++) { /* 3: its definition was lost */
        struct mw_call_record *call = mw_spool_begin(&spool, MW_CALL_MPI_Send, 100 * number);
        struct mw_message_member *send =
            maker_member(&spool, MW_MEMBER_SEND, sizeof *send, number);

        send->peer = 1;
        mw_spool_commit(send);
        mw_spool_end(&spool, call, 100 * number + 10);
    }
    mw_spool_fini(&spool);
}

Test(archive, is_readable_when_members_of_a_communicator_are_unknown)
{
    json_t *json, *comm;

    make_survivor(0);
    make_survivor(1);
    archive(2, "run.otf2.zip");
    maker_print(&maker, "", "x");
    maker_print(&maker, "-G", "x");
    json = load_json();
    comm = json_array_get(json_object_get(json, "communicators"), 2);
    cr_assert(json_is_false(json_object_get(comm, "members_complete")));
    json_t *members =
        json_object_get(json_array_get(json_object_get(comm, "groups"), 0), "members");

    cr_assert_eq(json_integer_value(json_array_get(members, 0)), 2);
    cr_assert(json_is_null(json_array_get(members, 1)));
    cr_assert_eq(json_integer_value(json_array_get(members, 3)), 1);
    json_decref(json);
    cr_assert_eq(maker_run(&maker, "/usr/bin/python3 -c '\n"
                                   "import otf2\n"
                                   "with otf2.reader.open(\"x/traces.otf2\") as trace:\n"
                                   "    print(sum(1 for location, event in trace.events))'"),
                 0, "%s", maker.text);
    cr_assert_str_eq(maker.text, "12\n");
}

Test(archive, can_be_inflated_from_any_block)
{
    struct mw_spool spool;

    maker_end(maker_definitions(&maker, 0, 1), 1);
    maker_spool(&maker, 0, 0, &spool);
    for (unsigned i = 0; i < 50000; i++) { /* some 1.2 MB of events: 5 blocks */
        maker_call(&spool, MW_CALL_MPI_Barrier, 1000 * i, 1000 * i + i % 997);
    }
    mw_spool_fini(&spool);
    archive(1, "run.otf2.zip");
    cr_assert_eq(
        maker_run(&maker,
                  "/usr/bin/python3 -c '\n"
                  "import struct, zlib\n"
                  "zip = open(\"run.otf2.zip\", \"rb\").read()\n"
                  "idx = open(\"x/mpiwatch.idx\", \"rb\").read()\n"
                  "magic, version, zero, block, count = struct.unpack_from(\"<8sIIQQ\", idx)\n"
                  "assert (magic, version, block) == (b\"MWBLOCKS\", 1, 262144)\n"
                  "at, most = 32, 0\n"
                  "for member in range(count):\n"
                  "    length, crc, size, packed, data, blocks = "
                  "struct.unpack_from(\"<IIQQQQ\", idx, at)\n"
                  "    name = idx[at + 40:at + 40 + length].decode()\n"
                  "    at += 40 + length\n"
                  "    offsets = struct.unpack_from(\"<%dQ\" % blocks, idx, at)\n"
                  "    at += 8 * blocks\n"
                  "    plain = open(\"x/\" + name, \"rb\").read()\n"
                  "    assert len(plain) == size and zlib.crc32(plain) == crc\n"
                  "    for i, offset in enumerate(offsets):\n"
                  "        want = plain[i * block:(i + 1) * block]\n"
                  "        got = zlib.decompressobj(-15).decompress("
                  "zip[data + offset:data + packed], len(want) or 1)\n"
                  "        assert got == want\n"
                  "    most = max(most, blocks)\n"
                  "assert at == len(idx)\n"
                  "print(count, most)'"),
        0, "%s", maker.text);
    cr_assert_str_eq(maker.text, "5 5\n");
}

/* Rank 0's communicators of all of a world, whose times it tells. */
static void make_crowd(uint32_t comms, uint32_t size)
{
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, size);
    struct mw_spool spool;
    uint32_t members[512];

    for (uint32_t i = 0; i < size; i++) {
        members[i] = i;
    }
    for (uint32_t i = 2; i < 2 + comms; i++) {
        maker_define(writer, &(struct mw_definition){
                                 .kind = MW_DEFINE_COMM,
                                 .of.comm = {.comm = i,
                                             .uid = {100, i},
                                             .call = MW_CALL_MPI_Comm_split,
                                             .sequence = i,
                                             .size = size,
                                             .created = 5000,
                                             .member_count = size,
                                             .members = members}});
    }
    maker_end(writer, 6000);
    maker_spool(&maker, 0, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Init, 1000, 2000);
    mw_spool_fini(&spool);
}

Test(archive, lists_members_up_to_a_million_and_then_says_the_extremes_of_times)
{
    enum { SIZE = 300, LISTED = 1000000 / SIZE - 1 }; /* besides the world */
    json_t *json, *comms, *group;

    make_crowd(LISTED + 10, SIZE);
    archive(1, "run.otf2.zip");
    json = load_json();
    comms = json_object_get(json, "communicators");
    group = json_array_get(json_object_get(json_array_get(comms, 1 + LISTED), "groups"), 0);
    cr_assert_eq(json_array_size(json_object_get(group, "members")), SIZE);
    cr_assert_eq(json_array_size(json_object_get(group, "created_ns")), SIZE);
    group = json_array_get(json_object_get(json_array_get(comms, 2 + LISTED), "groups"), 0);
    cr_assert_null(json_object_get(group, "members"));
    cr_assert_eq(json_integer_value(json_object_get(group, "size")), SIZE);
    cr_assert_eq(json_integer_value(json_object_get(group, "created_first_ns")), 5000);
    cr_assert_eq(json_integer_value(json_object_get(group, "created_last_ns")), 5000);
    cr_assert(json_is_null(json_object_get(group, "freed_first_ns")));
    json_decref(json);
}
