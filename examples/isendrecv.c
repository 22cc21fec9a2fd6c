/*
 * MPI_Isendrecv and MPI_Isendrecv_replace (MPI 4) round a ring. In MPICH 4.0 their statuses
 * say nothing of what was received, so that its length is unknown.
 *
 * Expected in the archive of n ranks:
 *     MPI_Isendrecv              n
 *     MPI_Isendrecv_replace      n
 *     MPI_Wait                   2 * n
 *     messages                   2 * n
 *     bytes                      n * 3 * 4 + n * 8
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double turned = 0;
    int ints_out[3] = {0}, ints_in[3], rank, size;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    MPI_Isendrecv(ints_out, 3, MPI_INT, next, 4, ints_in, 3, MPI_INT, previous, 4, MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace(&turned, 1, MPI_DOUBLE, next, 5, previous, 5, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
