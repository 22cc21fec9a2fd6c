#include "recorder/hooks/neighbor.h"

#include <stdlib.h>

#include "recorder/dispatch/chain.h"
#include "recorder/hooks/message.h"
#include "recorder/state/comms.h"
#include "recorder/state/sources.h"

#define NOT_ASKED (MW_SOURCES_NONE - 1)

/* The neighbourhood of this process in a communicator, which never changes. */
struct mwr_neighborhood {
    int in;       /* how many neighbours data comes from */
    int out;      /* and goes to */
    bool is_cart; /* the same in both directions; some may be beyond an edge */
    uint32_t all; /* the set of all sources; NOT_ASKED, MW_SOURCES_NONE: not told */
    int sources[]; /* ranks in the communicator, MPI_PROC_NULL beyond an edge */
};

/* --- what MPI says -------------------------------------------------------------------- */

/* One with room for so many sources; null: no memory. */
static struct mwr_neighborhood *make(int in, int out)
{
    struct mwr_neighborhood *made = malloc(sizeof *made + (size_t)in * sizeof made->sources[0]);

    if (made) {
        *made = (struct mwr_neighborhood){.in = in, .out = out, .all = NOT_ASKED};
    }
    return made;
}

static struct mwr_neighborhood *look_at_cart(MPI_Comm comm)
{
    struct mwr_neighborhood *made;
    int dimensions = 0;

    MWR_PMPI(Cartdim_get)(comm, &dimensions);
    made = make(2 * dimensions, 2 * dimensions);
    for (int i = 0; made && i < dimensions; i++) {
        MWR_PMPI(Cart_shift)(comm, i, 1, &made->sources[2 * i], &made->sources[2 * i + 1]);
        made->is_cart = true;
    }
    return made;
}

static struct mwr_neighborhood *look_at_graph(MPI_Comm comm)
{
    struct mwr_neighborhood *made;
    int rank = 0;
    int count = 0;

    MWR_PMPI(Comm_rank)(comm, &rank);
    MWR_PMPI(Graph_neighbors_count)(comm, rank, &count);
    made = make(count, count);
    if (made) {
        MWR_PMPI(Graph_neighbors)(comm, rank, count, made->sources);
    }
    return made;
}

static struct mwr_neighborhood *look_at_dist_graph(MPI_Comm comm)
{
    struct mwr_neighborhood *made;
    int is_weighted = 0;
    int in = 0;
    int out = 0;
    int *room;

    MWR_PMPI(Dist_graph_neighbors_count)(comm, &in, &out, &is_weighted);
    made = make(in, out);
    /* Weights of both, and destinations. */
    room = malloc(((size_t)in + 2 * (size_t)out + 1) * sizeof *room);
    if (!made || !room) {
        free(made);
        made = NULL;
    } else {
        MWR_PMPI(Dist_graph_neighbors)(comm, in, made->sources, room, out, room + in,
                                       room + in + out);
    }
    free(room);
    return made;
}

static struct mwr_neighborhood *look(MPI_Comm comm)
{
    int topology = MPI_UNDEFINED;

    MWR_PMPI(Topo_test)(comm, &topology);
    if (topology == MPI_CART) {
        return look_at_cart(comm);
    }
    if (topology == MPI_GRAPH) {
        return look_at_graph(comm);
    }
    return topology == MPI_DIST_GRAPH ? look_at_dist_graph(comm) : make(0, 0);
}

/* --- sets of sources -------------------------------------------------------------------- */

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;

    return (a > b) - (a < b);
}

/*
 * The number of the set of those sources for which bytes, one per source, is not 0; of all with
 * null. Neighbours may be the same ones, or the process itself.
 */
static uint32_t set_of(const struct mwr_comm *comm, const struct mwr_neighborhood *neighbors,
                       const uint64_t *bytes)
{
    uint32_t *ranks = malloc(((size_t)neighbors->in + 1) * sizeof *ranks);
    uint32_t count = 0;
    uint32_t different = 0;
    uint32_t number;

    if (!ranks) {
        return MW_SOURCES_NONE;
    }
    for (int i = 0; i < neighbors->in; i++) {
        int source = neighbors->sources[i];

        if (source >= 0 && (uint32_t)source != comm->rank && (!bytes || bytes[i] > 0)) {
            ranks[count++] = (uint32_t)source;
        }
    }
    qsort(ranks, count, sizeof *ranks, by_number);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || ranks[i] != ranks[i - 1]) {
            ranks[different++] = ranks[i];
        }
    }
    number = mwr_sources_number(comm, ranks, different);
    free(ranks);
    return number;
}

/* What is known of comm's neighbourhood, asked for once; null: no memory. */
static struct mwr_neighborhood *neighborhood_of(struct mwr_comm *comm, MPI_Comm handle)
{
    struct mwr_neighborhood *known = __atomic_load_n(&comm->neighborhood, __ATOMIC_ACQUIRE);
    struct mwr_neighborhood *made;

