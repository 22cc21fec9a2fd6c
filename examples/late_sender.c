/*
 * Late sender: rank 1 receives at once what rank 0 sends after a sleep.
 *
 * mpiwatch-analyze waits: rank 1 waits in MPI_Recv for rank 0 as long as that slept; nobody
 * waits for anything else.
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
        double slept = nap(SECONDS);

        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        tell("late_sender", "1", 0, slept);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
