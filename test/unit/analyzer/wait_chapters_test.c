#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <otf2/otf2.h>

#include "analyzer/analysis/region_paths.h"
#include "analyzer/analysis/waits/wait_ledger.h"
#include "analyzer/analysis/waits/waits_collective.h"
#include "analyzer/analysis/waits/waits_packing.h"
#include "formats/table/calls.h"
#include "test/unit/analyzer/same_waits.h"

/*
 * Waits of a run that is followed in chapters: the same ones are charged to one ledger, and to one
 * for each chapter, which are then made one.
 */

#define CHAPTERS 3u
#define RANKS    4u
#define FEW      3u /* patterns, so that they have more waits than are kept of the worst */

enum { BARRIER, ALLREDUCE, OUTER, INNER, REGIONS };

static struct mwa_region regions[REGIONS] = {
    { .name = "MPI_Barrier", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Barrier },
    { .name = "MPI_Allreduce",
      .kind = MWA_REGION_MPI,
      .call = MW_CALL_MPI_Allreduce,
      .mpi_index = 1 },
    { .name = "outer", .kind = MWA_REGION_USER, .mpi_index = MWA_NONE },
    { .name = "inner", .kind = MWA_REGION_USER, .mpi_index = MWA_NONE },
};
static struct mwa_site sites[] = { { .region = BARRIER },
                                   { .region = BARRIER },
                                   { .region = ALLREDUCE, .place = 2 } };
static struct mwa_location locations[RANKS + 1]; /* the last one is another thread of rank 0 */
static struct mwa_rank ranks[RANKS];
static struct mwa_comm comms[2];
static const struct mwa_trace trace = { .sites = sites,
                                        .site_count = 3,
                                        .regions = regions,
                                        .region_count = REGIONS,
                                        .mpi_region_count = 2,
                                        .comms = comms,
                                        .comm_count = 2,
                                        .locations = locations,
                                        .location_count = RANKS + 1,
                                        .ranks = ranks,
                                        .rank_count = RANKS,
                                        /* so that a sum of ns is less than the ns of a sum */
                                        .clock_resolution = UINT64_C(3000000000) };

/* A ledger, and what its waits refer to: of a chapter, or of the whole run. */
struct book {
    struct mwa_wait_ledger ledger;
    struct mwa_region_paths paths;
    uint64_t sent[RANKS];
};

static struct book whole, chapters[CHAPTERS];
static uint64_t seed;

