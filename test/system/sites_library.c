/* A library that calls MPI, from a line of its own if it is told (sites.c). */
#include <mpi.h>

/* It goes on behind the call, which would be its caller's otherwise. */
int call_mpi(void)
{
    int result;

#ifdef OTHER
    result = MPI_Barrier(MPI_COMM_WORLD); /* other call_mpi 20 */
#else
    result = MPI_Barrier(MPI_COMM_WORLD); /* first call_mpi 20 */
#endif
    return result + 1;
}
