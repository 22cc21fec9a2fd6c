#include "recorder/settings.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/table/calls.h"
#include "recorder/io_hints.h"
#include "recorder/output_pattern.h"

static struct mwr_settings settings;
static struct mwr_warnings warnings;

static void read_one(const char *variable)
{
    char text[8192];
    char *environment[] = {text, NULL};

    snprintf(text, sizeof text, "%s", variable);
    mwr_settings_from_environment(&settings, environment, &warnings);
}

static const char *value_of(const char *name)
{
    static char text[MWR_SETTING_PATH_BYTES];

    return mwr_setting_value(&settings, mwr_setting_find(name), text, sizeof text);
}

Test(settings, are_the_documented_defaults_when_nothing_is_said)
{
    char *environment[] = {NULL};

    mwr_settings_from_environment(&settings, environment, &warnings);
    cr_expect_eq(warnings.count, 0);
    cr_expect_str_eq(settings.output, "");
    cr_expect_eq(settings.format, MW_ARCHIVE_ZIP);
    cr_expect_eq(settings.compress, 1);
    cr_expect_eq(settings.events, MW_GROUPS_DEFAULT);
    cr_expect_eq(settings.interpose_pmpi, true);
    cr_expect_eq(settings.force, false);
    cr_expect_eq(settings.max_spool, 0);
    cr_expect_str_eq(settings.spool, "/tmp");
    cr_expect_eq(settings.mpi, MWR_MPI_UNKNOWN);
}

Test(settings, take_the_spool_from_tmpdir_unless_it_is_said)
{
    char *both[] = {"MPIWATCH_SPOOL=/local", "TMPDIR=/scratch", NULL};
    char *temporary[] = {"TMPDIR=/scratch", "MPIWATCH_SPOOL=", NULL};

    mwr_settings_from_environment(&settings, both, &warnings);
    cr_expect_str_eq(settings.spool, "/local");
    mwr_settings_from_environment(&settings, temporary, &warnings);
    cr_expect_str_eq(settings.spool, "/scratch");
}

Test(settings, take_hints_that_every_mpi_can_take)
{
    char text[400];
    const char *list = " cb_nodes = 4 ;cb_config_list=a:1,*:0;x=a=b;";
    struct mwr_io_hint hint;

    read_one("MPIWATCH_IO_HINTS=cb_nodes=4; romio_cb_write=disable");
    cr_expect_eq(warnings.count, 0);
    cr_expect_str_eq(settings.io_hints, "cb_nodes=4; romio_cb_write=disable");
    cr_assert(mwr_io_hint_next(&list, &hint));
    cr_expect_str_eq(hint.key, "cb_nodes");
    cr_expect_str_eq(hint.value, "4");
    cr_assert(mwr_io_hint_next(&list, &hint));
    cr_expect_str_eq(hint.key, "cb_config_list");
    cr_expect_str_eq(hint.value, "a:1,*:0");
    cr_assert(mwr_io_hint_next(&list, &hint));
    cr_expect_str_eq(hint.key, "x");
    cr_expect_str_eq(hint.value, "a=b");
    cr_expect_not(mwr_io_hint_next(&list, &hint));
    for (const char *const *wrong = (const char *const[]){"a", "=1", "a=", "a= ", " =1", "a=1;;b=2",
                                                          ";", "a=1;b", "cb_buffer_size=-5",
                                                          "ind_wr_buffer_size=0",
                                                          "cb_buffer_size=1073741825",
                                                          "cb_buffer_size=64k", NULL};
         *wrong; wrong++) {
        cr_expect_not(mwr_io_hints_are_valid(*wrong), "%s", *wrong);
    }
    cr_expect(mwr_io_hints_are_valid("cb_buffer_size=1073741824; striping_factor=-1"));
    snprintf(text, sizeof text, "%035d=%0255d", 1, 1);
    cr_expect(mwr_io_hints_are_valid(text));
    snprintf(text, sizeof text, "%036d=1", 1);
    cr_expect_not(mwr_io_hints_are_valid(text));
    snprintf(text, sizeof text, "a=%0256d", 1);
    cr_expect_not(mwr_io_hints_are_valid(text));
}

Test(settings, read_sizes_in_powers_of_1024)
{
    read_one("MPIWATCH_MAX_SPOOL=3k");
    cr_expect_eq(settings.max_spool, 3072);
    read_one("MPIWATCH_MAX_SPOOL=512MiB");
    cr_expect_eq(settings.max_spool, 536870912);
    read_one("MPIWATCH_MAX_SPOOL=2G");
    cr_expect_eq(settings.max_spool, 2147483648);
    read_one("MPIWATCH_MAX_SPOOL=17");
    cr_expect_eq(settings.max_spool, 17);
    cr_expect_eq(warnings.count, 0);
}

