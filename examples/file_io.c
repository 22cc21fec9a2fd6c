/*
 * MPI-IO on the file that the argument names: n ranks write blocks of 10 ints next to each
 * other, read them and what is behind them, and delete the file.
 *
 * Expected in the archive of n ranks:
 *     MPI_File_open                n
 *     MPI_File_set_view            2 * n
 *     MPI_File_write_at_all        n
 *     MPI_File_sync                n
 *     MPI_Barrier                  2 * n
 *     MPI_File_seek                3 * n
 *     MPI_File_read                2 * n
 *     MPI_File_iread_at            n
 *     MPI_Wait                     n
 *     MPI_File_write_all_begin     n
 *     MPI_File_write_all_end       n
 *     MPI_File_write_shared        n
 *     MPI_File_close               n
 *     MPI_File_delete              1
 *     collectives                  2 * n
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 10 };

static void transfers(MPI_File file, int rank, int size)
{
    int block[BLOCK] = {0}, more[BLOCK];
    MPI_Offset end = (MPI_Offset)size * BLOCK;
    MPI_Request request;

    /* Ints are the unit: the offset of 40 * rank bytes is 10 * rank. */
    MPI_File_write_at_all(file, (MPI_Offset)rank * BLOCK, block, BLOCK, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    /*
     * Half a block is there behind the last but 5, and then nothing. Where a short read
     * leaves the pointer, Open MPI and MPICH do not agree.
     */
    MPI_File_seek(file, end - 5, MPI_SEEK_SET);
    MPI_File_read(file, more, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, end, MPI_SEEK_SET);
    MPI_File_read(file, more, BLOCK, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, 0, block, BLOCK, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, end, MPI_SEEK_SET);
    MPI_File_write_all_begin(file, block, 2, MPI_INT);
    MPI_File_write_all_end(file, block, MPI_STATUS_IGNORE);
    MPI_File_write_shared(file, block, 1, MPI_INT, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "file_io.data";
    int rank, size;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                      &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    transfers(file, rank, size);
    MPI_File_set_view(file, 12, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_close(&file);
    if (rank == 0) {
        MPI_File_delete(path, MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
