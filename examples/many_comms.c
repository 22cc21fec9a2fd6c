/*
 * Communicators alive at once, a thousand or as many as the argument says: dups of
 * MPI_COMM_WORLD, a message of 4 bytes round the ring on each, all freed at the end. Prints
 * the peak of its memory.
 *
 * Expected in the archive of n ranks, without an argument:
 *     MPI_Comm_dup     1000 * n
 *     MPI_Sendrecv     1000 * n
 *     MPI_Comm_free    1000 * n
 *     messages         1000 * n
 *     bytes            1000 * n * 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* In kB; -1: it can't be told. */
static long peak_memory(void)
{
    char line[256];
    long kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");

    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "VmHWM: %ld kB", &kilobytes) == 1) {
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return kilobytes;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Comm *comms = malloc((size_t)count * sizeof(MPI_Comm));
    int rank, size;

    MPI_Init(&argc, &argv);
    if (!comms) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    for (int i = 0; i < count; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    for (int i = 0; i < count; i++) {
        int in;
        MPI_Sendrecv(&i, 1, MPI_INT, next, 0, &in, 1, MPI_INT, previous, 0, comms[i],
                     MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < count; i++) {
        MPI_Comm_free(&comms[i]);
    }
    MPI_Finalize();
    if (rank == 0) {
        printf("peak memory of rank 0: %ld kB\n", peak_memory());
    }
    free(comms);
    return 0;
}
