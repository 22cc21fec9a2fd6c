/*
 * Wait in the creation of communicators: rank 2 comes late to a split, which gives it a
 * communicator of its own.
 *
 * mpiwatch-analyze waits: ranks 0 and 1 wait in MPI_Comm_split for rank 2. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 0.8

int main(int argc, char **argv)
{
    double slept = 0;
    MPI_Comm made;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        slept = nap(SECONDS);
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &made);
    MPI_Comm_free(&made);
    if (rank == 2) {
        tell("wait_at_comm_create", "0,1", 2, slept);
    }
    MPI_Finalize();
    return 0;
}
