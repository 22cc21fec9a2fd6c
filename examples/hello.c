/*
 * Each rank says hello on its standard output, one after the other;
 * all exit with 5.
 *
 * Expected in the archive of n ranks:
 *     MPI_Barrier    n * n
 *     messages       0
 *     collectives    n * n
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int turn = 0; turn < size; turn++) {
        if (turn == rank) {
            printf("hello from rank %d of %d\n", rank, size);
            fflush(stdout);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 5;
}
