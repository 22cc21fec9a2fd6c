/*
 * A thousand threads one after the other, each sending one message to its own process. One
 * location is enough for them.
 *
 * Expected in the archive of n ranks:
 *     MPI_Init          0
 *     MPI_Init_thread   n
 *     MPI_Sendrecv      1000 * n
 *     messages          1000 * n
 *     bytes             1000 * n * 4
 *     locations         2 * n
 *     threads           1000 * n
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *send_one(void *argument)
{
    int out = 1, in;

    MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return argument;
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < 1000; i++) {
        pthread_t thread;

        pthread_create(&thread, NULL, send_one, NULL);
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}
