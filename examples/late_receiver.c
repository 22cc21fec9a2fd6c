/*
 * Late receiver: rank 0 sends synchronously, rank 1 receives after a sleep.
 *
 * mpiwatch-analyze waits: rank 0 waits in MPI_Ssend for rank 1 as long as that slept.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 0.8

int main(int argc, char **argv)
{
    int value = 42;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        double slept = nap(SECONDS);

        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        tell("late_receiver", "0", 1, slept);
    }
    MPI_Finalize();
    return 0;
}
