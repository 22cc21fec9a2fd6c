#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyzer/live/live_across.h"
#include "analyzer/live/live_tell.h"
#include "analyzer/live/live_waits.h"

/*
 * What others tell of calls is believed in nothing. Ranks 2 and 3 are told of by the first peer, 0
 * and 1 by the second, as they would be in truth, and then with whatever may be wrong in it.
 */

#define RANKS 4u
#define PEERS 3u /* the last one is this one, which has no ranks */
#define RECORDS_MAX 128u
#define MEBIBYTE 1024 /* KiB */

struct told {
    struct mw_live_record records[RECORDS_MAX];
    unsigned count;
};

static struct told told[PEERS - 1];
static const struct mw_run run = {.nonce = 5, .size = RANKS};
static struct mwa_live_trace live;
static struct mwa_live_peers *peers;
static struct mwa_live_across *across;
static struct mwa_live_waits *waits;
static uint32_t next_batch[PEERS];
static uint32_t generation;

static void give(void *context, uint32_t to, const void *message, size_t bytes)
{
    (void)context;
    (void)to;
    (void)message;
    (void)bytes;
}

/* --- what mpiwatch-top has around it -------------------------------------------------------- */

uint64_t mwa_live_time(void)
{
    static uint64_t time = 1;

    return time++;
}

/* Nobody listens to what is told here. */
enum mw_status mwa_live_tell_one(const struct mw_run *of, enum mw_live_kind kind, const void *item,
                                 const struct mw_buffer *behind, struct mwa_live_telling *telling,
                                 struct mw_diagnostic *diagnostic)
{
    (void)of;
    (void)kind;
    (void)item;
    (void)diagnostic;
    if (behind) {
        telling->give(telling->context, behind->data, behind->bytes);
    }
    return MW_OK;
}

/* --- what is told in truth ----------------------------------------------------------------- */

#define TELL(peer, of_type, ...)                                                                  \
    told[peer].records[told[peer].count++] = (struct mw_live_record)                              \
    {                                                                                             \
        .type = MW_LIVE_RECORD_##of_type, .numbers = {__VA_ARGS__}                                \
    }

static void tell_group(unsigned peer, uint32_t comm, uint32_t first, uint32_t count)
{
    TELL(peer, GROUP, comm, count);
    for (uint32_t i = 0; i < count; i++) {
        TELL(peer, MEMBER, first + i);
    }
}

/* Both tell the same of their ranks, and each sends to the other one's. */
static void tell_truth(unsigned peer)
{
    const uint32_t own = peer == 0 ? 2 : 0;
    const uint32_t other = 2 - own;
    const uint64_t ten = mw_live_fold(10);

    told[peer].count = 0;
    TELL(peer, RANK, own, 1);
    TELL(peer, RANK, own + 1, 2);
    TELL(peer, CLOCK, 700);
    TELL(peer, COMM, 2, 7, 8);
    TELL(peer, COMM, 3, 9, 10, 1);
    tell_group(peer, 2, 0, RANKS);
    tell_group(peer, 3, 0, 2);
    tell_group(peer, 3, 2, 2);
    for (uint32_t rank = own; rank < own + 2; rank++) {
        const uint64_t to = mw_live_fold(other + rank - own);

        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Init, mw_live_fold(1000));
        TELL(peer, LEAVE, 50);
        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Isend, ten);
        TELL(peer, ISEND, 2, to, mw_live_fold(4), 80, 1);
        TELL(peer, LEAVE, 5);
        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Irecv, ten);
        TELL(peer, POST, 2);
        TELL(peer, LEAVE, 5);
        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Irecv, ten);
        TELL(peer, POST, 3);
        TELL(peer, LEAVE, 5);
        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Waitall, ten);
        TELL(peer, SENT, 1);
        TELL(peer, RECEIVED, 2, to, mw_live_fold(4), 80, 2);
        TELL(peer, DROPPED, 3);
        TELL(peer, LEAVE, 9);
        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Sendrecv, ten);
        TELL(peer, SEND, 0, to, mw_live_fold(5), 8);
        TELL(peer, RECV, 0, to, mw_live_fold(5), 8);
        TELL(peer, LEAVE, 9);
        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Bcast, ten);
        TELL(peer, COLL, 3, 1, mw_live_fold(rank - own), 8, 8);
        TELL(peer, LEAVE, 9);
        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Iallreduce, ten);
        TELL(peer, COLL_POST, 4);
        TELL(peer, LEAVE, 9);
        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Wait, ten);
        TELL(peer, COLL_COMPLETE, 2, 8, mw_live_fold(-1), 8, 8, 4);
        TELL(peer, LEAVE, 9);
        TELL(peer, ENTER, rank, 0, MW_CALL_MPI_Finalize, ten);
        TELL(peer, LEAVE, 50);
        TELL(peer, THROUGH, rank, 0, mw_live_fold(60));
        TELL(peer, ENTER, rank, rank - own, MW_CALL_MPI_Barrier, mw_live_fold(-500));
        TELL(peer, COLL, UINT32_MAX, 0, mw_live_fold(-1), 0, 0);
        TELL(peer, LEAVE, 700);
    }
    TELL(peer, OVER, 0);
}

