#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/live/live_meeting.h"
#include "analyzer/live/live_waits.h"

/*
 * Rank 1 is here, rank 0 on another host, whose clock is 5 us ahead at first, known to 4 us. A
 * second later the two are compared to 4 us again: they are as far apart as before, or 2 ms more.
 */

#define RANKS 2u

static struct mwa_live_trace trace;
static struct mw_run_spool spool = {.rank = 1};
static struct mwa_live_process process = {.spool = &spool};
static struct mwa_live live = {.processes = &process, .process_count = 1};
static struct mwa_live_meeting meeting;
static struct mwa_live_waits *waits;
static struct mw_clock_point measured[2];
static struct mwa_live_numbers numbers[RANKS];

static void begin(void)
{
    const uint32_t extra[RANKS] = {0};

    cr_assert(mwa_live_trace_init(&trace, RANKS));
    waits = mwa_live_waits_create(&trace.trace, extra);
    cr_assert(waits);
    meeting = (struct mwa_live_meeting){.ranks = RANKS};
    measured[0] = (struct mw_clock_point){1000000000, 5000, 4000};
    measured[1] = (struct mw_clock_point){2000000000, 5000, 4000};
    numbers[1] = (struct mwa_live_numbers){.clock = measured, .clock_count = 1};
}

static void end(void)
{
    mwa_live_waits_destroy(waits);
    mwa_live_trace_fini(&trace);
}

TestSuite(live_meeting, .init = begin, .fini = end);

static uint64_t error_with(size_t count, struct mwa_live_waits *of)
{
    numbers[1].clock_count = count;
    cr_assert(mwa_live_meeting_clock(&meeting, &live, numbers, of));
    return meeting.clock_error;
}

Test(live_meeting, tells_an_error_that_was_as_large_as_a_later_comparison_shows)
{
    measured[1].offset += 2000000;
    cr_assert_eq(error_with(1, waits), 4000u);
    cr_assert_eq(error_with(2, waits), 2004000u, "2 ms off, as is known to 4 us");
    cr_assert_eq(error_with(2, waits), 2004000u, "waits for what was told before stay as wrong");
}

Test(live_meeting, tells_the_error_of_comparisons_that_agree)
{
    measured[1].offset += 6900; /* both may be wrong by 8 us together */
    cr_assert_eq(error_with(1, waits), 4000u);
    cr_assert_eq(error_with(2, waits), 4000u);
}

Test(live_meeting, begins_with_the_error_of_what_is_known_then)
{
    measured[1].offset += 2000000;
    cr_assert_eq(error_with(1, NULL), 4000u);
    cr_assert_eq(error_with(2, NULL), 4000u, "nothing was told by the first comparison alone");
    cr_assert_eq(error_with(2, waits), 4000u);
}
