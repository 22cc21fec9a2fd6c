#include "recorder/variables/selection.h"

#include <criterion/criterion.h>
#include <string.h>

#include "recorder/variables/schedule.h"

static struct mwr_candidate queue = {"pml_ob1_unexpected_msgq_length", MW_CLASS_SIZE, 4,
                                     "MPI_COMM", NULL, 0};
static struct mwr_candidate timer = {"time_matching", MW_CLASS_TIMER, 1, "NO_OBJECT", NULL, 1};

/* Whether text takes candidate; comms of the last one that was taken in *comms. */
static bool takes(const char *text, const struct mwr_candidate *candidate, uint32_t *comms)
{
    static struct mwr_selection selection;
    uint32_t ignored;

    cr_assert_eq(mwr_selection_parse(&selection, text, NULL), MW_OK, "%s", text);
    return mwr_selection_takes(&selection, candidate, comms ? comms : &ignored);
}

static bool is_refused(const char *text)
{
    static struct mwr_selection selection;
    struct mw_diagnostic diagnostic;

    return mwr_selection_parse(&selection, text, &diagnostic) == MW_ERROR_USAGE;
}

Test(selection, takes_names_by_glob_and_nothing_else)
{
    cr_assert(takes("pml_*", &queue, NULL));
    cr_assert_not(takes("pml_*", &timer, NULL));
    cr_assert_not(takes("pml", &queue, NULL));
    cr_assert_not(takes("", &queue, NULL));
}

Test(selection, takes_by_class_binding_and_verbosity)
{
    cr_assert(takes("class:SIZE,LEVEL", &queue, NULL));
    cr_assert_not(takes("class:COUNTER", &queue, NULL));
    cr_assert(takes("bind:MPI_COMM", &queue, NULL));
    cr_assert_not(takes("bind:MPI_COMM", &timer, NULL));
    cr_assert(takes("verb<=TUNER_BASIC", &queue, NULL));
    cr_assert_not(takes("verb<=USER_ALL", &queue, NULL));
}

Test(selection, tells_variables_of_one_name_by_their_class)
{
    struct mwr_candidate counter = timer;

    counter.class = MW_CLASS_COUNTER;
    cr_assert(takes("time_*:TIMER", &timer, NULL));
    cr_assert_not(takes("time_*:TIMER", &counter, NULL));
}

Test(selection, lets_the_last_term_that_fits_count)
{
    cr_assert_not(takes("all; !pml_*", &queue, NULL));
    cr_assert(takes("all; !pml_*", &timer, NULL));
    cr_assert(takes("!pml_*; pml_ob1_*", &queue, NULL));
    cr_assert_not(takes("all none", &queue, NULL));
}

Test(selection, says_on_which_communicators)
{
    uint32_t comms = 0;

    cr_assert(takes("pml_*@comm=self,all", &queue, &comms));
    cr_assert_eq(comms, MWR_COMMS_SELF | MWR_COMMS_ALL);
    cr_assert(takes("pml_*", &queue, &comms));
    cr_assert_eq(comms, MWR_COMMS_WORLD | MWR_COMMS_NAMED);
}

Test(selection, has_the_queues_in_its_default)
{
    cr_assert(takes("default", &queue, NULL));
    cr_assert_not(takes("default", &timer, NULL));
}

Test(selection, refuses_what_it_does_not_understand)
{
    cr_assert(is_refused("class:"));
    cr_assert(is_refused("class:COUNTERS"));
    cr_assert(is_refused("verb<=LOUD"));
    cr_assert(is_refused("a*@comm=moon"));
    cr_assert(is_refused("a*:"));
    cr_assert(is_refused("!"));
}

Test(selection, knows_the_variables_that_crash)
{
    cr_assert_not_null(mwr_pvar_danger("mtl_psm2_eager_sent"));
    cr_assert_null(mwr_pvar_danger("pml_ob1_posted_recvq_length"));
    cr_assert_not_null(mwr_cvar_danger("osc_ucx_verbose"));
    cr_assert_null(mwr_cvar_danger("btl_tcp_eager_limit"));
}

Test(selection, corrects_classes_by_a_table_and_by_the_user_who_counts_more)
{
    uint32_t class = MW_CLASS_COUNT;
    bool read_resets = false;

    cr_assert(mwr_class_override("", "runtime_spc_OMPI_SPC_MAX_X", &class, &read_resets));
    cr_assert_eq(class, MW_CLASS_HIGHWATERMARK);
    cr_assert(read_resets);
    cr_assert(mwr_class_override("runtime_*=LEVEL", "runtime_spc_x", &class, &read_resets));
    cr_assert_eq(class, MW_CLASS_LEVEL);
    cr_assert_not(mwr_class_override("", "other", &class, &read_resets));
    cr_assert(mwr_class_overrides_are_valid("a*=TIMER; b=HIGHWATERMARK,read_resets"));
    cr_assert_not(mwr_class_overrides_are_valid("a*=WATCH"));
    cr_assert_not(mwr_class_overrides_are_valid("a*=TIMER,resets"));
}

Test(schedule, reads_what_its_header_lists)
{
    struct mwr_schedule schedule;

    cr_assert(mwr_schedule_parse(&schedule, "both,calls=100,interval=1ms,thread=250us,phase"));
    cr_assert(schedule.at_exit && schedule.at_enter && schedule.at_phase);
    cr_assert_eq(schedule.calls, 100);
    cr_assert_eq(schedule.interval, 1000000);
    cr_assert_eq(schedule.thread, 250000);
    cr_assert(mwr_schedule_parse(&schedule, "exit"));
    cr_assert_not(schedule.at_enter);
}

Test(schedule, refuses_everything_else)
{
    static const char *const wrong[] = {"",          "exits",       "calls=0",    "calls=x",
                                        "interval=", "interval=0s", "thread=1ns", "exit,,enter"};
    struct mwr_schedule schedule;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_assert_not(mwr_schedule_parse(&schedule, wrong[i]), "%s", wrong[i]);
    }
}

Test(schedule, reads_times_with_units)
{
    uint64_t ns;

    cr_assert(mwr_duration_parse("2s", 2, &ns));
    cr_assert_eq(ns, 2000000000);
    cr_assert(mwr_duration_parse("0", 1, &ns));
    cr_assert_eq(ns, 0);
    cr_assert_not(mwr_duration_parse("5", 1, &ns));
    cr_assert_not(mwr_duration_parse("99999999999s", 12, &ns));
}
