/*
 * Lock contention: rank 2 keeps an exclusive lock on rank 0's window while ranks 0 and 1 want to
 * read there.
 *
 * mpiwatch-analyze waits: ranks 0 and 1 wait in MPI_Win_lock for rank 2, or where the MPI library
 * does not wait there (Open MPI's osc/pt2pt) in MPI_Win_unlock. Three ranks. Nobody waits for a
 * lock if the argument is "not": the one that rank 2 keeps is a shared one then.
 */
#include <mpi.h>
#include <string.h>

#include "nap.h"

#define SECONDS 1.2

int main(int argc, char **argv)
{
    static _Alignas(16) int window; /* elsewhere MPICH 4.0 misses it */
    int value = 42;
    const int kept = argc > 1 && strcmp(argv[1], "not") == 0 ? MPI_LOCK_SHARED
                                                             : MPI_LOCK_EXCLUSIVE;
    double slept = 0;
    MPI_Win win;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&window, sizeof window, sizeof window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 2) {
        MPI_Win_lock(kept, 0, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win); /* it has the lock, whenever the library gets one */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        slept = nap(SECONDS);
    } else {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock(0, win);
    if (rank == 2 && kept == MPI_LOCK_EXCLUSIVE) {
        tell("lock_contention", "0,1", 2, slept);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
