/* What MPI says of an operation's data is put into numbers here; records know nothing of MPI. */
#include "recorder/hooks/collective.h"

#include <stdlib.h>

#include <otf2/OTF2_Events.h>

#include "recorder/dispatch/chain.h"
#include "recorder/hooks/filtering.h"
#include "recorder/hooks/message.h"
#include "recorder/state/comms.h"
#include "recorder/state/reductions.h"
#include "recorder/state/requests.h"
#include "recorder/state/sources.h"
#include "recorder/state/types.h"

/* --- records --------------------------------------------------------------------- */

void mwr_collective_done(struct mwr_call *call, MPI_Comm comm, uint8_t operation,
                         const struct mwr_volume *volume)
{
    const struct mwr_comm *known = mwr_comm_find(comm);
    struct mw_collective_member *member = mwr_call_member(
        call, MW_MEMBER_COLL, sizeof *member, known ? known->number : MW_COMM_NONE);

    mwr_filter_bytes(call, volume->sent, volume->received);
    if (member) {
        member->root = volume->root;
        member->operation = operation | volume->from;
        member->bytes_sent = volume->sent;
        member->bytes_received = volume->received;
        mw_spool_commit(member);
    }
}

void mwr_collective_completed(struct mwr_call *call, const struct mwr_request *request)
{
    struct mw_request_collective_member *member =
        mwr_call_member(call, MW_MEMBER_COLL_COMPLETE, sizeof *member, request->comm);

    if (member) {
        member->collective.root = request->of.collective.root;
        member->collective.operation = request->of.collective.operation;
        member->collective.bytes_sent = request->of.collective.sent;
        member->collective.bytes_received = request->of.collective.received;
        member->request = request->id;
        mw_spool_commit(member);
    }
}

/*
 * The operation that is noted next has a root with which this process exchanges data: by that it
 * can be told who may not go on without whom. Of no bytes neither may wait for the other.
 */
static void note_root(struct mwr_call *call, const struct mwr_comm *comm,
                      const struct mwr_volume *volume)
{
    const bool is_known =
        volume->sent != MW_BYTES_UNKNOWN && volume->received != MW_BYTES_UNKNOWN;
    struct mw_member *member;

    if (!comm || comm->is_inter || !is_known || (volume->sent | volume->received) == 0) {
        return;
    }
    member = mwr_call_member(call, MW_MEMBER_ROOT, sizeof *member, (uint32_t)volume->root);
    if (member) {
        mw_spool_commit(member);
    }
}

void mwr_collective_posted(struct mwr_call *call, MPI_Comm comm, uint8_t operation,
                           const struct mwr_volume *volume, MPI_Request handle)
{
    const struct mwr_comm *known = mwr_comm_find(comm);
    struct mwr_request request = {
        .key = mwr_request_key(handle),
        .comm = known ? known->number : MW_COMM_NONE,
        .kind = MWR_REQUEST_COLL,
        .of.collective = {.root = volume->root,
                          .operation = operation | volume->from,
                          .sent = volume->sent,
                          .received = volume->received},
    };

    if (call->tally) {
        mwr_filter_follow(call, &request, comm, handle);
        return;
    }
    request.id = mwr_stream_request(call->stream);
    if (volume->root >= 0) {
        note_root(call, known, volume);
    }
    mwr_call_note_request(call, MW_MEMBER_COLL_POST, request.comm, request.id);
    if (mwr_request_add(&request, handle) == MWR_ALREADY_COMPLETE) {
        mwr_collective_completed(call, &request);
    }
}

void mwr_collective_init(struct mwr_call *call, int result, MPI_Comm comm, uint8_t operation,
                         struct mwr_volume volume, const MPI_Request *request)
{
    const struct mwr_comm *known = mwr_comm_find(comm);
    struct mwr_request made = {
        .comm = known ? known->number : MW_COMM_NONE,
        .kind = MWR_REQUEST_COLL,
        .persistence = MWR_INACTIVE,
        .on = known,
        .of.collective = {.root = volume.root,
                          .operation = operation | volume.from,
                          .sent = volume.sent,
                          .received = volume.received},
    };

    mwr_after_plain(call, result);
    if (result == MPI_SUCCESS) {
        made.key = mwr_request_key(*request);
        (void)mwr_request_add(&made, *request);
    }
}

/* --- bytes ------------------------------------------------------------------------- */

