#include <string.h>

#include <criterion/criterion.h>
#include <otf2/otf2.h>

#include "analyzer/analysis/region_paths.h"
#include "analyzer/analysis/waits/waits.h"
#include "analyzer/exchange/exchange.h"
#include "formats/table/calls.h"
#include "test/unit/analyzer/same_waits.h"
#include "test/unit/analyzer/travel.h"

/*
 * A run of calls that wait for messages and for each other is told to one engine, and each of its
 * chapters to one of its own: what these have found is made one, and is the same, also if it comes
 * from other processes.
 */

#define CHAPTERS 3u
#define RANKS    4u
#define FEW      8u /* other bytes that are tried on the way */
#define MANY     4000u

enum { BARRIER, ALLREDUCE, BCAST, SEND, RECV, ISEND, WAITALL, OUTER, INNER, REGIONS };

static struct mwa_region regions[REGIONS] = {
    { .name = "MPI_Barrier", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Barrier },
    { .name = "MPI_Allreduce",
      .kind = MWA_REGION_MPI,
      .call = MW_CALL_MPI_Allreduce,
      .mpi_index = 1 },
    { .name = "MPI_Bcast", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Bcast, .mpi_index = 2 },
    { .name = "MPI_Send", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Send, .mpi_index = 3 },
    { .name = "MPI_Recv", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Recv, .mpi_index = 4 },
    { .name = "MPI_Isend", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Isend, .mpi_index = 5 },
    { .name = "MPI_Waitall", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Waitall, .mpi_index = 6 },
    { .name = "outer", .kind = MWA_REGION_USER, .mpi_index = MWA_NONE },
    { .name = "inner", .kind = MWA_REGION_USER, .mpi_index = MWA_NONE },
};
static struct mwa_site sites[] = { { .region = BARRIER },
                                   { .region = BARRIER },
                                   { .region = ALLREDUCE, .place = 2 } };
static struct mwa_location locations[RANKS];
static struct mwa_rank ranks[RANKS];
static uint32_t members[RANKS] = { 0, 1, 2, 3 };
static uint32_t mpi_regions[] = { BARRIER, ALLREDUCE, BCAST, SEND, RECV, ISEND, WAITALL };
static struct mwa_group world = { .count = RANKS, .ranks = members };
static struct mwa_comm comms[2] = { { .remote_group = MWA_NONE, .parent = MWA_NONE },
                                    { .remote_group = MWA_NONE, .parent = MWA_NONE } };
static const struct mwa_trace trace = { .sites = sites,
                                        .site_count = 3,
                                        .regions = regions,
                                        .region_count = REGIONS,
                                        .mpi_regions = mpi_regions,
                                        .mpi_region_count = OUTER,
                                        .groups = &world,
                                        .group_count = 1,
                                        .comms = comms,
                                        .comm_count = 2,
                                        .locations = locations,
                                        .location_count = RANKS,
                                        .ranks = ranks,
                                        .rank_count = RANKS,
                                        /* so that a sum of ns is less than the ns of a sum */
                                        .clock_resolution = UINT64_C(3000000000) };

static uint64_t seed;

