/*
 * MPI-IO and one-sided communication: each rank writes a kilobyte of a file and reads
 * its neighbour's, then puts 8 bytes into its neighbour's window. The calls are recorded,
 * and nothing of what MPI does inside them.
 *
 * Expected in the archive of n ranks:
 *     MPI_File_open            n
 *     MPI_File_set_view        n
 *     MPI_File_write_at_all    n
 *     MPI_File_read_at         n
 *     MPI_File_iwrite_at       n
 *     MPI_Wait                 n
 *     MPI_File_close           n
 *     MPI_Win_create           n
 *     MPI_Win_fence            2 * n
 *     MPI_Put                  n
 *     MPI_Win_free             n
 *     MPI_Barrier              n
 *     messages                 0
 *     collectives              n
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { KILOBYTE = 1024 };

static int through_a_file(int rank, int size)
{
    char out[KILOBYTE], in[KILOBYTE];
    MPI_Request request;
    MPI_File file;
    int next = (rank + 1) % size;

    memset(out, rank + 1, sizeof out);
    MPI_File_open(MPI_COMM_WORLD, "files_and_windows.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, (MPI_Offset)rank * KILOBYTE, out, KILOBYTE, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, (MPI_Offset)next * KILOBYTE, in, KILOBYTE, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, (MPI_Offset)(size + rank) * KILOBYTE, out, KILOBYTE, MPI_BYTE,
                       &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return in[0] == next + 1;
}

/* What arrives is not looked at: MPICH 4.0.2 over UCX loses it on some machines. */
static void through_a_window(int rank, int size)
{
    double mine = rank, theirs = -1;
    MPI_Win window;

    MPI_Win_create(&theirs, sizeof theirs, sizeof theirs, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 0, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int file = through_a_file(rank, size);
    through_a_window(rank, size);
    MPI_Finalize();
    return file ? 0 : 1;
}
