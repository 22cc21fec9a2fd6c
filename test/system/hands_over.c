/*
 * Rank 1 hands over to rank 0 how many bytes there are, and then these, hands_over BYTES ROUNDS;
 * rank 0 computes for 10 ms before it takes them. Rank 1 says for how many ns it was in the calls
 * that send the bytes, all together.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES_MAX 65536

static void compute(double seconds)
{
    const double end = MPI_Wtime() + seconds;

    while (MPI_Wtime() < end) {
    }
}

int main(int argc, char **argv)
{
    static char data[BYTES_MAX];
    int bytes = argc > 1 ? atoi(argv[1]) : 1;
    const int rounds = argc > 2 ? atoi(argv[2]) : 1;
    double sending = 0;
    int rank;

    bytes = bytes > BYTES_MAX ? BYTES_MAX : bytes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < rounds; round++) {
        if (rank == 0) {
            int count = 0;

            compute(0.01);
            MPI_Recv(&count, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(data, count, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            double begun;

            MPI_Send(&bytes, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            begun = MPI_Wtime();
            MPI_Send(data, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
            sending += MPI_Wtime() - begun;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        printf("%.0f\n", sending * 1e9);
    }
    MPI_Finalize();
    return 0;
}
