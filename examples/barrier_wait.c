/*
 * Wait at barrier: rank 0 comes late.
 *
 * mpiwatch-analyze waits: ranks 1 and 2 wait in MPI_Barrier for rank 0. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 0.8

int main(int argc, char **argv)
{
    double slept = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        slept = nap(SECONDS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        tell("wait_at_barrier", "1,2", 0, slept);
    }
    MPI_Finalize();
    return 0;
}
