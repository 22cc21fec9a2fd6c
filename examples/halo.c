/*
 * The halo exchange of a periodic line of ranks: 2 Irecv, 2 Isend, one Waitall a step.
 * The argument is the number of steps, 100 if there is none.
 *
 * Expected in the archive of n ranks:
 *     MPI_Irecv      2 * 100 * n
 *     MPI_Isend      2 * 100 * n
 *     MPI_Waitall    100 * n
 *     messages       2 * 100 * n
 *     bytes          2 * 100 * n * 8000
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { HALO = 1000, TO_LEFT = 1, TO_RIGHT = 2 };

static double outgoing[2][HALO], incoming[2][HALO];

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    int steps = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;

    for (int step = 0; step < steps; step++) {
        MPI_Request requests[4];
        outgoing[0][0] = outgoing[1][0] = rank + step;
        MPI_Irecv(incoming[0], HALO, MPI_DOUBLE, left, TO_RIGHT, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(incoming[1], HALO, MPI_DOUBLE, right, TO_LEFT, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(outgoing[0], HALO, MPI_DOUBLE, left, TO_LEFT, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(outgoing[1], HALO, MPI_DOUBLE, right, TO_RIGHT, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    if (incoming[0][0] != left + steps - 1 || incoming[1][0] != right + steps - 1) {
        fprintf(stderr, "rank %d: the halo is wrong\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
