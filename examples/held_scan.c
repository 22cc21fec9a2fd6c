/*
 * Wait for the last in MPI_Scan among three ranks: 2 comes late, from whom nobody gets anything.
 * Which of the others may not go on before, as it gives to 2 more than MPIs keep, or something in
 * each step of a tree, is up to the MPI: it is told by how long they were in the call.
 *
 * mpiwatch-analyze waits: rank 1 (Open MPI) or 0 (MPICH) waits in MPI_Scan for rank 2. Three ranks.
 */
#include <mpi.h>
#include <string.h>

#include "nap.h"

#define SECONDS 0.4
#define COUNT (1 << 17)

int main(int argc, char **argv)
{
    static double values[COUNT];
    static double sums[COUNT];
    char held[16] = "";
    double took[3];
    double slept = 0;
    double begin;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        slept = nap(SECONDS);
    }
    begin = nap_clock();
    MPI_Scan(values, sums, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    begin = nap_clock() - begin;
    MPI_Gather(&begin, 1, MPI_DOUBLE, took, 1, MPI_DOUBLE, 2, MPI_COMM_WORLD);
    for (int i = 0; rank == 2 && i < 2; i++) {
        if (took[i] > SECONDS / 2) {
            snprintf(held + strlen(held), sizeof held - strlen(held), "%s%d",
                     held[0] ? "," : "", i);
        }
    }
    if (rank == 2) {
        tell("wait_for_last", held, 2, slept);
    }
    MPI_Finalize();
    return 0;
}