/* A communicator as the formulas need it: own rank, and how many the others are. */
struct place {
    uint64_t rank;
    uint64_t size;  /* of the local group */
    uint64_t peers; /* the group that data comes from and goes to: remote, or the same */
    bool is_inter;
};

static struct place place_in(MPI_Comm handle)
{
    const struct mwr_comm *comm = mwr_comm_find(handle);

    if (!comm) {
        return (struct place){.size = 1, .peers = 1};
    }
    return (struct place){.rank = comm->rank,
                          .size = comm->size,
                          .peers = comm->is_inter ? comm->remote_size : comm->size,
                          .is_inter = comm->is_inter};
}

/* Of that many processes the bytes of each; not known where they are not, or too many. */
static uint64_t times(uint64_t processes, uint64_t bytes)
{
    uint64_t product;

    if (processes == 0) {
        return 0;
    }
    return bytes == MW_BYTES_UNKNOWN || __builtin_mul_overflow(processes, bytes, &product)
               ? MW_BYTES_UNKNOWN
               : product;
}

/* Negative: more than can be said. */
static int64_t sum_of(struct mwr_counts counts, uint64_t length)
{
    int64_t sum = 0;

    if (!counts.values) {
        return __builtin_mul_overflow(counts.single, (int64_t)length, &sum) ? INT64_MIN / 2 : sum;
    }
    for (uint64_t i = 0; i < length; i++) {
        if (__builtin_add_overflow(sum, mwr_count_at(counts, i), &sum)) {
            return INT64_MIN / 2;
        }
    }
    return sum;
}

/* Whether this process is the root that data comes from or goes to. */
static bool is_root(struct place place, int root)
{
    return place.is_inter ? root == MPI_ROOT : root >= 0 && (uint64_t)root == place.rank;
}

/* Whether it is one of those that the root deals with. */
static bool is_partner(struct place place, int root)
{
    return !place.is_inter || root >= 0;
}

/* Whether there are others to agree with: what passes between two groups differs both ways. */
static bool has_terms(struct place place)
{
    return !place.is_inter && place.size > 1;
}

static uint32_t from_scalar(struct place place, uint32_t scalar)
{
    return !has_terms(place) ? 0 : mw_operation_on(MW_TERMS_OF(MW_REDUCTION_NONE, scalar));
}

/* The same of a reduction; bytes: how many there are to reduce. */
static uint32_t from_reduction(struct place place, uint64_t bytes, MPI_Datatype datatype,
                               MPI_Op op)
{
    return !has_terms(place) || bytes == 0
               ? 0
               : mw_operation_on(MW_TERMS_OF(mwr_reduction_of(op), mwr_type_scalar(datatype)));
}

/* Where nothing is, its type says nothing. */
static uint32_t scalar_if(bool is_any, MPI_Datatype datatype)
{
    return is_any ? mwr_type_scalar(datatype) : 0;
}

struct mwr_volume mwr_volume_none(void)
{
    return (struct mwr_volume){.root = MW_ROOT_NONE};
}

struct mwr_volume mwr_volume_bcast(MPI_Comm comm, int root, int64_t count, MPI_Datatype datatype)
{
    struct place place = place_in(comm);
    uint64_t bytes = mwr_bytes_of(count, datatype);

    return (struct mwr_volume){
        .root = mwr_root_of(root),
        .from = from_scalar(place, scalar_if(bytes > 0, datatype)),
        .sent = is_root(place, root) ? times(place.peers, bytes) : 0,
        .received = is_partner(place, root) ? bytes : 0,
    };
}

struct mwr_volume mwr_volume_gather(MPI_Comm comm, int root, const void *sendbuf,
                                    int64_t sendcount, MPI_Datatype sendtype,
                                    struct mwr_counts recvcounts, MPI_Datatype recvtype)
{
    struct place place = place_in(comm);
    bool in_place = sendbuf == MPI_IN_PLACE;
    struct mwr_volume volume = {.root = mwr_root_of(root)};

    uint32_t sent = 0, received = 0;

    if (is_partner(place, root) && !in_place) {
        volume.sent = mwr_bytes_of(sendcount, sendtype);
        sent = scalar_if(volume.sent > 0, sendtype);
    }
    if (is_root(place, root)) {
        int64_t own = in_place ? mwr_count_at(recvcounts, place.rank) : 0;

        volume.received = mwr_bytes_of(sum_of(recvcounts, place.peers) - own, recvtype);
        received = scalar_if(volume.received > 0, recvtype);
    }
    volume.from = from_scalar(place, mw_scalar_both(sent, received));
    return volume;
}