Test(settings, do_not_take_a_size_that_is_none)
{
    static const char *const wrong[] = {"-1", " 1", "1x", "1Mx", "M", "99999999999999999999",
                                        "18014398509481984k"};

    for (size_t index = 0; index < sizeof wrong / sizeof wrong[0]; index++) {
        char variable[64];

        snprintf(variable, sizeof variable, "MPIWATCH_MAX_SPOOL=%s", wrong[index]);
        read_one(variable);
        cr_expect_eq(warnings.count, 1, "%s", wrong[index]);
        cr_expect_eq(settings.max_spool, 0, "%s", wrong[index]);
    }
}

Test(settings, keep_the_default_and_warn_when_a_value_is_wrong)
{
    read_one("MPIWATCH_COMPRESS=12");
    cr_assert_eq(warnings.count, 1);
    cr_expect_str_eq(warnings.text[0], "MPIWATCH_COMPRESS: \"12\" is not a level from 0 to 9; "
                                       "it stays at \"1\"");
    cr_expect_eq(settings.compress, 1);
}

Test(settings, name_the_nearest_variable_when_one_is_unknown)
{
    read_one("MPIWATCH_MAXSPOOL=1G");
    cr_assert_eq(warnings.count, 1);
    cr_expect_str_eq(warnings.text[0], "MPIWATCH_MAXSPOOL is not a variable of mpiwatch; did you "
                                       "mean MPIWATCH_MAX_SPOOL?");
    read_one("MPIWATCH_OTPUT=x");
    cr_expect(strstr(warnings.text[0], "MPIWATCH_OUTPUT?"));
    read_one("MPIWATCH_QWERTYUIOP=1");
    cr_expect_not(strstr(warnings.text[0], "did you mean"));
}

Test(settings, leave_other_variables_alone)
{
    char *environment[] = {"MPIWATCHER=1", "XMPIWATCH_OUTPUT=x", "nothing", "=", NULL};

    mwr_settings_from_environment(&settings, environment, &warnings);
    cr_expect_eq(warnings.count, 0);
    cr_expect_str_eq(settings.output, "");
}

Test(settings, survive_names_and_values_of_any_length)
{
    static char text[6000];

    memset(text, 'A', sizeof text - 1);
    memcpy(text, "MPIWATCH_", 9);
    text[3000] = '=';
    read_one(text);
    cr_expect_eq(warnings.count, 1);
    memcpy(text, "MPIWATCH_OUTPUT=", 16);
    read_one(text);
    cr_expect_eq(warnings.count, 1);
    cr_expect_str_eq(settings.output, "");
}

Test(settings, count_the_warnings_that_there_is_no_room_for)
{
    char *environment[] = {"MPIWATCH_A=", "MPIWATCH_B=", "MPIWATCH_C=", "MPIWATCH_D=",
                           "MPIWATCH_E=", "MPIWATCH_F=", "MPIWATCH_G=", "MPIWATCH_H=",
                           "MPIWATCH_I=", "MPIWATCH_J=", NULL};

    mwr_settings_from_environment(&settings, environment, &warnings);
    cr_expect_eq(warnings.count, 10);
}

Test(settings, of_the_unit_of_time_are_powers_of_two)
{
    static const char *const wrong[] = {"MPIWATCH_TIME_UNIT=3ns",   "MPIWATCH_TIME_UNIT=0ns",
                                        "MPIWATCH_TIME_UNIT=128ns", "MPIWATCH_TIME_UNIT=16",
                                        "MPIWATCH_TIME_UNIT=-2ns",  "MPIWATCH_TIME_UNIT=016ns",
                                        "MPIWATCH_TIME_UNIT=16us",  "MPIWATCH_TIME_UNIT=16ns "};

    read_one("MPIWATCH_TIME_UNIT=64ns");
    cr_expect_eq(warnings.count, 0);
    cr_expect_eq(settings.time_unit, 64);
    cr_expect_str_eq(value_of("time-unit"), "64ns");
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        read_one(wrong[i]);
        cr_expect_eq(warnings.count, 1, "%s", wrong[i]);
        cr_expect_eq(settings.time_unit, 1, "%s", wrong[i]);
    }
}

Test(settings, are_written_as_a_user_would_write_them)
{
    char *environment[] = {"MPIWATCH_EVENTS=p2p,coll,info", "MPIWATCH_FORMAT=directory",
                           "MPIWATCH_MAX_SPOOL=1M",         "MPIWATCH_INTERPOSE_PMPI=no",
                           "MPIWATCH_OUTPUT=a b",           "MPIWATCH_COMPRESS=9",
                           "MPIWATCH_MPI=mpich",            NULL};

    mwr_settings_from_environment(&settings, environment, &warnings);
    cr_expect_eq(warnings.count, 0);
    cr_expect_str_eq(value_of("events"), "p2p,coll,info");
    cr_expect_str_eq(value_of("format"), "directory");
    cr_expect_str_eq(value_of("max-spool"), "1048576");
    cr_expect_str_eq(value_of("interpose-pmpi"), "0");
    cr_expect_str_eq(value_of("output"), "a b");
    cr_expect_str_eq(value_of("compress"), "9");
    cr_expect_str_eq(value_of("mpi"), "mpich");
}

