/*
 * Early scan: a rank needs the values of all lower ones, of which rank 0 is late.
 *
 * mpiwatch-analyze waits: rank 1 waits in MPI_Scan for rank 0. Two ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 0.8

int main(int argc, char **argv)
{
    int value = 1;
    int result = 0;
    double slept = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        slept = nap(SECONDS);
    }
    MPI_Scan(&value, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        tell("early_scan", "1", 0, slept);
    }
    MPI_Finalize();
    return 0;
}