/* --- hearing it ---------------------------------------------------------------------------- */

static void begin(void)
{
    memset(next_batch, 0, sizeof next_batch);
    cr_assert(mwa_live_trace_init(&live, RANKS));
    peers = mwa_live_peers_create(PEERS, PEERS - 1, give, NULL);
    cr_assert(peers);
    across = mwa_live_across_create(peers, &live, RANKS);
    cr_assert(across);
    generation = mwa_live_peers_generation(peers);
    tell_truth(0);
    tell_truth(1);
}

static void end(void)
{
    mwa_live_waits_destroy(waits);
    mwa_live_across_destroy(across);
    mwa_live_peers_destroy(peers);
    mwa_live_trace_fini(&live);
    waits = NULL;
}

TestSuite(live_across, .init = begin, .fini = end);

/* As mpiwatch-top does: when each rank is told of. */
static void make_waits(void)
{
    uint32_t extra[RANKS];

    for (uint32_t i = 0; i < RANKS; i++) {
        const uint32_t threads = mwa_live_across_threads(across, i);

        extra[i] = threads > 0 ? threads - 1 : 0;
    }
    if (!waits && mwa_live_across_has_all(across)) {
        waits = mwa_live_waits_create(&live.trace, extra);
        cr_assert(waits);
        mwa_live_waits_share(waits, across);
        mwa_live_across_to(across, waits);
    }
}

/* As struct mwa_live_meeting does: what is of another telling than this one is not heard. */
static bool hear(void *context, uint32_t from, const struct mw_cursor *records)
{
    return generation == mwa_live_peers_generation(peers) &&
           mwa_live_across_hear(context, from, records);
}

static void bring_bytes(uint32_t from, const struct mw_live_batch *batch, const char *data,
                        size_t bytes)
{
    char *copy = malloc(bytes + (bytes == 0)); /* of this size, for who checks its bounds */
    const struct mw_cursor records = {.next = copy, .left = bytes};

    cr_assert(copy);
    if (bytes > 0) {
        memcpy(copy, data, bytes);
    }
    mwa_live_peers_take(peers, from, batch, &records, hear, across);
    free(copy);
}

/* In the order of the peer's batches. */
static void bring_next(uint32_t from, const struct mw_buffer *buffer)
{
    const struct mw_live_batch batch = {.generation = generation, .number = next_batch[from]++,
                                        .has_records = true};

    bring_bytes(from, &batch, buffer->data, buffer->bytes);
}

/* One look: what could not be taken before is tried again. */
static void look(bool is_over)
{
    make_waits();
    if (waits) {
        mwa_live_waits_refresh(waits, &live.trace);
    }
    mwa_live_across_groups(across);
    for (uint32_t i = 0; i < PEERS; i++) {
        mwa_live_peers_take(peers, i, NULL, NULL, hear, across);
    }
    if (waits) {
        cr_assert_eq(mwa_live_waits_round(waits, is_over), MW_OK);
    }
}

static void bring_records(uint32_t from, unsigned first, unsigned count)
{
    struct mw_buffer buffer = {.failed = false};

    for (unsigned i = first; i < first + count && i < told[from].count; i++) {
        mw_live_record_put(&buffer, &told[from].records[i]);
    }
    bring_next(from, &buffer);
    mw_buffer_fini(&buffer);
}

static void bring_all(void)
{
    bring_records(0, 0, RECORDS_MAX);
    bring_records(1, 0, RECORDS_MAX);
    look(false);
    look(mwa_live_across_is_over(across));
}

static uint64_t waited(void)
{
    struct mwa_live_thread thread;
    uint64_t ns = 0;

    for (uint32_t rank = 0; rank < RANKS; rank++) {
        thread = (struct mwa_live_thread){.thread = 0};
        mwa_live_waits_tell(waits, rank, &thread);
        ns += thread.told;
    }
    return ns;
}

static unsigned below(unsigned most)
{
    return (unsigned)rand() % most;
}

/* --- tests --------------------------------------------------------------------------------- */