static uint32_t any(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

#define CALLS  400u /* of a rank in a chapter, at most */
#define BURST  5u   /* messages that a rank sends to another one, to be received in any order */
#define STEPS  30u  /* of a chapter */

/* An outermost call, and the events of it. */
struct call {
    uint32_t region;
    uint32_t shape;
    uint64_t enter;
    uint64_t leave;
    struct mwa_event events[BURST];
    uint32_t count;
};

static struct call calls[CHAPTERS][RANKS][CALLS];
static uint32_t call_counts[CHAPTERS][RANKS];
static uint64_t now[RANKS], requests;

/* The next call of rank, which computes before. */
static struct call *enter(uint32_t chapter, uint32_t rank, uint32_t region)
{
    struct call *call = &calls[chapter][rank][call_counts[chapter][rank]++];

    cr_assert_leq(call_counts[chapter][rank], CALLS);
    now[rank] += any(4) ? any(4) : 50 + any(3);
    *call = (struct call){ .region = region, .shape = any(32), .enter = now[rank] };
    return call;
}

static void leave(struct call *call, uint32_t rank, uint64_t time)
{
    call->leave = now[rank] = time > now[rank] ? time : now[rank] + 1;
    for (uint32_t i = 0; i < call->count; i++) {
        struct mwa_event *event = &call->events[i];

        event->location = rank;
        event->time = event->kind == MWA_SEND || event->kind == MWA_ISEND ? call->enter
                                                                          : call->leave;
    }
}

/* All take part, and leave when the last has come. */
static void meet_all(uint32_t chapter, uint32_t region, uint32_t operation)
{
    struct call *here[RANKS];
    uint64_t last = 0;

    for (uint32_t i = 0; i < RANKS; i++) {
        here[i] = enter(chapter, i, region);
        here[i]->events[here[i]->count++] =
            (struct mwa_event){ .kind = MWA_COLLECTIVE_END,
                                .of.collective = { .operation = operation,
                                                   .root = region == BCAST ? 2 : MWA_NONE,
                                                   .bytes_sent = region != BCAST || i == 2,
                                                   .bytes_received = region != BCAST || i != 2 } };
        last = now[i] > last ? now[i] : last;
    }
    for (uint32_t i = 0; i < RANKS; i++) {
        leave(here[i], i, last + any(3));
    }
}

static struct mwa_event message(enum mwa_event_kind kind, uint32_t peer, uint32_t tag)
{
    return (struct mwa_event){ .kind = kind,
                               .of.message = { .peer = peer, .tag = tag, .bytes = tag % 2 * 8 } };
}

/* Messages from one to another, of which all have a tag of their own: received from some tag on,
 * and so in an order that is not theirs. */
static void burst(uint32_t chapter, uint32_t from, uint32_t to)
{
    const uint32_t count = 1 + any(BURST), first = any(count);
    uint64_t sent[BURST];

    for (uint32_t tag = 0; tag < count; tag++) {
        struct call *send = enter(chapter, from, SEND);

        sent[tag] = send->enter;
        send->events[send->count++] = message(MWA_SEND, to, tag);
        leave(send, from, 0);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t tag = (first + i) % count;
        struct call *receive = enter(chapter, to, RECV);

        receive->events[receive->count++] = message(MWA_RECV, from, tag);
        leave(receive, to, sent[tag] + 1);
    }
}

/* One that is sent without blocking, and waited for until it is received. */
static void handshake(uint32_t chapter, uint32_t from, uint32_t to)
{
    struct call *send = enter(chapter, from, ISEND), *wait, *receive;

    send->events[send->count++] = message(MWA_ISEND, to, 77);
    send->events[0].request = ++requests;
    leave(send, from, 0);
    receive = enter(chapter, to, RECV);
    receive->events[receive->count++] = message(MWA_RECV, from, 77);
    leave(receive, to, send->enter + 1);
    wait = enter(chapter, from, WAITALL);
    wait->events[wait->count++] =
        (struct mwa_event){ .kind = MWA_ISEND_COMPLETE, .request = requests };
    leave(wait, from, receive->enter + 1);
}

/* Chapters that end with a call of all but for the last one. */
static void make_run(void)
{
    memset(call_counts, 0, sizeof call_counts);
    memset(now, 0, sizeof now);
    for (uint32_t chapter = 0; chapter < CHAPTERS; chapter++) {
        for (uint32_t i = 0; i < STEPS; i++) {
            const uint32_t one = any(RANKS), other = (one + 1 + any(RANKS - 1)) % RANKS;

            if (any(4) == 0) {
                meet_all(chapter, BCAST, OTF2_COLLECTIVE_OP_BCAST);
            } else if (any(2)) {
                burst(chapter, one, other);
            } else {
                handshake(chapter, one, other);
            }
        }
        if (chapter + 1 < CHAPTERS && any(2)) {
            meet_all(chapter, BARRIER, OTF2_COLLECTIVE_OP_BARRIER);
        } else if (chapter + 1 < CHAPTERS) {
            meet_all(chapter, ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE);
        }
    }
}

/* An engine, and the analysis of waits that it tells. */
struct reader {
    struct mwa_exchange *exchange;
    struct mwa_region_paths paths;
    void *waits;
    uint64_t sent[RANKS];
    bool is_later;
    bool has_begun[RANKS];
    struct mwa_matching_result matching;
    struct mwa_exchange_result result;
};

static struct mwa_scope scope = { MWA_ALL_OF_IT };
static bool is_from_others; /* what is found in later chapters */

static void free_result(void *result)
{
    mwa_waits_fini(result);
}

static const struct traveller waits = { .analysis = &mwa_waits_analysis,
                                        .size = sizeof(struct mwa_waits),
                                        .fini = free_result,
                                        .trace = &trace,
                                        .scope = &scope };

/* Marks the calls that open a chapter, before the waits hear of them. */
static enum mw_status mark(void *user, struct mwa_exchange_call *call)
{
    struct reader *reader = user;

    call->opens_chapter = reader->is_later && !reader->has_begun[call->location];
    reader->has_begun[call->location] = true;
    return MW_OK;
}

static void open_reader(struct reader *reader, bool is_later)
{
    struct mwa_exchange_listener listeners[2] = { { .user = reader, .begin = mark },
                                                  mwa_waits_analysis.listener };

    *reader = (struct reader){ .is_later = is_later };
    cr_assert_eq(mwa_waits_analysis.create(&trace, 1, &scope, &reader->waits), MW_OK);
    listeners[1].user = reader->waits;
    cr_assert_eq(mwa_exchange_create(&trace, NULL, listeners, 2, &reader->exchange, NULL), MW_OK);
}

static void tell(struct reader *reader, uint32_t rank, const struct call *call)
{
    const struct mwa_region_path *path = NULL;

    for (uint32_t i = 0; i < call->shape % 4; i++) {
        path = mwa_region_paths_enter(&reader->paths, path,
                                      &regions[OUTER + ((call->shape >> i) & 1)]);
    }
    cr_assert_eq(mwa_exchange_enter(reader->exchange, rank, &regions[call->region], path,
                                    call->shape % 3, call->enter),
                 MW_OK);
    for (uint32_t i = 0; i < call->count; i++) {
        cr_assert_eq(mwa_exchange_event(reader->exchange, &call->events[i]), MW_OK);
        reader->sent[rank] +=
            call->events[i].kind == MWA_SEND || call->events[i].kind == MWA_ISEND;
    }
    cr_assert_eq(mwa_exchange_leave(reader->exchange, rank, call->leave, false), MW_OK);
}

static void tell_waypoint(struct reader *reader, uint32_t rank, enum mwa_waypoint_kind kind,
                          uint64_t time)
{
    const struct mwa_waypoint waypoint = { .kind = kind, .time = time };

    cr_assert_eq(mwa_waits_analysis.waypoint(reader->waits, rank, &waypoint), MW_OK);
}

/* Tells a rank's calls of a chapter, from the one on with which the one before has ended. */
static void tell_chapter(struct reader *reader, uint32_t chapter, uint32_t rank)
{
    if (reader->is_later) {
        const struct call *first =
            &calls[chapter - 1][rank][call_counts[chapter - 1][rank] - 1];

        tell_waypoint(reader, rank, MWA_WAYPOINT_FIRST, first->enter);
        tell(reader, rank, first);
    } else if (chapter == 0) {
        tell_waypoint(reader, rank, MWA_WAYPOINT_FIRST, calls[0][rank][0].enter);
    }
    for (uint32_t i = 0; i < call_counts[chapter][rank]; i++) {
        tell(reader, rank, &calls[chapter][rank][i]);
    }
}

/* That was the last one of its calls. */
static void tell_end(struct reader *reader, uint32_t chapter, uint32_t rank)
{
    tell_waypoint(reader, rank, MWA_WAYPOINT_LAST,
                  calls[chapter][rank][call_counts[chapter][rank] - 1].leave);
}

static void end_reading(struct reader *reader)
{
    cr_assert_eq(mwa_exchange_finish(reader->exchange, &reader->matching, &reader->result), MW_OK);
    mwa_exchange_destroy(reader->exchange);
}

static void close_reader(struct reader *reader)
{
    mwa_waits_analysis.destroy(reader->waits);
    mwa_region_paths_fini(&reader->paths);
    mwa_matching_result_fini(&reader->matching);
}

static void append_reader(struct reader *reader, struct reader *later, uint64_t *sent)
{
    const struct mwa_seam seam = { .sent = sent, .paths = &reader->paths };

    if (is_from_others) {
        later->waits = travel(&waits, later->waits, &reader->paths, FEW);
    }
    cr_assert_eq(mwa_waits_analysis.append(reader->waits, later->waits, &seam), MW_OK);
    cr_assert_eq(mwa_matching_result_add(&reader->matching, &later->matching), MW_OK);
    mwa_exchange_result_add(&reader->result, &later->result, 1);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        sent[rank] += later->sent[rank];
    }
}

