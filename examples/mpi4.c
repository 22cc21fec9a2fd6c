/*
 * What MPI 4 brings, where the library has it (MPICH): counts of type MPI_Count, to and
 * from a neighbour and in collectives. Elsewhere it does nothing. (MPI_Isendrecv is not
 * here, since MPICH 4.0.2 leaves the status of its receive unset.)
 *
 * Expected in the archive of n ranks (has is n where MPI is 4.0 or newer, else 0):
 *     MPI_Irecv_c         has
 *     MPI_Isend_c         has
 *     MPI_Send_c          has
 *     MPI_Recv_c          has
 *     MPI_Sendrecv_c      has
 *     MPI_Waitall         has
 *     MPI_Bcast_c         has
 *     MPI_Gatherv_c       has
 *     MPI_Iallreduce_c    has
 *     MPI_Wait            has
 *     messages            3 * has
 *     bytes               3 * has * 80
 *     collectives         3 * has
 *     moved BCAST         80 * has
 *     moved GATHERV       80 * has
 *     moved ALLREDUCE     80 * has * n
 */
#include <mpi.h>
#include <stdio.h>

#if MPI_VERSION >= 4

enum { COUNT = 10, RANKS_MAX = 64 };

static double out[COUNT], in[COUNT], all[RANKS_MAX * COUNT];

static void point_to_point(int previous, int next)
{
    MPI_Request requests[2];

    MPI_Irecv_c(in, COUNT, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(out, COUNT, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Send_c(out, COUNT, MPI_DOUBLE, next, 2, MPI_COMM_WORLD);
    MPI_Recv_c(in, COUNT, MPI_DOUBLE, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_c(out, COUNT, MPI_DOUBLE, next, 3, in, COUNT, MPI_DOUBLE, previous, 3,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void collectives(int size)
{
    MPI_Count counts[RANKS_MAX];
    MPI_Aint places[RANKS_MAX];
    MPI_Request request;

    for (int r = 0; r < size; r++) {
        counts[r] = COUNT;
        places[r] = r * COUNT;
    }
    MPI_Bcast_c(out, COUNT, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gatherv_c(out, COUNT, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Iallreduce_c(out, in, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#if MPI_VERSION >= 4
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    point_to_point((rank + size - 1) % size, (rank + 1) % size);
    collectives(size);
#endif
    printf("has = %d\n", MPI_VERSION >= 4);
    MPI_Finalize();
    return 0;
}
