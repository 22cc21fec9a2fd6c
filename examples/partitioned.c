/*
 * Partitioned communication (MPI 4) round a ring, twice with the same requests: four
 * partitions of five doubles here, two of ten there. One message each time.
 *
 * Expected in the archive of n ranks:
 *     MPI_Psend_init             n
 *     MPI_Precv_init             n
 *     MPI_Startall               2 * n
 *     MPI_Pready                 2 * 2 * n
 *     MPI_Pready_range           2 * n
 *     MPI_Waitall                2 * n
 *     MPI_Request_free           2 * n
 *     messages                   2 * n
 *     bytes                      2 * n * 20 * 8
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double out[20] = {0}, in[20];
    int rank, size;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    MPI_Precv_init(in, 2, 10, MPI_DOUBLE, previous, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &requests[0]);
    MPI_Psend_init(out, 4, 5, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(2, requests);
        MPI_Pready(3, requests[1]);
        MPI_Pready(0, requests[1]);
        MPI_Pready_range(1, 2, requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Finalize();
    return 0;
}
