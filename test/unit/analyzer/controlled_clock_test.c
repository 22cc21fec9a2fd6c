#include "analyzer/analysis/clocks/controlled_clock.h"

#include <criterion/criterion.h>

#include "test/data/archives.h"
#include "test/data/archives_clocks.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;
static struct mwa_logical_clocks clocks;

/* Makes an archive, and moves its times. */
static void move(void (*make)(const char *))
{
    char text[2048];

    fixture_make(&fixture, make);
    cr_assert_eq(mwa_input_open(fixture.directory, &fixture.input, &fixture.diagnostic), MW_OK);
    cr_assert_eq(mwa_controlled_clock_make(fixture.input, &clocks, &fixture.diagnostic), MW_OK,
                 "%s", mw_diagnostic_text(&fixture.diagnostic, text, sizeof text));
}

static void end(void)
{
    fixture_close(&fixture);
    mwa_logical_clocks_fini(&clocks);
}

struct times {
    const uint64_t *expected;
    uint32_t rank;
    unsigned count;
};

/* Enters and leaves alone. */
static enum mw_status take_time(void *user, const struct mwa_event *event)
{
    struct times *times = user;

    if (event->kind == MWA_ENTER || event->kind == MWA_LEAVE) {
        cr_expect_eq(event->time, times->expected[times->count], "rank %u: at %lu, not %lu",
                     times->rank, (unsigned long)event->time,
                     (unsigned long)times->expected[times->count]);
        times->count++;
    }
    return MW_OK;
}

static void expect_times(uint32_t rank, unsigned count, const uint64_t *expected)
{
    struct times times = { expected, rank, 0 };
    struct mwa_event_reader *reader;

    cr_assert_eq(mwa_event_reader_open(fixture.input, rank, &reader, &fixture.diagnostic), MW_OK);
    cr_assert_eq(mwa_event_reader_read(reader, 1000, take_time, &times, &fixture.diagnostic),
                 MW_END);
    cr_expect_eq(times.count, count);
    mwa_event_reader_close(reader);
}

/*
 * A jump of 6000 at 95000. In front of it the send at 47500 may be moved by 1000, for it takes 1000
 * to be received: so much in the first half, 5000 in the second. A hundredth less behind it.
 */
Test(controlled_clock, moves_what_is_around_a_receive_that_was_too_early)
{
    static const uint64_t zero[] = { 0,      100,    30000,  30010,  45000,    49500,
                                     100000, 100010, 190000, 190010, 10000000, 10000100 };
    static const uint64_t one[] = { 0,     102,    20421,  40842,  48500,    48511,
                                    74750, 101000, 190100, 200000, 10000000, 10000100 };

    move(make_clock_jump);
    expect_times(0, 12, zero);
    expect_times(1, 12, one);
    cr_expect_eq(clocks.before.messages, 1u);
    cr_expect_eq(clocks.before.messages_max_ns, 5000u);
    cr_expect_eq(clocks.before.collectives, 0u);
    cr_expect_eq(clocks.after.messages, 0u);
    cr_expect_eq(clocks.rounds, 1u);
    cr_expect_eq(clocks.host_count, 2u);
    cr_expect_eq(clocks.hosts[0].events, 0u);
    cr_expect_str_eq(clocks.hosts[1].host, "two");
    cr_expect_eq(clocks.hosts[1].jumps, 1u);
    cr_expect_eq(clocks.hosts[1].events, 13u);
    cr_expect_eq(clocks.hosts[1].mean_ns, 35708u / 13u);
    cr_expect_eq(clocks.all.max_ns, 6000u);
    cr_expect_eq(clocks.all.interval_max_ns, 5000u); /* from 195000 to the end */
    end();
}

/* As above, where what was too early is a probe, and one ends what the send may be moved by. */
Test(controlled_clock, moves_what_is_around_a_probe_that_was_too_early)
{
    static const uint64_t zero[] = { 0,     100,    30000,  30010,  45000,  49500,    60000,
                                     70000, 100000, 100010, 190000, 190010, 10000000, 10000100 };
    static const uint64_t one[] = { 0,      102,    20421,  40842,  48500,  48511,    74750,
                                    101000, 120800, 130700, 190100, 200000, 10000000, 10000100 };

    move(make_clock_probes);
    expect_times(0, 14, zero);
    expect_times(1, 14, one);
    cr_expect_eq(clocks.before.messages, 0u);
    cr_expect_eq(clocks.before.probes, 1u);
    cr_expect_eq(clocks.before.probes_max_ns, 5000u);
    cr_expect_eq(clocks.after.probes, 0u);
    cr_expect_eq(clocks.rounds, 1u);
    cr_expect_eq(clocks.all.jumps, 1u);
    cr_expect_eq(clocks.all.max_ns, 6000u);
    end();
}

/* Who was left too early is moved to when the last one came that it needs. */
Test(controlled_clock, moves_the_ends_of_collectives_by_what_they_mean)
{
    static const uint64_t leaves[4][4] = { { 3040000, 6040000, 9040000, 12010000 },
                                           { 3040000, 6040000, 9020000, 12026000 },
                                           { 3040000, 6040000, 9030000, 12025000 },
                                           { 3060000, 6060000, 9060000, 12060000 } };
    static const uint64_t recorded[4][4] = { { 3010000, 6010000, 9010000, 12010000 },
                                             { 3020000, 6020000, 9020000, 12026000 },
                                             { 3030000, 6030000, 9030000, 12022000 },
                                             { 3060000, 6060000, 9060000, 12060000 } };

    move(make_clock_collectives);
    for (unsigned rank = 0; rank < 4; rank++) {
        for (unsigned i = 0; i < 4; i++) {
            cr_expect_eq(mwa_clock_at(&clocks.list[rank], recorded[rank][i]), leaves[rank][i],
                         "rank %u leaves operation %u at %lu", rank, i,
                         (unsigned long)mwa_clock_at(&clocks.list[rank], recorded[rank][i]));
        }
        cr_expect_eq(mwa_clock_at(&clocks.list[rank], 18000000), 18000000);
    }
    /* Its way of 30000 begins 3000000 before the jump. */
    cr_expect_eq(mwa_clock_at(&clocks.list[0], 3001000), 3001000 + 29910);
    cr_expect_eq(clocks.before.messages, 0u);
    cr_expect_eq(clocks.before.collectives, 8u);
    cr_expect_eq(clocks.before.collectives_max_ns, 30000u);
    cr_expect_eq(clocks.after.collectives, 0u);
    cr_expect_eq(clocks.all.jumps, 8u);
    cr_expect_eq(clocks.hosts[0].jumps, 6u); /* of ranks 0 and 2 */
    end();
}

/* The other thread may have received what was found. */
Test(controlled_clock, moves_no_probe_of_several_threads)
{
    move(make_clock_thread_probes);
    cr_expect_eq(clocks.before.probes, 0u);
    cr_expect_eq(clocks.rounds, 0u);
    end();
}

Test(controlled_clock, moves_nothing_that_is_in_order)
{
    move(make_plain);
    cr_expect_eq(clocks.rounds, 0u);
    cr_expect_eq(clocks.all.events, 0u);
    end();
}
