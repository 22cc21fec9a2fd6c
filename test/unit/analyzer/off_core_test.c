/* In which calls a thread had no core: samples and calls made by hand, on paper. */
#include "analyzer/analysis/time/off_core.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct mwa_region regions[] = { { .name = "MPI_Barrier", .mpi_index = 0 },
                                             { .name = "MPI_Reduce", .mpi_index = 1 } };
static const struct mwa_trace trace = { .mpi_region_count = 2, .clock_resolution = 1000000000 };
static struct mwa_off_core off;

static void call(uint32_t function, uint64_t enter, uint64_t leave)
{
    const struct mwa_call made = { .region = &regions[function],
                                   .enter = enter,
                                   .leave = leave,
                                   .inclusive = leave - enter,
                                   .exclusive = leave - enter };

    cr_assert_eq(mwa_off_core_leave(&off, &trace, &made), MW_OK);
}

/* At time in a call of function entered then; MWA_NONE: in none. */
static void sample(uint64_t time, uint32_t function, uint64_t entered, uint64_t stretch,
                   uint64_t no_core)
{
    const uint64_t values[MW_RUNNING_VALUES] = { [MW_RUNNING_STRETCH] = stretch,
                                                 [MW_RUNNING_INSIDE] = no_core,
                                                 [MW_RUNNING_INSIDE_NO_CORE] = no_core };
    const struct mwa_event event = { .kind = MWA_RUNNING,
                                     .time = time,
                                     .of.metric = { .values = values,
                                                    .count = MW_RUNNING_VALUES } };
    const struct mwa_moment moment = { .trace = &trace,
                                       .event = &event,
                                       .mpi = function == MWA_NONE ? NULL : &regions[function],
                                       .mpi_enter = entered,
                                       .site = MWA_NONE };

    cr_assert_eq(mwa_off_core_take(&off, &moment), MW_OK);
}

static void expect(uint64_t barrier, uint64_t reduce)
{
    mwa_off_core_settle(&off, &trace);
    cr_expect_eq(mwa_off_core_in(&off, 0), barrier, "%llu",
                 (unsigned long long)mwa_off_core_in(&off, 0));
    cr_expect_eq(mwa_off_core_in(&off, 1), reduce, "%llu",
                 (unsigned long long)mwa_off_core_in(&off, 1));
    mwa_off_core_fini(&off);
}

/* 300 of a stretch of 1000 ns: 800 are in the reduction, 200 in the barrier before. */
Test(off_core, is_shared_out_by_how_long_calls_were)
{
    call(0, 1000, 1200);
    sample(2000, 1, 1200, 1000, 300);
    call(1, 1200, 2010);
    expect(60, 240);
}

/* What ended before the stretch has no part in it: 900 of 1000 ns are in the reduction. */
Test(off_core, of_calls_before_the_stretch_nothing_is_told)
{
    call(0, 1000, 9000);
    sample(10000, 1, 9100, 900, 300);
    expect(0, 300);
}

/* Between calls: 600 ns of the barrier and 200 of the reduction. */
Test(off_core, a_sample_between_calls_is_of_those_before)
{
    call(0, 1000, 1600);
    call(1, 1700, 1900);
    sample(2000, MWA_NONE, 0, 1000, 400);
    expect(300, 100);
}

/* A call goes on behind a sample, and is in the stretch of the next one from there on. */
Test(off_core, what_was_told_is_not_told_again)
{
    sample(2000, 1, 1000, 1000, 100);
    call(1, 1000, 2100);
    call(0, 2100, 2400);
    sample(2500, MWA_NONE, 0, 500, 200);
    expect(150, 150);
}

/* Without a core outside of calls alone. */
Test(off_core, nothing_is_told_of_calls_in_which_it_had_one)
{
    call(0, 1000, 1600);
    sample(2000, MWA_NONE, 0, 1000, 0);
    expect(0, 0);
}

