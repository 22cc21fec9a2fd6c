/*
 * An error handler that jumps out of the MPI call it was called from, three times, as
 * programs do that treat errors as exceptions. What follows is recorded as if nothing
 * had happened.
 *
 * Expected in the archive of n ranks:
 *     MPI_Send        3 * n
 *     MPI_Sendrecv    10 * n
 *     MPI_Barrier     n
 *     messages        10 * n
 *     bytes           10 * n * 4
 *     collectives     n
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void jump(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    longjmp(back, 1);
}

static void fail(int size)
{
    if (setjmp(back) == 0) {
        MPI_Send(NULL, 0, MPI_INT, size, 0, MPI_COMM_WORLD); /* no such rank */
        fprintf(stderr, "longjmp: the send came back\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    int rank, size, in;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_errhandler(jump, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (int i = 0; i < 3; i++) {
        fail(size);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    for (int i = 0; i < 10; i++) {
        MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
