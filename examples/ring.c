/*
 * A ring: a message of 100 ints goes from rank to rank, ten times round.
 *
 * Expected in the archive of n ranks:
 *     MPI_Send    10 * n
 *     MPI_Recv    10 * n
 *     messages    10 * n
 *     bytes       10 * n * 400
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, numbers[100] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    for (int round = 0; round < 10; round++) {
        if (rank == 0) {
            numbers[0]++;
            MPI_Send(numbers, 100, MPI_INT, next, round, MPI_COMM_WORLD);
        }
        MPI_Recv(numbers, 100, MPI_INT, previous, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank != 0) {
            numbers[0]++;
            MPI_Send(numbers, 100, MPI_INT, next, round, MPI_COMM_WORLD);
        }
    }
    if (rank == 0) {
        printf("visits = %d\n", numbers[0]);
    }
    MPI_Finalize();
    return 0;
}
