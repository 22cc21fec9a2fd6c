/*
 * local_calls N: N calls of MPI_Comm_rank, for which ranks don't wait for each other: with -e all
 * an archive of any size, however busy the machine is.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    MPI_Finalize();
    return 0;
}