Test(live_across, hears_what_is_told)
{
    bring_all();
    cr_assert_eq(mwa_live_across_unknown(across), MW_LIVE_KNOWN);
    cr_assert(mwa_live_across_is_over(across));
    cr_assert(mwa_live_waits_are_over(waits));
    cr_assert_gt(waited(), 100);
}

/* Wherever it is cut in batches, and whichever of both is first: also in between of members. */
Test(live_across, hears_the_same_in_any_batches)
{
    uint64_t whole;

    bring_all();
    whole = waited();
    for (unsigned at = 1; at < told[0].count; at++) {
        end();
        begin();
        bring_records(0, 0, at);
        bring_records(0, at, RECORDS_MAX); /* there is nobody yet who takes calls: it waits */
        look(false);
        look(false);
        bring_records(1, 0, RECORDS_MAX);
        look(false);
        look(true);
        cr_assert_eq(mwa_live_across_unknown(across), MW_LIVE_KNOWN, "cut at %u", at);
        cr_assert_eq(waited(), whole, "cut at %u", at);
    }
}

/* Nothing that is said after that it was all. */
Test(live_across, hears_nothing_after_the_end)
{
    bring_all();
    cr_assert(mwa_live_waits_are_over(waits));
    for (unsigned i = 0; i < 20; i++) {
        bring_records(0, below(told[0].count), RECORDS_MAX);
        look(true);
    }
    cr_assert_eq(mwa_live_across_unknown(across), MW_LIVE_NOT_POSSIBLE);
}

Test(live_across, says_what_can_not_be)
{
    static const struct mw_live_record wrong[] = {
        {MW_LIVE_RECORD_RANK, {RANKS, 1}},
        {MW_LIVE_RECORD_RANK, {2, UINT64_MAX}},
        {MW_LIVE_RECORD_UNKNOWN, {MW_LIVE_NO_WAITS_COUNT}},
        {MW_LIVE_RECORD_COMM, {UINT64_MAX, 1, 1, 0}},
        {MW_LIVE_RECORD_COMM, {2, 70, 80, 0}}, /* another one, of the same number */
        {MW_LIVE_RECORD_GROUP, {2, RANKS + 1}},
        {MW_LIVE_RECORD_GROUP, {99, 1}},
        {MW_LIVE_RECORD_MEMBER, {RANKS}},
        {MW_LIVE_RECORD_ENTER, {2, 0, MW_CALL_COUNT, 0}},
        {MW_LIVE_RECORD_ENTER, {0, 0, MW_CALL_MPI_Recv, 0}}, /* another one's */
        {MW_LIVE_RECORD_ENTER, {2, 0, MW_CALL_MPI_Recv, UINT64_MAX - 1}},
        {MW_LIVE_RECORD_SEND, {0, 0, 0, 0}}, /* outside of calls */
        {MW_LIVE_RECORD_SEND, {77, 0, 0, 0}},
        {MW_LIVE_RECORD_LEAVE, {0, 0}},
        {MW_LIVE_RECORD_THROUGH, {2, 0, UINT64_MAX - 1}},
    };
    struct mw_live_record last;

    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        end();
        begin();
        last = told[0].records[told[0].count - 1];
        told[0].records[told[0].count - 1] = wrong[i];
        told[0].records[told[0].count++] = last;
        bring_all();
        cr_assert_eq(mwa_live_across_unknown(across), MW_LIVE_NOT_POSSIBLE, "number %u", i);
        TELL(1, UNKNOWN, MW_LIVE_KNOWN); /* and nobody takes that back */
        bring_records(1, told[1].count - 1, 1);
        cr_assert_neq(mwa_live_across_unknown(across), MW_LIVE_KNOWN, "number %u", i);
    }
}

/* Each byte of a batch changed in turn, and the batch cut there. */
Test(live_across, survives_each_byte)
{
    static const uint8_t masks[] = {0x01, 0x03, 0x1f, 0x40, 0x7f, 0x80, 0xff};
    struct mw_buffer buffer = {.failed = false};

    for (unsigned i = 0; i < told[0].count; i++) {
        mw_live_record_put(&buffer, &told[0].records[i]);
    }
    for (size_t at = 0; at < buffer.bytes; at++) {
        for (unsigned i = 0; i <= sizeof masks; i++) {
            const struct mw_buffer cut = {.data = buffer.data, .bytes = at};
            const char before = buffer.data[at];

            end();
            begin();
            if (i < sizeof masks) {
                buffer.data[at] = (char)(before ^ masks[i]);
            }
            bring_records(1, 0, RECORDS_MAX);
            bring_next(0, i < sizeof masks ? &buffer : &cut);
            look(false);
            look(false);
            look(true);
            buffer.data[at] = before;
        }
    }
    mw_buffer_fini(&buffer);
}

