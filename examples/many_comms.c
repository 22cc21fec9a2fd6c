/*
 * A thousand communicators alive at once: dups of MPI_COMM_WORLD, a message of 4 bytes
 * round the ring on each, all freed at the end.
 *
 * Expected in the archive of n ranks:
 *     MPI_Comm_dup     1000 * n
 *     MPI_Sendrecv     1000 * n
 *     MPI_Comm_free    1000 * n
 *     messages         1000 * n
 *     bytes            1000 * n * 4
 */
#include <mpi.h>

enum { COMMS = 1000 };

int main(int argc, char **argv)
{
    static MPI_Comm comms[COMMS];
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    for (int i = 0; i < COMMS; i++) {
        int in;
        MPI_Sendrecv(&i, 1, MPI_INT, next, 0, &in, 1, MPI_INT, previous, 0, comms[i],
                     MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm_free(&comms[i]);
    }
    MPI_Finalize();
    return 0;
}
