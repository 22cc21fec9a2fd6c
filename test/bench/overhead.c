/*
 * What a call costs: runs one pattern of calls and prints, of rank 0, a line a number.
 * overhead.py runs it with and without the recorder and takes the difference.
 *
 *     overhead PATTERN [MILLIONS]    about that many millions of calls a rank, 1 if not said
 *
 *     local      MPI_Comm_rank
 *     self       Irecv, Send, Wait with itself, 8 bytes
 *     pingpong   Send, Recv of 8 bytes, two ranks
 *     halo       2 Irecv, 2 Isend, Waitall of 8 bytes each
 *     allreduce  Allreduce of 8 bytes
 *
 * Nine tenths of the calls are timed by batches of about a thousand: minimum and median
 * are those of the batches' means. The rest are timed one by one, a time that has the
 * clock's own cost in it: the 99.99th percentile and the longest.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size, left, right;
static double out, in, more_in;

static void local(void)
{
    int unused;

    MPI_Comm_rank(MPI_COMM_WORLD, &unused);
}

static void self(void)
{
    MPI_Request request;

    MPI_Irecv(&in, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void pingpong(void)
{
    if (rank == 0) {
        MPI_Send(&out, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&in, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
}

static void halo(void)
{
    MPI_Request requests[4];

    MPI_Irecv(&in, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&more_in, 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&out, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&out, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void allreduce(void)
{
    MPI_Allreduce(&out, &in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const struct pattern {
    const char *name;
    void (*run)(void);
    int calls;
} patterns[] = {
    {"local", local, 1}, {"self", self, 3},           {"pingpong", pingpong, 2},
    {"halo", halo, 5},   {"allreduce", allreduce, 1},
};

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Fills times with count means over batches of runs; sorted. */
static void time_batches(const struct pattern *pattern, double *times, int count, int runs)
{
    for (int i = 0; i < count; i++) {
        double start = now();
        for (int run = 0; run < runs; run++) {
            pattern->run();
        }
        times[i] = (now() - start) / runs / pattern->calls;
    }
    qsort(times, (size_t)count, sizeof *times, by_value);
}

static void time_one_by_one(const struct pattern *pattern, double *times, int count)
{
    double before = now();

    for (int i = 0; i < count; i++) {
        pattern->run();
        double after = now();
        times[i] = after - before;
        before = after;
    }
    qsort(times, (size_t)count, sizeof *times, by_value);
}

static long peak_kilobytes(void)
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

static const struct pattern *find(const char *name)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (strcmp(patterns[i].name, name) == 0) {
            return &patterns[i];
        }
    }
    fprintf(stderr, "overhead: there is no pattern %s\n", name);
    MPI_Abort(MPI_COMM_WORLD, 2);
    return NULL;
}

static void measure(const struct pattern *pattern, double millions)
{
    int runs = 1000 / pattern->calls;
    int batches = (int)(millions * 900) + 1;
    int singles = (int)(millions * 1e5 / pattern->calls) + 1;
    double *times = malloc((size_t)(batches + singles) * sizeof *times);

    if (!times) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    /* Touched before, so that the pages are no stalls. */
    memset(times, 0, (size_t)(batches + singles) * sizeof *times);
    time_batches(pattern, times, 1, runs);
    time_batches(pattern, times, batches, runs);
    time_one_by_one(pattern, times + batches, singles);
    if (rank == 0) {
        printf("minimum %.1f\nmedian %.1f\n", times[0], times[batches / 2]);
        printf("p9999 %.0f\nlongest %.0f\n", times[batches + (int)(singles * 0.9999)],
               times[batches + singles - 1]);
        printf("calls %.0f\n", (double)pattern->calls * ((batches + 1.0) * runs + singles));
    }
    free(times);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    measure(find(argc > 1 ? argv[1] : ""), argc > 2 ? atof(argv[2]) : 1);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    MPI_Finalize();
    double seconds = (now() - start) / 1e9;
    if (rank == 0) {
        printf("finalize %.3f\npeak %ld\n", seconds, peak_kilobytes());
    }
    return 0;
}
