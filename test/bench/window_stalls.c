/*
 * What holds up a thread that records: fills the windows of a spool one after the other, and tells
 * for how long it was held up in filling them and in changing them, with page faults and without.
 * That is time in which it neither ran nor waited for a core, so that a busy machine shows nearly
 * the same as one that is idle: the clock's, less the thread's own, less run_delay of its schedstat
 * (which the kernel's documentation of scheduler statistics explains). Nothing but interrupts and
 * the hypervisor can hold up who fills a window without a page fault: so much is not the disk's.
 *
 *     window_stalls SPOOL [SECONDS [WINDOWS]]
 *
 * SPOOL and WINDOWS are files to be made and removed. With WINDOWS, on /dev/shm say, the windows
 * are in that file, and only blocks go to SPOOL. Somebody else may write and sync on its disk
 * meanwhile.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "formats/spool/spool_writer.h"
#include "formats/table/calls.h"

#define APART_NS 1500000  /* between windows, as a loop that is busy fills them */
#define LONG_NS 100000.0
#define WINDOWS_MAX 200000u

enum part { FILLING, CHANGING, PARTS };

/* Without page faults, and with some. */
static struct {
    double held_up[WINDOWS_MAX]; /* ns */
    size_t count;
} parts[PARTS][2];

static int schedstat;

static void stop(const char *what)
{
    perror(what);
    exit(1);
}

static double nanoseconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The time that went by and was neither the thread's own nor spent waiting for a core. */
static double time_held_up(void)
{
    char text[128] = "";
    uint64_t delay = 0;

    if (pread(schedstat, text, sizeof text - 1, 0) < 0 ||
        sscanf(text, "%*u %" SCNu64, &delay) != 1) {
        stop("/proc/thread-self/schedstat");
    }
    return nanoseconds(CLOCK_MONOTONIC) - nanoseconds(CLOCK_THREAD_CPUTIME_ID) - (double)delay;
}

static long faults(void)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

struct moment {
    long faults;
    double held_up;
};

static struct moment now(void)
{
    return (struct moment){faults(), time_held_up()};
}

static void add(enum part part, struct moment begin)
{
    double held_up = time_held_up() - begin.held_up;
    bool with_faults = faults() > begin.faults;
    size_t *count = &parts[part][with_faults].count;

    if (*count < WINDOWS_MAX) {
        parts[part][with_faults].held_up[(*count)++] = held_up;
    }
}

/* A call without members. */
static void record(struct mw_spool *spool, uint64_t *time)
{
    struct mw_call_record *call = mw_spool_begin(spool, MW_CALL_MPI_Comm_rank, *time += 20);

    if (!call) {
        fprintf(stderr, "window_stalls: the spool has stopped: %s\n", spool->diagnostic.what);
        exit(1);
    }
    mw_spool_end(spool, call, *time += 20);
}

static void fill_and_change(struct mw_spool *spool, uint64_t *time)
{
    struct moment begin = now();

    while ((size_t)(spool->end - spool->next) >= MW_SPOOL_RESERVE_BYTES) {
        record(spool, time);
    }
    add(FILLING, begin);
    begin = now();
    record(spool, time);
    add(CHANGING, begin);
}

/* Puts the windows, which are in the spool's file, into one of their own. */
static void move_windows(struct mw_spool *spool, const char *path)
{
    int file = open(path, O_CREAT | O_EXCL | O_RDWR, 0600);

    if (file < 0 || pwrite(file, spool->map, MW_SEGMENTS_AT, 0) != (ssize_t)MW_SEGMENTS_AT ||
        mmap(spool->map, MW_SEGMENTS_AT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED) {
        stop(path);
    }
    close(file);
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

static void print_part(const char *name, double *held_up, size_t count)
{
    size_t over = 0;

    qsort(held_up, count, sizeof *held_up, compare);
    for (size_t i = 0; i < count; i++) {
        over += held_up[i] > LONG_NS;
    }
    if (count > 0) {
        printf("%-30s %9zu %9.1f %7.1f %9.1f %13zu\n", name, count, held_up[count * 99 / 100] / 1e3,
               held_up[count * 999 / 1000] / 1e3, held_up[count - 1] / 1e3, over);
    }
}

static void print(void)
{
    static const char *const names[PARTS][2] = {
        [FILLING] = {"filling", "filling, with page faults"},
        [CHANGING] = {"changing", "changing, with page faults"}};

    printf("held up in                       windows   p99, us   p99.9   longest   over %g us\n",
           LONG_NS / 1e3);
    for (enum part part = 0; part < PARTS; part++) {
        for (unsigned faulty = 0; faulty < 2; faulty++) {
            print_part(names[part][faulty], parts[part][faulty].held_up,
                       parts[part][faulty].count);
        }
    }
}

int main(int argc, char **argv)
{
    const struct mw_spool_identity identity = {.nonce = 1};
    const struct timespec apart = {.tv_nsec = APART_NS};
    const double seconds = argc > 2 ? atof(argv[2]) : 10;
    struct mw_diagnostic diagnostic = {0};
    struct mw_spool spool;
    uint64_t time = 0;

    schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (argc < 2 || schedstat < 0) {
        fprintf(stderr, "usage: window_stalls SPOOL [SECONDS [WINDOWS]]\n");
        return 2;
    }
    if (mw_spool_init(&spool, argv[1], &identity, 0, &diagnostic) != MW_OK) {
        fprintf(stderr, "window_stalls: %s: %s\n", argv[1], diagnostic.what);
        return 1;
    }
    if (argc > 3) {
        move_windows(&spool, argv[3]);
    }
    for (double end = nanoseconds(CLOCK_MONOTONIC) + seconds * 1e9;
         nanoseconds(CLOCK_MONOTONIC) < end;) {
        fill_and_change(&spool, &time);
        nanosleep(&apart, NULL);
    }
    print();
    mw_spool_fini(&spool);
    unlink(argv[1]);
    if (argc > 3) {
        unlink(argv[3]);
    }
    return 0;
}
