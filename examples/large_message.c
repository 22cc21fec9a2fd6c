/*
 * Messages of more than 2 GiB from rank 0 to rank 1: 300 million doubles by count, and
 * 2400 pieces of a megabyte by a derived type. Where the machine has not the memory for
 * it (8 GB free), it says so and exits with 77.
 *
 * Expected in the archive of n ranks:
 *     MPI_Bcast      n
 *     MPI_Send       2
 *     MPI_Recv       2
 *     messages       2
 *     bytes          2 * 2400000000
 *     collectives    n
 *     moved BCAST    4 * n
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { DOUBLES = 300000000, PIECE = 1000000, PIECES = 2400 };

static long long available_kilobytes(void)
{
    char line[256];
    long long kilobytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");

    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemAvailable: %lld kB", &kilobytes) == 1) {
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return kilobytes;
}

static void exchange(int rank)
{
    MPI_Datatype piece;
    char *bytes = calloc(PIECES, PIECE);

    if (!bytes) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Type_contiguous(PIECE, MPI_BYTE, &piece);
    MPI_Type_commit(&piece);
    if (rank == 0) {
        MPI_Send(bytes, DOUBLES, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(bytes, PIECES, piece, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(bytes, DOUBLES, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(bytes, PIECES, piece, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&piece);
    free(bytes);
}

int main(int argc, char **argv)
{
    int rank, enough;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enough = available_kilobytes() > 8000000;
    MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (enough) {
        exchange(rank);
    } else if (rank == 0) {
        printf("skipped: less than 8 GB of memory are available\n");
    }
    MPI_Finalize();
    return enough ? 0 : 77;
}
