/*
 * A program that ends with a receive from anyone still pending: what the recorder itself
 * sends at the end must not fall into it. MPI forbids this; programs do it.
 *
 * Expected in the archive of n ranks:
 *     MPI_Irecv      n
 *     MPI_Barrier    n
 *     messages       0
 *     bytes          0
 *     collectives    n
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static int in = 12345;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (in != 12345) {
        fprintf(stderr, "pending_wildcard: something arrived: %d\n", in);
        return 1;
    }
    return 0;
}
