/* When time in the kernel is told: ticks of 4 ms, on paper. */
#include "recorder/state/kernel_time.h"

#include <criterion/criterion.h>

#define TICK 4000000u

static struct mwr_kernel_time kernel;

/* So many ticks since the last look. */
static void see(unsigned ticks, bool is_between)
{
    mwr_kernel_time_see(&kernel, kernel.seen + ticks * TICK, is_between);
}

static void begin(void)
{
    kernel = (struct mwr_kernel_time){.open = 0};
    mwr_kernel_time_begin(&kernel, 100 * TICK, TICK);
}

Test(kernel_time, of_fewer_than_ten_ticks_is_not_told)
{
    begin();
    for (unsigned i = 0; i < 9; i++) {
        see(1, true);
        cr_expect_not(mwr_kernel_time_is_told(&kernel), "%u", i);
        cr_expect(mwr_kernel_time_waits(&kernel));
        cr_expect_eq(mwr_kernel_time_take(&kernel), 0);
    }
    mwr_kernel_time_end(&kernel);
    cr_expect_eq(mwr_kernel_time_take(&kernel), 0, "nor at the end");
    cr_expect_not(mwr_kernel_time_waits(&kernel));
}

Test(kernel_time, is_told_whole_from_ten_ticks_on)
{
    begin();
    see(9, true);
    see(1, true);
    cr_expect(mwr_kernel_time_is_told(&kernel));
    cr_expect_eq(mwr_kernel_time_take(&kernel), 10 * TICK);
    cr_expect_not(mwr_kernel_time_is_told(&kernel), "it is told");
    cr_expect_not(mwr_kernel_time_waits(&kernel));
    see(1, true);
    cr_expect_eq(mwr_kernel_time_take(&kernel), TICK, "and each that comes then");
    see(1, true);
    mwr_kernel_time_end(&kernel);
    cr_expect_eq(mwr_kernel_time_take(&kernel), TICK, "also the last one");
}

Test(kernel_time, in_calls_of_mpi_is_nobodys)
{
    begin();
    see(9, true);
    see(50, false);
    cr_expect_not(mwr_kernel_time_is_told(&kernel));
    see(1, true);
    cr_expect_eq(mwr_kernel_time_take(&kernel), 10 * TICK);
}

/* Clocks that are not read at one moment may go back by a tick. */
Test(kernel_time, never_gets_less)
{
    begin();
    see(12, true);
    mwr_kernel_time_see(&kernel, kernel.seen - TICK, true);
    see(1, true);
    cr_expect_eq(mwr_kernel_time_take(&kernel), 13 * TICK);
}

/* A pause ends: what went by is nobody's, and ten ticks are to come again. */
Test(kernel_time, begins_anew_after_a_pause)
{
    begin();
    see(10, true);
    (void)mwr_kernel_time_take(&kernel);
    mwr_kernel_time_begin(&kernel, kernel.seen + 70 * TICK, TICK);
    see(9, true);
    cr_expect_eq(mwr_kernel_time_take(&kernel), 0);
    see(1, true);
    cr_expect_eq(mwr_kernel_time_take(&kernel), 10 * TICK);
}