static uint32_t any(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static void open_book(struct book *book)
{
    const struct mwa_scope scope = { MWA_ALL_OF_IT };

    memset(book, 0, sizeof *book);
    mwa_wait_ledger_init(&book->ledger, &trace, 0, &scope);
}

static void close_book(struct book *book)
{
    mwa_wait_ledger_fini(&book->ledger);
    mwa_region_paths_fini(&book->paths);
}

static void open_all(void)
{
    for (uint32_t i = 0; i <= RANKS; i++) {
        locations[i] = (struct mwa_location){ .rank = i % RANKS, .master = i < RANKS };
    }
    open_book(&whole);
    for (uint32_t i = 0; i < CHAPTERS; i++) {
        open_book(&chapters[i]);
    }
}

/* --- the same of both --------------------------------------------------------------------- */

/* In none, or in up to 3 regions, the same that shape says. */
static const struct mwa_region_path *path_of(struct book *book, uint32_t shape)
{
    const struct mwa_region_path *path = NULL;

    for (uint32_t i = 0; i < shape % 4; i++) {
        path = mwa_region_paths_enter(&book->paths, path, &regions[OUTER + ((shape >> i) & 1)]);
        cr_assert_not_null(path);
    }
    return path;
}

/* wait, of which the path is said by shape, and the message by its sender: MWA_NONE has none. */
static void charge(struct book *book, enum mwa_wait_pattern pattern, struct mwa_wait wait,
                   uint32_t shape, uint32_t sender)
{
    wait.within = path_of(book, shape);
    wait.message = sender == MWA_NONE
                       ? UINT64_MAX
                       : (uint64_t)sender << MWA_MESSAGE_RANK_BITS | book->sent[sender]++;
    cr_assert_eq(mwa_wait_charge(&book->ledger, pattern, &wait), MW_OK);
}

/* What else is counted: a call that leaves before what it waits for, so many ticks. */
static void count(struct book *book, uint32_t rank, uint32_t call, uint64_t early)
{
    const struct mwa_exchange_call here = {
        .region = &regions[call], .location = rank, .rank = rank, .enter = 100, .leave = 200
    };
    const struct mwa_exchange_call last = { .enter = 200 + early };
    struct mwa_wait wait;

    cr_assert(mwa_wait_until(&book->ledger, &here, &last, 0, &wait));
    cr_assert_eq(wait.wait, 100);
    cr_assert_eq(mwa_wait_unmet(&book->ledger, &here, &last, 1), MW_OK);
    book->ledger.result.rows[early % MWA_WAIT_PATTERNS].synchronizations++;
    book->ledger.result.uncertain += early % 2;
    book->ledger.result.neighbors_unknown += early % 3;
}

/* Waits, of which many are as long and at the same time. */
static void feed(struct book *chapter, uint32_t waits, uint32_t patterns)
{
    for (uint32_t i = 0; i < waits; i++) {
        const uint32_t call = any(2), location = any(RANKS + 1), shape = any(32);
        const uint32_t sender = any(RANKS + 1) % RANKS, pattern = any(patterns);
        const bool has_message = any(2);
        const struct mwa_wait wait = { .time = any(3),
                                       .wait = 1 + any(5),
                                       .location = location,
                                       .rank = locations[location].rank,
                                       .cause = any(3) ? any(RANKS) : MWA_NONE,
                                       .call = &regions[call],
                                       .site = any(4) ? any(3) : MWA_NONE,
                                       .cause_site = any(4) ? any(3) : MWA_NONE,
                                       .comm = any(2),
                                       .other_thread = !locations[location].master };
        const uint64_t early = 1 + any(30);

        charge(&whole, pattern, wait, shape, has_message ? sender : MWA_NONE);
        charge(chapter, pattern, wait, shape, has_message ? sender : MWA_NONE);
        if (i % 7 == 0) {
            count(&whole, wait.rank, call, early);
            count(chapter, wait.rank, call, early);
        }
    }
}

/* Makes the ledger one whose waits are those that another process has told. */
static void receive(struct book *book, struct mwa_region_paths *paths)
{
    const struct mwa_scope scope = { MWA_ALL_OF_IT };
    struct mw_buffer packed = { .data = NULL };
    struct mw_cursor from;

    mwa_waits_pack(&trace, &book->ledger.result, &packed);
    cr_assert_not(packed.failed);
    mwa_wait_ledger_fini(&book->ledger);
    mwa_wait_ledger_init(&book->ledger, &trace, 0, &scope);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_waits_unpack(&trace, paths, &from, &book->ledger.result), MW_OK);
    cr_expect_eq(from.left, 0);
    mw_buffer_fini(&packed);
}

static void append_all(bool are_from_others)
{
    uint64_t sent[RANKS] = { 0 };
    const struct mwa_seam seam = { .sent = sent, .paths = &chapters[0].paths };

    for (uint32_t i = 1; i < CHAPTERS; i++) {
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            sent[rank] += chapters[i - 1].sent[rank];
        }
        if (are_from_others) {
            receive(&chapters[i], &chapters[0].paths);
        }
        cr_assert_eq(mwa_wait_ledger_append(&chapters[0].ledger, &chapters[i].ledger, &seam),
                     MW_OK);
        close_book(&chapters[i]);
    }
}

static void expect_same(void)
{
    struct mwa_waits found[2];

    cr_assert_eq(mwa_wait_ledger_finish(&whole.ledger, &found[0]), MW_OK);
    cr_assert_eq(mwa_wait_ledger_finish(&chapters[0].ledger, &found[1]), MW_OK);
    same_waits_expect(&trace, &found[0], &found[1]);
    close_book(&whole);
    close_book(&chapters[0]);
}

static void compare(uint32_t first, uint32_t second, uint32_t third, uint32_t patterns)
{
    for (unsigned are_from_others = 0; are_from_others < 2; are_from_others++) {
        open_all();
        seed = first + second;
        feed(&chapters[0], first, patterns);
        feed(&chapters[1], second, patterns);
        feed(&chapters[2], third, patterns);
        append_all(are_from_others);
        expect_same();
    }
}

