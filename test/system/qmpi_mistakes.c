/*
 * What examples/qmpi_comm_guard.c is to find, on 2 ranks:
 *
 *     qmpi_mistakes       each rank sends to itself with and without a posted receive
 *                         (tags 1 and 2), and the ranks call a broadcast of nothing and a
 *                         reduction of nothing in different orders
 *     qmpi_mistakes none  the same without the mistakes
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int rank, out = 7, in = 0, nothing = 0, is_wrong;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    is_wrong = argc == 1;
    for (int tag = 1; tag <= 2; tag++) {
        if (tag == 1 || !is_wrong) {
            MPI_Irecv(&in, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &request);
            MPI_Send(&out, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Send(&out, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
            MPI_Recv(&in, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    if (is_wrong && rank == 1) {
        MPI_Reduce(&out, &in, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&nothing, 0, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(&nothing, 0, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Reduce(&out, &in, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
