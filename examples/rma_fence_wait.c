/*
 * Wait at fence: rank 2 comes late to the fence that ends an epoch.
 *
 * mpiwatch-analyze waits: ranks 0 and 1 wait in MPI_Win_fence for rank 2. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 1.2

int main(int argc, char **argv)
{
    static _Alignas(16) int window[2]; /* elsewhere MPICH 4.0 misses it */
    double slept = 0;
    MPI_Win win;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof window[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 2) {
        slept = nap(SECONDS);
    } else {
        MPI_Put(&rank, 1, MPI_INT, 2, rank, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    if (rank == 2) {
        tell("wait_at_fence", "0,1", 2, slept);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
