/*
 * Ranks that compute for so many milliseconds between barriers, and do something else for as long:
 * maps HOW MILLISECONDS ROUNDS. Each says, in a line, how many milliseconds of processor time that
 * took in all, and how many pages it got by then.
 *
 * HOW: again (it maps memory that is new, and uses it), calls (it asks for what is long known, by
 * system calls), inside (the same, by a function that MPI calls), none (it computes).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGES 64

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* The clock is a system call of half a microsecond: some 40 us of computing come to each. */
static void compute(double milliseconds)
{
    const double end = now() + milliseconds;

    while (now() < end) {
        for (volatile int i = 0; i < 100000; i++) {
        }
    }
}

/* So many pages. */
static void map_again(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                        -1, 0);

    if (memory == MAP_FAILED) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < PAGES; i++) {
        memory[i * page] = 1;
    }
    munmap(memory, PAGES * page);
}

static void call(void)
{
    char name[4096];

    for (int i = 0; i < PAGES; i++) {
        (void)syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", name, sizeof name);
    }
}

static void call_for(double milliseconds)
{
    const double end = now() + milliseconds;

    while (now() < end) {
        call();
    }
}

/* Of an attribute, so that MPI_Comm_dup is in it; milliseconds is what it is told at the start. */
static int copy(MPI_Comm comm, int key, void *milliseconds, void *from, void *to, int *is_copied)
{
    (void)comm, (void)key, (void)from, (void)to;
    call_for(*(double *)milliseconds);
    *is_copied = 0;
    return MPI_SUCCESS;
}

static void call_inside(void)
{
    MPI_Comm other;

    MPI_Comm_dup(MPI_COMM_SELF, &other);
    MPI_Comm_free(&other);
}

int main(int argc, char **argv)
{
    const char *how = argc == 4 ? argv[1] : "none";
    double milliseconds = argc == 4 ? atof(argv[2]) : 1;
    const int rounds = argc == 4 ? atoi(argv[3]) : 1;
    double spent = 0;
    long pages = 0;
    int rank;
    int key;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, &milliseconds);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &milliseconds);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < rounds; round++) {
        double begin;

        compute(milliseconds);
        begin = now();
        while (now() - begin < milliseconds) {
            if (strcmp(how, "again") == 0) {
                map_again();
                pages += PAGES;
            } else if (strcmp(how, "calls") == 0) {
                call();
            } else if (strcmp(how, "inside") == 0) {
                call_inside();
            } else {
                compute(1);
            }
        }
        spent += now() - begin;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("%d %.0f %ld\n", rank, spent, pages);
    MPI_Finalize();
    return 0;
}
