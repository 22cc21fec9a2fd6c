/*
 * A run whose events are many times what a rank may keep in memory: a rank exchanges 8
 * bytes with itself over and over. The argument is how often, 3000000 if there is none,
 * which makes a spool of more than 300 MB. Prints the most memory that a rank ever had
 * (VmHWM, in kB), also while the archive was written.
 *
 * Expected in the archive of n ranks (rounds is printed):
 *     MPI_Sendrecv    rounds * n
 *     messages        rounds * n
 *     bytes           rounds * n * 8
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long peak_kilobytes(void)
{
    char line[256];
    long kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");

    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "VmHWM: %ld kB", &kilobytes) == 1) {
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return kilobytes;
}

int main(int argc, char **argv)
{
    double out = 1, in;
    int rank;

    MPI_Init(&argc, &argv);
    int rounds = argc > 1 ? atoi(argv[1]) : 3000000;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < rounds; i++) {
        MPI_Sendrecv(&out, 1, MPI_DOUBLE, rank, 0, &in, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    if (rank == 0) {
        printf("rounds = %d\n", rounds);
    }
    printf("peak memory of rank %d: %ld kB\n", rank, peak_kilobytes());
    return 0;
}
