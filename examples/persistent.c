/*
 * Persistent requests round a ring: five rounds with Start and Wait, five with Startall
 * and Waitall, then a Wait for a request that is not active, which does nothing.
 *
 * Expected in the archive of n ranks:
 *     MPI_Recv_init       2 * n
 *     MPI_Send_init       n
 *     MPI_Ssend_init      n
 *     MPI_Start           5 * 2 * n
 *     MPI_Wait            5 * 2 * n + n
 *     MPI_Startall        5 * n
 *     MPI_Waitall         5 * n
 *     MPI_Request_free    4 * n
 *     messages            5 * n + 5 * 2 * n
 *     bytes               10 * n * 24 + 5 * n * 56
 */
#include <mpi.h>
#include <stdio.h>

enum { SHORT = 3, LONG = 7 };

int main(int argc, char **argv)
{
    double out[LONG] = {0}, in_short[SHORT], in_long[LONG];
    MPI_Request requests[4]; /* receive and send the short message, then the long one */
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    MPI_Recv_init(in_short, SHORT, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, SHORT, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(in_long, LONG, MPI_DOUBLE, previous, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Ssend_init(out, LONG, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &requests[3]);

    for (int round = 0; round < 5; round++) {
        MPI_Start(&requests[0]);
        MPI_Start(&requests[1]);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    for (int round = 0; round < 5; round++) {
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++) {
        MPI_Request_free(&requests[i]);
    }
    MPI_Finalize();
    return 0;
}