struct mwr_volume mwr_volume_scatter(MPI_Comm comm, int root, struct mwr_counts sendcounts,
                                     MPI_Datatype sendtype, const void *recvbuf,
                                     int64_t recvcount, MPI_Datatype recvtype)
{
    struct place place = place_in(comm);
    bool in_place = recvbuf == MPI_IN_PLACE;
    struct mwr_volume volume = {.root = mwr_root_of(root)};
    uint32_t sent = 0, received = 0;

    if (is_root(place, root)) {
        int64_t own = in_place ? mwr_count_at(sendcounts, place.rank) : 0;

        volume.sent = mwr_bytes_of(sum_of(sendcounts, place.peers) - own, sendtype);
        sent = scalar_if(volume.sent > 0, sendtype);
    }
    if (is_partner(place, root) && !in_place) {
        volume.received = mwr_bytes_of(recvcount, recvtype);
        received = scalar_if(volume.received > 0, recvtype);
    }
    volume.from = from_scalar(place, mw_scalar_both(sent, received));
    return volume;
}

struct mwr_volume mwr_volume_allgather(MPI_Comm comm, const void *sendbuf, int64_t sendcount,
                                       MPI_Datatype sendtype, struct mwr_counts recvcounts,
                                       MPI_Datatype recvtype)
{
    struct place place = place_in(comm);
    bool in_place = sendbuf == MPI_IN_PLACE;
    int64_t own = in_place ? mwr_count_at(recvcounts, place.rank) : 0;
    uint64_t bytes = in_place ? mwr_bytes_of(own, recvtype) : mwr_bytes_of(sendcount, sendtype);
    uint64_t received = mwr_bytes_of(sum_of(recvcounts, place.peers) - own, recvtype);
    uint32_t scalar = mw_scalar_both(scalar_if(!in_place && bytes > 0, sendtype),
                                     scalar_if(received > 0, recvtype));

    return (struct mwr_volume){
        .root = MW_ROOT_NONE,
        .from = from_scalar(place, scalar),
        .sent = times(place.peers - in_place, bytes),
        .received = received,
    };
}

/*
 * Where counts are 0 nothing comes from there, and a rank does not wait for those: tells the
 * set of all others, for a record's operation; 0 if all but the process itself give something.
 * On inter-communicators nothing is told.
 */
static uint32_t from_counts(MPI_Comm handle, struct mwr_counts counts)
{
    const struct mwr_comm *comm = mwr_comm_find(handle);
    uint32_t *ranks;
    uint32_t count = 0;
    uint32_t number;

    if (!counts.values || !comm || comm->is_inter || comm->is_filtered) {
        return 0;
    }
    for (uint32_t i = 0; i < comm->size; i++) {
        count += i != comm->rank && mwr_count_at(counts, i) != 0;
    }
    if (count + 1 >= comm->size || !(ranks = malloc((count + 1) * sizeof *ranks))) {
        return 0;
    }
    count = 0;
    for (uint32_t i = 0; i < comm->size; i++) {
        if (i != comm->rank && mwr_count_at(counts, i) != 0) {
            ranks[count++] = i;
        }
    }
    number = mwr_sources_number(comm, ranks, count);
    free(ranks);
    return mw_operation_with(number);
}

struct mwr_volume mwr_volume_alltoall(MPI_Comm comm, const void *sendbuf,
                                      struct mwr_counts sendcounts, MPI_Datatype sendtype,
                                      struct mwr_counts recvcounts, MPI_Datatype recvtype)
{
    struct place place = place_in(comm);
    bool in_place = sendbuf == MPI_IN_PLACE;
    int64_t own = in_place ? mwr_count_at(recvcounts, place.rank) : 0;
    uint64_t received = mwr_bytes_of(sum_of(recvcounts, place.peers) - own, recvtype);
    uint64_t sent =
        in_place ? received : mwr_bytes_of(sum_of(sendcounts, place.peers), sendtype);

    return (struct mwr_volume){
        .root = MW_ROOT_NONE,
        .from = recvcounts.values
                    ? from_counts(comm, recvcounts)
                    : from_scalar(place,
                                  mw_scalar_both(scalar_if(!in_place && sent > 0, sendtype),
                                                 scalar_if(received > 0, recvtype))),
        .sent = sent,
        .received = received,
    };
}

