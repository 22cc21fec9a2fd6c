/*
 * A program that keeps the time of its calls itself: times LOG. Each rank calls MPI_Comm_rank, a
 * hundred times at a go and then not for a while, in two threads, and writes to LOG.RANK a line for
 * each call, in the order of the threads: CLOCK_MONOTONIC in ns before it and behind it.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define GOES 60
#define CALLS 100

struct span {
    uint64_t before;
    uint64_t behind;
};

static struct span spans[2][GOES * CALLS];

static uint64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *make_calls(void *spans_of_thread)
{
    struct span *span = spans_of_thread;
    int rank;

    for (int go = 0; go < GOES; go++) {
        for (int i = 0; i < CALLS; i++, span++) {
            span->before = now();
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            span->behind = now();
        }
        usleep(go % 10 == 9 ? 100000 : 3000);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level, rank;
    char path[4096];
    pthread_t thread;
    FILE *log;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_create(&thread, NULL, make_calls, spans[1]);
    make_calls(spans[0]);
    pthread_join(thread, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s.%d", argv[1], rank);
    log = fopen(path, "w");
    for (int i = 0; log && i < 2; i++) {
        for (int j = 0; j < GOES * CALLS; j++) {
            fprintf(log, "%" PRIu64 " %" PRIu64 "\n", spans[i][j].before, spans[i][j].behind);
        }
    }
    MPI_Finalize();
    return log && fclose(log) == 0 ? 0 : 1;
}
