/*
 * Late broadcast: the root has nothing to tell before it has slept.
 *
 * mpiwatch-analyze waits: ranks 1 and 2 wait in MPI_Bcast for rank 0. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 0.8

int main(int argc, char **argv)
{
    int value = 1;
    double slept = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        slept = nap(SECONDS);
    }
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        tell("late_broadcast", "1,2", 0, slept);
    }
    MPI_Finalize();
    return 0;
}
