/*
 * What is kept is as many operations as the quickest member is ahead of the slowest one. A rank
 * that is in another operation is in others from there on, as like as not: one is told.
 */
#include "analyzer/analysis/messages/agreement.h"

#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

#include "formats/table/calls.h"

#define AHEAD_MAX 100000u /* operations; a communicator with more is looked at no further */

/* One operation, as far as members have come to it. */
struct operation {
    uint32_t present;
    uint32_t code; /* OTF2_CollectiveOp */
    uint32_t root;
    uint32_t rank; /* that was told first … */
    uint32_t site; /* … and where it called */
    uint32_t other; /* that does not agree; MWA_NONE: all do */
    uint32_t other_site;
    bool is_known; /* bytes are, of all */
    uint64_t part;  /* bytes of the first one's, to be compared; UINT64_MAX: none yet */
    uint64_t sent;
    uint64_t received;
};

struct series {
    bool is_looked_at; /* it was decided whether it is … */
    bool is_over;      /* … no more */
    uint64_t first;    /* number of operations[begin] */
    uint64_t begin;
    uint64_t count;    /* behind it */
    uint64_t capacity;
    struct operation *operations;
};

struct mwa_agreement {
    const struct mwa_trace *trace;
    bool has_bytes;
    struct mwa_map numbers; /* by communicator and rank: how many operations */
    struct series *series;  /* by communicator */
};

enum mw_status mwa_agreement_create(const struct mwa_trace *trace,
                                    struct mwa_agreement **agreement)
{
    struct mwa_agreement *created = calloc(1, sizeof *created);

    *agreement = created;
    if (!created) {
        return MW_ERROR_MEMORY;
    }
    created->trace = trace;
    created->has_bytes = strncmp(trace->creator, "mpiwatch", strlen("mpiwatch")) == 0;
    created->series = calloc(trace->comm_count + 1, sizeof *created->series);
    return created->series ? MW_OK : MW_ERROR_MEMORY;
}

void mwa_agreement_destroy(struct mwa_agreement *agreement)
{
    if (agreement) {
        for (uint64_t i = 0; agreement->series && i < agreement->trace->comm_count; i++) {
            free(agreement->series[i].operations);
        }
        mwa_map_fini(&agreement->numbers);
        free(agreement->series);
        free(agreement);
    }
}

/* Whether all that its members do on it is in the archive. */
static bool is_whole(const struct mwa_trace *trace, uint32_t comm)
{
    if (trace->filtered_count > 0 || mwa_trace_comm_size(trace, comm) < 2 ||
        mwa_trace_comm_total(trace, comm) != mwa_trace_comm_size(trace, comm)) {
        return false;
    }
    for (unsigned group = 0; group < 2; group++) {
        uint64_t count;
        const uint32_t *members = mwa_trace_members(trace, comm, group, &count);

        for (uint64_t i = 0; i < count; i++) {
            if (members[i] >= trace->rank_count || mwa_rank_has_gaps(&trace->ranks[members[i]])) {
                return false;
            }
        }
    }
    return true;
}

/* The operation that is the rank's next, made if need be. Null: none is looked at, or no memory. */
static struct operation *next_of(struct mwa_agreement *agreement, struct series *series,
                                 uint32_t comm, uint32_t rank, enum mw_status *status)
{
    uint64_t *number = mwa_map_put(&agreement->numbers, (struct mwa_key){ comm, rank }, 0);
    uint64_t at;

    *status = number ? MW_OK : MW_ERROR_MEMORY;
    if (!number) {
        return NULL;
    }
    at = (*number)++ - series->first;
    if (at >= AHEAD_MAX) {
        series->is_over = true;
        return NULL;
    }
    if (at >= series->count) {
        if (!mwa_grow(&series->operations, &series->capacity, series->begin + at + 1,
                      sizeof *series->operations)) {
            *status = MW_ERROR_MEMORY;
            return NULL;
        }
        series->count = at + 1;
        series->operations[series->begin + at] = (struct operation){ .other = MWA_NONE,
                                                                     .is_known = true,
                                                                     .part = UINT64_MAX };
    }
    return &series->operations[series->begin + at];
}

/* Takes those out that all members have been in; *moment's are done. */
static void drop_done(struct series *series, uint64_t members)
{
    while (series->count > 0 && series->operations[series->begin].present == members) {
        series->begin++;
        series->first++;
        series->count--;
    }
    if (series->count == 0 || series->begin > 1024) {
        memmove(series->operations, series->operations + series->begin,
                series->count * sizeof *series->operations);
        series->begin = 0;
    }
}

/* --- bytes ------------------------------------------------------------------------- */

/* What a member gives or gets that all but the root have alike; UINT64_MAX: nothing. */
static uint64_t part_of(const struct mwa_collective_data *data, uint32_t own)
{
    switch (data->operation) {
    case OTF2_COLLECTIVE_OP_BCAST:
        return data->bytes_received;
    case OTF2_COLLECTIVE_OP_SCATTER:
        return own == data->root ? UINT64_MAX : data->bytes_received;
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_REDUCE:
        return own == data->root ? UINT64_MAX : data->bytes_sent;
    case OTF2_COLLECTIVE_OP_ALLGATHER:
    case OTF2_COLLECTIVE_OP_ALLTOALL:
    case OTF2_COLLECTIVE_OP_ALLREDUCE:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
        return data->bytes_sent;
    default:
        return UINT64_MAX;
    }
}

