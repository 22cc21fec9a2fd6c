/*
 * What a call costs: runs one loop of calls and prints, of rank 0, a line a number.
 * overhead.py runs it with and without the recorder and takes the difference.
 *
 *     overhead LOOP [MILLIONS]          that many millions of calls a rank, 1 if not said:
 *                                       mean, the loop's own time by its calls, and cpu, the
 *                                       process's user and system time likewise, in ns
 *     overhead LOOP MILLIONS [SECONDS]  instead, that many seconds of rounds 5 us apart, each
 *                                       timed by itself: what stalls
 *
 *     local      MPI_Comm_rank
 *     self       Irecv, Send, Wait with itself, 8 bytes
 *     pingpong   Send, Recv of 8 bytes, two ranks
 *     halo       2 Irecv, 2 Isend, Waitall of 8 bytes each
 *     allreduce  Allreduce of 8 bytes
 *     30k, 1m    as self, with 30,000 or 1,000,000 receives posted: the oldest one comes next
 *
 * The loop is timed as a whole, so that what happens now and then in it counts: windows of the
 * spool that change, most of all. Where MPIWATCH_SPOOL says where spools are, their bytes on
 * disk are counted before MPI_Finalize.
 */
#define _GNU_SOURCE
#include <ftw.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define APART 5000.0      /* ns between the rounds of what is timed one by one */
#define STALL_FIRST 10000 /* ns: no call of the MPI takes as long here */
#define STEPS 16          /* of the histogram, in each power of two */

static int rank, size, left, right;
static double out, in, more_in;
static MPI_Request *posted;
static int posted_count, oldest;

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

/* The MPI finds what a message belongs to at once, since it is the first of what is posted. */
static void outstanding(void)
{
    MPI_Send(&out, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&posted[oldest], MPI_STATUS_IGNORE);
    MPI_Irecv(&in, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &posted[oldest]);
    oldest = oldest + 1 < posted_count ? oldest + 1 : 0;
}

static const struct loop {
    const char *name;
    void (*run)(void);
    int calls;
    int posted;
} loops[] = {
    {"local", local, 1, 0},       {"self", self, 3, 0},         {"pingpong", pingpong, 2, 0},
    {"halo", halo, 5, 0},         {"allreduce", allreduce, 1, 0},
    {"30k", outstanding, 3, 30000}, {"1m", outstanding, 3, 1000000},
};

static double now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static const struct loop *find(const char *name)
{
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        if (strcmp(loops[i].name, name) == 0) {
            return &loops[i];
        }
    }
    fprintf(stderr, "overhead: there is no loop %s\n", name);
    MPI_Abort(MPI_COMM_WORLD, 2);
    return NULL;
}

/* Posts the receives that are to be there all the time. */
static void post(const struct loop *loop)
{
    posted_count = loop->posted;
    posted = malloc((size_t)(posted_count > 0 ? posted_count : 1) * sizeof *posted);
    if (!posted) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < posted_count; i++) {
        MPI_Irecv(&in, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &posted[i]);
    }
}

static void drain(void)
{
    for (int i = 0; i < posted_count; i++) {
        MPI_Send(&out, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD);
        MPI_Wait(&posted[(oldest + i) % posted_count], MPI_STATUS_IGNORE);
    }
    free(posted);
}

/* \return the calls made. */
static double time_whole(const struct loop *loop, double millions)
{
    long rounds = (long)(millions * 1e6 / loop->calls) + 1;
    double calls = (double)rounds * loop->calls;

    for (int i = 0; i < 1000; i++) {
        loop->run();
    }
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    double start = now(CLOCK_MONOTONIC);

    for (long i = 0; i < rounds; i++) {
        loop->run();
    }
    double took = now(CLOCK_MONOTONIC) - start;

    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    if (rank == 0) {
        printf("mean %.2f\ncpu %.2f\n", took / calls, cpu / calls);
    }
    return calls + 1000.0 * loop->calls;
}

/* --- one by one -------------------------------------------------------------------- */

static uint64_t histogram[64 * STEPS];

static unsigned bin_of(uint64_t nanoseconds)
{
    unsigned power = 63 - (unsigned)__builtin_clzll(nanoseconds | STEPS);

    return power * STEPS + (unsigned)(nanoseconds >> (power - 4)) % STEPS;
}

/* The upper end of a bin. */
static double end_of(unsigned bin)
{
    return (double)((uint64_t)(STEPS + bin % STEPS + 1) << (bin / STEPS - 4));
}

static double longest;

/* The time that so many of the times from bin first on are not above. */
static double quantile(unsigned first, double part)
{
    uint64_t count = 0, seen = 0;
    unsigned bin;

    for (bin = first; bin < 64 * STEPS; bin++) {
        count += histogram[bin];
    }
    for (bin = first; bin < 64 * STEPS - 1 && count > 0; bin++) {
        seen += histogram[bin];
        if ((double)seen >= part * (double)count) {
            break;
        }
    }
    return count == 0 ? 0 : end_of(bin) < longest ? end_of(bin) : longest;
}

/* \return the calls made. */
static double time_one_by_one(const struct loop *loop, double seconds)
{
    double start = now(CLOCK_MONOTONIC), at = start;
    uint64_t rounds = 0, stalls = 0;

    while (at < start + seconds * 1e9) {
        double next = at + APART;
        double before = now(CLOCK_MONOTONIC);

        loop->run();
        at = now(CLOCK_MONOTONIC);
        histogram[bin_of((uint64_t)(at - before))]++;
        longest = at - before > longest ? at - before : longest;
        stalls += at - before >= STALL_FIRST;
        rounds++;
        while (at < next) {
            at = now(CLOCK_MONOTONIC);
        }
    }
    if (rank == 0) {
        unsigned first = bin_of(STALL_FIRST);

        printf("p50 %.0f\np99 %.0f\np9999 %.0f\nlongest %.0f\nstalls %.0f\n", quantile(0, 0.5),
               quantile(0, 0.99), quantile(0, 0.9999), longest, (double)stalls);
        printf("stall50 %.0f\nstall99 %.0f\n", quantile(first, 0.5), quantile(first, 0.99));
    }
    return (double)rounds * loop->calls;
}

/* --- around the loop --------------------------------------------------------------- */

static double spool_bytes;

static int add_blocks(const char *path, const struct stat *about, int type, struct FTW *place)
{
    (void)path;
    (void)place;
    spool_bytes += type == FTW_F ? 512.0 * (double)about->st_blocks : 0;
    return 0;
}

static void count_spools(void)
{
    const char *spools = getenv("MPIWATCH_SPOOL");

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && spools && nftw(spools, add_blocks, 8, FTW_PHYS) == 0) {
        printf("spool %.0f\n", spool_bytes);
    }
    MPI_Barrier(MPI_COMM_WORLD);
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

static void finalize(double calls)
{
    double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);

    MPI_Finalize();
    if (rank == 0) {
        printf("calls %.0f\nfinalize %.3f\n", calls, (now(CLOCK_MONOTONIC) - start) / 1e9);
        printf("finalize_cpu %.3f\npeak %ld\n", (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / 1e9,
               peak_kilobytes());
    }
}

int main(int argc, char **argv)
{
    const struct loop *loop;
    double calls;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    loop = find(argc > 1 ? argv[1] : "");
    post(loop);
    calls = argc > 3 ? time_one_by_one(loop, atof(argv[3]))
                     : time_whole(loop, argc > 2 ? atof(argv[2]) : 1);
    drain();
    count_spools();
    finalize(calls + 3.0 * posted_count);
    return 0;
}
