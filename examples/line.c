/*
 * A line with two ends: each rank shifts 80 bytes to the right and to the left, the ends
 * to and from MPI_PROC_NULL; blocking, non-blocking and persistent. Lists of requests
 * have MPI_REQUEST_NULL among them, and are waited for once more when all are complete.
 *
 * Expected in the archive of n ranks:
 *     MPI_Sendrecv        2 * n
 *     MPI_Irecv           2 * n
 *     MPI_Isend           2 * n
 *     MPI_Waitall         3 * n
 *     MPI_Waitany         n
 *     MPI_Testsome        n
 *     MPI_Recv_init       n
 *     MPI_Send_init       n
 *     MPI_Startall        n
 *     MPI_Request_free    2 * n
 *     messages            2 * (n - 1) + 2 * (n - 1) + (n - 1)
 *     bytes               5 * (n - 1) * 80
 */
#include <mpi.h>

enum { COUNT = 10, TO_RIGHT = 1, TO_LEFT = 2 };

static double out[COUNT], in[2][COUNT];
static int left, right;

static void blocking(void)
{
    MPI_Sendrecv(out, COUNT, MPI_DOUBLE, right, TO_RIGHT, in[0], COUNT, MPI_DOUBLE, left, TO_RIGHT,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, COUNT, MPI_DOUBLE, left, TO_LEFT, in[1], COUNT, MPI_DOUBLE, right, TO_LEFT,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int non_blocking(void)
{
    MPI_Request requests[6] = {[0] = MPI_REQUEST_NULL, [3] = MPI_REQUEST_NULL};
    int index, done, indices[6];

    MPI_Irecv(in[0], COUNT, MPI_DOUBLE, left, TO_RIGHT, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(in[1], COUNT, MPI_DOUBLE, right, TO_LEFT, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out, COUNT, MPI_DOUBLE, right, TO_RIGHT, MPI_COMM_WORLD, &requests[4]);
    MPI_Isend(out, COUNT, MPI_DOUBLE, left, TO_LEFT, MPI_COMM_WORLD, &requests[5]);
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    MPI_Waitany(6, requests, &index, MPI_STATUS_IGNORE);
    MPI_Testsome(6, requests, &done, indices, MPI_STATUSES_IGNORE);
    return index == MPI_UNDEFINED && done == MPI_UNDEFINED;
}

static void persistent(void)
{
    MPI_Request requests[2];

    MPI_Recv_init(in[0], COUNT, MPI_DOUBLE, left, TO_RIGHT, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, COUNT, MPI_DOUBLE, right, TO_RIGHT, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    blocking();
    int good = non_blocking();
    persistent();
    MPI_Finalize();
    return good ? 0 : 1;
}
