/*
 * Calls MPI from lines that are marked, for calls_know_their_lines.sh, which reads it here, with
 * the function that makes the call and how often a rank does: "site" always, "ending" or "dying" if
 * it is to die. Arguments are libraries whose function call_mpi is called, each loaded, called and
 * closed again a number of times.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <mpi.h>

#define TURNS 20

static volatile sig_atomic_t children;

static void child_ended(int signal)
{
    children++;
}

static void exchange(int rank, int size)
{
    int from = 0;
    MPI_Request requests[2];
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;

    MPI_Irecv(&from, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);   /* site exchange 6 */
    MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]); /* site exchange 6 */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* site exchange 6 */
}

/* In the code of its callers, and one place all the same. */
static inline __attribute__((always_inline)) void meet(MPI_Comm comm)
{
    MPI_Barrier(comm); /* site meet 5 */
}

#define SHARE(value) MPI_Bcast(&(value), 1, MPI_INT, 0, MPI_COMM_WORLD)

static __attribute__((noinline)) void stay(int rank)
{
    int sum = 0;

    meet(MPI_COMM_WORLD);
    SHARE(sum); /* site stay 1 */
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* site stay 1 */
    PMPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* site stay 1 */
}

/*
 * A library comes to lie where another one was: whether it did is printed. Some programs call the C
 * library's own dlclose (UCX sees to that in newer versions, for the whole program).
 */
static void call_library(const char *path, uintptr_t *place, int turn)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    int (*close_library)(void *) = dlclose;
    int (*call_mpi)(void);

    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    *(void **)&call_mpi = dlsym(library, "call_mpi");
    call_mpi();
    *place = (uintptr_t)call_mpi;
    if (turn % 2 == 1) {
        *(void **)&close_library = dlsym(libc, "dlclose");
    }
    close_library(library);
    close_library(libc);
}

int main(int argc, char **argv)
{
    int rank, size;
    struct sigaction action;
    uintptr_t places[8] = {0};

    memset(&action, 0, sizeof action);
    action.sa_handler = child_ended;
    sigaction(SIGCHLD, &action, NULL);
    MPI_Init(&argc, &argv); /* site main 1 */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 6; i++) {
        exchange(rank, size);
    }
    for (int i = 0; i < 4; i++) {
        meet(MPI_COMM_WORLD);
    }
    stay(rank);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 1; i < argc && i < 8; i++) {
            call_library(argv[i], &places[i], turn);
        }
    }
    if (argc > 2 && rank == 0) {
        printf("%s\n", places[1] == places[2] ? "one place" : "two places");
    }
    if (getenv("SITES_DIE")) {
        MPI_Barrier(MPI_COMM_WORLD); /* dying main 1 */
        raise(SIGKILL);
    }
    MPI_Finalize(); /* ending main 1 */
    if (rank == 0) {
        errno = 0;
        int ended = wait(NULL) == -1 && errno == ECHILD ? 0 : 1;
        printf("children that ended: %d, to be waited for: %d\n", (int)children, ended);
    }
    return 0;
}
