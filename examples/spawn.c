/*
 * A job that starts another: the arguments are the command of the second one, and its
 * arguments. Both exchange a broadcast and a message, on the inter-communicator and on one
 * merged from it, and part. Without arguments it is the second job, if it has a parent.
 */
#include <mpi.h>
#include <stdio.h>

/*
 * Everyone sends to everyone: of n ranks in both jobs each sends n * n / 4 messages within its
 * job and as many to the other one, from where it receives as many.
 */
static void speak(MPI_Comm all)
{
    int size, in[8], out = 1;
    MPI_Request requests[16];

    MPI_Comm_size(all, &size);
    for (int i = 0; i < size; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, i, 2, all, &requests[i]);
        MPI_Isend(&out, 1, MPI_INT, i, 2, all, &requests[size + i]);
    }
    MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);
}

static void meet(MPI_Comm other, int is_parent)
{
    int rank, value = 7, root = 0;
    MPI_Comm all;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (is_parent) {
        root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    }
    MPI_Bcast(&value, 1, MPI_INT, root, other);
    MPI_Intercomm_merge(other, !is_parent, &all);
    MPI_Barrier(all);
    speak(all);
    if (rank == 0 && is_parent) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, other);
    } else if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&other);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, child;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        meet(parent, 0);
        printf("spawned\n");
    } else if (argc > 1) {
        MPI_Comm_spawn(argv[1], argv + 2, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child,
                       MPI_ERRCODES_IGNORE);
        meet(child, 1);
        printf("parent\n");
    }
    MPI_Finalize();
    return 0;
}
