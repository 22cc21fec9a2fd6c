/*
 * Late post: rank 2 exposes its window late to ranks 0 and 1, which want to access it.
 *
 * mpiwatch-analyze waits: ranks 0 and 1 wait in MPI_Win_start for rank 2, or where the MPI library
 * does not wait there (Open MPI's osc/pt2pt) in MPI_Win_complete. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 1.2

static void expose(MPI_Win win, MPI_Group all)
{
    const int origins[] = { 0, 1 };
    MPI_Group group;
    double slept = nap(SECONDS);

    MPI_Group_incl(all, 2, origins, &group);
    MPI_Win_post(group, 0, win);
    MPI_Win_wait(win);
    MPI_Group_free(&group);
    tell("late_post", "0,1", 2, slept);
}

static void access_it(MPI_Win win, MPI_Group all, int rank)
{
    const int target = 2;
    MPI_Group group;

    MPI_Group_incl(all, 1, &target, &group);
    MPI_Win_start(group, 0, win);
    MPI_Put(&rank, 1, MPI_INT, target, rank, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    static _Alignas(16) int window[2]; /* elsewhere MPICH 4.0 misses it */
    MPI_Group all;
    MPI_Win win;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Win_create(window, sizeof window, sizeof window[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 2) {
        expose(win, all);
    } else if (rank < 2) {
        access_it(win, all, rank);
    }
    MPI_Win_free(&win);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
