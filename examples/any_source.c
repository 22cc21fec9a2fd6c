/*
 * Receives for any source and for any tag, in all ways: rank 0 posts eight receives, six of
 * them with wildcards, for what rank 1 sends; two of these on a communicator of their own. Other
 * ranks only come along.
 *
 * mpiwatch-analyze messages: of rank 0's eight receives five are for any source, three for any
 * tag.
 *
 * Expected in the archive of n ranks:
 *     MPI_Comm_dup       n
 *     MPI_Send           7
 *     MPI_Recv           2
 *     MPI_Irecv          2
 *     MPI_Wait           4
 *     MPI_Recv_init      1
 *     MPI_Start          2
 *     MPI_Request_free   1
 *     MPI_Mprobe         1
 *     MPI_Mrecv          1
 *     MPI_Sendrecv       2
 *     MPI_Comm_free      n
 *     messages           9
 *     bytes              9 * 4
 */
#include <mpi.h>

static void take(MPI_Comm apart)
{
    int value = 0, other = 0;
    MPI_Message message;
    MPI_Request request;

    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&value, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, apart, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);

    MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&value, 1, MPI_INT, 1, 6, &other, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);

    MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void give(MPI_Comm apart)
{
    int value = 1, other = 0;

    for (int tag = 1; tag <= 8; tag++) {
        if (tag == 6) {
            MPI_Sendrecv(&value, 1, MPI_INT, 0, tag, &other, 1, MPI_INT, 0, tag, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        } else {
            MPI_Send(&value, 1, MPI_INT, 0, tag, tag == 3 || tag == 4 ? apart : MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Comm apart;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &apart);
    if (rank == 0) {
        take(apart);
    } else if (rank == 1) {
        give(apart);
    }
    MPI_Comm_free(&apart);
    MPI_Finalize();
    return 0;
}
