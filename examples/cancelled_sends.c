/*
 * Each rank cancels synchronous sends to itself, and frees their requests. MPICH cancels them,
 * and there are no messages; Open MPI cancels no send, and then they are received. Rank 0 says
 * how many of its own were cancelled.
 *
 * Expected: none of the messages is unmatched; each cancelled one is told as such.
 */
#include <mpi.h>
#include <stdio.h>

enum { TAG = 3, BYTES = 64, SENDS = 2 };

/* Whether the send behind request, which is freed, was cancelled. */
static int cancel(MPI_Request *request)
{
    MPI_Status status;
    int complete, cancelled = 0;

    MPI_Cancel(request);
    MPI_Request_get_status(*request, &complete, &status);
    if (complete) {
        MPI_Test_cancelled(&status, &cancelled);
    }
    MPI_Request_free(request);
    return cancelled;
}

int main(int argc, char **argv)
{
    static char sent[SENDS][BYTES];
    static char received[BYTES];
    MPI_Request requests[SENDS];
    int rank, cancelled = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < SENDS; i++) {
        MPI_Issend(sent[i], BYTES, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &requests[i]);
    }
    for (int i = 0; i < SENDS; i++) {
        cancelled += cancel(&requests[i]);
    }
    for (int i = cancelled; i < SENDS; i++) {
        MPI_Recv(received, BYTES, MPI_BYTE, 0, TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d\n", cancelled);
    }
    MPI_Finalize();
    return 0;
}
