/*
 * mpiwatch-vars: which variables an MPI offers. mpi.h differs between MPIs, so this
 * only reads the options and becomes mpiwatch-vars-openmpi or mpiwatch-vars-mpich.
 */
#include "config.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/command_line.h"
#include "formats/base/option_value.h"
#include "formats/base/printed.h"
#include "recorder/launcher/preload.h"
#include "recorder/mpis.h"

enum { EXIT_USAGE = 2, EXIT_TROUBLE = 3 };

struct wishes {
    bool json;
    bool cvars;
    bool categories;
    bool no_probe;
    enum mwr_mpi mpi;
};

#define MEMBER(member) .offset = offsetof(struct wishes, member)

static bool take_mpi(const struct mw_option *option, const char *value, void *member,
                     char *expected)
{
    unsigned word;
    bool taken = mw_take_choice(option, value, &word, expected);

    if (taken) {
        *(enum mwr_mpi *)member = (enum mwr_mpi)(MWR_MPI_OPENMPI + word);
    }
    return taken;
}

static const struct mw_option options[] = {
    {"json", 0, NULL, "Print JSON, with control variables and categories", 0, mw_take_flag,
     MEMBER(json)},
    {"cvars", 0, NULL, "List control variables, too", 0, mw_take_flag, MEMBER(cvars)},
    {"categories", 0, NULL, "List the categories, too, as a tree", 0, mw_take_flag,
     MEMBER(categories)},
    {"no-probe", 0, NULL, "Don't try in child processes what crashes", 0, mw_take_flag,
     MEMBER(no_probe)},
    {"mpi", 0, "openmpi|mpich|abi", "Which MPI (default: that of mpirun, or one that is there)", 0,
     take_mpi, MEMBER(mpi)},
    {.name = NULL},
};

static const struct mw_program this_program = {
    .name = "mpiwatch-vars",
    .words = "[NAME...]",
    .help = "Lists the variables that an MPI offers to tools (MPI_T), all or those whose names fit "
            "a NAME, which may have wildcards or be any other term of mpiwatch-record --pvars and "
            "--cvars (class:LEVEL, cat:NAME, scope:LOCAL), and says which are dangerous to read. "
            "Works with and without mpirun.\v"
            "Status: 0 fine, 2 wrong usage, 3 an MPI is missing or can't be started, or the "
            "list can't be printed.",
    .options = options,
    .usage = EXIT_USAGE,
};

/* Becomes the program of an MPI, if it is there: beside this one, or installed. */
static void become(enum mwr_mpi mpi, const struct wishes *wishes, char **arguments)
{
    const char *word = mwr_mpi_words[mpi];
    char own[PATH_MAX];
    char path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

    own[length > 0 ? length : 0] = '\0';
    if (strrchr(own, '/')) {
        *strrchr(own, '/') = '\0';
    }
    arguments[0] = path;
    arguments[1] = wishes->json ? "1" : "0";
    arguments[2] = wishes->no_probe ? "0" : "1";
    arguments[3] = wishes->cvars ? "1" : "0";
    arguments[4] = wishes->categories ? "1" : "0";
    snprintf(path, sizeof path, "%s/mpiwatch-vars-%s", own, word);
    execv(path, arguments);
    snprintf(path, sizeof path, "%s/../libexec/mpiwatch/mpiwatch-vars-%s", own, word);
    execv(path, arguments);
    snprintf(path, sizeof path, "%s/mpiwatch-vars-%s", PKGLIBEXECDIR, word);
    execv(path, arguments);
}

int main(int argc, char **argv)
{
    struct mw_command_line line = {.program = &this_program, .out = stdout, .err = stderr};
    struct wishes wishes = {0};
    int code = mw_command_line_read(&line, argc, argv, &wishes);
    char **arguments;

    if (code != MW_COMMAND_LINE_GO_ON) {
        return mw_printed(stdout, stderr, this_program.name, code, EXIT_TROUBLE);
    }
    arguments = calloc((size_t)argc + 6, sizeof *arguments);
    if (!arguments) {
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; line.words[i]; i++) {
        arguments[5 + i] = line.words[i];
    }
    if (wishes.mpi == MWR_MPI_UNKNOWN) {
        wishes.mpi = mwr_preload_mpi_of_environment();
    }
    if (wishes.mpi != MWR_MPI_UNKNOWN) {
        become(wishes.mpi, &wishes, arguments);
    } else {
        become(MWR_MPI_OPENMPI, &wishes, arguments);
        become(MWR_MPI_MPICH, &wishes, arguments);
        become(MWR_MPI_ABI, &wishes, arguments);
    }
    fprintf(stderr, "mpiwatch-vars: mpiwatch was built without %s, or is not installed whole\n",
            wishes.mpi == MWR_MPI_UNKNOWN ? "an MPI" : mwr_mpi_title(wishes.mpi));
    return EXIT_TROUBLE;
}
