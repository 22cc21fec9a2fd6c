/*
 * Ranks that compute in two functions between calls, so many rounds long: functions ROUNDS [HOW].
 * In each round forces() before MPI_Allreduce, for 15 ms of CPU time by rank 0 and for 5 by others,
 * and neighbours() before both calls, for 5 ms each. Each rank says at the end, in a line, its
 * number and the CPU time that it was in both, in ms.
 *
 * HOW: threads (two other threads do the same as neighbours(), between barriers on communicators of
 * their own, for 5 ms each), forks (a child computes meanwhile, and another one that calls exit()),
 * many (2,000 threads come and go, each with a call), once (each function for 3 s at the end, no
 * call in between), switches (2 s of CPU time in which a child answers byte by byte at the end),
 * plugins A B (the function plugin() of library A for 0.5 s at the end, of B, which may be loaded
 * to where A was, for 1.5 s), crew (two threads that call no MPI are in neighbours() for 5 ms each
 * while the main one is in forces(), and sleep else; one more sleeps all the time), steps (while
 * the main thread is outside of MPI, another is in neighbours() for 0.2 ms or so 1,000 times, at
 * last for 1,500 ms, and sleeps while it is in MPI, for 0.2 ms, too; its times are told).
 * Descriptors that the program has opened are its own to the end.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static __thread double spent[2]; /* ms of CPU time in the two functions */
static int rounds;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

/* Both do nothing but this, 0.1 ms or so at a time. */
#define COMPUTE(milliseconds, number)                                                           \
    do {                                                                                        \
        const double begin = now();                                                             \
        volatile double sum = 0;                                                                \
                                                                                                \
        while (now() < begin + (milliseconds)) {                                                \
            for (int i = 1; i < 100000; i++) {                                                  \
                sum += 1.0 / i;                                                                 \
            }                                                                                   \
        }                                                                                       \
        spent[number] += now() - begin;                                                         \
    } while (0)

__attribute__((noinline)) static void forces(double milliseconds)
{
    COMPUTE(milliseconds, 0);
}

__attribute__((noinline)) static void neighbours(double milliseconds)
{
    COMPUTE(milliseconds, 1);
}

static void *beside(void *comm)
{
    for (int i = 0; i < rounds; i++) {
        neighbours(5);
        MPI_Barrier(*(MPI_Comm *)comm);
    }
    return NULL;
}

static void child(int leaves_by_exit)
{
    const pid_t process = fork();
    int status = 0;

    if (process == 0) {
        forces(50);
        if (leaves_by_exit) {
            exit(7);
        }
        _exit(7);
    }
    if (waitpid(process, &status, 0) != process || WEXITSTATUS(status) != 7) {
        exit(1);
    }
}

static pthread_barrier_t round_begins;

static void *help(void *unused)
{
    for (int i = 0; i < rounds; i++) {
        pthread_barrier_wait(&round_begins);
        neighbours(5);
    }
    return unused;
}

static void *idle(void *unused)
{
    pause();
    return unused;
}

#define STEPS 1000

static double stepped; /* ms */

static void *step(void *unused)
{
    for (int i = 0; i <= STEPS; i++) {
        pthread_barrier_wait(&round_begins);
        neighbours(i < STEPS ? 0.2 : 1500);
        pthread_barrier_wait(&round_begins);
    }
    stepped = spent[1];
    pthread_barrier_wait(&round_begins);
    return unused;
}

