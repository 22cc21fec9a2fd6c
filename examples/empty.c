/*
 * The smallest program: MPI_Init and MPI_Finalize.
 *
 * Expected in the archive of n ranks:
 *     messages       0
 *     bytes          0
 *     collectives    0
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
