/* An error handler of the program's own for all files that it opens, and one that is not there. */
#include <mpi.h>
#include <stdio.h>

static int calls;

static void count(MPI_File *file, int *code, ...)
{
    calls++;
}

int main(int argc, char *argv[])
{
    MPI_Errhandler handler;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_File_create_errhandler(count, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    MPI_Errhandler_free(&handler);
    MPI_File_open(MPI_COMM_WORLD, "missing", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Finalize();
    printf("errors: %d\n", calls);
    return 0;
}
