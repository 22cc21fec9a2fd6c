/*
 * A generalized request among requests for messages: it is completed by the program
 * itself, and moves no bytes.
 *
 * Expected in the archive of n ranks:
 *     MPI_Irecv                n
 *     MPI_Isend                n
 *     MPI_Grequest_start       n
 *     MPI_Grequest_complete    n
 *     MPI_Waitall              n
 *     messages                 n
 *     bytes                    n * 4
 */
#include <mpi.h>

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 1000);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    *(int *)state = 1;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int rank, in, released = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Grequest_start(query, release, cancel, &released, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Grequest_complete(requests[1]);
    MPI_Waitall(3, requests, statuses);
    MPI_Finalize();
    return released ? 0 : 1;
}
