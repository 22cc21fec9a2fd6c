#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "analyzer/analysis/matching_packing.h"
#include "analyzer/exchange/exchange.h"

/*
 * What two chapters have found, made one. Each result is taken as the words it is made of, so that
 * a member that somebody adds is looked at here, too.
 */

#define WORDS_OF(type) (sizeof(type) / sizeof(uint64_t))
#define WORD_OF(member) (offsetof(struct mwa_matching_result, member) / sizeof(uint64_t))

_Static_assert(sizeof(struct mwa_matching_result) % sizeof(uint64_t) == 0, "words");

union matching {
    struct mwa_matching_result result;
    uint64_t words[WORDS_OF(struct mwa_matching_result)];
};

/* Words of which each is another number. */
static void fill(union matching *matching, uint64_t from, uint64_t cancelled)
{
    for (uint64_t i = 0; i < WORDS_OF(struct mwa_matching_result); i++) {
        matching->words[i] = from + 3 * i;
    }
    matching->result.cancelled_sends =
        cancelled > 0 ? calloc(cancelled, sizeof *matching->result.cancelled_sends) : NULL;
    matching->result.cancelled_send_count = cancelled;
    for (uint32_t i = 0; i < cancelled; i++) {
        matching->result.cancelled_sends[i] =
            (struct mwa_cancelled_send){ (uint32_t)from, i, 5, from * i };
    }
}

static void expect_cancelled(const struct mwa_cancelled_send *sends, uint64_t from,
                             uint64_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cr_expect_eq(sends[i].from, from);
        cr_expect_eq(sends[i].to, i);
        cr_expect_eq(sends[i].comm, 5);
        cr_expect_eq(sends[i].bytes, from * i);
    }
}

static const struct mwa_trace many_ranks = { .rank_count = 2000, .comm_count = 6 };

/* Makes matching what another process has told. */
static void receive(union matching *matching)
{
    struct mw_buffer packed = { .data = NULL };
    struct mw_cursor from;

    mwa_matching_result_pack(&matching->result, &packed);
    cr_assert_not(packed.failed);
    mwa_matching_result_fini(&matching->result);
    for (size_t bytes = 0; bytes < packed.bytes; bytes++) {
        from = (struct mw_cursor){ packed.data, bytes };
        cr_expect_eq(mwa_matching_result_unpack(&many_ranks, &from, &matching->result),
                     MW_ERROR_FORMAT);
        mwa_matching_result_fini(&matching->result);
    }
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_matching_result_unpack(&many_ranks, &from, &matching->result), MW_OK);
    cr_expect_eq(from.left, 0);
    mw_buffer_fini(&packed);
}

/* Of one that has so many cancelled sends, and another one, which may be another process's. */
static void add_one(uint64_t first_from, uint64_t first_cancelled, uint64_t second_from,
                    uint64_t second_cancelled, bool is_from_other)
{
    union matching first, second, both;

    fill(&first, first_from, first_cancelled);
    fill(&second, second_from, second_cancelled);
    if (is_from_other) {
        receive(&second);
        cr_expect_eq(second.result.cancelled_sends == NULL, second_cancelled == 0);
    }
    both = first;
    cr_assert_eq(mwa_matching_result_add(&both.result, &second.result), MW_OK);
    for (uint64_t i = 0; i < WORDS_OF(struct mwa_matching_result); i++) {
        const uint64_t one = first.words[i], other = second.words[i];

        if (i == WORD_OF(clock_violation_max_ns)) {
            cr_expect_eq(both.words[i], one > other ? one : other);
        } else if (i != WORD_OF(cancelled_sends)) {
            cr_expect_eq(both.words[i], one + other, "word %u is %lu, of %lu and %lu", (unsigned)i,
                         (unsigned long)both.words[i], (unsigned long)one, (unsigned long)other);
        }
    }
    expect_cancelled(both.result.cancelled_sends, first_from, first_cancelled);
    expect_cancelled(both.result.cancelled_sends + first_cancelled, second_from, second_cancelled);
    mwa_matching_result_fini(&both.result);
    mwa_matching_result_fini(&second.result);
}

static void add(uint64_t first_from, uint64_t first_cancelled, uint64_t second_from,
                uint64_t second_cancelled)
{
    add_one(first_from, first_cancelled, second_from, second_cancelled, false);
    add_one(first_from, first_cancelled, second_from, second_cancelled, true);
}

Test(exchange_results, of_matching_are_those_of_both_parts)
{
    add(100, 2, 1000, 3);
    add(1000, 0, 100, 4);
    add(100, 5, 1000, 0);
    add(7, 0, 7, 0);
}

