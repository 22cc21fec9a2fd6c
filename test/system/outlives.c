/*
 * A job of which another one is a child, and parts: outlives SECONDS COMMAND starts COMMAND, as
 * many processes; outlives SECONDS is such a child. All talk to all of the other job, then they
 * disconnect, and each job goes on by itself for its SECONDS. The one that ends first must be no
 * trouble to the other. Rank 0 says "parent" or "child" at the end.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void part(MPI_Comm other, int is_child)
{
    int size, out[8] = {0}, in[8];
    MPI_Comm all;

    MPI_Intercomm_merge(other, is_child, &all);
    MPI_Comm_size(all, &size);
    if (size <= 8) {
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, all);
    }
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&other);
}

static void go_on(double seconds)
{
    double start = MPI_Wtime();
    int goes_on = 1;

    while (goes_on) {
        goes_on = MPI_Wtime() - start < seconds;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm other;
    int rank, size, is_child;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&other);
    is_child = other != MPI_COMM_NULL;
    if (!is_child) {
        MPI_Comm_spawn(argv[2], argv + 3, size, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
    }
    part(other, is_child);
    go_on(atof(argv[1]));
    if (rank == 0) {
        printf("%s\n", is_child ? "child" : "parent");
    }
    MPI_Finalize();
    return 0;
}
