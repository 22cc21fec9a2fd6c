/*
 * Makes calls at places that the ranks come to in another order, so that their own numbers of them
 * differ; polls; waits for long in a call; has a call at a line of its own. With SITES_DIE it ends
 * within a receive. For a_place_is_the_same_by_region_and_by_attribute.sh.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <mpi.h>

static void first(void)
{
    MPI_Barrier(MPI_COMM_SELF);
}

static void second(void)
{
    MPI_Barrier(MPI_COMM_SELF);
}

/* The peer has to wait for the message. */
static void let_wait(int rank, int message)
{
    if (rank == 0) {
        usleep(100000);
        MPI_Send(&message, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&message, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, flag, message = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int turn = 0; turn < 3; turn++) {
        (rank == 0 ? first : second)();
        (rank == 0 ? second : first)();
        for (int poll = 0; poll < 9; poll++) {
            MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        let_wait(rank, turn);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &message, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (getenv("SITES_DIE")) {
        if (rank == 0) {
            usleep(200000);
            raise(SIGKILL);
        }
        MPI_Recv(&message, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