static int in_mpi(void *unused, MPI_Status *status)
{
    forces(0.2);
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int nothing(void *unused)
{
    return MPI_SUCCESS;
}

static int not_cancelled(void *unused, int is_complete)
{
    return MPI_SUCCESS;
}

static void steps(void)
{
    MPI_Request request;
    pthread_t thread;

    pthread_barrier_init(&round_begins, NULL, 2);
    pthread_create(&thread, NULL, step, NULL);
    for (int i = 0; i <= STEPS; i++) {
        pthread_barrier_wait(&round_begins);
        pthread_barrier_wait(&round_begins);
        MPI_Grequest_start(in_mpi, nothing, not_cancelled, NULL, &request);
        MPI_Grequest_complete(request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    pthread_barrier_wait(&round_begins);
    pthread_join(thread, NULL);
    spent[1] = stepped;
}

static void *call_once(void *comm)
{
    int flag;

    MPI_Iprobe(MPI_ANY_SOURCE, 1, *(MPI_Comm *)comm, &flag, MPI_STATUS_IGNORE);
    return NULL;
}

/* Memory that the process has asked for, MiB. */
static long asked_for(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;

    if (!file || fscanf(file, "%ld", &pages) != 1) {
        exit(1);
    }
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE) >> 20;
}

/* One after the other: all of them together may have as much as a hundred. */
static void many_threads(void)
{
    MPI_Comm comm = MPI_COMM_SELF;
    long before = 0;

    for (int i = 0; i < 2000; i++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, call_once, &comm) != 0 ||
            pthread_join(thread, NULL) != 0) {
            exit(1);
        }
        before = i == 0 ? asked_for() : before;
    }
    if (asked_for() > before + 16) {
        printf("threads that have ended keep %ld MiB\n", asked_for() - before);
        exit(1);
    }
}

/* The kernel switches to the child and back for each byte. */
static void switch_often(void)
{
    int to[2], from[2], flag;
    char byte = 0;
    pid_t process;
    double begin;

    if (pipe(to) != 0 || pipe(from) != 0) {
        exit(1);
    }
    process = fork();
    if (process == 0) {
        close(to[1]);
        while (read(to[0], &byte, 1) == 1 && write(from[1], &byte, 1) == 1) {
        }
        _exit(7);
    }
    for (begin = now(); now() < begin + 2000;) {
        for (volatile int i = 0; i < 200; i++) {
        }
        if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1) {
            exit(1);
        }
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    }
    close(to[1]);
    waitpid(process, NULL, 0);
}

static void use_plugin(const char *file, double milliseconds)
{
    void *library = dlopen(file, RTLD_NOW);
    void (*plugin)(void) = library ? (void (*)(void))dlsym(library, "plugin") : NULL;
    double begin;

    if (!plugin) {
        exit(1);
    }
    for (begin = now(); now() < begin + milliseconds;) {
        for (int i = 0; i < 20; i++) {
            plugin();
        }
        MPI_Barrier(MPI_COMM_SELF);
    }
    dlclose(library);
}

static void own_descriptors(int keep[3])
{
    for (int i = 0; i < 3; i++) {
        keep[i] = dup(2);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 2 ? argv[2] : "";
    MPI_Comm comms[2];
    pthread_t threads[3];
    int level, rank, keep[3];
    double one = 1, sum;

    rounds = atoi(argv[1]);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own_descriptors(keep);
    for (int i = 0; i < 2 && strcmp(how, "threads") == 0; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    for (int i = 0; i < 2 && strcmp(how, "threads") == 0; i++) {
        pthread_create(&threads[i], NULL, beside, &comms[i]);
    }
    pthread_barrier_init(&round_begins, NULL, 3);
    for (int i = 0; i < 3 && strcmp(how, "crew") == 0; i++) {
        pthread_create(&threads[i], NULL, i < 2 ? help : idle, NULL);
    }
    for (int i = 0; i < rounds; i++) {
        if (strcmp(how, "crew") == 0) {
            pthread_barrier_wait(&round_begins);
        }
        forces(rank == 0 ? 15 : 5);
        neighbours(5);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        neighbours(5);
        MPI_Barrier(MPI_COMM_WORLD);
        if (i == rounds / 2 && strcmp(how, "forks") == 0) {
            child(0);
            child(1);
        }
    }
    for (int i = 0; i < 2 && strcmp(how, "threads") == 0; i++) {
        pthread_join(threads[i], NULL);
        spent[1] += 5 * rounds;
    }
    if (strcmp(how, "many") == 0) {
        many_threads();
    }
    if (strcmp(how, "steps") == 0) {
        steps();
    }
    if (strcmp(how, "plugins") == 0) {
        use_plugin(argv[3], 500);
        use_plugin(argv[4], 1500);
    }
    if (strcmp(how, "switches") == 0) {
        switch_often();
    }
    if (strcmp(how, "once") == 0) {
        forces(3000);
        neighbours(3000);
    }
    for (int i = 0; i < 3; i++) {
        if (close(keep[i]) != 0) {
            return 1;
        }
    }
    MPI_Finalize();
    printf("%d %.0f %.0f\n", rank, spent[0], spent[1]);
    return 0;
}
