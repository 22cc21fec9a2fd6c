/*
 * Communication with MPI_PROC_NULL: calls, but no messages.
 *
 * Expected in the archive of n ranks:
 *     MPI_Send            n
 *     MPI_Recv            n
 *     MPI_Isend           n
 *     MPI_Irecv           n
 *     MPI_Waitall         n
 *     MPI_Sendrecv        n
 *     MPI_Probe           n
 *     MPI_Mprobe          n
 *     MPI_Mrecv           n
 *     MPI_Send_init       n
 *     MPI_Start           n
 *     MPI_Wait            n
 *     MPI_Request_free    n
 *     messages            0
 *     bytes               0
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int out = 1, in = 2;
    MPI_Request requests[2];
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Send(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Isend(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 0, &in, 1, MPI_INT, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Send_init(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Finalize();
    return in == 2 ? 0 : 1;
}
