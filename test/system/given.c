/*
 * Operations that take something from some ranks only. Each rank prints, in the order in which its
 * operations complete, "RANK: neighbors A B", "RANK: sources A B" or "RANK: nothing": whom it
 * takes something from by world rank, worked out here from how the communicators are made, and
 * not by what MPI says of them. With an argument, rank 0 is killed in the end. Three ranks or more.
 */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define INIT(operation) MPIX_##operation##_init
#else
#define INIT(operation) MPI_##operation##_init
#endif

enum { RANKS_MAX = 16, BLOCKS = 2 * RANKS_MAX };

static int rank, size;
static int out[BLOCKS], in[BLOCKS];

/* By a rule: whether the rank takes something from other. */
typedef bool rule(int other);

static bool below_or_above(int other)
{
    return other == rank - 1 || other == rank + 1;
}

static bool just_above(int other)
{
    return other == rank + 1;
}

static bool just_below(int other)
{
    return other == rank - 1;
}

static bool beside_in_ring(int other)
{
    return other == (rank + 1) % size || other == (rank + size - 1) % size;
}

static bool on_star(int other)
{
    return rank == 0 || other == 0;
}

static bool first_pair(int other)
{
    return rank + other == 1;
}

static bool nobody(int other)
{
    return false;
}

static void tell(const char *kind, rule *takes)
{
    printf("%d: %s", rank, kind);
    for (int i = 0; takes && i < size; i++) {
        if (i != rank && takes(i)) {
            printf(" %d", i);
        }
    }
    printf("\n");
}

static void exchange(MPI_Comm comm, rule *takes)
{
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    tell("neighbors", takes);
}

static MPI_Comm grid(MPI_Comm comm, int dimensions, const int *lengths, const int *periods)
{
    MPI_Comm made;

    MPI_Cart_create(comm, dimensions, lengths, periods, 0, &made);
    return made;
}

/* A line, also backwards, as a part of a grid, and as a dimension beside a ring of one. */
static void lines(void)
{
    const int one_row[] = { 1, size }, around[] = { 1, 0 }, not_around[] = { 0, 0 };
    const int kept[] = { 0, 1 };
    MPI_Comm backwards, comm, part;

    comm = grid(MPI_COMM_WORLD, 1, &size, not_around);
    exchange(comm, below_or_above);
    exchange(comm, below_or_above);
    MPI_Comm_free(&comm);
    comm = grid(MPI_COMM_WORLD, 2, one_row, around);
    exchange(comm, below_or_above);
    MPI_Cart_sub(comm, kept, &part);
    exchange(part, below_or_above);
    MPI_Comm_free(&part);
    MPI_Comm_free(&comm);
    comm = grid(MPI_COMM_WORLD, 1, &size, around);
    exchange(comm, beside_in_ring);
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    comm = grid(backwards, 1, &size, not_around);
    exchange(comm, below_or_above);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&backwards);
}

static void graphs(void)
{
    int index[RANKS_MAX], edges[BLOCKS];
    int above = rank + 1, below = rank - 1;
    const int twice[] = { above, above }, weights[] = { 3, 5 };
    int degree = rank < size - 1 ? 2 : 0;
    MPI_Request request;
    MPI_Comm star, same, directed;

    for (int i = 0; i < size - 1; i++) {
        index[i] = size - 1 + i;
        edges[i] = i + 1;
        edges[size - 1 + i] = 0;
    }
    index[size - 1] = 2 * (size - 1);
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &star);
    exchange(star, on_star);
    MPI_Comm_dup(star, &same);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, same, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    tell("neighbors", on_star);
    MPI_Comm_free(&same);
    MPI_Comm_free(&star);
    /* Each takes from the one above it, twice. */
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, twice, weights, below >= 0 ? 2 : 0,
                                   (const int[]){ below, below }, weights, MPI_INFO_NULL, 0,
                                   &directed);
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, directed);
    tell("neighbors", just_above);
    MPI_Comm_free(&directed);
}

/* Blocks of nothing: data goes upwards only, or not at all. */
static void empty_blocks(void)
{
    const int not_around = 0, places[] = { 0, 1 }, upwards[] = { 0, 1 }, downwards[] = { 1, 0 };
    MPI_Comm line = grid(MPI_COMM_WORLD, 1, &size, &not_around);
    MPI_Request request;

    MPI_Neighbor_alltoallv(out, upwards, places, MPI_INT, in, downwards, places, MPI_INT, line);
    tell("neighbors", just_below);
    MPI_Neighbor_alltoall(out, 0, MPI_INT, in, 0, MPI_INT, line);
    tell("neighbors", nobody);
    INIT(Neighbor_alltoallv)(out, upwards, places, MPI_INT, in, downwards, places, MPI_INT, line,
                             MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        tell("neighbors", just_below);
    }
    MPI_Request_free(&request);
    MPI_Comm_free(&line);
}

/* MPI_Alltoallv and its like: counts by rules. */
static void set_counts(int *counts, rule *takes)
{
    for (int i = 0; i < size; i++) {
        counts[i] = i == rank || takes(i);
    }
}

static void counts_of_zero(void)
{
    int up[RANKS_MAX], down[RANKS_MAX], pair[RANKS_MAX], places[RANKS_MAX], bytes[RANKS_MAX];
    int all[RANKS_MAX], others[RANKS_MAX];
    MPI_Datatype types[RANKS_MAX];
    MPI_Request request;

    set_counts(up, just_above);
    set_counts(down, just_below);
    set_counts(pair, first_pair);
    for (int i = 0; i < size; i++) {
        places[i] = i;
        bytes[i] = i * (int)sizeof(int);
        all[i] = 1;
        others[i] = i != rank;
        types[i] = MPI_INT;
    }
    MPI_Alltoallv(out, all, places, MPI_INT, in, all, places, MPI_INT, MPI_COMM_WORLD);
    tell("nothing", NULL);
    MPI_Alltoallv(out, others, places, MPI_INT, in, others, places, MPI_INT, MPI_COMM_WORLD);
    tell("nothing", NULL);
    MPI_Alltoallv(out, up, places, MPI_INT, in, down, places, MPI_INT, MPI_COMM_WORLD);
    tell("sources", just_below);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, pair, places, MPI_INT,
                  MPI_COMM_WORLD);
    tell("sources", first_pair);
    MPI_Alltoallw(out, down, bytes, types, in, up, bytes, types, MPI_COMM_WORLD);
    tell("sources", just_above);
    MPI_Ialltoallv(out, up, places, MPI_INT, in, down, places, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    tell("sources", just_below);
    INIT(Alltoallw)(out, down, bytes, types, in, up, bytes, types, MPI_COMM_WORLD, MPI_INFO_NULL,
                    &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    tell("sources", just_above);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS_MAX) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    lines();
    graphs();
    empty_blocks();
    counts_of_zero();
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && rank == 0) {
        raise(SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
