/*
 * Unexpected messages: rank 1 sends rank 0 a flood of small messages before rank 0 receives
 * any of them.
 *
 * Rank 0 first receives a message of another tag that rank 1 sends last. Messages of one
 * sender arrive in order, so that at the end of this MPI_Recv all MESSAGES others are there
 * and wait: under Open MPI, mpiwatch-analyze watermarks finds the highest value of
 * pml_ob1_unexpected_msgq_length to be MESSAGES, on rank 0 in MPI_Recv.
 */
#include <mpi.h>
#include <stdio.h>

#define MESSAGES 200
#define FLOOD 1
#define LAST  2

int main(int argc, char **argv)
{
    int value = 0;
    int sum = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        for (int i = 0; i < MESSAGES; i++) {
            MPI_Send(&i, 1, MPI_INT, 0, FLOOD, MPI_COMM_WORLD);
        }
        MPI_Send(&value, 1, MPI_INT, 0, LAST, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < MESSAGES; i++) {
            MPI_Recv(&value, 1, MPI_INT, 1, FLOOD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += value;
        }
        printf("sum = %d\n", sum);
    }
    MPI_Finalize();
    return 0;
}
