/*
 * Neighbours: a periodic line of ranks as a Cartesian topology, its one-dimensional part
 * by Cart_sub, the same ring as a graph and as a distributed graph, and the neighbourhood
 * collectives over the line, 10 ints to each of two neighbours.
 *
 * Expected in the archive of n ranks:
 *     MPI_Dims_create                   n
 *     MPI_Cart_create                   n
 *     MPI_Cart_shift                    n
 *     MPI_Cart_coords                   n
 *     MPI_Cart_rank                     n
 *     MPI_Cart_sub                      n
 *     MPI_Dist_graph_create_adjacent    n
 *     MPI_Dist_graph_neighbors_count    n
 *     MPI_Neighbor_allgather            n
 *     MPI_Neighbor_alltoall             n
 *     MPI_Ineighbor_allgather           n
 *     MPI_Wait                          n
 *     MPI_Sendrecv                      n
 *     MPI_Comm_free                     3 * n
 *     messages                          n
 *     bytes                             n * 40
 *     collectives                       3 * n
 *     moved ALLGATHER                   2 * 2 * 40 * n
 *     moved ALLTOALL                    2 * 40 * n
 */
#include <mpi.h>

enum { COUNT = 10 };

static int out[2 * COUNT], in[2 * COUNT];

static MPI_Comm line_of(int size)
{
    MPI_Comm line;
    int periodic = 1, length = 0;

    MPI_Dims_create(size, 1, &length);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &length, &periodic, 0, &line);
    return line;
}

static void with_neighbours(MPI_Comm line, int rank)
{
    MPI_Request request;
    int previous, next, place, again;

    MPI_Cart_shift(line, 0, 1, &previous, &next);
    MPI_Cart_coords(line, rank, 1, &place);
    MPI_Cart_rank(line, &place, &again);
    if (again != rank) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Sendrecv(out, COUNT, MPI_INT, next, 0, in, COUNT, MPI_INT, previous, 0, line,
                 MPI_STATUS_IGNORE);
    MPI_Neighbor_allgather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, line);
    MPI_Neighbor_alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, line);
    MPI_Ineighbor_allgather(out, COUNT, MPI_INT, in, COUNT, MPI_INT, line, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Comm line, part, graph;
    int rank, size, kept = 1, incoming, outgoing, weighted;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    line = line_of(size);
    with_neighbours(line, rank);
    MPI_Cart_sub(line, &kept, &part);

    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &incoming, &outgoing, &weighted);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&part);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return incoming == 1 && outgoing == 1 ? 0 : 1;
}
