/*
 * Early reduce: the root of a reduction is there before anybody has anything for it.
 *
 * mpiwatch-analyze waits: rank 0 waits in MPI_Reduce until the first of the others comes. With two
 * ranks that is rank 1, with more it may be another one.
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
    if (rank != 0) {
        slept = nap(SECONDS);
    }
    MPI_Reduce(&value, &result, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        tell("early_reduce", "0", 1, slept);
    }
    MPI_Finalize();
    return 0;
}
