/*
 * mpiwatch-vars: which variables an MPI offers. mpi.h differs between MPIs, so this
 * only reads the options and becomes mpiwatch-vars-openmpi or mpiwatch-vars-mpich.
 */
#include "config.h"

#include <argp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/launcher/preload.h"

enum { EXIT_USAGE = 2, EXIT_TROUBLE = 3 };
enum { KEY_JSON = 256, KEY_CVARS, KEY_NO_PROBE, KEY_MPI };

const char *argp_program_version = PACKAGE_STRING;

struct wishes {
    bool json;
    bool cvars;
    bool no_probe;
    enum mwr_mpi mpi;
    char **globs; /* up to a null */
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Print JSON, with control variables and categories", 0},
    {"cvars", KEY_CVARS, NULL, 0, "List control variables, too", 0},
    {"no-probe", KEY_NO_PROBE, NULL, 0, "Don't try in child processes what crashes", 0},
    {"mpi", KEY_MPI, "openmpi|mpich", 0,
     "Which MPI (default: that of mpirun, or one that is there)", 0},
    {0},
};

static enum mwr_mpi mpi_of(const char *word, struct argp_state *state)
{
    if (strcmp(word, "openmpi") == 0) {
        return MWR_MPI_OPENMPI;
    }
    if (strcmp(word, "mpich") != 0) {
        argp_error(state, "--mpi is openmpi or mpich, not \"%s\"", word);
    }
    return MWR_MPI_MPICH;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct wishes *wishes = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        wishes->globs = state->argv + state->argc;
        return 0;
    case KEY_JSON:
        wishes->json = true;
        return 0;
    case KEY_CVARS:
        wishes->cvars = true;
        return 0;
    case KEY_NO_PROBE:
        wishes->no_probe = true;
        return 0;
    case KEY_MPI:
        wishes->mpi = mpi_of(value, state);
        return 0;
    case ARGP_KEY_ARGS:
        wishes->globs = state->argv + state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Becomes the program of an MPI, if it is there: beside this one, or installed. */
static void become(enum mwr_mpi mpi, const struct wishes *wishes, char **arguments)
{
    const char *name = mpi == MWR_MPI_OPENMPI ? "mpiwatch-vars-openmpi" : "mpiwatch-vars-mpich";
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
    snprintf(path, sizeof path, "%s/%s", own, name);
    execv(path, arguments);
    snprintf(path, sizeof path, "%s/../libexec/mpiwatch/%s", own, name);
    execv(path, arguments);
    snprintf(path, sizeof path, "%s/%s", PKGLIBEXECDIR, name);
    execv(path, arguments);
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "[NAME...]",
        "Lists the variables that an MPI offers to tools (MPI_T), all or those whose names fit a "
        "NAME, which may have wildcards, and says which are dangerous to read. Works with and "
        "without mpirun.",
        NULL, NULL, NULL};
    struct wishes wishes = {0};
    char **arguments;

    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &wishes);
    arguments = calloc((size_t)argc + 5, sizeof *arguments);
    if (!arguments) {
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; wishes.globs[i]; i++) {
        arguments[4 + i] = wishes.globs[i];
    }
    if (wishes.mpi == MWR_MPI_UNKNOWN) {
        wishes.mpi = mwr_preload_mpi_of_environment();
    }
    if (wishes.mpi != MWR_MPI_UNKNOWN) {
        become(wishes.mpi, &wishes, arguments);
    } else {
        become(MWR_MPI_OPENMPI, &wishes, arguments);
        become(MWR_MPI_MPICH, &wishes, arguments);
    }
    fprintf(stderr, "mpiwatch-vars: mpiwatch was built without %s, or is not installed whole\n",
            wishes.mpi == MWR_MPI_OPENMPI  ? "Open MPI"
            : wishes.mpi == MWR_MPI_MPICH ? "MPICH"
                                          : "an MPI");
    return EXIT_TROUBLE;
}
