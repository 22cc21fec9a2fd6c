/*
 * Messages over an inter-communicator, where a rank is one of the other group. The even
 * and the odd ranks form two groups; each even rank sends 24 bytes to its partner, rank
 * r of the one group to rank r of the other, and gets 40 bytes back; then a broadcast
 * goes from the first even rank to all odd ones.
 *
 * Expected in the archive of n ranks (n is even):
 *     MPI_Comm_split          n
 *     MPI_Intercomm_create    n
 *     MPI_Send                n
 *     MPI_Recv                n // 2
 *     MPI_Irecv               n // 2
 *     MPI_Wait                n // 2
 *     MPI_Bcast               n
 *     MPI_Comm_free           2 * n
 *     messages                n
 *     bytes                   n // 2 * (24 + 40)
 *     collectives             n
 *     moved BCAST             8 * (n // 2)
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm half, inter;
    MPI_Request request;
    double data[5] = {0};
    int rank, in_half, root;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int even = rank % 2 == 0;
    MPI_Comm_split(MPI_COMM_WORLD, even, rank, &half);
    MPI_Comm_rank(half, &in_half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, even ? 1 : 0, 5, &inter);

    if (even) {
        MPI_Send(data, 3, MPI_DOUBLE, in_half, 1, inter);
        MPI_Irecv(data, 5, MPI_DOUBLE, MPI_ANY_SOURCE, 2, inter, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        root = in_half == 0 ? MPI_ROOT : MPI_PROC_NULL;
    } else {
        MPI_Recv(data, 3, MPI_DOUBLE, MPI_ANY_SOURCE, 1, inter, MPI_STATUS_IGNORE);
        MPI_Send(data, 5, MPI_DOUBLE, in_half, 2, inter);
        root = 0;
    }
    MPI_Bcast(data, 1, MPI_DOUBLE, root, inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