Test(settings, give_the_same_value_again_when_what_was_written_is_read)
{
    struct mwr_settings again;

    read_one("MPIWATCH_EVENTS=all,-conv");
    again = settings;
    for (unsigned row = 0; mwr_setting_at(row); row++) {
        char text[MWR_SETTING_PATH_BYTES];
        struct mw_diagnostic diagnostic;

        mwr_setting_value(&settings, mwr_setting_at(row), text, sizeof text);
        cr_expect_eq(mwr_setting_set(&again, mwr_setting_at(row), text, &diagnostic), MW_OK, "%s",
                     mwr_setting_at(row)->name);
    }
    cr_expect_arr_eq(&again, &settings, sizeof settings);
}

Test(settings, have_names_letters_and_members_of_their_own)
{
    for (unsigned row = 0; mwr_setting_at(row); row++) {
        const struct mwr_setting *one = mwr_setting_at(row);

        cr_expect_lt(strlen(one->name), MWR_SETTING_NAME_BYTES);
        cr_expect_eq(mwr_setting_find(one->name), one, "%s", one->name);
        for (unsigned later = row + 1; mwr_setting_at(later); later++) {
            const struct mwr_setting *other = mwr_setting_at(later);

            cr_expect_neq(one->offset, other->offset, "%s, %s", one->name, other->name);
            cr_expect(one->key == 0 || one->key != other->key, "%s, %s", one->name, other->name);
            cr_expect_leq(one->group, other->group, "%s, %s", one->name, other->name);
        }
    }
}

/* Whatever way it is said; only spool has a default that depends on where the process runs. */
Test(settings, know_whether_they_are_as_by_default)
{
    char *environment[] = {NULL};
    const struct mwr_setting *setting;

    mwr_settings_from_environment(&settings, environment, &warnings);
    for (unsigned i = 0; (setting = mwr_setting_at(i)) != NULL; i++) {
        cr_expect_eq(mwr_setting_is_default(&settings, setting),
                     strcmp(setting->name, "spool") != 0, "%s", setting->name);
    }
    read_one("MPIWATCH_EVENTS=io,p2p,coll,comm,topo,rma");
    cr_expect(mwr_setting_is_default(&settings, mwr_setting_find("events")));
    read_one("MPIWATCH_EVENTS=p2p");
    cr_expect_not(mwr_setting_is_default(&settings, mwr_setting_find("events")));
}

/* --- names by a pattern ------------------------------------------------------------ */

static void expands(const char *pattern, const char *expected)
{
    char text[64];

    mwr_output_expand(pattern, "a.out", text, sizeof text);
    cr_expect_str_eq(text, expected, "%s becomes %s", pattern, text);
}

Test(output, is_named_after_the_job)
{
    char own[32];

    clearenv();
    expands("%x-%j-%A-%a-%s.otf2.zip", "a.out-0-0-0-0.otf2.zip");
    expands("100%.%q%", "100%.%q%");
    expands("%%j", "%j");
    snprintf(own, sizeof own, "%ld", (long)getpid());
    expands("%p", own);
    setenv("LSB_JOBNAME", "../ring", 1);
    setenv("LSB_JOBID", "5", 1);
    setenv("LSB_JOBINDEX", "2", 1);
    expands("%x-%j-%A-%a", ".._ring-5-5-2");
    setenv("PBS_JOBNAME", "solve", 1);
    setenv("PBS_JOBID", "12.server.site", 1);
    expands("%x-%j-%A-%a", "solve-12-12-2");
    setenv("PBS_JOBID", "12[3].server", 1);
    setenv("PBS_ARRAY_INDEX", "3", 1);
    expands("%x-%j-%A-%a", "solve-12[3]-12-3");
    setenv("SLURM_JOB_NAME", "halo", 1);
    setenv("SLURM_JOB_ID", "78", 1);
    setenv("SLURM_ARRAY_JOB_ID", "77", 1);
    setenv("SLURM_ARRAY_TASK_ID", "1", 1);
    setenv("SLURM_STEP_ID", "3", 1);
    expands("%x-%j-%A-%a-%s", "halo-78-77-1-3");
    setenv("SLURM_JOB_NAME",
           "the name of a job, longer than what there is room for in a text of 64 bytes", 1);
    expands("%x", "the name of a job, longer than what there is room for in a text");
}
