/*
 * Recording by parts: MPI_Pcontrol(0) pauses it, 1 and 2 resume it. Ten messages of 4
 * bytes go round the ring before the pause, ten in it, ten after it. One more is sent
 * before the pause and received in it: the archive has its send only, and says why. The
 * communicator of the last ten is made in the pause and known all the same.
 *
 * Expected in the archive of n ranks:
 *     MPI_Send             n
 *     MPI_Sendrecv         2 * 10 * n
 *     MPI_Barrier          n
 *     MPI_Comm_free        n
 *     sent                 n + 20 * n
 *     received             20 * n
 *     unmatched_sends      n
 *     collectives          n
 *     pauses               n
 *     resumes              n
 */
#include <mpi.h>

static int rank, size;

static void ten_times_round(MPI_Comm comm)
{
    for (int i = 0; i < 10; i++) {
        int in;
        MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT,
                     (rank + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm made_in_the_pause;
    int in;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    ten_times_round(MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD);

    MPI_Pcontrol(0);
    ten_times_round(MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_WORLD, &made_in_the_pause);
    MPI_Comm_set_name(made_in_the_pause, "made in the pause");
    MPI_Pcontrol(1);

    MPI_Pcontrol(2);
    ten_times_round(made_in_the_pause);
    MPI_Barrier(made_in_the_pause);
    MPI_Comm_free(&made_in_the_pause);
    MPI_Finalize();
    return 0;
}
