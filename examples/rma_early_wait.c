/*
 * Early wait: ranks 0 and 1 wait for rank 2 to end its access to their windows, which it does
 * long after its last operation: that part of the wait is late complete.
 *
 * mpiwatch-analyze waits: ranks 0 and 1 wait in MPI_Win_wait for rank 2. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 1.2

static void expose(MPI_Win win, MPI_Group all)
{
    const int origin = 2;
    MPI_Group group;

    MPI_Group_incl(all, 1, &origin, &group);
    MPI_Win_post(group, 0, win);
    MPI_Win_wait(win);
    MPI_Group_free(&group);
}

static void access_both(MPI_Win win, MPI_Group all)
{
    const int targets[] = { 0, 1 };
    const int value = 42;
    MPI_Group group;
    double slept;

    MPI_Group_incl(all, 2, targets, &group);
    MPI_Win_start(group, 0, win);
    for (int i = 0; i < 2; i++) {
        MPI_Put(&value, 1, MPI_INT, targets[i], 0, 1, MPI_INT, win);
    }
    slept = nap(SECONDS);
    MPI_Win_complete(win);
    MPI_Group_free(&group);
    tell("early_wait", "0,1", 2, slept);
    tell("late_complete", "0,1", 2, slept);
}

int main(int argc, char **argv)
{
    static _Alignas(16) int window; /* elsewhere MPICH 4.0 misses it */
    MPI_Group all;
    MPI_Win win;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Win_create(&window, sizeof window, sizeof window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 2) {
        access_both(win, all);
    } else if (rank < 2) {
        expose(win, all);
    }
    MPI_Win_free(&win);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
