/*
 * Ranks that compute for so many milliseconds and read so many KB, so many times, between barriers:
 * reads HOW DIRECTORY MILLISECONDS KB ROUNDS. Each says at the end, in a line, how many bytes it
 * has read. Before that, HOW is write: their files are written, two, without MPI.
 *
 * HOW: text (numbers by scanf), one (only rank 0 does), copied (all of a round at once), together
 * (by MPI-IO, and nothing else), between (text, and a value by MPI-IO behind each 10 KB of it, of
 * which it says nothing), messages (nothing is read but what comes from the other rank), pieces
 * (the same in messages of 4 KB, all of which are sent before any is received), secret (text, by a
 * process whose counts nobody but root may read).
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

static double sum;

static void compute(double milliseconds)
{
    const double end = MPI_Wtime() + milliseconds * 1e-3;

    while (MPI_Wtime() < end) {
    }
}

static void write_text(const char *name, long bytes)
{
    FILE *file = fopen(name, "w");
    long written = 0;

    while (file && written < bytes) {
        written += fprintf(file, "%.6f\n", 1 + (double)(written % 1000) / 7000);
    }
    if (!file || fclose(file) != 0) {
        exit(1);
    }
}

/* Reads numbers until there are so many bytes; how many there are. */
static long read_text(FILE *file, long bytes)
{
    const long from = ftell(file);
    double number = 0;

    for (long i = 0; i < bytes / 9 && fscanf(file, "%lf", &number) == 1; i++) {
        sum += number;
    }
    return ftell(file) - from;
}

/* The same, with a value from another file behind each piece. */
static long read_between(FILE *file, long bytes, MPI_File other)
{
    long has = 0, value;

    while (has < bytes) {
        has += read_text(file, 9999);
        MPI_File_read_at(other, 0, &value, 1, MPI_LONG, MPI_STATUS_IGNORE);
    }
    return has;
}

static void exchange(int rank, char *out, char *in, long bytes)
{
    MPI_Sendrecv(out, (int)bytes, MPI_BYTE, 1 - rank, 0, in, (int)bytes, MPI_BYTE, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The same in pieces that are on their way until they are received. */
static void exchange_pieces(int rank, char *out, char *in, long bytes)
{
    for (long i = 0; i < bytes; i += 4000) {
        MPI_Send(out, 4000, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
    }
    for (long i = 0; i < bytes; i += 4000) {
        MPI_Recv(in, 4000, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc == 6 ? argv[1] : "text";
    const double milliseconds = argc == 6 ? atof(argv[3]) : 1;
    const long bytes = argc == 6 ? atol(argv[4]) * 1000 : 1000;
    const int rounds = argc == 6 ? atoi(argv[5]) : 1;
    char *data = calloc(2, (size_t)bytes);
    char name[4096];
    long has = 0;
    int rank = 0;
    FILE *file;
    MPI_File together;

    for (; strcmp(how, "write") == 0 && rank < 2; rank++) {
        snprintf(name, sizeof name, "%s/read.%d", argv[2], rank);
        write_text(name, (bytes + 10000) * rounds);
    }
    if (rank == 2) {
        return 0;
    }
    if (strcmp(how, "secret") == 0) {
        prctl(PR_SET_DUMPABLE, 0);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/read.%d", argc == 6 ? argv[2] : ".", rank);
    file = fopen(name, "r");
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &together);
    if (!file || !data) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < rounds; round++) {
        compute(milliseconds);
        if (strcmp(how, "copied") == 0) {
            has += (long)fread(data, 1, (size_t)bytes, file);
        } else if (strcmp(how, "together") == 0) {
            MPI_File_read_at(together, round * bytes, data, (int)bytes, MPI_BYTE,
                             MPI_STATUS_IGNORE);
            has += bytes;
        } else if (strcmp(how, "between") == 0) {
            has += read_between(file, bytes, together);
        } else if (strcmp(how, "messages") == 0) {
            exchange(rank, data, data + bytes, bytes);
        } else if (strcmp(how, "pieces") == 0) {
            exchange_pieces(rank, data, data + bytes, bytes);
        } else if (strcmp(how, "one") != 0 || rank == 0) {
            has += read_text(file, bytes);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    fclose(file);
    MPI_File_close(&together);
    free(data);
    printf("%d %ld\n", rank, has);
    MPI_Finalize();
    return 0;
}