static void read_run(struct reader *reader)
{
    open_reader(reader, false);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        for (uint32_t chapter = 0; chapter < CHAPTERS; chapter++) {
            tell_chapter(reader, chapter, rank);
        }
        tell_end(reader, CHAPTERS - 1, rank);
    }
    end_reading(reader);
}

static void read_chapters(struct reader *all)
{
    uint64_t sent[RANKS];
    struct reader later;

    for (uint32_t chapter = 0; chapter < CHAPTERS; chapter++) {
        struct reader *reader = chapter > 0 ? &later : all;

        open_reader(reader, chapter > 0);
        for (uint32_t i = 0; i < RANKS; i++) { /* from another rank on, which makes no difference */
            const uint32_t rank = (i + chapter) % RANKS;

            tell_chapter(reader, chapter, rank);
            tell_end(reader, chapter, rank);
        }
        end_reading(reader);
        if (chapter == 0) {
            memcpy(sent, all->sent, sizeof sent);
        } else {
            append_reader(all, &later, sent);
            close_reader(&later);
        }
    }
}

/* What there is in each run, so that it is looked at. */
static const enum mwa_wait_pattern expected[] = { MWA_WAIT_LATE_SENDER, MWA_WAIT_WRONG_ORDER_SAME,
                                                  MWA_WAIT_LATE_RECEIVER,
                                                  MWA_WAIT_LATE_BROADCAST, MWA_WAIT_FOR_LAST };

