/*
 * Very many requests outstanding at once, every rank with itself: m Irecv, m Isend of
 * 4 bytes, one Waitall of 2 m. The argument is m, 30000 if there is none. Prints the
 * processor time that a call of Irecv and Isend takes, which should not depend on m.
 *
 * Expected in the archive of n ranks (m is the argument):
 *     MPI_Irecv      m * n
 *     MPI_Isend      m * n
 *     MPI_Waitall    n
 *     messages       m * n
 *     bytes          m * n * 4
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec used;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    int m = argc > 1 ? atoi(argv[1]) : 30000;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request *requests = malloc(2 * (size_t)m * sizeof *requests);
    int *in = malloc((size_t)m * sizeof *in);
    if (!requests || !in) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }

    double start = seconds();
    for (int i = 0; i < m; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < m; i++) {
        MPI_Isend(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[m + i]);
    }
    double middle = seconds();
    MPI_Waitall(2 * m, requests, MPI_STATUSES_IGNORE);
    double end = seconds();

    if (rank == 0) {
        printf("m = %d\nnanoseconds per call = %.0f\nnanoseconds per request completed = %.0f\n", m,
               1e9 * (middle - start) / (2.0 * m), 1e9 * (end - middle) / (2.0 * m));
    }
    free(requests);
    free(in);
    MPI_Finalize();
    return 0;
}
