/*
 * Preloaded behind the recorder: reading a control variable crashes the process that the program
 * began as, and no child of it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

static pid_t first;

__attribute__((constructor)) static void note_process(void)
{
    first = getpid();
}

int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *buffer)
{
    int (*next)(MPI_T_cvar_handle, void *) =
        (int (*)(MPI_T_cvar_handle, void *))dlsym(RTLD_NEXT, "PMPI_T_cvar_read");

    if (getpid() == first) {
        raise(SIGSEGV);
    }
    return next(handle, buffer);
}