Test(exchange_results, of_matching_are_the_same_again_when_added_to_nothing)
{
    union matching all = { .result = { 0 } }, part;

    fill(&part, 50, 2);
    cr_assert_eq(mwa_matching_result_add(&all.result, &part.result), MW_OK);
    for (uint64_t i = 0; i < WORDS_OF(struct mwa_matching_result); i++) {
        if (i != WORD_OF(cancelled_sends)) {
            cr_expect_eq(all.words[i], part.words[i]);
        }
    }
    expect_cancelled(all.result.cancelled_sends, 50, 2);
    mwa_matching_result_fini(&all.result);
    mwa_matching_result_fini(&part.result);
}

/* A send between ranks, or on a communicator, that there are not. */
static void expect_refused(struct mwa_cancelled_send send)
{
    struct mwa_matching_result result = { .cancelled_sends = &send, .cancelled_send_count = 1 };
    struct mwa_matching_result taken;
    struct mw_buffer packed = { .data = NULL };
    struct mw_cursor from;

    mwa_matching_result_pack(&result, &packed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_expect_eq(mwa_matching_result_unpack(&many_ranks, &from, &taken), MW_ERROR_FORMAT);
    mwa_matching_result_fini(&taken);
    mw_buffer_fini(&packed);
}

Test(exchange_results, of_matching_are_not_believed_if_they_are_of_another_run)
{
    expect_refused((struct mwa_cancelled_send){ .from = 2000 });
    expect_refused((struct mwa_cancelled_send){ .from = MWA_NONE });
    expect_refused((struct mwa_cancelled_send){ .to = 2000 });
    expect_refused((struct mwa_cancelled_send){ .comm = 6 });
}

/* Rank 1 is paused in the first of three parts, and gets a message in the last one. */
Test(exchange_results, say_that_recording_was_paused_before)
{
    static struct mwa_rank ranks[2] = { { .locations = 1 }, { .locations = 1 } };
    static struct mwa_comm comm = { .remote_group = MWA_NONE, .parent = MWA_NONE };
    static uint32_t members[] = { 0, 1 };
    static struct mwa_group world = { .count = 2, .ranks = members };
    const struct mwa_trace trace = { .ranks = ranks,
                                     .rank_count = 2,
                                     .comms = &comm,
                                     .comm_count = 1,
                                     .groups = &world,
                                     .group_count = 1 };
    const struct mwa_event off = { .kind = MWA_MEASUREMENT, .time = 1 };
    const struct mwa_event send = { .kind = MWA_SEND, .time = 5, .of.message = { .peer = 1 } };
    uint8_t paused[2] = { 0 };

    for (unsigned part = 0; part < 3; part++) {
        struct mwa_matching *matching = NULL;
        struct mwa_matching_result result;

        cr_assert_eq(mwa_matching_create(&trace, NULL, NULL, &matching, NULL), MW_OK);
        if (part == 0) {
            cr_assert_eq(mwa_matching_take(matching, 1, &off, 1, NULL), MW_OK);
        } else if (part == 2) {
            cr_assert_eq(mwa_matching_take(matching, 0, &send, 5, NULL), MW_OK);
        }
        mwa_matching_carry(matching, paused);
        mwa_matching_paused(matching, paused);
        cr_assert_eq(mwa_matching_finish(matching, &result), MW_OK);
        cr_expect_eq(result.sends_without[MWA_UNMATCHED_PAUSED], part == 2);
        cr_expect(paused[1] && !paused[0]);
        mwa_matching_result_fini(&result);
        mwa_matching_destroy(matching);
    }
}

/* Its words but for those of two halves, which are sets. */
#define SETS_AT (offsetof(struct mwa_exchange_result, seen_kinds) / sizeof(uint64_t))

_Static_assert(sizeof(struct mwa_exchange_result) == (SETS_AT + 1) * sizeof(uint64_t) &&
                   offsetof(struct mwa_exchange_result, seen_kinds) % sizeof(uint64_t) == 0,
               "sums, then two sets");

Test(exchange_results, of_the_engine_count_what_both_parts_have_told_once)
{
    union {
        struct mwa_exchange_result result;
        uint64_t words[WORDS_OF(struct mwa_exchange_result)];
    } first, second, both;

    for (uint64_t i = 0; i < SETS_AT; i++) {
        first.words[i] = 100 + 3 * i;
        second.words[i] = 1000 + 7 * i;
    }
    first.result.seen_kinds = 5;
    first.result.seen_steps = 17;
    second.result.seen_kinds = 6;
    second.result.seen_steps = 33;
    memset(&both, 0, sizeof both);
    mwa_exchange_result_add(&both.result, &first.result, 0);
    cr_expect_eq(memcmp(&both, &first, sizeof both), 0);
    mwa_exchange_result_add(&both.result, &second.result, 1);
    for (uint64_t i = 0; i < SETS_AT; i++) {
        const bool is_shared =
            i == offsetof(struct mwa_exchange_result, collectives) / sizeof(uint64_t);

        cr_expect_eq(both.words[i], first.words[i] + second.words[i] - is_shared, "word %u",
                     (unsigned)i);
    }
    cr_expect_eq(both.result.seen_kinds, 7);
    cr_expect_eq(both.result.seen_steps, 49);
}
