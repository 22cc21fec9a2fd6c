#include "recorder/launcher/linked.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/launcher/preload.h"

/*
 * What the C libraries of the MPIs are called. Debian renames MPICH's; Intel MPI and MVAPICH, which
 * have its ABI, have its own name; Cray's has that of a compiler in it, libmpi_cray.so.12,
 * libmpi_gnu_123.so.12 and so on, and as it was without that ABI, libmpich_gnu_49.so.3. Spectrum
 * MPI's is libmpi_ibm.so.3; HPE MPT's has no number, with threads libmpi_mt.so.
 */
static const struct {
    const char *pattern;
    enum mwr_mpi mpi;
} known[] = {
    {"libmpi.so.40", MWR_MPI_OPENMPI}, {"libmpich.so.12", MWR_MPI_MPICH},
    {"libmpi.so.12", MWR_MPI_MPICH},   {"libmpi_cray.so.12", MWR_MPI_MPICH},
    {"libmpi_gnu*.so.12", MWR_MPI_MPICH}, {"libmpi_intel*.so.12", MWR_MPI_MPICH},
    {"libmpi_nvidia*.so.12", MWR_MPI_MPICH}, {"libmpi_a[mo]*.so.12", MWR_MPI_MPICH},
    {"libmpi_abi.so.1", MWR_MPI_ABI},
    /* versions that mpiwatch is not built for */
    {"libmpi.so.*", MWR_MPI_UNKNOWN},  {"libmpich.so.*", MWR_MPI_UNKNOWN},
    {"libmpi_abi.so.*", MWR_MPI_UNKNOWN}, {"libmpich_*.so.*", MWR_MPI_UNKNOWN},
    {"libmpi_ibm.so.*", MWR_MPI_UNKNOWN}, {"libmpi_mt.so", MWR_MPI_UNKNOWN},
    {"libmpi.so", MWR_MPI_UNKNOWN},
};

/* Whether it is the C library of an MPI, and of which. */
static bool is_of_mpi(const char *library, enum mwr_mpi *mpi)
{
    for (size_t index = 0; index < sizeof known / sizeof known[0]; index++) {
        if (fnmatch(known[index].pattern, library, 0) == 0) {
            *mpi = known[index].mpi;
            return true;
        }
    }
    return false;
}

/* From behind the name in the loader's line: " => /usr/lib/… (0x…)"; "" if there is none. */
static void copy_path(const char *text, char *path, size_t size)
{
    static const char arrow[] = " => ";

    text = strncmp(text, arrow, sizeof arrow - 1) == 0 ? text + sizeof arrow - 1 : "";
    snprintf(path, size, "%.*s", (int)strcspn(text, " \n"), text);
}

/* Takes in a line of the loader's: "\tlibmpi.so.40 => /usr/lib/… (0x…)". */
static void read_line(char *line, struct mwr_linked *linked)
{
    char path[sizeof linked->path];
    const char *library;
    enum mwr_mpi mpi;
    size_t length;

    line += strspn(line, " \t");
    length = strcspn(line, " \n");
    copy_path(line + length, path, sizeof path);
    line[length] = '\0';
    library = mwr_program_base(line);
    linked->has_asan |= linked->libraries == 0 && mwr_preload_has_asan(library);
    linked->libraries += path[0] != '\0';
    if (!is_of_mpi(library, &mpi)) {
        return;
    }
    linked->copies++;
    if (linked->several) {
        return;
    }
    linked->several = linked->library[0] != '\0' && mpi != linked->mpi;
    linked->mpi = linked->several ? MWR_MPI_UNKNOWN : mpi;
    snprintf(linked->library, sizeof linked->library, "%s", library);
    memcpy(linked->path, path, sizeof path);
}

/* In the new process: becomes the loader, which lists the program's libraries on output. */
static void become_loader(const struct mwr_program *program, const char *preload, int output)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    dup2(nowhere, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    unsetenv("LD_PRELOAD");
    if (preload) {
        setenv("LD_PRELOAD", preload, 1);
    }
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
    while (getline(&line, &size, stream) >= 0) {
        read_line(line, linked);
    }
    free(line);
    fclose(stream);
}

enum mw_status mwr_linked_read(const struct mwr_program *program, struct mwr_linked *linked,
                               struct mw_diagnostic *diagnostic)
{
    return mwr_linked_with(program, NULL, linked, diagnostic);
}

enum mw_status mwr_linked_with(const struct mwr_program *program, const char *library,
                               struct mwr_linked *linked, struct mw_diagnostic *diagnostic)
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
        become_loader(program, library, ends[1]);
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
