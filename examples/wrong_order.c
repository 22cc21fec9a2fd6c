/*
 * Wrong order: rank 1 waits for a message of rank 0 that comes after a sleep, while others that
 * came before lie there: first one of the same source, then one of rank 2.
 *
 * mpiwatch-analyze waits: rank 1 waits twice for rank 0 (late sender), once in the wrong order of
 * messages of the same source, once of different sources. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 0.8

int main(int argc, char **argv)
{
    double slept[2] = { 0, 0 };
    int value = 42;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        slept[0] = nap(SECONDS);
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        slept[1] = nap(SECONDS);
        MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        tell("late_sender", "1", 0, slept[0] + slept[1]);
        tell("wrong_order_same_source", "1", 0, slept[0]);
        tell("wrong_order_different_source", "1", 0, slept[1]);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        nap(1.5 * SECONDS);
        MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
