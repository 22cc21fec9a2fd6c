/*
 * One-sided communication on two windows round a ring: between fences, under locks, and
 * by post, start, complete and wait.
 *
 * Expected in the archive of n ranks:
 *     MPI_Win_create          n
 *     MPI_Win_allocate        n
 *     MPI_Win_set_name        n
 *     MPI_Win_fence           2 * n
 *     MPI_Put                 n + n + n
 *     MPI_Get                 n
 *     MPI_Accumulate          n
 *     MPI_Win_lock            n
 *     MPI_Win_unlock          n
 *     MPI_Win_lock_all        n
 *     MPI_Win_unlock_all      n
 *     MPI_Win_flush           n
 *     MPI_Get_accumulate      n
 *     MPI_Fetch_and_op        n
 *     MPI_Compare_and_swap    n
 *     MPI_Rput                n
 *     MPI_Rget                n
 *     MPI_Waitall             n
 *     MPI_Win_post            n
 *     MPI_Win_start           n
 *     MPI_Win_complete        n
 *     MPI_Win_wait            n
 *     MPI_Barrier             n
 *     MPI_Win_free            2 * n
 *     collectives             n
 */
#include <mpi.h>
#include <stdio.h>

enum { LENGTH = 100 };

static int next, previous;

/* 3 doubles there, 2 from there, 4 added there. */
static void between_fences(MPI_Win window)
{
    double out[4] = {1, 2, 3, 4}, in[2];

    MPI_Win_fence(0, window);
    MPI_Put(out, 3, MPI_DOUBLE, next, 0, 3, MPI_DOUBLE, window);
    MPI_Get(in, 2, MPI_DOUBLE, next, 10, 2, MPI_DOUBLE, window);
    MPI_Accumulate(out, 4, MPI_DOUBLE, next, 20, 4, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_fence(0, window);
}

/* 5 doubles there, flushed; then 2 added to 2 and 1 fetched, 1 only fetched, 1 swapped. */
static void under_locks(MPI_Win window)
{
    double out[5] = {0}, in[2], one;
    long was, is = 1;
    MPI_Request requests[2];

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, window);
    MPI_Put(out, 5, MPI_DOUBLE, next, 30, 5, MPI_DOUBLE, window);
    MPI_Win_flush(next, window);
    MPI_Get_accumulate(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, next, 40, 2, MPI_DOUBLE, MPI_SUM,
                       window);
    MPI_Win_unlock(next, window);
    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(NULL, &one, MPI_DOUBLE, next, 50, MPI_NO_OP, window);
    MPI_Compare_and_swap(&is, &is, &was, MPI_LONG, next, 60, window);
    MPI_Rput(out, 1, MPI_DOUBLE, next, 70, 1, MPI_DOUBLE, window, &requests[0]);
    MPI_Rget(in, 2, MPI_DOUBLE, next, 80, 2, MPI_DOUBLE, window, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(window);
}

/* 1 double there. */
static void one_epoch(MPI_Win window)
{
    double out = 1;
    MPI_Group world, sources, targets;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &previous, &sources);
    MPI_Group_incl(world, 1, &next, &targets);
    MPI_Win_post(sources, 0, window);
    MPI_Win_start(targets, 0, window);
    MPI_Put(&out, 1, MPI_DOUBLE, next, 90, 1, MPI_DOUBLE, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&targets);
    MPI_Group_free(&sources);
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    static double memory[LENGTH];
    double *allocated;
    int rank, size;
    MPI_Win created, named;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;

    MPI_Win_create(memory, sizeof memory, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &created);
    MPI_Win_allocate(sizeof memory, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &allocated,
                     &named);
    MPI_Win_set_name(named, "the second");
    between_fences(created);
    under_locks(named);
    MPI_Barrier(MPI_COMM_WORLD);
    one_epoch(created);
    MPI_Win_free(&named);
    MPI_Win_free(&created);
    MPI_Finalize();
    return 0;
}
