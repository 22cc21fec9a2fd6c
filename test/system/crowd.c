/*
 * Ranks that work for so many microseconds of CPU time between messages, crowd MICROSECONDS ROUNDS
 * [HOW], and say, each in a line, for how long the work took and ran by the system's clocks, and
 * for how long in all the main thread could have run and had no core, as the kernel counts it.
 *
 * HOW: computes (if not said), calls (works in MPI_Reduce_local, where nobody waits), waits (only
 * rank 0 computes, the others wait for it), threads (as calls, beside a thread of each that
 * computes until the end), silently (computes as often as it did in that time at first, and asks
 * the system for nothing meanwhile: the work is told as 0).
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NUMBERS 20000

static double seconds(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Of the main thread, in ns; 0 where that is not told. */
static double without_core(void)
{
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    double ran = 0;
    double waited = 0;

    if (file) {
        if (fscanf(file, "%lf %lf", &ran, &waited) != 2) {
            waited = 0;
        }
        fclose(file);
    }
    return waited;
}

static void compute(void)
{
    volatile double number = 1;

    for (int k = 0; k < 200; k++) {
        number = number * 1.0000001;
    }
}

/* Works for that many seconds of CPU time, in calls or outside of them: so often. */
static long work(double piece, int in_calls)
{
    static double from[NUMBERS];
    static double to[NUMBERS];
    double used = seconds(CLOCK_THREAD_CPUTIME_ID);
    long times = 0;

    for (; seconds(CLOCK_THREAD_CPUTIME_ID) - used < piece; times++) {
        if (in_calls) {
            MPI_Reduce_local(from, to, NUMBERS, MPI_DOUBLE, MPI_SUM);
        } else {
            compute();
        }
    }
    return times;
}

static void work_silently(long times)
{
    while (times-- > 0) {
        compute();
    }
}

static atomic_int has_ended;

static void *run_beside(void *unused)
{
    volatile double number = 1;

    (void)unused;
    while (!has_ended) {
        number = number * 1.0000001;
    }
    return NULL;
}

int main(int count, char **words)
{
    double piece = count > 2 ? atof(words[1]) * 1e-6 : 1e-4;
    int rounds = count > 2 ? atoi(words[2]) : 1000;
    const char *how = count > 3 ? words[3] : "computes";
    double took = 0;
    double ran = 0;
    double without;
    char out[4096] = {0};
    char in[4096];
    int is_in_calls = strcmp(how, "calls") == 0 || strcmp(how, "threads") == 0;
    long silent = strcmp(how, "silently") == 0 ? work(piece, 0) : 0;
    pthread_t beside;
    int rank;
    int size;

    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(how, "threads") == 0 && pthread_create(&beside, NULL, run_beside, NULL) != 0) {
        return 1;
    }
    without = without_core();
    for (int i = 0; i < rounds; i++) {
        if (silent > 0) {
            work_silently(silent);
        } else {
            double began = seconds(CLOCK_MONOTONIC);
            double used = seconds(CLOCK_THREAD_CPUTIME_ID);

            if (rank == 0 || strcmp(how, "waits") != 0) {
                work(piece, is_in_calls);
            }
            took += seconds(CLOCK_MONOTONIC) - began;
            ran += seconds(CLOCK_THREAD_CPUTIME_ID) - used;
        }
        MPI_Sendrecv(out, sizeof out, MPI_CHAR, (rank + 1) % size, 0, in, sizeof in, MPI_CHAR,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (strcmp(how, "threads") == 0) {
        has_ended = 1;
        pthread_join(beside, NULL);
    }
    printf("%d %.0f %.0f %.0f\n", rank, took * 1e9, ran * 1e9, without_core() - without);
    return MPI_Finalize();
}
