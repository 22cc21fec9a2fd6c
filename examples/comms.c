/*
 * Communicators of every making, with traffic on them: a dup with a name given late, a
 * non-blocking dup, halves by split, a create and a create_group of the even ranks, a
 * periodic line by Cart_create, an inter-communicator between the halves and its merge.
 * All are freed but the cart, which leaks. A ring of messages of 8 bytes goes round the
 * dup and round the cart, an Allreduce over every half.
 *
 * Expected in the archive of n ranks (n >= 2):
 *     MPI_Comm_dup             n
 *     MPI_Comm_idup            n
 *     MPI_Wait                 n
 *     MPI_Comm_split           n
 *     MPI_Comm_create          n
 *     MPI_Comm_create_group    (n + 1) // 2
 *     MPI_Cart_create          n
 *     MPI_Intercomm_create     n
 *     MPI_Intercomm_merge      n
 *     MPI_Comm_set_name        2 * n
 *     MPI_Sendrecv             2 * n
 *     MPI_Allreduce            n
 *     MPI_Barrier              n
 *     MPI_Comm_free            5 * n + 2 * ((n + 1) // 2)
 *     messages                 2 * n
 *     bytes                    2 * n * 8
 *     collectives              2 * n
 *     moved ALLREDUCE          4 * (((n + 1) // 2) ** 2 + (n // 2) ** 2)
 *
 * Communicators: MPI_COMM_WORLD, MPI_COMM_SELF (one a rank), the dup "a dup with a name",
 * the other dup, two halves, two of the even ranks, the cart "a line that leaks", one
 * inter-communicator, its merge.
 */
#include <mpi.h>

static void ring(MPI_Comm comm)
{
    int rank, size;
    double out = 1, in;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + 1) % size, 0, &in, 1, MPI_DOUBLE,
                 (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
}

static void even_ones(int rank, int size)
{
    MPI_Group world, evens;
    MPI_Comm created, grouped;
    int range[1][3] = {{0, size - 1, 2}};

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &evens);
    MPI_Comm_create(MPI_COMM_WORLD, evens, &created);
    if (rank % 2 == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, evens, 7, &grouped);
        MPI_Comm_free(&grouped);
        MPI_Comm_free(&created);
    }
    MPI_Group_free(&evens);
    MPI_Group_free(&world);
}

static void halves(int rank)
{
    MPI_Comm half, inter, merged;
    int one = 1, sum;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter);
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Comm dup, idup, line;
    MPI_Request request;
    int rank, size, periodic = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    ring(dup);
    MPI_Comm_set_name(dup, "a dup with a name");
    MPI_Comm_free(&dup);
    MPI_Comm_idup(MPI_COMM_WORLD, &idup, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&idup);

    halves(rank);
    even_ones(rank, size);

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &line);
    MPI_Comm_set_name(line, "a line that leaks");
    ring(line);
    MPI_Finalize();
    return 0;
}
