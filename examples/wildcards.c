/*
 * A server that takes any request from anyone: rank 0 receives with MPI_ANY_SOURCE,
 * MPI_ANY_TAG and MPI_STATUS_IGNORE, by turns with Recv and with Irecv and Wait, and
 * answers whoever the request says it is from. Request k of a client has tag k and
 * k % 5 + 1 ints; 20 requests a client.
 *
 * Expected in the archive of n ranks:
 *     MPI_Send     2 * 20 * (n - 1)
 *     MPI_Recv     20 * (n - 1) + 10 * (n - 1)
 *     MPI_Irecv    10 * (n - 1)
 *     MPI_Wait     10 * (n - 1)
 *     messages     2 * 20 * (n - 1)
 *     bytes        (n - 1) * (4 * (1 + 2 + 3 + 4 + 5) * 4 + 20 * 4)
 */
#include <mpi.h>

enum { REQUESTS = 20, ANSWER = 1000 };

static void serve(int clients)
{
    int request[5];

    for (int i = 0; i < REQUESTS * clients; i++) {
        if (i % 2 == 0) {
            MPI_Recv(request, 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        } else {
            MPI_Request handle;
            MPI_Irecv(request, 5, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &handle);
            MPI_Wait(&handle, MPI_STATUS_IGNORE);
        }
        MPI_Send(request, 1, MPI_INT, request[0], ANSWER, MPI_COMM_WORLD);
    }
}

static void ask(int rank)
{
    int request[5] = {rank}, answer;

    for (int k = 0; k < REQUESTS; k++) {
        MPI_Send(request, k % 5 + 1, MPI_INT, 0, k, MPI_COMM_WORLD);
        MPI_Recv(&answer, 1, MPI_INT, 0, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        serve(size - 1);
    } else {
        ask(rank);
    }
    MPI_Finalize();
    return 0;
}