/* A number as it may be where nobody looked. */
static uint64_t any_number(void)
{
    static const uint64_t numbers[] = {0, 1, 2, 3, 4, 1023, 1024, 999999, 1000000, UINT32_MAX - 1,
                                       UINT32_MAX, (uint64_t)UINT32_MAX + 1, MW_TIME_MAX,
                                       MW_TIME_MAX * 2, UINT64_MAX - 1, UINT64_MAX};

    return below(2) ? below(12) : numbers[below(sizeof numbers / sizeof numbers[0])];
}

static void spoil(struct told *of)
{
    struct mw_live_record *record = &of->records[below(of->count)];
    struct mw_live_record *other = &of->records[below(of->count)];
    const struct mw_live_record before = *record;

    switch (below(5)) {
    case 0:
        record->type = (enum mw_live_record_type)below(MW_LIVE_RECORD_TYPES);
        break;
    case 1: /* another order */
        *record = *other;
        *other = before;
        break;
    case 2: /* one is lost, another one comes twice */
        *record = *other;
        break;
    default:
        record->numbers[below(MW_LIVE_NUMBERS_MAX)] = any_number();
        break;
    }
}

/* What is in batches is not right, nor are these in their order. */
static void bring_spoilt(void)
{
    struct mw_diagnostic diagnostic = {0};

    for (unsigned i = below(6); i > 0; i--) {
        spoil(&told[below(PEERS - 1)]);
    }
    for (unsigned part = 0; part < 8; part++) {
        const uint32_t from = below(8) > 0 ? part % 2 : below(PEERS + 1);
        const unsigned size = RECORDS_MAX / 4;
        struct mw_live_batch batch = {.generation = generation, .number = part / 2,
                                      .has_records = true};
        struct mw_buffer buffer = {.failed = false};

        if (below(8) == 0) {
            batch = (struct mw_live_batch){.generation = (uint32_t)any_number(),
                                           .expected = (uint32_t)any_number(),
                                           .number = (uint32_t)any_number(),
                                           .has_records = below(2)};
        }
        for (unsigned i = part / 2 * size; i < (part / 2 + 1) * size && from < PEERS - 1 &&
                                           i < told[from].count; i++) {
            mw_live_record_put(&buffer, &told[from].records[i]);
        }
        bring_bytes(from, &batch, buffer.data, buffer.bytes);
        mw_buffer_fini(&buffer);
        if (below(4) == 0) {
            look(false);
        }
        if (below(8) == 0) { /* nobody was heard of for long */
            cr_assert_eq(mwa_live_peers_send(peers, &run, below(2), 0, &diagnostic), MW_OK);
        }
    }
}

/* The same 20,000 variations each time. */
Test(live_across, survives_variations)
{
    uint32_t believed = 0;

    srand(1);
    for (int i = 0; i < 20000; i++) {
        end();
        begin();
        bring_spoilt();
        look(false);
        look(false);
        look(mwa_live_across_is_over(across) || below(2));
        look(true);
        believed += waits && mwa_live_across_unknown(across) == MW_LIVE_KNOWN;
    }
    cr_assert_gt(believed, 1000, "%u", believed);
    cr_assert_lt(believed, 19000, "%u", believed);
}

/* Communicators without end, threads without number: no more memory is taken than there is a bound
 * for. */
Test(live_across, takes_no_memory_without_bounds)
{
    struct mw_buffer buffer = {.failed = false};
    struct rusage before, after;

    told[0].records[1].numbers[1] = UINT32_MAX; /* threads */
    getrusage(RUSAGE_SELF, &before);
    bring_all();
    for (uint64_t i = 0; i < 3000000; i++) {
        const struct mw_live_record record = {.type = MW_LIVE_RECORD_COMM,
                                              .numbers = {4 + i % 100, i + 20, i}};

        mw_live_record_put(&buffer, &record);
        if (buffer.bytes > 60000) {
            bring_next(0, &buffer);
            mw_buffer_fini(&buffer);
        }
    }
    getrusage(RUSAGE_SELF, &after);
    cr_assert_lt(after.ru_maxrss - before.ru_maxrss, 300 * MEBIBYTE, "%ld KiB more",
                 after.ru_maxrss - before.ru_maxrss);
    cr_assert_eq(mwa_live_across_unknown(across), MW_LIVE_NOT_POSSIBLE);
    mw_buffer_fini(&buffer);
}
