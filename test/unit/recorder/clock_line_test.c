/* The line is followed along clocks that are made up here: a counter of 2.5 GHz, and a clock that
   goes by it at a rate of the test's choice. */
#include "recorder/state/clock_line.h"

#include <criterion/criterion.h>

#define RATE 0.4            /* ns a tick */
#define WIDTH 80            /* ticks that reading both clocks takes */
#define PER_MILLION (RATE / 1e6)
#define SECOND_TICKS 2500000000.0

struct clocks {
    struct mwr_clock_line line;
    double tick;
    double time;   /* what the clock shows at that tick */
    double jitter; /* ns by which a point is wrong, this way and that way by turns */
    double worst;  /* farthest that a time told was from the clock, in ns */
    uint64_t last; /* time told */
};

static struct mwr_clock_point point_of(struct clocks *clocks)
{
    clocks->jitter = -clocks->jitter;
    return (struct mwr_clock_point){(uint64_t)clocks->tick,
                                    (uint64_t)(clocks->time + clocks->jitter), WIDTH};
}

static struct clocks begin(double jitter)
{
    struct clocks clocks = {.tick = 7e12, .time = 3e15, .jitter = jitter};
    struct mwr_clock_point first = point_of(&clocks);

    mwr_clock_line_begin(&clocks.line, &first, RATE);
    return clocks;
}

/* Goes on by ticks at rate and asks for the time, as a thread does; false: it can't be told. */
static bool ask(struct clocks *clocks, double ticks, double rate)
{
    uint64_t told;
    double error;

    clocks->tick += ticks;
    clocks->time += ticks * rate;
    if ((uint64_t)clocks->tick - clocks->line.tick >= clocks->line.ticks) {
        struct mwr_clock_point point = point_of(clocks);

        if (!mwr_clock_line_move(&clocks->line, &point)) {
            return false;
        }
    }
    told = mwr_clock_line_told(&clocks->line, (uint64_t)clocks->tick);
    cr_assert_geq(told, clocks->last, "time goes back");
    clocks->last = told;
    error = (double)told - clocks->time;
    error = error < 0 ? -error : error;
    clocks->worst = error > clocks->worst ? error : clocks->worst;
    return true;
}

/* Asks every 100 us for so many seconds. */
static void run(struct clocks *clocks, double seconds, double rate)
{
    for (double left = seconds * SECOND_TICKS; left > 0; left -= 250000) {
        cr_assert(ask(clocks, 250000, rate), "is told");
    }
}

Test(clock_line, tells_the_clock_within_what_its_points_are_wrong_by)
{
    struct clocks exact = begin(0);
    struct clocks rough = begin(15);

    run(&exact, 10, RATE);
    cr_assert_leq(exact.worst, 2, "%g ns", exact.worst);
    /* And 16 ns for half of the 80 ticks that a point takes. */
    cr_assert(exact.line.error >= 16 && exact.line.error <= 18);
    /* 15 ns, twice what two points 10 ms apart can turn the line by, and what was ahead. */
    run(&rough, 10, RATE);
    cr_assert_leq(rough.worst, 75, "%g ns", rough.worst);
    cr_assert(rough.line.points > 900 && rough.line.points <= 1001, "about every 10 ms");
}

Test(clock_line, follows_a_clock_that_is_slewed)
{
    struct clocks clocks = begin(0);

    run(&clocks, 1, RATE);
    run(&clocks, 1, RATE + 40 * PER_MILLION);
    cr_assert(clocks.worst > 300 && clocks.worst < 450, "40 in a million of 10 ms: %g ns",
              clocks.worst);
    cr_assert(clocks.line.error > 316 && clocks.line.error < 466, "%g", (double)clocks.line.error);
    clocks.worst = 0;
    run(&clocks, 1, RATE + 40 * PER_MILLION);
    cr_assert_leq(clocks.worst, 2, "once it is followed: %g ns", clocks.worst);
    run(&clocks, 1, RATE - 40 * PER_MILLION);
    cr_assert(clocks.worst > 700 && clocks.worst < 850, "the other way: %g ns", clocks.worst);
    clocks.worst = 0;
    run(&clocks, 1, RATE - 40 * PER_MILLION);
    cr_assert_leq(clocks.worst, 2, "%g ns", clocks.worst);
}

Test(clock_line, is_right_after_a_pause_of_any_length)
{
    struct clocks clocks = begin(0);

    run(&clocks, 0.1, RATE);
    cr_assert(ask(&clocks, 3600 * SECOND_TICKS, RATE + 30 * PER_MILLION), "an hour later");
    cr_assert_leq(clocks.worst, 2, "%g ns", clocks.worst);
    run(&clocks, 0.1, RATE + 30 * PER_MILLION);
    cr_assert_leq(clocks.worst, 2, "%g ns", clocks.worst);
}

Test(clock_line, ends_where_the_clocks_do_not_go_together)
{
    struct clocks drifts = begin(0);
    struct clocks jumps = begin(0);
    struct clocks returns = begin(0);
    struct clocks stands = begin(0);

    /* 60 in a million, over a time in which 80 ticks of doubt on each side are less than 10. */
    run(&drifts, 0.1, RATE);
    cr_assert_not(ask(&drifts, 0.1 * SECOND_TICKS, RATE + 60 * PER_MILLION), "drift");
    run(&jumps, 0.1, RATE);
    jumps.time += 1e6;
    cr_assert_not(ask(&jumps, 0.02 * SECOND_TICKS, RATE), "a jump of 1 ms");
    run(&returns, 0.1, RATE);
    returns.tick -= SECOND_TICKS;
    cr_assert_not(ask(&returns, 0, RATE), "a counter that goes back");
    run(&stands, 0.1, RATE);
    stands.time -= 0.02 * 1e9;
    cr_assert_not(ask(&stands, 0.02 * SECOND_TICKS, RATE), "a clock that stands still");
}
