#include "recorder/hooks/neighbor.h"

#include "recorder/dispatch/chain.h"
#include "recorder/hooks/message.h"

/* More dimensions than any MPI process can have neighbours in. */
#define DIMENSIONS_MAX 32

struct neighborhood {
    int in;          /* how many neighbours data comes from */
    int out;         /* and goes to */
    bool is_cart;    /* there, a bit tells who is not beyond an edge */
    uint64_t exists; /* bit 2 d: down in dimension d, bit 2 d + 1: up */
};

static void look_at_cart(MPI_Comm comm, struct neighborhood *neighbors)
{
    int dimensions = 0;

    if (MWR_PMPI(Cartdim_get)(comm, &dimensions) != MPI_SUCCESS || dimensions > DIMENSIONS_MAX) {
        return;
    }
    neighbors->in = neighbors->out = 2 * dimensions;
    neighbors->is_cart = true;
    for (int i = 0; i < dimensions; i++) {
        int down = MPI_PROC_NULL;
        int up = MPI_PROC_NULL;

        MWR_PMPI(Cart_shift)(comm, i, 1, &down, &up);
        neighbors->exists |= (uint64_t)(down != MPI_PROC_NULL) << 2 * i;
        neighbors->exists |= (uint64_t)(up != MPI_PROC_NULL) << (2 * i + 1);
    }
}

static struct neighborhood neighborhood_of(MPI_Comm comm)
{
    struct neighborhood neighbors = {0};
    int topology = MPI_UNDEFINED;
    int rank = 0;
    int is_weighted = 0;

    MWR_PMPI(Topo_test)(comm, &topology);
    if (topology == MPI_CART) {
        look_at_cart(comm, &neighbors);
    } else if (topology == MPI_GRAPH) {
        MWR_PMPI(Comm_rank)(comm, &rank);
        MWR_PMPI(Graph_neighbors_count)(comm, rank, &neighbors.in);
        neighbors.out = neighbors.in;
    } else if (topology == MPI_DIST_GRAPH) {
        MWR_PMPI(Dist_graph_neighbors_count)(comm, &neighbors.in, &neighbors.out, &is_weighted);
    }
    return neighbors;
}

/* The bytes of one direction; types has one per neighbour, or is null and type is all. */
static uint64_t bytes_of(const struct neighborhood *neighbors, int count, struct mwr_counts counts,
                         MPI_Datatype type, const MPI_Datatype types[])
{
    uint64_t sum = 0;

    for (int i = 0; i < count; i++) {
        int64_t elements = mwr_count_at(counts, (uint64_t)i);

        if (elements > 0 && (!neighbors->is_cart || neighbors->exists >> i & 1)) {
            uint64_t bytes = mwr_bytes_of(elements, types ? types[i] : type);

            if (bytes == MW_BYTES_UNKNOWN) {
                return bytes;
            }
            sum += bytes;
        }
    }
    return sum;
}

struct mwr_volume mwr_volume_neighbor(MPI_Comm comm, struct mwr_counts sendcounts,
                                      MPI_Datatype sendtype, struct mwr_counts recvcounts,
                                      MPI_Datatype recvtype)
{
    struct neighborhood neighbors = neighborhood_of(comm);

    return (struct mwr_volume){
        .root = MW_ROOT_NONE,
        .sent = bytes_of(&neighbors, neighbors.out, sendcounts, sendtype, NULL),
        .received = bytes_of(&neighbors, neighbors.in, recvcounts, recvtype, NULL),
    };
}

struct mwr_volume mwr_volume_neighbor_w(MPI_Comm comm, struct mwr_counts sendcounts,
                                        const MPI_Datatype sendtypes[],
                                        struct mwr_counts recvcounts,
                                        const MPI_Datatype recvtypes[])
{
    struct neighborhood neighbors = neighborhood_of(comm);

    return (struct mwr_volume){
        .root = MW_ROOT_NONE,
        .sent = bytes_of(&neighbors, neighbors.out, sendcounts, MPI_DATATYPE_NULL, sendtypes),
        .received = bytes_of(&neighbors, neighbors.in, recvcounts, MPI_DATATYPE_NULL, recvtypes),
    };
}
