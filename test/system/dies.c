/*
 * Ways to die: dies WAY RANK ROUNDS. After ROUNDS rounds of a ring, RANK (-1: all) dies
 * by WAY while the others wait in MPI_Barrier. WAY "loop" goes on until it is killed from
 * outside (for two minutes at most), "finalize" to MPI_Finalize; "handler" calls MPI_Abort in a
 * signal's handler.
 *
 * How many calls have returned after MPI_Init is kept, by the program itself, in the
 * file count.RANK, which survives a SIGKILL: the process id and the number, 8 bytes each.
 */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t *count;

static void start_count(int rank)
{
    char name[32];
    int file;

    snprintf(name, sizeof name, "count.%d", rank);
    file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || ftruncate(file, 16) != 0) {
        exit(99);
    }
    count = mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    count[0] = (uint64_t)getpid();
    close(file);
}

static void go_round(int rank, int size)
{
    double out = 0, in;
    MPI_Request request;

    MPI_Isend(&out, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    count[1]++;
    MPI_Recv(&in, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    count[1]++;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    count[1]++;
}

static void abort_in_handler(int signal)
{
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Is ended in a call that nobody answers, by a handler of its own. */
static void wait_for_handler(void)
{
    int never;

    signal(SIGALRM, abort_in_handler);
    alarm(1);
    MPI_Recv(&never, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void die(const char *way)
{
    if (strcmp(way, "SIGKILL") == 0) {
        raise(SIGKILL);
    } else if (strcmp(way, "SIGSEGV") == 0) {
        raise(SIGSEGV);
    } else if (strcmp(way, "SIGTERM") == 0) {
        raise(SIGTERM);
    } else if (strcmp(way, "abort") == 0) {
        abort();
    } else if (strcmp(way, "MPI_Abort") == 0) {
        MPI_Abort(MPI_COMM_WORLD, 3);
        for (;;) {
            pause(); /* MPICH 4.2's returns before the process is ended */
        }
    } else if (strcmp(way, "handler") == 0) {
        wait_for_handler();
    } else if (strcmp(way, "exit") == 0) {
        exit(5);
    } else if (strcmp(way, "_exit") == 0) {
        _exit(6);
    }
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "finalize";
    int who = argc > 2 ? atoi(argv[2]) : -1;
    int rounds = argc > 3 ? atoi(argv[3]) : 1000;
    time_t start = time(NULL);
    int rank, size;

    if (strcmp(way, "init") == 0 && getenv("OMPI_COMM_WORLD_RANK") &&
        atoi(getenv("OMPI_COMM_WORLD_RANK")) == who) {
        sleep(60);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    start_count(rank);
    for (int round = 0; round < rounds; round++) {
        go_round(rank, size);
    }
    while (strcmp(way, "loop") == 0 && time(NULL) - start < 120) {
        go_round(rank, size);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    count[1]++;
    if (who < 0 || rank == who) {
        usleep(200000);
        die(way);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    count[1]++;
    MPI_Finalize();
    return 0;
}
