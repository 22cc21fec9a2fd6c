/*
 * Collective operations on neighbourhoods: a line of processes (Cartesian, not periodic,
 * so that its ends have one neighbour less) and a ring by MPI_Dist_graph_create_adjacent
 * in which each process sends to the next one only.
 *
 * In the line there are 2 (n - 1) pairs of neighbours, in the ring n.
 *
 * Expected in the archive of n ranks:
 *     MPI_Cart_create                 n
 *     MPI_Dist_graph_create_adjacent  n
 *     MPI_Neighbor_allgather          n
 *     MPI_Neighbor_allgatherv         n
 *     MPI_Neighbor_alltoall           n
 *     MPI_Neighbor_alltoallv          n
 *     MPI_Neighbor_alltoallw          n
 *     MPI_Ineighbor_allgather         n
 *     MPI_Ineighbor_alltoall          n
 *     MPI_Ineighbor_alltoallw         n
 *     MPI_Waitall                     n
 *     MPI_Comm_free                   2 * n
 *     collectives                     8 * n
 *     moved ALLGATHER                 2 * (n - 1) * 3 * 4 + n * 3 * 4
 *     moved ALLGATHERV                n * 5 * 8
 *     moved ALLTOALL                  2 * (n - 1) * 2 * 8 + n * 2 * 8
 *     moved ALLTOALLV                 2 * (n - 1) * 4 * 4
 *     moved ALLTOALLW                 2 * (n - 1) * 1 * 8 + n * 2 * 4
 */
#include <mpi.h>
#include <stdio.h>

static int line_of_ints(MPI_Comm line)
{
    int ints_out[8] = {0}, ints_in[8];
    int counts[2] = {4, 4}, displacements[2] = {0, 4};
    double doubles_out[4] = {0}, doubles_in[4];
    int ones[2] = {1, 1};
    MPI_Aint offsets[2] = {0, sizeof(double)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};

    MPI_Neighbor_allgather(ints_out, 3, MPI_INT, ints_in, 3, MPI_INT, line);
    MPI_Neighbor_alltoall(doubles_out, 2, MPI_DOUBLE, doubles_in, 2, MPI_DOUBLE, line);
    MPI_Neighbor_alltoallv(ints_out, counts, displacements, MPI_INT, ints_in, counts,
                           displacements, MPI_INT, line);
    return MPI_Neighbor_alltoallw(doubles_out, ones, offsets, types, doubles_in, ones, offsets,
                                  types, line);
}

static void ring(MPI_Comm comm)
{
    double out[5] = {0}, in[5], more_in[2];
    int ints_out[3] = {0}, ints_in[3], pair_in[2];
    int five = 5, two = 2, zero = 0;
    MPI_Aint nowhere = 0;
    MPI_Datatype type = MPI_INT;
    MPI_Request requests[3];

    MPI_Neighbor_allgatherv(out, 5, MPI_DOUBLE, in, &five, &zero, MPI_DOUBLE, comm);
    MPI_Ineighbor_allgather(ints_out, 3, MPI_INT, ints_in, 3, MPI_INT, comm, &requests[0]);
    MPI_Ineighbor_alltoall(out, 2, MPI_DOUBLE, more_in, 2, MPI_DOUBLE, comm, &requests[1]);
    MPI_Ineighbor_alltoallw(ints_out, &two, &nowhere, &type, pair_in, &two, &nowhere, &type, comm,
                            &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, is_periodic = 0;
    MPI_Comm line_comm, ring_comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &line_comm);
    line_of_ints(line_comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring_comm);
    ring(ring_comm);
    MPI_Comm_free(&ring_comm);
    MPI_Comm_free(&line_comm);
    MPI_Finalize();
    return 0;
}
