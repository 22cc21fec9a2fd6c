/*
 * MPI_THREAD_MULTIPLE: four threads of a rank play ping-pong with the same thread of the
 * partner rank, 100 messages of 8 bytes each way; then every thread starts a receive and
 * a send whose requests the next thread completes.
 *
 * Expected in the archive of n ranks (n is even):
 *     MPI_Init           0
 *     MPI_Init_thread    n
 *     MPI_Send           4 * 100 * n
 *     MPI_Recv           4 * 100 * n
 *     MPI_Irecv          4 * n
 *     MPI_Isend          4 * n
 *     MPI_Waitall        4 * n
 *     messages           4 * 100 * n + 4 * n
 *     bytes              4 * 100 * n * 8 + 4 * n * 16
 *     locations          5 * n
 *     threads            4 * n
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 100 };

static int rank;
static pthread_barrier_t all_started;
static MPI_Request requests[THREADS][2];
static double out[THREADS][2], in[THREADS][2];

static void *play(void *argument)
{
    int me = *(int *)argument;
    int partner = rank ^ 1;
    double ball = 0;

    for (int round = 0; round < ROUNDS; round++) {
        if (rank % 2 == 0) {
            MPI_Send(&ball, 1, MPI_DOUBLE, partner, me, MPI_COMM_WORLD);
            MPI_Recv(&ball, 1, MPI_DOUBLE, partner, me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&ball, 1, MPI_DOUBLE, partner, me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&ball, 1, MPI_DOUBLE, partner, me, MPI_COMM_WORLD);
        }
    }
    MPI_Irecv(in[me], 2, MPI_DOUBLE, partner, THREADS + me, MPI_COMM_WORLD, &requests[me][0]);
    MPI_Isend(out[me], 2, MPI_DOUBLE, partner, THREADS + me, MPI_COMM_WORLD, &requests[me][1]);
    pthread_barrier_wait(&all_started);
    MPI_Waitall(2, requests[(me + 1) % THREADS], MPI_STATUSES_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int numbers[THREADS], provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "threads_pingpong: MPI does not provide MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    pthread_barrier_init(&all_started, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, play, &numbers[i]) != 0) {
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&all_started);
    MPI_Finalize();
    return 0;
}