/* Whether two members' parts fit: those of one with MPI_IN_PLACE lack its own. */
static bool fits(uint64_t one, uint64_t other, uint64_t members, uint32_t root)
{
    return one == other || (root == OTF2_COLLECTIVE_ROOT_NONE &&
                            (one * (members - 1) == other * members ||
                             other * (members - 1) == one * members));
}

static void take_bytes(struct operation *operation, const struct mwa_moment *moment,
                       uint64_t members, uint32_t own)
{
    const struct mwa_collective_data *data = &moment->event->of.collective;
    const uint64_t part = moment->trace->comms[data->comm].inter ? UINT64_MAX
                                                                 : part_of(data, own);

    if (data->bytes_sent == UINT64_MAX || data->bytes_received == UINT64_MAX) {
        operation->is_known = false;
        return;
    }
    operation->sent += data->bytes_sent;
    operation->received += data->bytes_received;
    if (part == UINT64_MAX) {
        return;
    }
    if (operation->part == UINT64_MAX) {
        operation->part = part;
    } else if (!fits(operation->part, part, members, data->root) &&
               operation->other == MWA_NONE) {
        operation->other = moment->location->rank;
        operation->other_site = moment->mpi ? moment->site : MWA_NONE;
    }
}

static enum mw_status judge_bytes(const struct operation *operation, uint32_t comm,
                                  struct mwa_mistakes *mistakes)
{
    if (!operation->is_known ||
        (operation->other == MWA_NONE && operation->sent == operation->received)) {
        return MW_OK;
    }
    return mwa_mistakes_add(mistakes,
                            &(struct mwa_mistake){ .kind = MWA_MISTAKE_COUNT,
                                                   .is_sure = true,
                                                   .rank = operation->rank,
                                                   .other = operation->other,
                                                   .comm = comm,
                                                   .tag = MWA_NONE,
                                                   .site = operation->site,
                                                   .other_site = operation->other == MWA_NONE
                                                                     ? MWA_NONE
                                                                     : operation->other_site,
                                                   .count = 1,
                                                   .bytes = operation->sent,
                                                   .other_bytes = operation->received });
}

/* --- one operation ----------------------------------------------------------------- */

static uint32_t own_rank(const struct mwa_trace *trace, uint32_t comm, uint32_t rank)
{
    uint64_t count;
    const uint32_t *members = mwa_trace_members(trace, comm, 0, &count);

    for (uint64_t i = 0; i < count; i++) {
        if (members[i] == rank) {
            return (uint32_t)i;
        }
    }
    return MWA_NONE;
}

static enum mw_status disagree(struct series *series, const struct operation *operation,
                               const struct mwa_moment *moment, enum mwa_mistake_kind kind,
                               struct mwa_mistakes *mistakes)
{
    series->is_over |= kind == MWA_MISTAKE_ORDER;
    return mwa_mistakes_add(mistakes,
                            &(struct mwa_mistake){ .kind = kind,
                                                   .is_sure = true,
                                                   .rank = operation->rank,
                                                   .other = moment->location->rank,
                                                   .comm = moment->event->of.collective.comm,
                                                   .tag = MWA_NONE,
                                                   .site = operation->site,
                                                   .other_site = moment->mpi ? moment->site
                                                                             : MWA_NONE,
                                                   .count = 1,
                                                   .bytes = UINT64_MAX,
                                                   .other_bytes = UINT64_MAX });
}

enum mw_status mwa_agreement_take(struct mwa_agreement *agreement,
                                  const struct mwa_moment *moment, struct mwa_mistakes *mistakes)
{
    const struct mwa_collective_data *data = &moment->event->of.collective;
    const struct mwa_trace *trace = agreement->trace;
    const uint32_t rank = moment->location->rank;
    struct series *series = data->comm == MWA_NONE ? NULL : &agreement->series[data->comm];
    const uint64_t members = series ? mwa_trace_comm_size(trace, data->comm) : 0;
    struct operation *operation;
    enum mw_status status;

    if (!series || data->of_handle || data->on_neighbors ||
        (moment->mpi && mw_call_means(moment->mpi->call, MW_NEIGHBORS))) {
        return MW_OK;
    }
    if (!series->is_looked_at) {
        series->is_looked_at = true;
        series->is_over = !is_whole(trace, data->comm);
    }
    operation = series->is_over ? NULL : next_of(agreement, series, data->comm, rank, &status);
    if (!operation) {
        return series->is_over ? MW_OK : status;
    }
    if (operation->present++ == 0) {
        operation->code = data->operation;
        operation->root = data->root;
        operation->rank = rank;
        operation->site = moment->mpi ? moment->site : MWA_NONE;
    } else if (operation->code != data->operation) {
        return disagree(series, operation, moment, MWA_MISTAKE_ORDER, mistakes);
    } else if (operation->root != data->root && !trace->comms[data->comm].inter) {
        operation->is_known = false; /* what they sent each other is nothing to compare */
        status = disagree(series, operation, moment, MWA_MISTAKE_ROOT, mistakes);
    }
    if (status == MW_OK && agreement->has_bytes) {
        take_bytes(operation, moment, members, own_rank(trace, data->comm, rank));
    }
    if (status == MW_OK && agreement->has_bytes && operation->present == members) {
        status = judge_bytes(operation, data->comm, mistakes);
    }
    drop_done(series, members);
    return status;
}