Test(wait_chapters, add_up_to_what_the_run_has)
{
    compare(500, 700, 300, MWA_WAIT_PATTERNS);
    compare(40, 30, 50, FEW);
    compare(5, 4, 3, FEW);
    compare(5, 4, 3, MWA_WAIT_PATTERNS);
}

Test(wait_chapters, may_have_no_waits)
{
    compare(0, 20, 0, FEW);
    compare(0, 0, 20, MWA_WAIT_PATTERNS);
    compare(20, 0, 20, FEW);
    compare(0, 0, 0, 1);
}

Test(wait_chapters, that_ran_out_of_memory_say_so_when_they_are_appended)
{
    const uint64_t sent[RANKS] = { 0 };
    const struct mwa_seam seam = { .sent = sent, .paths = &chapters[0].paths };

    open_all();
    chapters[1].ledger.no_memory = true;
    cr_expect_eq(mwa_wait_ledger_append(&chapters[0].ledger, &chapters[1].ledger, &seam),
                 MW_ERROR_MEMORY);
}

/* --- the call between two chapters -------------------------------------------------------- */

static uint32_t told;

static enum mw_status count_told(void *user, unsigned pattern, const struct mwa_wait *wait)
{
    told++;
    return MW_OK;
}

/* Rank i comes at 10 i, and all leave from 100 on, one after the other. */
static void meet(struct mwa_wait_ledger *ledger, uint32_t call, uint32_t operation, bool opens)
{
    struct mwa_exchange_call calls[RANKS];
    struct mwa_member members[RANKS];
    struct mwa_collective collective = { .kind = MWA_GROUP_COLLECTIVE,
                                         .operation = operation,
                                         .root = MWA_NONE,
                                         .complete = true,
                                         .count = RANKS,
                                         .present = RANKS,
                                         .members = members };

    for (uint32_t i = 0; i < RANKS; i++) {
        calls[i] = (struct mwa_exchange_call){ .region = &regions[call],
                                               .site = MWA_NONE,
                                               .location = i,
                                               .rank = i,
                                               .enter = 10 * i,
                                               .leave = 100 + i,
                                               .opens_chapter = opens,
                                               .closes_chapter = !opens };
        members[i] = (struct mwa_member){ .collective = &collective,
                                          .rank = i,
                                          .begin = &calls[i],
                                          .end = &calls[i],
                                          .bytes_sent = 8,
                                          .bytes_received = 8 };
    }
    cr_assert_eq(mwa_waits_of_collective(ledger, &collective), MW_OK);
}

static void expect_charged_once(uint32_t call, uint32_t operation, uint32_t pattern,
                                uint32_t completion)
{
    struct mwa_waits before;

    open_all();
    told = 0;
    chapters[0].ledger.scope.told = chapters[1].ledger.scope.told = count_told;
    meet(&chapters[0].ledger, call, operation, false);
    cr_expect_eq(chapters[0].ledger.result.rows[pattern].instances, 3);
    cr_expect_eq(chapters[0].ledger.result.rows[pattern].total_ns, 60);
    cr_expect_eq(chapters[0].ledger.result.rows[completion].instances, 3);
    cr_expect_eq(chapters[0].ledger.result.unmet_ns[regions[call].mpi_index], 60);
    cr_expect_eq(told, 3);
    before = chapters[1].ledger.result;
    meet(&chapters[1].ledger, call, operation, true);
    cr_expect_eq(told, 3);
    cr_expect_eq(memcmp(&before, &chapters[1].ledger.result, sizeof before), 0);
    close_book(&whole);
    for (uint32_t i = 0; i < CHAPTERS; i++) {
        close_book(&chapters[i]);
    }
}

Test(wait_chapters, have_the_waits_of_the_call_between_them_in_the_first)
{
    expect_charged_once(BARRIER, OTF2_COLLECTIVE_OP_BARRIER, MWA_WAIT_BARRIER,
                        MWA_WAIT_BARRIER_COMPLETION);
    expect_charged_once(ALLREDUCE, OTF2_COLLECTIVE_OP_ALLREDUCE, MWA_WAIT_NXN,
                        MWA_WAIT_NXN_COMPLETION);
}
