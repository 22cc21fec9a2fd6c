/*
 * What an MPI with events tells (fake_mpit_events.c), in calls of MPI_Barrier if nothing else is
 * said:
 *
 *   100 packets of 10 i bytes, peer -i and i / 2 ms, one in each of 100 calls;
 *   100 ticks, told in a signal handler;
 *   1,000 packets of 1 byte, told by a thread that makes no calls, while this one makes calls;
 *   50 ticks between two calls;
 *   4,096 + 904 ticks in one call, of which a queue of 4,096 can't hold the rest;
 *   and 7 packets and 5 ticks that the MPI itself has dropped.
 *
 * Prints the times (CLOCK_MONOTONIC, ns) before and after the first call and each of the first 100.
 */
#include "fake_mpit_events.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

enum { SIGNAL_SAFE = 3, THREAD_SAFE = 2 };

static struct fake_packet packet;
static volatile int has_told; /* by the thread */

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void tell_packet(void)
{
    printf("%lld ", now());
    fake_raise(FAKE_PACKET, 0, &packet);
    printf("%lld\n", now());
}

static void on_signal(int number)
{
    fake_raise(FAKE_TICK, SIGNAL_SAFE, NULL);
}

static void tell_by_signal(void)
{
    raise(SIGUSR1);
}

static void tell_many(void)
{
    for (int i = 0; i < 4096 + 904; i++) {
        fake_raise(FAKE_TICK, 0, NULL);
    }
}

static void *tell_by_thread(void *unused)
{
    const struct fake_packet small = {.bytes = 1};
    const struct timespec pause = {.tv_nsec = 100000};

    for (int i = 0; i < 1000; i++) {
        fake_raise(FAKE_PACKET, THREAD_SAFE, &small);
        if (i % 100 == 0) {
            nanosleep(&pause, NULL);
        }
    }
    has_told = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++) {
        packet = (struct fake_packet){10u * (unsigned)i, -i, i / 2.0};
        fake_work_in_barrier(tell_packet);
        MPI_Barrier(MPI_COMM_SELF);
    }
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 100; i++) {
        fake_work_in_barrier(tell_by_signal);
        MPI_Barrier(MPI_COMM_SELF);
    }
    pthread_create(&thread, NULL, tell_by_thread, NULL);
    while (!has_told) {
        MPI_Barrier(MPI_COMM_SELF);
    }
    pthread_join(thread, NULL);
    for (int i = 0; i < 50; i++) {
        fake_raise(FAKE_TICK, 0, NULL);
    }
    MPI_Barrier(MPI_COMM_SELF);
    fake_work_in_barrier(tell_many);
    MPI_Barrier(MPI_COMM_SELF);
    fake_drop(FAKE_PACKET, 7);
    fake_drop(FAKE_TICK, 5);
    MPI_Finalize();
    return 0;
}
