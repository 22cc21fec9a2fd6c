#include "recorder/launcher/linked.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the C libraries of the MPIs are called; Debian renames MPICH's. */
static const struct {
    const char *library;
    enum mwr_mpi mpi;
} known[] = {
    {"libmpi.so.40", MWR_MPI_OPENMPI},
    {"libmpich.so.12", MWR_MPI_MPICH},
    {"libmpi.so.12", MWR_MPI_MPICH},
};

const char *mwr_mpi_title(enum mwr_mpi mpi)
{
    return mpi == MWR_MPI_OPENMPI ? "Open MPI" : mpi == MWR_MPI_MPICH ? "MPICH" : "an unknown MPI";
}

static enum mwr_mpi mpi_of_library(const char *library)
{
    for (size_t index = 0; index < sizeof known / sizeof known[0]; index++) {
        if (strcmp(known[index].library, library) == 0) {
            return known[index].mpi;
        }
    }
    return MWR_MPI_UNKNOWN;
}

/* Takes in a line of the loader's: "\tlibmpi.so.40 => /usr/lib/… (0x…)". */
static void read_line(char *line, struct mwr_linked *linked)
{
    const char *library;
    enum mwr_mpi mpi;

    line += strspn(line, " \t");
    line[strcspn(line, " \n")] = '\0';
    library = mwr_program_base(line);
    mpi = mpi_of_library(library);
    if (mpi == MWR_MPI_UNKNOWN && strncmp(library, "libmpi.so.", 10) != 0 &&
        strncmp(library, "libmpich.so.", 12) != 0) {
        return;
    }
    linked->several = linked->library[0] != '\0' && mpi != linked->mpi;
    linked->mpi = linked->several ? MWR_MPI_UNKNOWN : mpi;
    snprintf(linked->library, sizeof linked->library, "%s", library);
}

/* In the new process: becomes the loader, which lists the program's libraries on output. */
static void become_loader(const struct mwr_program *program, int output)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    dup2(nowhere, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    unsetenv("LD_PRELOAD");
    execl(program->interpreter, program->interpreter, "--list", program->path, (char *)NULL);
    _exit(127);
}

static void read_list(int input, struct mwr_linked *linked)
{
    FILE *stream = fdopen(input, "r");
    char *line = NULL;
    size_t size = 0;

    if (!stream) {
        close(input);
        return;
    }
    while (!linked->several && getline(&line, &size, stream) >= 0) {
        read_line(line, linked);
    }
    free(line);
    fclose(stream);
}

enum mw_status mwr_linked_read(const struct mwr_program *program, struct mwr_linked *linked,
                               struct mw_diagnostic *diagnostic)
{
    int ends[2];
    pid_t child;

    memset(linked, 0, sizeof *linked);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return mw_fail(diagnostic, MW_ERROR_MEMORY, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no pipe to the dynamic loader: %s", strerror(errno));
    }
    child = fork();
    if (child == 0) {
        become_loader(program, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return mw_fail(diagnostic, MW_ERROR_MEMORY, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no process for the dynamic loader: %s", strerror(errno));
    }
    read_list(ends[0], linked);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return MW_OK;
}
