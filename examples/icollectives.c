/*
 * Each non-blocking collective operation once with 10 ints, all of them at once on their
 * way, completed by one Waitall; then an Ibarrier that is tested until it is complete.
 * How often is printed.
 *
 * Expected in the archive of n ranks:
 *     MPI_Ibarrier                  2 * n
 *     MPI_Ibcast                    n
 *     MPI_Igather                   n
 *     MPI_Igatherv                  n
 *     MPI_Iscatter                  n
 *     MPI_Iscatterv                 n
 *     MPI_Iallgather                n
 *     MPI_Iallgatherv               n
 *     MPI_Ialltoall                 n
 *     MPI_Ialltoallv                n
 *     MPI_Ialltoallw                n
 *     MPI_Ireduce                   n
 *     MPI_Iallreduce                n
 *     MPI_Ireduce_scatter           n
 *     MPI_Ireduce_scatter_block     n
 *     MPI_Iscan                     n
 *     MPI_Iexscan                   n
 *     MPI_Waitall                   n
 *     MPI_Test                      tests
 *     collectives                   18 * n
 *     moved BCAST                   40 * n
 *     moved GATHER                  40 * n
 *     moved SCATTER                 40 * n
 *     moved GATHERV                 40 * n
 *     moved SCATTERV                40 * n
 *     moved REDUCE                  40 * n
 *     moved ALLGATHER               40 * n * n
 *     moved ALLGATHERV              40 * n * n
 *     moved ALLTOALL                40 * n * n
 *     moved ALLTOALLV               40 * n * n
 *     moved ALLTOALLW               40 * n * n
 *     moved ALLREDUCE               40 * n * n
 *     moved REDUCE_SCATTER          40 * n * n
 *     moved REDUCE_SCATTER_BLOCK    40 * n * n
 *     moved SCAN                    40 * n * (n + 1) // 2
 *     moved EXSCAN                  40 * n * (n - 1) // 2
 *     messages                      0
 */
#include <mpi.h>
#include <stdio.h>

enum { COUNT = 10, RANKS_MAX = 64, OPERATIONS = 17, ROOT = 0 };

static int out[RANKS_MAX * COUNT], in[OPERATIONS][RANKS_MAX * COUNT];
static int counts[RANKS_MAX], places[RANKS_MAX], byte_places[RANKS_MAX];
static MPI_Datatype types[RANKS_MAX];

static void start_all(MPI_Request *r)
{
    MPI_Comm comm = MPI_COMM_WORLD;

    MPI_Ibarrier(comm, &r[0]);
    MPI_Ibcast(in[1], COUNT, MPI_INT, ROOT, comm, &r[1]);
    MPI_Igather(out, COUNT, MPI_INT, in[2], COUNT, MPI_INT, ROOT, comm, &r[2]);
    MPI_Igatherv(out, COUNT, MPI_INT, in[3], counts, places, MPI_INT, ROOT, comm, &r[3]);
    MPI_Iscatter(out, COUNT, MPI_INT, in[4], COUNT, MPI_INT, ROOT, comm, &r[4]);
    MPI_Iscatterv(out, counts, places, MPI_INT, in[5], COUNT, MPI_INT, ROOT, comm, &r[5]);
    MPI_Iallgather(out, COUNT, MPI_INT, in[6], COUNT, MPI_INT, comm, &r[6]);
    MPI_Iallgatherv(out, COUNT, MPI_INT, in[7], counts, places, MPI_INT, comm, &r[7]);
    MPI_Ialltoall(out, COUNT, MPI_INT, in[8], COUNT, MPI_INT, comm, &r[8]);
    MPI_Ialltoallv(out, counts, places, MPI_INT, in[9], counts, places, MPI_INT, comm, &r[9]);
    MPI_Ialltoallw(out, counts, byte_places, types, in[10], counts, byte_places, types, comm,
                   &r[10]);
    MPI_Ireduce(out, in[11], COUNT, MPI_INT, MPI_SUM, ROOT, comm, &r[11]);
    MPI_Iallreduce(out, in[12], COUNT, MPI_INT, MPI_SUM, comm, &r[12]);
    MPI_Ireduce_scatter(out, in[13], counts, MPI_INT, MPI_SUM, comm, &r[13]);
    MPI_Ireduce_scatter_block(out, in[14], COUNT, MPI_INT, MPI_SUM, comm, &r[14]);
    MPI_Iscan(out, in[15], COUNT, MPI_INT, MPI_SUM, comm, &r[15]);
    MPI_Iexscan(out, in[16], COUNT, MPI_INT, MPI_SUM, comm, &r[16]);
}

int main(int argc, char **argv)
{
    MPI_Request requests[OPERATIONS], barrier;
    int size, tests = 0, done = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS_MAX) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int r = 0; r < size; r++) {
        counts[r] = COUNT;
        places[r] = r * COUNT;
        byte_places[r] = r * COUNT * (int)sizeof(int);
        types[r] = MPI_INT;
    }
    start_all(requests);
    MPI_Waitall(OPERATIONS, requests, MPI_STATUSES_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    for (; !done; tests++) {
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    }
    printf("tests = %d\n", tests);
    MPI_Finalize();
    return 0;
}
