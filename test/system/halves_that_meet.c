/*
 * The even and the odd ranks of a job meet by MPI_Comm_accept and MPI_Comm_connect, twice. Each
 * time every rank exchanges a message with its partner, on the inter-communicator, and sends
 * one round the ring of the communicator merged from it: of n ranks (n even) come 2 * 2 * n
 * messages, and one with each port's name. Ends with status 3 if there are no ports.
 */
#include <mpi.h>

static void meet(int rank, MPI_Comm half)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm inter, merged;
    int in, partner, place, size;

    if (rank == 0) {
        if (MPI_Open_port(MPI_INFO_NULL, port) != MPI_SUCCESS) {
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if ((rank % 2 == 0 ? MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &inter)
                       : MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &inter)) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Comm_rank(inter, &partner);
    MPI_Sendrecv(&rank, 1, MPI_INT, partner, 5, &in, 1, MPI_INT, partner, 5, inter,
                 MPI_STATUS_IGNORE);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Comm_rank(merged, &place);
    MPI_Comm_size(merged, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (place + 1) % size, 6, &in, 1, MPI_INT,
                 (place + size - 1) % size, 6, merged, MPI_STATUS_IGNORE);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&inter);
    if (rank == 0) {
        MPI_Close_port(port);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    meet(rank, half);
    meet(rank, half);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
