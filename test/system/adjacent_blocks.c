/*
 * What Open MPI 4.1.4 gets wrong: successive MPI_File_write_at_all of adjacent blocks of
 * uneven size, some empty, with several aggregators. Writes the file that its argument
 * names and reads it back; exit 1 if bytes are wrong, and it says how many.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 20, BLOCK_MAX = 700 };

/* The same on all ranks: how much a rank writes in a round. */
static int block_bytes(int round, int rank, unsigned seed)
{
    unsigned x = seed + 2654435761u * (unsigned)(round * 64 + rank + 1);

    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return x % 5 == 0 ? 0 : (int)(x % BLOCK_MAX);
}

static unsigned char byte_of(int round, int rank)
{
    return (unsigned char)(1 + (round * 7 + rank) % 255);
}

static MPI_Offset write_all(const char *path, int rank, int size, unsigned seed)
{
    unsigned char block[BLOCK_MAX];
    MPI_Offset end = 0;
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Offset mine = end;
        for (int r = 0; r < size; r++) {
            mine += r < rank ? block_bytes(round, r, seed) : 0;
            end += block_bytes(round, r, seed);
        }
        memset(block, byte_of(round, rank), sizeof block);
        MPI_File_write_at_all(file, mine, block, block_bytes(round, rank, seed), MPI_BYTE,
                              MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    return end;
}

static long wrong_bytes(const char *path, int size, unsigned seed)
{
    FILE *file = fopen(path, "rb");
    long wrong = 0;

    if (!file) {
        return -1;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int r = 0; r < size; r++) {
            for (int i = 0; i < block_bytes(round, r, seed); i++) {
                wrong += getc(file) != byte_of(round, r);
            }
        }
    }
    fclose(file);
    return wrong;
}

int main(int argc, char **argv)
{
    unsigned seed;
    long wrong = 0;
    int rank, size;

    MPI_Init(&argc, &argv);
    if (argc != 2) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    seed = (unsigned)getpid();
    MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(argv[1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Offset bytes = write_all(argv[1], rank, size, seed);
    if (rank == 0) {
        wrong = wrong_bytes(argv[1], size, seed);
        printf("%ld of %lld bytes are wrong\n", wrong, (long long)bytes);
    }
    MPI_Bcast(&wrong, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong ? 1 : 0;
}