static void define_ranks(void)
{
    for (uint32_t i = 0; i < RANKS; i++) {
        locations[i] = (struct mwa_location){ .rank = i, .master = true };
        ranks[i].locations = 1;
    }
}

static void compare_runs(uint64_t first, uint64_t last)
{
    const bool is_all = scope.rank == MWA_NONE && !scope.comms;
    struct mwa_waits found[2] = { { .violations = 0 } };
    struct reader one, several;

    define_ranks();
    for (uint64_t run = first; run <= last; run++) {
        seed = run;
        make_run();
        read_run(&one);
        read_chapters(&several);
        cr_expect_eq(one.matching.matched, one.matching.sends);
        cr_expect_eq(memcmp(&one.matching, &several.matching, sizeof one.matching), 0);
        cr_expect_eq(memcmp(&one.result, &several.result, sizeof one.result), 0);
        cr_assert_eq(mwa_waits_analysis.finish(one.waits, &found[0]), MW_OK);
        cr_assert_eq(mwa_waits_analysis.finish(several.waits, &found[1]), MW_OK);
        for (unsigned i = 0; is_all && i < sizeof expected / sizeof *expected; i++) {
            cr_expect_gt(found[0].rows[expected[i]].instances, 0, "run %u has no %s",
                         (unsigned)run, mwa_wait_name(expected[i]));
        }
        cr_expect(!scope.with_delays || found[0].delays.long_ns > 0);
        same_waits_expect(&trace, &found[0], &found[1]);
        close_reader(&one);
        close_reader(&several);
    }
}

Test(chapters_of_runs, that_are_followed_each_by_itself_have_the_waits_of_the_run)
{
    compare_runs(1, 20);
}

Test(chapters_of_runs, have_the_causes_of_waits_too)
{
    scope.with_delays = true;
    compare_runs(1, 20);
}

/* --- of other processes ----------------------------------------------------------------------- */

Test(chapters_of_runs, may_be_followed_by_other_processes)
{
    is_from_others = true;
    compare_runs(1, 20);
    scope.with_delays = true;
    compare_runs(1, 20);
}

Test(chapters_of_runs, may_be_followed_by_other_processes_of_which_a_part_is_looked_at)
{
    const bool comms_selected[2] = { true };

    is_from_others = true;
    scope.with_delays = true;
    scope.comms = comms_selected;
    compare_runs(1, 5);
    scope.rank = 2;
    compare_runs(1, 5);
    scope.comms = NULL;
    scope.from = 300;
    scope.to = 3000;
    compare_runs(1, 5);
}

static void distrust_first_chapter(void)
{
    struct reader reader;

    define_ranks();
    seed = 3;
    make_run();
    open_reader(&reader, false);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        tell_chapter(&reader, 0, rank);
        tell_end(&reader, 0, rank);
    }
    end_reading(&reader);
    reader.waits = travel(&waits, reader.waits, &reader.paths, MANY);
    close_reader(&reader);
}

Test(chapters_of_runs, of_other_processes_are_not_believed_if_their_bytes_can_not_be)
{
    distrust_first_chapter();
    scope.with_delays = true;
    distrust_first_chapter();
}
