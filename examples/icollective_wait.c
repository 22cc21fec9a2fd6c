/*
 * Wait at N×N of a non-blocking operation: rank 2 begins it late.
 *
 * mpiwatch-analyze waits: ranks 0 and 1 wait in MPI_Wait for rank 2. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 0.8

int main(int argc, char **argv)
{
    int value = 1;
    int result = 0;
    double slept = 0;
    MPI_Request request;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        slept = nap(SECONDS);
    }
    MPI_Iallreduce(&value, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 2) {
        tell("wait_at_nxn", "0,1", 2, slept);
    }
    MPI_Finalize();
    return 0;
}
