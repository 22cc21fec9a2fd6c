/*
 * Communicators whose parents are others, and those that not every rank gets: a dup of a
 * dup of MPI_COMM_SELF (each rank its own), a split that leaves rank 0 out, a split by
 * shared memory, a dup with info, a create with a group of the last rank only, the dup of
 * a split. A ring of 4 bytes goes round the last one.
 *
 * Expected in the archive of n ranks (n >= 2):
 *     MPI_Comm_dup              2 * n + (n - 1)
 *     MPI_Comm_split            n
 *     MPI_Comm_split_type       n
 *     MPI_Comm_dup_with_info    n
 *     MPI_Comm_create           n
 *     MPI_Comm_set_name         n - 1
 *     MPI_Sendrecv              n - 1
 *     MPI_Allreduce             n
 *     MPI_Comm_free             2 * n + 2 * (n - 1) + n + n + 1
 *     messages                  n - 1
 *     bytes                     (n - 1) * 4
 *     collectives               n
 *     moved ALLREDUCE           4 * n
 */
#include <mpi.h>

static void of_self(int rank)
{
    MPI_Comm once, twice;
    int sum;

    MPI_Comm_dup(MPI_COMM_SELF, &once);
    MPI_Comm_dup(once, &twice);
    MPI_Comm_free(&once);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, twice);
    MPI_Comm_free(&twice);
}

static void all_but_the_first(int rank)
{
    MPI_Comm part, again;
    int me, size, in;

    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, -rank, &part);
    if (rank == 0) {
        return;
    }
    MPI_Comm_dup(part, &again);
    MPI_Comm_set_name(again, "all but the first, backwards");
    MPI_Comm_rank(again, &me);
    MPI_Comm_size(again, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % size, 0, &in, 1, MPI_INT, (me + size - 1) % size, 0,
                 again, MPI_STATUS_IGNORE);
    MPI_Comm_free(&part);
    MPI_Comm_free(&again);
}

static void the_last(int rank, int size)
{
    MPI_Group world, last;
    MPI_Comm alone;
    int members[1] = {size - 1};

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, members, &last);
    MPI_Comm_create(MPI_COMM_WORLD, last, &alone);
    if (rank == size - 1) {
        MPI_Comm_free(&alone);
    }
    MPI_Group_free(&last);
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    MPI_Comm host, informed;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    of_self(rank);
    all_but_the_first(rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_dup_with_info(host, MPI_INFO_NULL, &informed);
    MPI_Comm_free(&host);
    the_last(rank, size);
    MPI_Comm_free(&informed);
    MPI_Finalize();
    return 0;
}
