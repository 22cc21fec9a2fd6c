/*
 * Rank 0 does what its arguments say between barriers, and the others nothing: cMS computes for so
 * many milliseconds, sMS sleeps, wMS writes to a file and waits until it is on the disk, again and
 * again for that long, tMS waits for a thread of its own, which computes. Rank 0 prints in the end
 * what it has done, by its own clocks: a line with the letter, how long that took and how much of
 * it the thread ran, in ns.
 *
 * Expected: the archive's samples say the same of each stretch to a millisecond, one that computes
 * has none; the report does not say of a rank that sleeps or writes that it computes, and of one
 * whose thread does that it is the main thread that does not run.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

static long long now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void write_until(long long end)
{
    static char block[1 << 16];
    char path[] = "stretches-XXXXXX";
    int file = mkstemp(path);

    unlink(path);
    do {
        if (file < 0 || write(file, block, sizeof block) < 0 || fsync(file) != 0) {
            perror("stretches");
            break;
        }
    } while (now(CLOCK_MONOTONIC) < end);
    close(file);
}

static void *compute_until(void *end)
{
    while (now(CLOCK_MONOTONIC) < *(const long long *)end) {
    }
    return NULL;
}

static void let_thread_compute(long long end)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, compute_until, &end) == 0) {
        pthread_join(thread, NULL);
    }
}

static void spend(char what, long milliseconds)
{
    long long end = now(CLOCK_MONOTONIC) + milliseconds * 1000000;

    if (what == 's') {
        usleep((useconds_t)milliseconds * 1000);
    } else if (what == 'w') {
        write_until(end);
    } else if (what == 't') {
        let_thread_compute(end);
    } else {
        compute_until(&end);
    }
}

int main(int argc, char **argv)
{
    long long (*log)[2] = calloc(argc, sizeof *log);
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 1; i < argc; i++) {
        const long long begin = now(CLOCK_MONOTONIC);
        const long long ran = now(CLOCK_THREAD_CPUTIME_ID);

        if (rank == 0) {
            spend(argv[i][0], strtol(argv[i] + 1, NULL, 10));
        }
        log[i][0] = now(CLOCK_MONOTONIC) - begin;
        log[i][1] = now(CLOCK_THREAD_CPUTIME_ID) - ran;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 1; rank == 0 && i < argc; i++) {
        printf("%c %lld %lld\n", argv[i][0], log[i][0], log[i][1]);
    }
    free(log);
    MPI_Finalize();
    return 0;
}
