/*
 * Wait at neighbours: three ranks in a line exchange with those beside them, and rank 2 comes
 * late: to a blocking operation, to a non-blocking one and to a persistent one. Rank 1 waits
 * for it; rank 0, which is no neighbour of rank 2, waits for nobody, although it comes to the
 * second and the third operation before rank 2 does.
 *
 * mpiwatch-analyze waits: rank 1 waits in MPI_Neighbor_alltoall and in MPI_Wait for rank 2.
 * Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define ALLTOALL_INIT MPIX_Neighbor_alltoall_init
#else
#define ALLTOALL_INIT MPI_Neighbor_alltoall_init
#endif

#define SECONDS 0.3

/* Sleeps as it takes to come to operation number round at its time; how long. */
static double come(int rank, int round, double begin)
{
    double at = rank == 2 ? round + 1.0 : rank == 0 && round > 0 ? round + 0.5 : 0;
    double left = begin + at * SECONDS - nap_clock();

    return left > 0 ? nap(left) : 0;
}

int main(int argc, char **argv)
{
    int is_periodic = 0;
    int out[2] = { 1, 2 };
    int in[2];
    double slept = 0;
    double begin;
    MPI_Request request;
    MPI_Comm line;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &line);
    begin = nap_clock();

    slept += come(rank, 0, begin);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, line);

    slept += come(rank, 1, begin);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, line, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    ALLTOALL_INIT(out, 1, MPI_INT, in, 1, MPI_INT, line, MPI_INFO_NULL, &request);
    slept += come(rank, 2, begin);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);

    if (rank == 2) {
        tell("wait_at_neighbors", "1", 2, slept);
    }
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
