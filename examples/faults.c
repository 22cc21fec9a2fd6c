/*
 * One planted fault, by the argument; with "_not" behind it, the same program without the fault. A
 * rank computes for as long as it says by a clock. Two ranks, or three.
 *
 * Expected: mpiwatch-analyze names the fault in its verdict, or below it (fault: id of the cause):
 *
 *   "imbalance": imbalance            rank 1 computes 40 ms, the others 10, before MPI_Allreduce
 *   "chain": serialisation            a token goes round, who has it computes for 10 ms
 *   "late_sender": late_sender        rank 0 computes before it sends, the others behind receiving
 *   "late_receiver": late_receiver    rank 1 computes before it receives 10 MB
 *   "tiny": tiny_messages             40,000 messages of 8 bytes
 *   "master": master                  rank 0 answers requests of anybody, 5 ms for each
 *   "polling": polling                rank 0 calls MPI_Iprobe all the time for 200 ms
 *   "file_sync": file_sync            MPI_File_sync behind each of 400 small writes
 *   "comm_leak": communicators_not_freed    200 of MPI_Comm_dup
 *   "request_leak": requests_not_completed  20 of MPI_Irecv
 *   "flood": unexpected_messages      rank 1 sends 5,000 messages that rank 0 receives 200 ms later
 *   "overlap": no_overlap             MPI_Bcast of 40 MB, 10 ms of computing before it; without it
 *                                     MPI_Ibcast, and the computing before its MPI_Wait
 *   "threads": threads_idle           a thread calls MPI_Iprobe each 20 ms and sleeps in between
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 10, LARGE = 10000000, TINY = 40000, COMMS = 200, REQUESTS = 20, WRITES = 400,
       FLOOD = 5000, BROADCAST = 40000000 };

static int rank, size;

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static void compute(double ms)
{
    volatile double value = 0;

    for (double end = now() + ms; now() < end;) {
        value += 1;
    }
}

static void imbalance(bool fault)
{
    double in = rank, out;

    for (int i = 0; i < ROUNDS; i++) {
        compute(fault && rank == 1 ? 40 : 10);
        MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void chain(bool fault)
{
    int token = 0;

    for (int i = 0; i < ROUNDS; i++) {
        if (!fault) {
            compute(10);
        }
        if (rank > 0 || i > 0) {
            MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
        if (fault) {
            compute(10);
        }
        if (rank < size - 1 || i < ROUNDS - 1) {
            MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        }
    }
}

static void late_sender(bool fault)
{
    int value = 0;

    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 0) {
            compute(fault ? 20 : 0);
            for (int to = 1; to < size; to++) {
                MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
            }
            compute(fault ? 0 : 20);
        } else {
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            compute(20);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void late_receiver(bool fault)
{
    char *buffer = calloc(LARGE, 1);

    for (int i = 0; i < ROUNDS && buffer; i++) {
        if (rank == 0) {
            MPI_Send(buffer, LARGE, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            compute(30);
        } else if (rank == 1) {
            compute(fault ? 30 : 0);
            MPI_Recv(buffer, LARGE, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            compute(fault ? 0 : 30);
        } else {
            compute(30);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(buffer);
}

static void tiny(bool fault)
{
    double values[TINY] = { 0 };

    if (rank == 0) {
        for (int i = 0; i < (fault ? TINY : 1); i++) {
            MPI_Send(&values[i], fault ? 1 : TINY, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        }
    } else if (rank == 1) {
        for (int i = 0; i < (fault ? TINY : 1); i++) {
            MPI_Recv(&values[i], fault ? 1 : TINY, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
    }
    compute(fault ? 0 : 20);
}

static void master(bool fault)
{
    int value = 0;
    MPI_Status status;

    if (rank > 0) {
        for (int i = 0; i < ROUNDS; i++) {
            MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            compute(fault ? 1 : 20);
        }
        return;
    }
    for (int i = 0; i < ROUNDS * (size - 1); i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        compute(fault ? 5 : 0);
        MPI_Send(&value, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
    }
}

static void polling(bool fault)
{
    const double end = now() + 200;
    int found = 0;

    while (rank == 0 && fault && now() < end) {
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    }
    compute(rank == 0 && fault ? 0 : 200);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void file_sync(bool fault)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, "faults.out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &file);
    for (int i = 0; i < WRITES; i++) {
        MPI_File_write_at(file, (MPI_Offset)(i * size + rank) * 4, &i, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
        if (fault) {
            MPI_File_sync(file);
        }
    }
    MPI_File_close(&file);
    compute(fault ? 1 : 300);
}

static void comm_leak(bool fault)
{
    for (int i = 0; i < COMMS; i++) {
        MPI_Comm comm;

        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (!fault) {
            MPI_Comm_free(&comm);
        }
    }
}

static void request_leak(bool fault)
{
    MPI_Request requests[REQUESTS];
    int values[REQUESTS] = { 0 };

    for (int i = 0; i < REQUESTS; i++) {
        if (rank == 0) {
            MPI_Irecv(&values[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
        } else if (rank == 1) {
            MPI_Send(&values[i], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0 && !fault) {
        MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void flood(bool fault)
{
    static MPI_Request requests[FLOOD];
    int value = 0;

    for (int i = 0; i < FLOOD && rank == 1; i++) {
        if (fault) {
            MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[i]);
        } else {
            MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    compute(rank == 0 && fault ? 200 : 0);
    for (int i = 0; i < FLOOD && rank == 0; i++) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 1 && fault) {
        MPI_Waitall(FLOOD, requests, MPI_STATUSES_IGNORE);
    }
    compute(rank == 1 || !fault ? 200 : 0);
}

static void overlap(bool fault)
{
    char *data = calloc(BROADCAST, 1);

    for (int i = 0; data && i < ROUNDS; i++) {
        MPI_Request request;

        if (fault) {
            compute(10);
            MPI_Bcast(data, BROADCAST, MPI_BYTE, 0, MPI_COMM_WORLD);
        } else {
            MPI_Ibcast(data, BROADCAST, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
            compute(10);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    free(data);
}

static void *work(void *fault)
{
    const struct timespec pause = { .tv_nsec = 20000000 };
    int found;

    for (int i = 0; i < 20; i++) {
        MPI_Iprobe(0, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
        if (fault) {
            nanosleep(&pause, NULL);
        } else {
            compute(20);
        }
    }
    return NULL;
}

static void threads(bool fault)
{
    pthread_t thread;
    const bool is_made = pthread_create(&thread, NULL, work, fault ? &rank : NULL) == 0;

    compute(400);
    if (is_made) {
        pthread_join(thread, NULL);
    }
}

static const struct {
    const char *name;
    void (*run)(bool fault);
} faults[] = {
    { "imbalance", imbalance }, { "chain", chain },         { "late_sender", late_sender },
    { "late_receiver", late_receiver }, { "tiny", tiny },   { "master", master },
    { "polling", polling },     { "file_sync", file_sync }, { "comm_leak", comm_leak },
    { "request_leak", request_leak }, { "flood", flood },   { "threads", threads },
    { "overlap", overlap },
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "imbalance";
    const size_t length = strlen(name);
    int provided;
    const bool without = length > 4 && strcmp(name + length - 4, "_not") == 0;

    MPI_Init_thread(&argc, &argv,
                    strncmp(name, "threads", 7) == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        if (strlen(faults[i].name) == length - (without ? 4 : 0) &&
            strncmp(name, faults[i].name, strlen(faults[i].name)) == 0) {
            faults[i].run(!without);
        }
    }
    MPI_Finalize();
    return 0;
}
