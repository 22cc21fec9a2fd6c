/*
 * Each blocking collective operation once with 10 ints (40 bytes), to or from rank 0
 * where there is a root; in place where that is allowed; and the forms with counts of
 * their own, in which rank r has r + 1 ints, n * (n + 1) / 2 in all. What is moved is
 * counted as if every rank sent its data to every rank that needs it, itself included
 * unless the operation is in place.
 *
 * Expected in the archive of n ranks:
 *     MPI_Barrier                   2 * n
 *     MPI_Bcast                     n
 *     MPI_Gather                    2 * n
 *     MPI_Scatter                   2 * n
 *     MPI_Allgather                 2 * n
 *     MPI_Alltoall                  2 * n
 *     MPI_Gatherv                   n
 *     MPI_Scatterv                  n
 *     MPI_Allgatherv                n
 *     MPI_Alltoallv                 n
 *     MPI_Alltoallw                 n
 *     MPI_Reduce                    2 * n
 *     MPI_Allreduce                 2 * n
 *     MPI_Reduce_scatter            n
 *     MPI_Reduce_scatter_block      n
 *     MPI_Scan                      n
 *     MPI_Exscan                    n
 *     collectives                   24 * n
 *     moved BCAST                   40 * n
 *     moved GATHER                  40 * n + 40 * (n - 1)
 *     moved SCATTER                 40 * n + 40 * (n - 1)
 *     moved ALLGATHER               40 * n * n + 40 * n * (n - 1)
 *     moved ALLTOALL                40 * n * n + 40 * n * (n - 1)
 *     moved REDUCE                  40 * n + 40 * (n - 1)
 *     moved ALLREDUCE               40 * n * n + 40 * n * (n - 1)
 *     moved REDUCE_SCATTER_BLOCK    40 * n * n
 *     moved SCAN                    40 * n * (n + 1) // 2
 *     moved EXSCAN                  40 * n * (n - 1) // 2
 *     moved GATHERV                 4 * (n * (n + 1) // 2)
 *     moved SCATTERV                4 * (n * (n + 1) // 2)
 *     moved ALLGATHERV              4 * (n * (n + 1) // 2) * n
 *     moved ALLTOALLV               4 * (n * (n + 1) // 2) * n
 *     moved ALLTOALLW               4 * (n * (n + 1) // 2) * n
 *     moved REDUCE_SCATTER          4 * (n * (n + 1) // 2) * n
 *     messages                      0
 */
#include <mpi.h>
#include <stdio.h>

enum { COUNT = 10, RANKS_MAX = 64, ROOT = 0 };

static int rank, size;
static int out[RANKS_MAX * COUNT], in[RANKS_MAX * RANKS_MAX + RANKS_MAX * COUNT];
static int counts[RANKS_MAX], places[RANKS_MAX], total;

static void plain(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(out, COUNT, MPI_INT, ROOT, MPI_COMM_WORLD);
    MPI_Gather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, ROOT, MPI_COMM_WORLD);
    MPI_Scatter(out, COUNT, MPI_INT, in, COUNT, MPI_INT, ROOT, MPI_COMM_WORLD);
    MPI_Allgather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce(out, in, COUNT, MPI_INT, MPI_SUM, ROOT, MPI_COMM_WORLD);
    MPI_Allreduce(out, in, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(out, in, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(out, in, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(out, in, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void in_place(void)
{
    const void *mine = rank == ROOT ? MPI_IN_PLACE : out;

    MPI_Gather(mine, COUNT, MPI_INT, in, COUNT, MPI_INT, ROOT, MPI_COMM_WORLD);
    MPI_Scatter(out, COUNT, MPI_INT, rank == ROOT ? MPI_IN_PLACE : in, COUNT, MPI_INT, ROOT,
                MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, COUNT, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, COUNT, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce(mine, in, COUNT, MPI_INT, MPI_MAX, ROOT, MPI_COMM_WORLD);
    in[0] = rank;
    MPI_Allreduce(MPI_IN_PLACE, in, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void with_counts(void)
{
    int send_counts[RANKS_MAX], send_places[RANKS_MAX], own_counts[RANKS_MAX];
    int byte_send_places[RANKS_MAX], byte_places[RANKS_MAX];
    MPI_Datatype types[RANKS_MAX];

    for (int r = 0; r < size; r++) { /* rank s sends r + 1 ints to rank r */
        send_counts[r] = r + 1;
        send_places[r] = places[r];
        own_counts[r] = rank + 1;
        byte_send_places[r] = 4 * places[r];
        byte_places[r] = 4 * r * (rank + 1);
        types[r] = MPI_INT;
    }
    MPI_Gatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, ROOT, MPI_COMM_WORLD);
    MPI_Scatterv(out, counts, places, MPI_INT, in, rank + 1, MPI_INT, ROOT, MPI_COMM_WORLD);
    MPI_Allgatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallw(out, send_counts, byte_send_places, types, in, own_counts, byte_places, types,
                  MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) {
        byte_places[r] /= 4;
    }
    MPI_Alltoallv(out, send_counts, send_places, MPI_INT, in, own_counts, byte_places, MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS_MAX) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int r = 0; r < size; r++) {
        counts[r] = r + 1;
        places[r] = total;
        total += counts[r];
    }
    plain();
    in_place();
    if (rank == ROOT) {
        printf("sum of ranks: %d\n", in[0]);
    }
    with_counts();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
