/*
 * Persistent collective operations: each request is made once and started three times, one
 * by one and all together. They are MPI 4's; Open MPI 4 has them as MPIX_ (x = 1, else 0).
 *
 * Expected in the archive of n ranks:
 *     MPI_Barrier_init              n * (1 - x)
 *     MPIX_Barrier_init             n * x
 *     MPI_Bcast_init                n * (1 - x)
 *     MPIX_Bcast_init               n * x
 *     MPI_Allreduce_init            n * (1 - x)
 *     MPIX_Allreduce_init           n * x
 *     MPI_Alltoallv_init            n * (1 - x)
 *     MPIX_Alltoallv_init           n * x
 *     MPI_Neighbor_allgather_init   n * (1 - x)
 *     MPIX_Neighbor_allgather_init  n * x
 *     MPI_Cart_create               n
 *     MPI_Start                     5 * n
 *     MPI_Wait                      5 * n
 *     MPI_Startall                  2 * n
 *     MPI_Waitall                   2 * n
 *     MPI_Request_free              5 * n
 *     collectives                   3 * 5 * n
 *     moved BARRIER                 0
 *     moved BCAST                   3 * n * 6 * 4
 *     moved ALLREDUCE               3 * n * n * 8
 *     moved ALLTOALLV               3 * n * n * 4
 *     moved ALLGATHER               3 * 2 * n * 2 * 8
 */
#include <mpi.h>
#include <stdio.h>

#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define INIT(operation) MPIX_##operation##_init
#else
#define INIT(operation) MPI_##operation##_init
#endif

enum { OPERATIONS = 5, RANKS_MAX = 64 };

int main(int argc, char **argv)
{
    int data[6] = {0}, out[RANKS_MAX] = {0}, in[RANKS_MAX], ones[RANKS_MAX], places[RANKS_MAX];
    double one = 1, sum, pair[2] = {0}, pairs[4];
    int rank, size, is_periodic = 1;
    MPI_Request requests[OPERATIONS];
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size && i < RANKS_MAX; i++) {
        ones[i] = 1;
        places[i] = i;
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &ring);
    INIT(Barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    INIT(Bcast)(data, 6, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    INIT(Allreduce)(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[2]);
    INIT(Alltoallv)(out, ones, places, MPI_INT, in, ones, places, MPI_INT, MPI_COMM_WORLD,
                       MPI_INFO_NULL, &requests[3]);
    INIT(Neighbor_allgather)(pair, 2, MPI_DOUBLE, pairs, 2, MPI_DOUBLE, ring, MPI_INFO_NULL,
                                &requests[4]);
    for (int i = 0; i < OPERATIONS; i++) {
        MPI_Start(&requests[i]);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    for (int round = 0; round < 2; round++) {
        MPI_Startall(OPERATIONS, requests);
        MPI_Waitall(OPERATIONS, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < OPERATIONS; i++) {
        MPI_Request_free(&requests[i]);
    }
    printf("rank %d: sum %g\n", rank, sum);
    MPI_Finalize();
    return 0;
}
