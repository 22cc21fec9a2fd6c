/*
 * steps [killed]: 40 rounds in which rank r of three sleeps for r + 1 times 10 ms and gives its
 * neighbour a message, until all are there. With --cpu=off, to which sleep is work, that is useful.
 * How many seconds of it there were, and of all after MPI_Init, is in the file useful.RANK, by the
 * rank's own clock. killed: the ranks end by SIGKILL.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void tell(int rank, double useful, double all)
{
    char name[32];
    FILE *file;

    snprintf(name, sizeof name, "useful.%d", rank);
    file = fopen(name, "w");
    if (file) {
        fprintf(file, "%.9f %.9f\n", useful, all);
        fclose(file);
    }
}

int main(int argc, char **argv)
{
    int rank, size, got = 0;
    double start, left, useful = 0;

    MPI_Init(&argc, &argv);
    start = left = MPI_Wtime();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 40; round++) {
        usleep(10000 * (rank + 1));
        useful += MPI_Wtime() - left;
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        left = MPI_Wtime();
    }
    tell(rank, useful, left - start);
    if (argc > 1) {
        MPI_Barrier(MPI_COMM_WORLD);
        raise(SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
