/*
 * Requests that end in other ways than completion. Between an even rank and the odd one
 * above it: the odd rank posts a receive that nothing will match and cancels it; it posts
 * a receive, frees its request while it is active, and the message comes all the same;
 * the even rank frees the requests of its sends, of 64 bytes and of 1 MB, while they are
 * active. Each of the three messages is in the archive from end to end.
 *
 * Expected in the archive of n ranks (n is even):
 *     MPI_Irecv             n // 2 * 2
 *     MPI_Cancel            n // 2
 *     MPI_Wait              n // 2
 *     MPI_Test_cancelled    n // 2
 *     MPI_Isend             n // 2 * 2
 *     MPI_Request_free      n // 2 * 3
 *     MPI_Recv              n // 2 * 3
 *     MPI_Send              n // 2 * 2
 *     MPI_Iprobe            iprobes
 *     messages              n // 2 * 4
 *     bytes                 n // 2 * (64 + 64 + 1000000)
 *     MPI_Barrier           n
 *     collectives           n
 *     cancelled             n // 2
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEVER = 1, FREED_RECEIVE, FREED_SEND, FREED_LARGE_SEND, GO, LARGE = 1000000 };

static char large[LARGE];
static volatile char late[64];

static void odd(int partner)
{
    MPI_Request request;
    MPI_Status status;
    char small[64];
    int cancelled, found, iprobes = 0;

    MPI_Irecv(small, 64, MPI_BYTE, partner, NEVER, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    MPI_Irecv((char *)late, 64, MPI_BYTE, partner, FREED_RECEIVE, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Send(NULL, 0, MPI_BYTE, partner, GO, MPI_COMM_WORLD);
    while (late[63] != 'x') { /* probing moves MPI along */
        MPI_Iprobe(partner, NEVER, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        iprobes++;
    }

    MPI_Recv(small, 64, MPI_BYTE, partner, FREED_SEND, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(large, LARGE, MPI_BYTE, partner, FREED_LARGE_SEND, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("iprobes = %d\n", iprobes);
}

static void even(int partner)
{
    static char small[64];
    MPI_Request request;

    small[63] = 'x';
    MPI_Recv(NULL, 0, MPI_BYTE, partner, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(small, 64, MPI_BYTE, partner, FREED_RECEIVE, MPI_COMM_WORLD);
    MPI_Isend(small, 64, MPI_BYTE, partner, FREED_SEND, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Isend(large, LARGE, MPI_BYTE, partner, FREED_LARGE_SEND, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank % 2 == 0) {
        even(rank + 1);
    } else {
        odd(rank - 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
