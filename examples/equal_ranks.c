/*
 * All ranks compute the same between 20 barriers; the argument is how many million steps, 4 if
 * there is none.
 *
 * Expected: where ranks have a core each, the report speaks of no lack of cores; with more ranks
 * than cores, or two bound to one, it says so before all else, and that no rank computes longer.
 */
#include <mpi.h>
#include <stdlib.h>

static volatile double sum;

int main(int argc, char **argv)
{
    const long steps = argc > 1 ? atol(argv[1]) : 4;

    MPI_Init(&argc, &argv);
    for (int round = 0; round < 20; round++) {
        for (long i = 0; i < steps * 1000000; i++) {
            sum += (double)i;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
