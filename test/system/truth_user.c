/*
 * truth_user CASE LOG [THREADS]: reads all variables of truth_mpi_t.c by itself after each of its
 * calls, and writes down when it began the call, when it read them, and what they were: 64-bit
 * words, 2 and one for each variable, in the order of time.
 *
 *   slow    30 calls, 100 ms apart: levels go up and down, the size halves in the middle, the
 *           counter jumps once
 *   fast    100,000 calls, 10 us apart: all change all the time, of one thread at random
 *   bursts  every 2 ms 40 calls in which a level goes up to 20 and down again, at once
 *   gaps    a level is 5 for one call of many, and then 0 for 150 ms, over and over; the counter
 *           jumps in the middle
 *   hidden  a level is 5 for 50 ms, over and over, between two calls of MPI_Barrier, and 0 else,
 *           when MPI_Sendrecv is called
 *   paused  the same, and recording pauses meanwhile
 *   resets  a counter goes up by 3 in each of 100 calls, and is set back after every tenth
 *   killed  as gaps, but ends by SIGKILL in a gap; the log is written before
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRUTHS = 9, ROWS_MAX = 400000 };
enum { LEVEL, SIZE, PERCENT, STATE, COUNT, BYTES, TIME, MARK, FIFTH };

extern union {
    unsigned long long whole;
    double real;
} truth_next[TRUTHS];
extern pthread_mutex_t truth_lock;

static struct row {
    unsigned long long begun, read, values[TRUTHS];
} *rows;
static unsigned long row_count;
static int threads;
static const char *scenario;
static MPI_T_pvar_session session;
static MPI_T_pvar_handle handles[TRUTHS];

static unsigned long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000u + (unsigned long long)time.tv_nsec;
}

/* One step of all variables to what they are next; a thread's own random numbers. */
static void set(unsigned long long level, unsigned *seed)
{
    truth_next[LEVEL].whole = truth_next[FIFTH].whole = level;
    if (level > truth_next[MARK].whole) {
        truth_next[MARK].whole = level;
    }
    if (strcmp(scenario, "fast") == 0) {
        truth_next[SIZE].whole =
            50 + (threads == 1 ? (unsigned)rand_r(seed) % 50 : row_count / 2 % 50);
        truth_next[PERCENT].real =
            threads == 1 ? rand_r(seed) % 1000 / 1000.0 : row_count % 500 / 500.0;
        truth_next[STATE].whole = row_count / 3000 % 3;
        truth_next[COUNT].whole += (unsigned)rand_r(seed) % 4;
        truth_next[BYTES].whole += (unsigned)rand_r(seed) % 4000;
        truth_next[TIME].real += 1e-6;
    }
}

/* Reads all, after a call that was begun at a time. */
static void note(unsigned long long begun)
{
    pthread_mutex_lock(&truth_lock);
    rows[row_count] = (struct row){.begun = begun, .read = now()};
    for (int i = 0; i < TRUTHS; i++) {
        PMPI_T_pvar_read(session, handles[i], &rows[row_count].values[i]);
    }
    row_count += row_count + 1 < ROWS_MAX;
    pthread_mutex_unlock(&truth_lock);
}

static void call(MPI_Comm comm, unsigned long long level, unsigned *seed)
{
    unsigned long long begun;

    pthread_mutex_lock(&truth_lock);
    set(level, seed);
    begun = now();
    pthread_mutex_unlock(&truth_lock);
    MPI_Barrier(comm);
    note(begun);
}

static void slow(MPI_Comm comm, unsigned *seed)
{
    for (int i = 0; i < 30; i++) {
        usleep(100000);
        truth_next[SIZE].whole = i < 15 ? 100 : 50;
        truth_next[PERCENT].real = i % 2 ? 0.25 : 0.75;
        truth_next[STATE].whole = (unsigned)i / 7;
        if (i >= 20) { /* no thread that is late sets it back */
            truth_next[COUNT].whole = 1000;
        }
        call(comm, (unsigned)i % 3, seed);
    }
}

static void fast(MPI_Comm comm, unsigned *seed)
{
    unsigned long long next = now();

    for (int i = 0; i < 100000 / threads; i++) {
        unsigned long long level = truth_next[LEVEL].whole;

        level = level == 0 ? 1 : level == 20 ? 19 : level - 1 + 2 * ((unsigned)rand_r(seed) % 2);
        call(comm, level, seed);
        for (next += 10000 * (unsigned)threads; now() < next;) {
        }
    }
}