/* The sum over all peers but except of count times size, each with its own type. */
static uint64_t bytes_with_types(struct mwr_counts counts, const MPI_Datatype types[],
                                 uint64_t peers, uint64_t except)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < peers; i++) {
        uint64_t bytes = i != except && mwr_count_at(counts, i) > 0
                             ? mwr_bytes_of(mwr_count_at(counts, i), types[i])
                             : 0;

        if (bytes == MW_BYTES_UNKNOWN || __builtin_add_overflow(sum, bytes, &sum)) {
            return MW_BYTES_UNKNOWN;
        }
    }
    return sum;
}

struct mwr_volume mwr_volume_alltoallw(MPI_Comm comm, const void *sendbuf,
                                       struct mwr_counts sendcounts,
                                       const MPI_Datatype sendtypes[],
                                       struct mwr_counts recvcounts,
                                       const MPI_Datatype recvtypes[])
{
    struct place place = place_in(comm);
    bool in_place = sendbuf == MPI_IN_PLACE;
    uint64_t received = bytes_with_types(recvcounts, recvtypes, place.peers,
                                         in_place ? place.rank : UINT64_MAX);

    return (struct mwr_volume){
        .root = MW_ROOT_NONE,
        .from = from_counts(comm, recvcounts),
        .sent = in_place ? received
                         : bytes_with_types(sendcounts, sendtypes, place.peers, UINT64_MAX),
        .received = received,
    };
}

struct mwr_volume mwr_volume_reduce(MPI_Comm comm, int root, const void *sendbuf, int64_t count,
                                    MPI_Datatype datatype, MPI_Op op)
{
    struct place place = place_in(comm);
    bool in_place = sendbuf == MPI_IN_PLACE;
    uint64_t bytes = mwr_bytes_of(count, datatype);

    return (struct mwr_volume){
        .root = mwr_root_of(root),
        .from = from_reduction(place, bytes, datatype, op),
        .sent = is_partner(place, root) && !in_place ? bytes : 0,
        .received = is_root(place, root) ? times(place.peers - in_place, bytes) : 0,
    };
}

struct mwr_volume mwr_volume_allreduce(MPI_Comm comm, const void *sendbuf, int64_t count,
                                       MPI_Datatype datatype, MPI_Op op)
{
    struct place place = place_in(comm);
    uint64_t each = mwr_bytes_of(count, datatype);
    uint64_t bytes = times(place.peers - (sendbuf == MPI_IN_PLACE), each);

    return (struct mwr_volume){.root = MW_ROOT_NONE,
                               .from = from_reduction(place, each, datatype, op),
                               .sent = bytes,
                               .received = bytes};
}

struct mwr_volume mwr_volume_reduce_scatter(MPI_Comm comm, const void *sendbuf,
                                            struct mwr_counts recvcounts, MPI_Datatype datatype,
                                            MPI_Op op)
{
    struct place place = place_in(comm);
    bool in_place = sendbuf == MPI_IN_PLACE;
    int64_t own = mwr_count_at(recvcounts, place.rank);
    uint64_t sent =
        mwr_bytes_of(sum_of(recvcounts, place.size) - (in_place ? own : 0), datatype);

    return (struct mwr_volume){
        .root = MW_ROOT_NONE,
        .from = from_reduction(place, sent, datatype, op),
        .sent = sent,
        .received = times(place.peers - in_place, mwr_bytes_of(own, datatype)),
    };
}

struct mwr_volume mwr_volume_scan(MPI_Comm comm, const void *sendbuf, int64_t count,
                                  MPI_Datatype datatype, MPI_Op op)
{
    struct place place = place_in(comm);
    uint64_t bytes = mwr_bytes_of(count, datatype);
    uint64_t own = sendbuf == MPI_IN_PLACE ? 0 : 1;

    return (struct mwr_volume){
        .root = MW_ROOT_NONE,
        .from = from_reduction(place, bytes, datatype, op),
        .sent = times(place.size - place.rank - 1 + own, bytes),
        .received = times(place.rank + own, bytes),
    };
}

struct mwr_volume mwr_volume_exscan(MPI_Comm comm, int64_t count, MPI_Datatype datatype,
                                    MPI_Op op)
{
    struct place place = place_in(comm);
    uint64_t bytes = mwr_bytes_of(count, datatype);

    return (struct mwr_volume){
        .root = MW_ROOT_NONE,
        .from = from_reduction(place, bytes, datatype, op),
        .sent = times(place.size - place.rank - 1, bytes),
        .received = times(place.rank, bytes),
    };
}
