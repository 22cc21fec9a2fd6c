/*
 * Ranks that start other programs, which are no part of the MPI run: /bin/true by
 * system(), and a shell whose output is read.
 *
 * Expected in the archive of n ranks:
 *     MPI_Barrier    2 * n
 *     messages       0
 *     collectives    2 * n
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char line[64] = "";
    int rank, code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    code = system("/bin/true");
    FILE *pipe = popen("echo a child of a rank", "r");
    if (!pipe || !fgets(line, sizeof line, pipe) || pclose(pipe) != 0) {
        code = -1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("system: %d, popen: %s", code, line);
    }
    MPI_Finalize();
    return code == 0 && strcmp(line, "a child of a rank\n") == 0 ? 0 : 1;
}
