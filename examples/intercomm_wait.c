/*
 * Waiting in collective operations between two groups: ranks 0 and 2 on the one side, rank 1
 * on the other. Each naps before one of the operations. A rank needs ranks of the other group only,
 * but both MPIs hold it in MPI_Barrier until those of its own have come, too; rank 2 has no part in
 * the rooted ones (MPI_PROC_NULL) and naps while they last. What rank 1 gives at the end rank 0
 * hands on to rank 2.
 *
 * mpiwatch-analyze waits: ranks 1 in MPI_Bcast, 1 and 2 in MPI_Barrier, and 2 in the last MPI_Bcast
 * wait for rank 0, ranks 0 in MPI_Reduce and 0 and 2 in MPI_Allreduce for rank 1. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 0.5

int main(int argc, char **argv)
{
    MPI_Comm half, inter;
    int value = 1, sum = 0, rank, root;
    double slept[5] = { 0 };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 1, &inter);
    root = rank == 0 ? MPI_ROOT : rank == 2 ? MPI_PROC_NULL : 0;

    if (rank == 0) {
        slept[0] = nap(SECONDS);
    }
    MPI_Bcast(&value, 1, MPI_INT, root, inter);
    if (rank == 1) {
        slept[1] = nap(SECONDS);
    }
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, root, inter);
    if (rank == 1) {
        slept[2] = nap(SECONDS);
    } else if (rank == 2) {
        nap(2 * SECONDS);
    }
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter);
    if (rank == 0) {
        slept[3] = nap(SECONDS);
    }
    MPI_Barrier(inter);
    if (rank == 0) {
        slept[4] = nap(SECONDS);
    }
    MPI_Bcast(&value, 1, MPI_INT, rank == 1 ? MPI_ROOT : 0, inter);

    if (rank == 1) {
        MPI_Send(&slept[1], 2, MPI_DOUBLE, 0, 1, inter);
    } else if (rank == 0) {
        MPI_Recv(&slept[1], 2, MPI_DOUBLE, 0, 1, inter, MPI_STATUS_IGNORE);
        tell("late_broadcast", "1", 0, slept[0]);
        tell("early_reduce", "0", 1, slept[1]);
        tell("wait_at_nxn", "0,2", 1, slept[2]);
        tell("wait_at_barrier", "1", 0, slept[3]);
        tell("wait_for_last", "2", 0, slept[3] + slept[4]);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
