/*
 * Messages of no bytes are messages: ten blocking ones and ten others round a ring.
 *
 * Expected in the archive of n ranks:
 *     MPI_Send       10 * n
 *     MPI_Isend      10 * n
 *     MPI_Irecv      10 * n
 *     MPI_Recv       10 * n
 *     MPI_Waitall    10 * n
 *     messages       20 * n
 *     bytes          0
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    for (int i = 0; i < 10; i++) {
        MPI_Request requests[2];
        MPI_Irecv(NULL, 0, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(NULL, 0, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Send(NULL, 0, MPI_DOUBLE, next, 2, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_DOUBLE, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
