/*
 * The lives of communicators: made, named, registered, used, freed. One leaks on purpose.
 *
 *     workers    a dup of MPI_COMM_WORLD; registered as "workers" for 10 of its 15
 *                reductions, then not, then as "workers, again" for a ring of 4 bytes; freed
 *     half       the even and the odd ranks, split; named "half"; the even ranks register
 *                theirs as "evens"; 3 barriers on each; freed
 *     idle       a dup of workers, which nobody uses; freed
 *     first, second  two dups, one after the other, perhaps with one handle; freed
 *     leak       a dup with one broadcast, which is never freed
 *
 * Expected in the archive of n ranks (n >= 2):
 *     MPI_Comm_dup              5 * n
 *     MPI_Comm_split            n
 *     MPI_Comm_set_name         2 * n
 *     MPI_Allreduce             15 * n
 *     MPI_Sendrecv              n
 *     MPI_Barrier               3 * n
 *     MPI_Bcast                 n
 *     MPI_Comm_free             5 * n
 *     messages                  n
 *     bytes                     n * 4
 *     collectives               19 * n
 *     moved ALLREDUCE           15 * n * n * 8
 *     moved BCAST               n * 4
 *     marker workers            2 * n
 *     marker workers, again     n
 *     marker evens              (n + 1) // 2
 *
 * Expected of its communicators: default names in brackets, parents, members, numbers of
 * messages, of collective operations (counted once, not for each rank) and of ranks that
 * registered it (each time):
 *     workers, again  MPI_COMM_WORLD   all             n messages   15   2 * n
 *     evens           MPI_COMM_WORLD   0, 2, 4 …       0             3   once each
 *     half            MPI_COMM_WORLD   1, 3, 5 …       0             3   0
 *     [MPI_COMM_WORLD/dup#1/dup#1]     workers, all    0             0   0
 *     [MPI_COMM_WORLD/dup#3]  MPI_COMM_WORLD, all      0             0   0
 *     [MPI_COMM_WORLD/dup#4]  MPI_COMM_WORLD, all      0             0   0
 *     leak            MPI_COMM_WORLD   all             0             1   0, never freed
 * Alive at once, besides the predefined: workers, one half for each rank, idle; so 4 all in all
 * while they overlap. At the end 1.
 */
#include <mpi.h>
#include <mpiwatch.h>
#include <time.h>

static void rest(void)
{
    struct timespec some = {.tv_nsec = 5000000};

    nanosleep(&some, NULL);
}

static void reduce(MPI_Comm comm, int times)
{
    double mine = 1;
    double sum;

    for (int i = 0; i < times; i++) {
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    }
    rest();
}

static void use_workers(MPI_Comm workers)
{
    int rank, size, received;

    mpiwatch_comm_register(workers, "workers");
    reduce(workers, 10);
    mpiwatch_comm_unregister(workers);
    reduce(workers, 5);
    mpiwatch_comm_register(workers, "workers, again");
    MPI_Comm_rank(workers, &rank);
    MPI_Comm_size(workers, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &received, 1, MPI_INT,
                 (rank + size - 1) % size, 0, workers, MPI_STATUS_IGNORE);
    rest();
}

static void use_halves(MPI_Comm *half)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, half);
    MPI_Comm_set_name(*half, "half");
    if (rank % 2 == 0) {
        mpiwatch_comm_register(*half, "evens");
    }
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(*half);
    }
    rest();
}

static void leave_one(void)
{
    MPI_Comm leak;
    int word = 7;

    MPI_Comm_dup(MPI_COMM_WORLD, &leak);
    MPI_Comm_set_name(leak, "leak");
    MPI_Bcast(&word, 1, MPI_INT, 0, leak);
}

int main(int argc, char **argv)
{
    MPI_Comm workers, half, idle, one;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &workers);
    use_workers(workers);
    use_halves(&half);
    MPI_Comm_dup(workers, &idle);
    rest();
    MPI_Comm_free(&idle);
    MPI_Comm_free(&half);
    MPI_Comm_free(&workers);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &one);
        rest();
        MPI_Comm_free(&one);
    }
    leave_one();
    rest();
    MPI_Finalize();
    return 0;
}
