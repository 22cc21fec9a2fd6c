/*
 * Wait at N×N of MPI_Alltoallv among three ranks, of which 0 and 2 give each other nothing:
 * rank 2 comes late, first to a blocking operation, then to a non-blocking one. Rank 1 waits
 * for it; rank 0 does not, since nothing comes from there (how long it is in the call is up to
 * the MPI, which may send empty messages).
 *
 * mpiwatch-analyze waits: rank 1 waits in MPI_Alltoallv and in MPI_Wait for rank 2. Three ranks.
 */
#include <mpi.h>

#include "nap.h"

#define SECONDS 0.4

/* Sleeps as it takes to come to operation number round at its time; how long. */
static double come(int rank, int round, double begin)
{
    double at = rank == 2 ? round + 1.0 : rank == 0 && round > 0 ? round + 0.5 : 0;
    double left = begin + at * SECONDS - nap_clock();

    return left > 0 ? nap(left) : 0;
}

int main(int argc, char **argv)
{
    int out[3] = { 1, 2, 3 };
    int in[3];
    int counts[3] = { 1, 1, 1 };
    const int places[3] = { 0, 1, 2 };
    double slept = 0;
    double begin;
    MPI_Request request;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 1) {
        counts[2 - rank] = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    begin = nap_clock();

    slept += come(rank, 0, begin);
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);

    slept += come(rank, 1, begin);
    MPI_Ialltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    if (rank == 2) {
        tell("wait_at_nxn", "1", 2, slept);
    }
    MPI_Finalize();
    return 0;
}
