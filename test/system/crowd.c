/*
 * Ranks that compute for so many microseconds of CPU time between messages, crowd MICROSECONDS
 * ROUNDS, and say, each in a line, for how long the computing took and ran by the system's clocks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int count, char **words)
{
    double piece = count > 2 ? atof(words[1]) * 1e-6 : 1e-4;
    int rounds = count > 2 ? atoi(words[2]) : 1000;
    double took = 0;
    double ran = 0;
    volatile double number = 1;
    char out[4096] = {0};
    char in[4096];
    int rank;
    int size;

    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < rounds; i++) {
        double began = seconds(CLOCK_MONOTONIC);
        double used = seconds(CLOCK_THREAD_CPUTIME_ID);

        while (seconds(CLOCK_THREAD_CPUTIME_ID) - used < piece) {
            for (int k = 0; k < 200; k++) {
                number = number * 1.0000001;
            }
        }
        took += seconds(CLOCK_MONOTONIC) - began;
        ran += seconds(CLOCK_THREAD_CPUTIME_ID) - used;
        MPI_Sendrecv(out, sizeof out, MPI_CHAR, (rank + 1) % size, 0, in, sizeof in, MPI_CHAR,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("%d %.0f %.0f\n", rank, took * 1e9, ran * 1e9);
    return MPI_Finalize();
}