    if (known) {
        return known;
    }
    made = look(handle);
    if (!made) {
        return NULL;
    }
    if (!__atomic_compare_exchange_n(&comm->neighborhood, &known, made, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        free(made);
        made = known;
    }
    return made;
}

/* --- bytes ------------------------------------------------------------------------------- */

/* What an operation gives to all neighbours, or takes from them. */
struct blocks {
    struct mwr_counts counts;
    MPI_Datatype type;         /* of all, unless there are types */
    const MPI_Datatype *types; /* one per neighbour, or null */
};

static uint64_t bytes_at(const struct mwr_neighborhood *neighbors, const struct blocks *blocks,
                         int index)
{
    int64_t elements = mwr_count_at(blocks->counts, (uint64_t)index);
    bool exists = !neighbors->is_cart || neighbors->sources[index] != MPI_PROC_NULL;

    return elements > 0 && exists
               ? mwr_bytes_of(elements, blocks->types ? blocks->types[index] : blocks->type)
               : 0;
}

/* Whether all blocks are alike, so that nobody need look at each. */
static bool are_alike(const struct blocks *blocks)
{
    return !blocks->counts.values && !blocks->types;
}

/* How many of count neighbours are not beyond an edge. */
static uint64_t existing(const struct mwr_neighborhood *neighbors, int count)
{
    uint64_t all = 0;

    for (int i = 0; i < count; i++) {
        all += !neighbors->is_cart || neighbors->sources[i] != MPI_PROC_NULL;
    }
    return all;
}

/* The sum over count neighbours. */
static uint64_t bytes_of(const struct mwr_neighborhood *neighbors, int count,
                         const struct blocks *blocks)
{
    uint64_t sum = 0;

    if (are_alike(blocks)) {
        uint64_t each = mwr_bytes_of(blocks->counts.single, blocks->type);

        sum = existing(neighbors, count);
        return sum > 0 && __builtin_mul_overflow(sum, each, &sum) ? MW_BYTES_UNKNOWN : sum;
    }

    for (int i = 0; i < count; i++) {
        uint64_t bytes = bytes_at(neighbors, blocks, i);

        if (bytes == MW_BYTES_UNKNOWN) {
            return bytes;
        }
        sum += bytes;
    }
    return sum;
}

/* The set of all sources, for a record's operation. */
static uint32_t all_sources(const struct mwr_comm *comm, struct mwr_neighborhood *neighbors)
{
    uint32_t number = __atomic_load_n(&neighbors->all, __ATOMIC_RELAXED);

    if (number == NOT_ASKED) {
        number = set_of(comm, neighbors, NULL);
        __atomic_store_n(&neighbors->all, number, __ATOMIC_RELAXED);
    }
    return mw_operation_with(number);
}

/* The set of the in-neighbours that anything comes from, likewise; 0 where nobody records it. */
static uint32_t sources_of(const struct mwr_comm *comm, struct mwr_neighborhood *neighbors,
                           const struct blocks *blocks)
{
    bool all = true;
    uint64_t *bytes;
    uint32_t number;

    if (comm->is_filtered) {
        return 0;
    }
    if (are_alike(blocks) && mwr_bytes_of(blocks->counts.single, blocks->type) > 0) {
        return all_sources(comm, neighbors);
    }
    for (int i = 0; i < neighbors->in && all; i++) {
        all = neighbors->sources[i] < 0 || bytes_at(neighbors, blocks, i) > 0;
    }
    if (all) {
        return all_sources(comm, neighbors);
    }
    bytes = malloc((size_t)neighbors->in * sizeof *bytes);
    if (!bytes) {
        return 0;
    }
    for (int i = 0; i < neighbors->in; i++) {
        bytes[i] = bytes_at(neighbors, blocks, i);
    }
    number = set_of(comm, neighbors, bytes);
    free(bytes);
    return mw_operation_with(number);
}

static struct mwr_volume volume_of(MPI_Comm handle, const struct blocks *sent,
                                   const struct blocks *received)
{
    struct mwr_comm *comm = mwr_comm_find(handle);
    struct mwr_neighborhood *neighbors = comm ? neighborhood_of(comm, handle) : NULL;
    struct mwr_volume volume = {
        .root = MW_ROOT_NONE,
        .from = MW_OPERATION_NEIGHBORS,
        .sent = MW_BYTES_UNKNOWN,
        .received = MW_BYTES_UNKNOWN,
    };

    if (neighbors) {
        volume.from |= sources_of(comm, neighbors, received);
        volume.sent = bytes_of(neighbors, neighbors->out, sent);
        volume.received = bytes_of(neighbors, neighbors->in, received);
    }
    return volume;
}

struct mwr_volume mwr_volume_neighbor(MPI_Comm comm, struct mwr_counts sendcounts,
                                      MPI_Datatype sendtype, struct mwr_counts recvcounts,
                                      MPI_Datatype recvtype)
{
    return volume_of(comm, &(struct blocks){.counts = sendcounts, .type = sendtype},
                     &(struct blocks){.counts = recvcounts, .type = recvtype});
}

struct mwr_volume mwr_volume_neighbor_w(MPI_Comm comm, struct mwr_counts sendcounts,
                                        const MPI_Datatype sendtypes[],
                                        struct mwr_counts recvcounts,
                                        const MPI_Datatype recvtypes[])
{
    return volume_of(comm, &(struct blocks){.counts = sendcounts, .types = sendtypes},
                     &(struct blocks){.counts = recvcounts, .types = recvtypes});
}
