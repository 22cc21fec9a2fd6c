/*
 * A program that goes elsewhere while it runs: each rank changes to the root directory.
 * The archive lies where the program was started.
 *
 * Expected in the archive of n ranks:
 *     MPI_Barrier    n
 *     messages       0
 *     collectives    n
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int failed;

    MPI_Init(&argc, &argv);
    failed = chdir("/");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return failed ? 1 : 0;
}