/* What off tells, as another process takes it in that has opened an archive like that. */
static enum mw_status tell(const struct mwa_trace *theirs)
{
    struct mwa_off_core taken = { 0 };
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;
    enum mw_status status;

    mwa_off_core_pack(&off, &trace, &packed);
    cr_assert_not(packed.failed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    status = mwa_off_core_unpack(&taken, theirs, &from);
    mw_buffer_fini(&packed);
    mwa_off_core_fini(&taken);
    return status;
}

/* Its first call is at a site that another archive does not have. */
Test(off_core, is_of_this_archive)
{
    const struct mwa_trace with_site = { .mpi_region_count = 2, .site_count = 1 };

    mwa_off_core_enter(&off, 0);
    cr_expect_eq(tell(&with_site), MW_OK);
    cr_expect_eq(tell(&trace), MW_ERROR_FORMAT);
    mwa_off_core_fini(&off);
}

static void sample_faults(uint64_t time, uint64_t system, uint64_t faults)
{
    const uint64_t values[MW_RUNNING_VALUES] = { [MW_RUNNING_SYSTEM] = system,
                                                 [MW_RUNNING_MINOR_FAULTS] = faults };
    const struct mwa_event event = { .kind = MWA_RUNNING,
                                     .time = time,
                                     .of.metric = { .values = values,
                                                    .count = MW_RUNNING_VALUES } };
    const struct mwa_moment moment = { .trace = &trace, .event = &event, .site = MWA_NONE };

    cr_assert_eq(mwa_off_core_take(&off, &moment), MW_OK);
}

/* Faults are taken for what a thread is in the kernel for where they are, not elsewhere: a sample
 * has one for each 10 us or less. */
Test(off_core, faults_are_of_the_time_in_the_kernel_that_is_told_with_them)
{
    sample_faults(1000000, 50000, 1000);
    sample_faults(2000000, 80000, 8);
    sample_faults(3000000, 400000, 39);
    sample_faults(4000000, 700000, 0);
    cr_expect_eq(off.sums.faulting_ns, 130000);
    mwa_off_core_fini(&off);
}

static const struct mwa_trace one_site = { .mpi_region_count = 2,
                                           .site_count = 1,
                                           .clock_resolution = 1000000000 };

/* Outside of MPI, at 4 ms, of the last 2: between calls, or in one. */
static void sample_outside(uint64_t off_ns, uint64_t no_core, bool is_in_call)
{
    const uint64_t values[MW_RUNNING_VALUES] = { [MW_RUNNING_STRETCH] = 2000000,
                                                 [MW_RUNNING_OUTSIDE] = off_ns,
                                                 [MW_RUNNING_OUTSIDE_NO_CORE] = no_core };
    const struct mwa_event event = { .kind = MWA_RUNNING,
                                     .time = 4000000,
                                     .of.metric = { .values = values,
                                                   .count = MW_RUNNING_VALUES } };
    const struct mwa_moment moment = { .trace = &one_site,
                                       .event = &event,
                                       .mpi = is_in_call ? &regions[0] : NULL,
                                       .site = is_in_call ? 0 : MWA_NONE };

    cr_assert_eq(mwa_off_core_take(&off, &moment), MW_OK);
    mwa_off_core_enter(&off, 0);
}

static void expect_before(uint64_t off_ns, uint64_t asleep, uint64_t about)
{
    cr_expect_eq(off.before[0].off, off_ns);
    cr_expect_eq(off.before[0].asleep, asleep);
    cr_expect_eq(off.before[0].asleep_about, about);
    mwa_off_core_fini(&off);
    memset(&off, 0, sizeof off);
}

/* 30 of 40 us of sleep between calls are before the next one, 10 are told in it. */
Test(off_core, what_a_sample_in_a_call_tells_is_before_no_call_surely)
{
    sample_outside(30000, 0, false);
    sample_outside(10000, 0, true);
    expect_before(30000, 30000, 10000);
}

/* 20 of 50 us without a core, and 30 asleep, where a call was left 1.1 ms before; or 4, or all but
 * 4. */
Test(off_core, a_sample_of_sleep_does_not_stand_where_there_was_no_core)
{
    call(0, 2000000, 2900000);
    sample_outside(50000, 20000, false);
    expect_before(50000, 30000, 0);
    call(0, 2000000, 3100000);
    sample_outside(50000, 20000, false);
    expect_before(30000, 30000, 0);
    call(0, 2000000, 3100000);
    sample_outside(50000, 4000, false);
    expect_before(50000, 46000, 0);
    call(0, 2000000, 3100000);
    sample_outside(50000, 46000, false);
    expect_before(50000, 4000, 0);
}

/* The call that was left then is in a part before: by the same, or there is none. */
Test(off_core, a_sample_stands_where_it_does_whatever_part_it_is_in)
{
    static struct mwa_off_core before;

    for (uint64_t left = 2900000; left <= 3100000; left += 200000) {
        call(0, 2000000, left);
        before = off;
        memset(&off, 0, sizeof off);
        sample_outside(50000, 20000, false);
        cr_expect_eq(off.before[0].off, 30000);
        cr_assert_eq(mwa_off_core_append(&before, &off, &one_site), MW_OK);
        mwa_off_core_fini(&off);
        off = before;
        mwa_off_core_settle(&off, &one_site);
        expect_before(left < 3000000 ? 50000 : 30000, 30000, 0);
    }
    sample_outside(50000, 20000, false);
    mwa_off_core_settle(&off, &one_site);
    expect_before(50000, 30000, 0);
}

/* So is the call in which its first sample lies. */
Test(off_core, has_samples_in_calls_of_this_archive)
{
    sample(2000, 1, 1200, 1000, 300);
    cr_expect_eq(tell(&trace), MW_OK);
    off.first.mpi_index = 2;
    cr_expect_eq(tell(&trace), MW_ERROR_FORMAT);
    off.first.mpi_index = 1;
    mwa_off_core_fini(&off);
}

/* What is told of a rank in the end names the site before which most was. */
Test(off_core, sums_are_of_this_archive)
{
    const struct mwa_trace with_site = { .site_count = 1 };
    struct mwa_off_core_sums sums = { .is_told = true,
                                     .before = 0,
                                     .asleep_before = MWA_NONE,
                                     .polled_before = MWA_NONE,
                                     .writing_before = MWA_NONE,
                                     .system_before = MWA_NONE,
                                     .reading_before = MWA_NONE };

    cr_expect(mwa_off_core_are_sums(&sums, &with_site));
    cr_expect_not(mwa_off_core_are_sums(&sums, &trace));
    sums.before = MWA_NONE;
    cr_expect(mwa_off_core_are_sums(&sums, &trace));
    sums.polled_before = 0;
    cr_expect_not(mwa_off_core_are_sums(&sums, &trace));
    sums.polled_before = MWA_NONE;
    sums.writing_before = 0;
    cr_expect_not(mwa_off_core_are_sums(&sums, &trace));
    sums.writing_before = MWA_NONE;
    sums.system_before = 0;
    cr_expect_not(mwa_off_core_are_sums(&sums, &trace));
    sums.system_before = MWA_NONE;
    sums.reading_before = 0;
    cr_expect_not(mwa_off_core_are_sums(&sums, &trace));
    sums.reading_before = MWA_NONE;
    memset(&sums.tells_threads, 2, 1);
    cr_expect_not(mwa_off_core_are_sums(&sums, &trace));
    sums.tells_threads = false;
    memset(&sums.tells_written, 2, 1);
    cr_expect_not(mwa_off_core_are_sums(&sums, &trace));
    sums.tells_written = false;
    memset(&sums.tells_system, 2, 1);
    cr_expect_not(mwa_off_core_are_sums(&sums, &trace));
    sums.tells_system = false;
    memset(&sums.tells_read, 2, 1);
    cr_expect_not(mwa_off_core_are_sums(&sums, &trace));
}
