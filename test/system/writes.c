/*
 * Ranks that compute for so many milliseconds and write so many KB, so many times, between
 * barriers: writes HOW DIRECTORY MILLISECONDS KB ROUNDS. Each says, in a line, how many bytes it
 * has written.
 *
 * HOW: text (as stdio makes it), one (only rank 0 does), copied (all of a round at once), calls
 * (the same, with thousands of calls of MPI besides), together (by MPI-IO), between (text, and a
 * value by MPI-IO behind each 10 KB of it, of which it says nothing).
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void compute(double milliseconds)
{
    const double end = MPI_Wtime() + milliseconds * 1e-3;

    while (MPI_Wtime() < end) {
    }
}

/* Writes lines until there are so many bytes; how many there are. */
static long write_text(FILE *file, long bytes)
{
    long written = 0;

    while (written < bytes) {
        written += fprintf(file, "%ld %.9g\n", written, (double)written / 7);
    }
    return written;
}

/* The same, with a value into another file behind each piece. */
static long write_between(FILE *file, long bytes, MPI_File other)
{
    long written = 0;

    while (written < bytes) {
        written += write_text(file, bytes < 10000 ? bytes : 10000);
        MPI_File_write(other, &written, 1, MPI_LONG, MPI_STATUS_IGNORE);
    }
    return written;
}

static void send_to_itself(int rank, int times)
{
    int out = rank, in;

    for (int i = 0; i < times; i++) {
        MPI_Sendrecv(&out, 1, MPI_INT, rank, 0, &in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc == 6 ? argv[1] : "text";
    const double milliseconds = argc == 6 ? atof(argv[3]) : 1;
    const long bytes = argc == 6 ? atol(argv[4]) * 1000 : 1000;
    const int rounds = argc == 6 ? atoi(argv[5]) : 1;
    char *data = calloc(1, (size_t)bytes);
    char name[4096];
    long written = 0;
    int rank;
    FILE *file;
    MPI_File together;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/together", argc == 6 ? argv[2] : ".");
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &together);
    snprintf(name, sizeof name, "%s/written.%d", argc == 6 ? argv[2] : ".", rank);
    file = fopen(name, "w");
    if (!file || !data) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < rounds; round++) {
        compute(milliseconds);
        if (strcmp(how, "copied") == 0 || strcmp(how, "calls") == 0) {
            written += (long)fwrite(data, 1, (size_t)bytes, file);
        } else if (strcmp(how, "together") == 0) {
            MPI_File_write_at(together, (rank * rounds + round) * bytes, data, (int)bytes,
                              MPI_BYTE, MPI_STATUS_IGNORE);
            written += bytes;
        } else if (strcmp(how, "between") == 0) {
            written += write_between(file, bytes, together);
        } else if (strcmp(how, "one") != 0 || rank == 0) {
            written += write_text(file, bytes);
        }
        if (strcmp(how, "calls") == 0) {
            send_to_itself(rank, 10000);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    fclose(file);
    MPI_File_close(&together);
    free(data);
    printf("%d %ld\n", rank, written);
    MPI_Finalize();
    return 0;
}
