#include "recorder/launcher/preload.h"
#include "recorder/launcher/program.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64];

static void enter_directory(void)
{
    snprintf(directory, sizeof directory, "/tmp/mpiwatch-unit.XXXXXX");
    cr_assert(mkdtemp(directory) && chdir(directory) == 0);
}

static void leave_directory(void)
{
    char command[128];

    unsetenv("LD_PRELOAD");
    setenv("PATH", "/usr/bin:/bin", 1); /* tests change both */
    snprintf(command, sizeof command, "rm -rf %s", directory);
    cr_assert(chdir("/") == 0 && system(command) == 0);
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    cr_assert(fchmod(file, mode) == 0 && close(file) == 0);
}

TestSuite(program, .init = enter_directory, .fini = leave_directory);
TestSuite(preload, .init = enter_directory, .fini = leave_directory);

Test(program, knows_a_script_by_its_first_line)
{
    struct mwr_program program;

    write_file("job", "#! /usr/bin/env  -S python3 -u \nprint()\n", 0700);
    cr_assert_eq(mwr_program_find("./job", &program, NULL), MW_OK);
    cr_expect_eq(program.kind, MWR_PROGRAM_SCRIPT);
    cr_expect_str_eq(program.interpreter, "/usr/bin/env");
    cr_expect_str_eq(program.script_words, "-S python3 -u ");
}

Test(program, takes_a_text_without_a_first_line_for_a_shell_script)
{
    struct mwr_program program;

    write_file("job", "", 0700);
    cr_assert_eq(mwr_program_find("./job", &program, NULL), MW_OK);
    cr_expect_eq(program.kind, MWR_PROGRAM_SCRIPT);
    cr_expect_str_eq(program.interpreter, "/bin/sh");
}

Test(program, is_found_along_path_past_files_that_cannot_be_executed)
{
    struct mwr_program program;

    cr_assert(mkdir("first", 0700) == 0 && mkdir("second", 0700) == 0);
    write_file("first/job", "", 0600);
    write_file("second/job", "", 0700);
    setenv("PATH", "nowhere:first:second", 1);
    cr_assert_eq(mwr_program_find("job", &program, NULL), MW_OK);
    cr_expect_str_eq(program.path, "second/job");
}

Test(program, says_whether_it_is_missing_or_not_executable)
{
    struct mw_diagnostic diagnostic;
    struct mwr_program program;

    write_file("data", "", 0600);
    cr_expect_eq(mwr_program_find("./data", &program, &diagnostic), MW_ERROR_SYSTEM);
    cr_expect_eq(diagnostic.error_number, EACCES);
    cr_expect_eq(mwr_program_find("./none", &program, &diagnostic), MW_ERROR_SYSTEM);
    cr_expect_eq(diagnostic.error_number, ENOENT);
    cr_expect_eq(mwr_program_find(".", &program, &diagnostic), MW_ERROR_SYSTEM);
    cr_expect_eq(diagnostic.error_number, EACCES);
    setenv("PATH", ".", 1);
    cr_expect_eq(mwr_program_find("data", &program, &diagnostic), MW_ERROR_SYSTEM);
    cr_expect_eq(diagnostic.error_number, EACCES);
}

Test(program, is_privileged_when_it_is_setuid)
{
    struct mwr_program program;

    write_file("job", "", 0700);
    cr_assert_eq(mwr_program_find("./job", &program, NULL), MW_OK);
    cr_expect_eq(program.privileged, false);
    cr_assert(chmod("job", 04700) == 0);
    cr_assert_eq(mwr_program_find("./job", &program, NULL), MW_OK);
    cr_expect_eq(program.privileged, true);
}

Test(program, survives_a_damaged_elf_file)
{
    struct mwr_program program;
    char head[200];

    memset(head, 0x7f, sizeof head);
    memcpy(head, "\177ELF\2\1\1", 7);
    head[sizeof head - 1] = '\0';
    write_file("job", head, 0700);
    cr_assert_eq(mwr_program_find("./job", &program, NULL), MW_OK);
    cr_expect_neq(program.kind, MWR_PROGRAM_DYNAMIC);
}

Test(preload, takes_the_library_from_the_directory_that_is_said)
{
    struct mw_diagnostic diagnostic;
    char expected[128];
    char path[4096];

    write_file("libmpiwatch-mpich.so", "", 0600);
    snprintf(expected, sizeof expected, "%s/libmpiwatch-mpich.so", directory);
    cr_assert_eq(mwr_preload_find(MWR_MPI_MPICH, ".", path, sizeof path, &diagnostic), MW_OK);
    cr_expect_str_eq(path, expected);
    cr_expect_eq(mwr_preload_find(MWR_MPI_OPENMPI, ".", path, sizeof path, &diagnostic),
                 MW_ERROR_USAGE);
    cr_expect(strstr(diagnostic.what, "libmpiwatch-openmpi.so"));
}

Test(preload, refuses_a_directory_that_ld_preload_cannot_express)
{
    struct mw_diagnostic diagnostic;
    char path[4096];

    cr_assert(mkdir("a b", 0700) == 0);
    write_file("a b/libmpiwatch-mpich.so", "", 0600);
    cr_expect_eq(mwr_preload_find(MWR_MPI_MPICH, "a b", path, sizeof path, &diagnostic),
                 MW_ERROR_USAGE);
}

Test(preload, goes_before_what_is_there_and_only_once)
{
    static const struct {
        const char *before, *after;
    } cases[] = {
        {"", "/l/w.so"},
        {"/x.so", "/l/w.so:/x.so"},
        {"/l/w.so", "/l/w.so"},
        {"/l/w.so:/x.so", "/l/w.so:/x.so"},
        {"/l/w.so.1", "/l/w.so:/l/w.so.1"},
    };

    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
        char *value;

        setenv("LD_PRELOAD", cases[index].before, 1);
        value = mwr_preload_variable("/l/w.so");
        cr_expect_str_eq(value, cases[index].after);
        free(value);
    }
}

Test(preload, knows_the_launcher_by_its_variables)
{
    clearenv();
    cr_expect_eq(mwr_preload_mpi_of_environment(), MWR_MPI_UNKNOWN);
    setenv("PMI_RANK", "0", 1);
    cr_expect_eq(mwr_preload_mpi_of_environment(), MWR_MPI_MPICH);
    setenv("SLURM_STEP_ID", "0", 1);
    cr_expect_eq(mwr_preload_mpi_of_environment(), MWR_MPI_UNKNOWN, "Slurm speaks PMI to both");
    setenv("OMPI_COMM_WORLD_RANK", "0", 1);
    cr_expect_eq(mwr_preload_mpi_of_environment(), MWR_MPI_OPENMPI);
}