static void bursts(MPI_Comm comm, unsigned *seed)
{
    for (int i = 0; i < 500; i++) {
        usleep(2000);
        for (unsigned k = 1; k < 41; k++) {
            call(comm, k <= 20 ? k : 40 - k, seed);
        }
    }
}

static void gaps(MPI_Comm comm, unsigned *seed, int count)
{
    for (int i = 0; i < count; i++) {
        if (i >= count / 2) {
            truth_next[COUNT].whole = 1000;
        }
        for (int k = 0; k < 100; k++) {
            call(comm, k == 50 ? 5 : 0, seed);
        }
        for (unsigned k = 0; k < 3; k++) {
            call(comm, k == 1 ? 5 : 0, seed);
        }
        usleep(150000);
    }
}

static void quiet(MPI_Comm comm)
{
    MPI_Sendrecv(NULL, 0, MPI_BYTE, 0, 0, NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    note(now());
}

static void hidden(MPI_Comm comm, unsigned *seed, int pauses)
{
    for (int i = 0; i < 10; i++) {
        quiet(comm);
        if (pauses) {
            MPI_Pcontrol(0);
        }
        call(comm, 5, seed);
        usleep(50000);
        call(comm, 0, seed);
        if (pauses) {
            MPI_Pcontrol(1);
        }
        quiet(comm);
        usleep(20000);
    }
}

static void resets(MPI_Comm comm, unsigned *seed)
{
    for (int i = 1; i <= 100; i++) {
        truth_next[COUNT].whole += 3;
        call(comm, 0, seed);
        if (i % 10 == 0) {
            MPI_T_pvar_reset(session, handles[COUNT]);
        }
    }
}

static void *run(void *argument)
{
    const MPI_Comm *comm = argument;
    unsigned seed = (unsigned)(uintptr_t)argument;

    if (strcmp(scenario, "slow") == 0) {
        slow(*comm, &seed);
    } else if (strcmp(scenario, "fast") == 0) {
        fast(*comm, &seed);
    } else if (strcmp(scenario, "bursts") == 0) {
        bursts(*comm, &seed);
    } else if (strcmp(scenario, "resets") == 0) {
        resets(*comm, &seed);
    } else if (strcmp(scenario, "hidden") == 0 || strcmp(scenario, "paused") == 0) {
        hidden(*comm, &seed, scenario[0] == 'p');
    } else {
        gaps(*comm, &seed, strcmp(scenario, "killed") == 0 ? 3 : 10);
    }
    return NULL;
}

static void write_log(const char *path)
{
    FILE *log = fopen(path, "w");

    if (!log || fwrite(rows, sizeof *rows, row_count, log) != row_count || fclose(log) != 0) {
        abort();
    }
}

int main(int argc, char **argv)
{
    MPI_Comm own[4];
    pthread_t thread[4];
    int provided;

    scenario = argv[1];
    threads = argc > 3 ? atoi(argv[3]) : 1;
    rows = malloc(ROWS_MAX * sizeof *rows);
    memset(rows, 0, ROWS_MAX * sizeof *rows);
    MPI_Init_thread(&argc, &argv, threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_T_init_thread(threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    PMPI_T_pvar_session_create(&session);
    for (int i = 0; i < TRUTHS; i++) {
        int count;

        PMPI_T_pvar_handle_alloc(session, i, NULL, &handles[i], &count);
    }
    note(now());
    for (int i = 0; i < threads; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &own[i]);
    }
    for (int i = 1; i < threads; i++) {
        pthread_create(&thread[i], NULL, run, &own[i]);
    }
    run(&own[0]);
    for (int i = 1; i < threads; i++) {
        pthread_join(thread[i], NULL);
    }
    if (strcmp(scenario, "killed") == 0) {
        unsigned seed = 1;

        call(own[0], 5, &seed);
        call(own[0], 3, &seed);
        write_log(argv[2]);
        raise(SIGKILL);
    }
    note(now());
    MPI_Finalize();
    write_log(argv[2]);
    return 0;
}
