#include "recorder/variables/pvar_selection.h"

#include <criterion/criterion.h>
#include <string.h>

#include "recorder/variables/schedule.h"

static struct mwr_candidate queue = {"pml_ob1_unexpected_msgq_length", MW_CLASS_SIZE, 4,
                                     "MPI_COMM", NULL, 0, NULL};
static struct mwr_candidate timer = {"time_matching", MW_CLASS_TIMER, 1,
                                     "NO_OBJECT", NULL, 1, NULL};

/* The term of text that takes candidate, until the next one; null: none does. */
static const struct mwr_term *term_of(const char *text, const struct mwr_candidate *candidate)
{
    static struct mwr_selection selection;

    cr_assert_eq(mwr_selection_parse(&selection, text, NULL), MW_OK, "%s", text);
    return mwr_selection_takes(&selection, candidate);
}

static bool takes(const char *text, const struct mwr_candidate *candidate)
{
    return term_of(text, candidate) != NULL;
}

static bool is_refused(const char *text)
{
    static struct mwr_selection selection;
    struct mw_diagnostic diagnostic;

    return mwr_selection_parse(&selection, text, &diagnostic) == MW_ERROR_USAGE;
}

Test(selection, takes_names_by_glob_and_nothing_else)
{
    cr_assert(takes("pml_*", &queue));
    cr_assert_not(takes("pml_*", &timer));
    cr_assert_not(takes("pml", &queue));
    cr_assert_not(takes("", &queue));
}

Test(selection, takes_by_class_binding_and_verbosity)
{
    cr_assert(takes("class:SIZE,LEVEL", &queue));
    cr_assert_not(takes("class:COUNTER", &queue));
    cr_assert(takes("bind:MPI_COMM", &queue));
    cr_assert_not(takes("bind:MPI_COMM", &timer));
    cr_assert(takes("verb<=TUNER_BASIC", &queue));
    cr_assert_not(takes("verb<=USER_ALL", &queue));
}

Test(selection, takes_control_variables_by_scope)
{
    struct mwr_candidate local = {.name = "eager", .class = MW_CLASS_COUNT, .scope = "LOCAL"};
    struct mwr_candidate equal = {.name = "eager", .class = MW_CLASS_COUNT, .scope = "ALL_EQ"};

    cr_assert(takes("scope:LOCAL", &local));
    cr_assert_not(takes("scope:LOCAL", &equal));
    cr_assert(takes("scope:GROUP,ALL_EQ", &equal));
    cr_assert_not(takes("scope:ALL", &equal));
    cr_assert_not(takes("scope:LOCAL", &timer));
    cr_assert_not(takes("all; !scope:LOCAL", &local));
    cr_assert(is_refused("scope:MINE"));
    cr_assert(is_refused("scope:"));
}

Test(selection, tells_variables_of_one_name_by_their_class)
{
    struct mwr_candidate counter = timer;

    counter.class = MW_CLASS_COUNTER;
    cr_assert(takes("time_*:TIMER", &timer));
    cr_assert_not(takes("time_*:TIMER", &counter));
}

Test(selection, lets_the_last_term_that_fits_count)
{
    cr_assert_not(takes("all; !pml_*", &queue));
    cr_assert(takes("all; !pml_*", &timer));
    cr_assert(takes("!pml_*; pml_ob1_*", &queue));
    cr_assert_not(takes("all none", &queue));
}

Test(selection, says_on_which_communicators)
{
    const struct mwr_term *term = term_of("pml_*@comm=self,registered", &queue);

    cr_assert(mwr_term_takes_comm(term, MWR_COMMS_SELF, "MPI_COMM_SELF"));
    cr_assert(mwr_term_takes_comm(term, MWR_COMMS_NAMED | MWR_COMMS_REGISTERED, "rows"));
    cr_assert_not(mwr_term_takes_comm(term, MWR_COMMS_WORLD, "MPI_COMM_WORLD"));
    cr_assert_not(mwr_term_takes_comm(term, MWR_COMMS_NAMED, "rows"));
    cr_assert(mwr_term_takes_comm(term_of("pml_*@comm=all", &queue), 0, NULL));
    term = term_of("pml_*", &queue);
    cr_assert(mwr_term_takes_comm(term, MWR_COMMS_WORLD, NULL));
    cr_assert(mwr_term_takes_comm(term, MWR_COMMS_NAMED, "rows"));
    cr_assert_not(mwr_term_takes_comm(term, 0, NULL));
}

Test(selection, takes_communicators_by_the_globs_of_their_names)
{
    const struct mwr_term *term = term_of("pml_*@comm=world,halo*,rows", &queue);

    cr_assert(mwr_term_takes_comm(term, MWR_COMMS_NAMED, "halo exchange"));
    cr_assert(mwr_term_takes_comm(term, MWR_COMMS_NAMED, "rows"));
    cr_assert(mwr_term_takes_comm(term, MWR_COMMS_WORLD, NULL));
    cr_assert_not(mwr_term_takes_comm(term, MWR_COMMS_NAMED, "rows 2"));
    cr_assert_not(mwr_term_takes_comm(term, MWR_COMMS_SELF, NULL));
}

Test(selection, has_the_queues_in_its_default)
{
    cr_assert(takes("default", &queue));
    cr_assert_not(takes("default", &timer));
}

Test(selection, refuses_what_it_does_not_understand)
{
    cr_assert(is_refused("class:"));
    cr_assert(is_refused("class:COUNTERS"));
    cr_assert(is_refused("verb<=LOUD"));
    cr_assert(is_refused("a*@comm="));
    cr_assert(is_refused("a*@comm=,"));
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

    cr_assert(mwr_schedule_parse(&schedule, "both,calls=100,interval=1ms,thread=250us,phase,comm"));
    cr_assert(schedule.at_exit && schedule.at_enter && schedule.at_phase && schedule.at_object);
    cr_assert_not(schedule.at_user);
    cr_assert_eq(schedule.calls, 100);
    cr_assert_eq(schedule.interval, 1000000);
    cr_assert_eq(schedule.thread, 250000);
    cr_assert(mwr_schedule_parse(&schedule, "exit"));
    cr_assert_not(schedule.at_enter);
    cr_assert(mwr_schedule_parse(&schedule, "user"));
    cr_assert(schedule.at_user && !schedule.at_exit);
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

Test(array, reads_what_it_prints)
{
    static const char *const words[] = {"stats", "sum", "full", "top:1", "top:127"};
    struct mwr_array array;
    char text[16];

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        cr_assert(mwr_array_parse(&array, words[i]));
        mwr_array_print(array, text, sizeof text);
        cr_assert_str_eq(text, words[i]);
    }
    cr_assert(mwr_array_parse(&array, "sum,max,nonzero"));
    cr_assert_eq(array.kind, MWR_ARRAY_STATISTICS);
    cr_assert_not(mwr_array_parse(&array, "sum,"));
    cr_assert_not(mwr_array_parse(&array, "sum,most"));
    cr_assert_not(mwr_array_parse(&array, "top:0"));
    cr_assert_not(mwr_array_parse(&array, "top:128"));
    cr_assert_not(mwr_array_parse(&array, "max"));
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
