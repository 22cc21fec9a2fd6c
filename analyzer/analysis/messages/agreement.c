/*
 * What is kept is as many operations as the quickest member is ahead of the slowest one. A rank
 * that is in another operation is in others from there on, as like as not: one is told.
 */
#include "analyzer/analysis/messages/agreement.h"

#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

#include "formats/table/terms.h"

#define AHEAD_MAX 100000u /* operations; a communicator with more is looked at no further */

/* What of an operation's terms was told first, and by whom; value 0: by nobody yet. */
struct term {
    uint32_t value;
    uint32_t rank;
    uint32_t site;
    bool is_broken; /* somebody told another one */
};

/* One operation, as far as members have come to it. */
struct operation {
    uint32_t present;
    uint32_t code;
    uint32_t root;
    uint32_t rank; /* that was told first … */
    uint32_t site; /* … and where it called */
    uint32_t other; /* that does not agree; MWA_NONE: all do */
    uint32_t other_site;
    struct term reduction;
    struct term scalar;
    bool is_known; /* bytes are, of all */
    uint64_t part;  /* bytes of the first one's, to be compared; UINT64_MAX: none yet */
    uint64_t sent;
    uint64_t received;
};

struct series {
    bool is_looked_at; /* it was decided whether it is … */
    bool is_over;      /* … no more */
    bool is_left;      /* and what was told before is not to be believed */
    uint64_t first;    /* number of operations[begin] */
    uint64_t begin;
    uint64_t count;    /* behind it */
    uint64_t capacity;
    struct operation *operations;
};

struct mwa_agreement {
    const struct mwa_trace *trace;
    bool has_bytes;
    struct mwa_map numbers;   /* by communicator and rank: how many operations */
    struct mwa_map locations; /* likewise: whose they are */
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
        mwa_map_fini(&agreement->locations);
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
        free(series->operations);
        *series = (struct series){ .is_looked_at = true, .is_over = true };
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
static uint64_t part_of(const struct mwa_called *data, uint32_t own)
{
    if (data->is_on_neighbors) {
        return UINT64_MAX;
    }
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
    case OTF2_COLLECTIVE_OP_SCAN: /* of all before it, and to all behind it */
    case OTF2_COLLECTIVE_OP_EXSCAN:
        return data->bytes_sent + data->bytes_received;
    default:
        return UINT64_MAX;
    }
}

/* Whether two members' parts fit: those of one with MPI_IN_PLACE lack its own. */
static bool fits(uint64_t one, uint64_t other, uint64_t members, const struct mwa_called *called)
{
    const uint64_t whole = called->operation == OTF2_COLLECTIVE_OP_SCAN ? members + 1 : members;

    return one == other || (called->root == OTF2_COLLECTIVE_ROOT_NONE &&
                            called->operation != OTF2_COLLECTIVE_OP_EXSCAN &&
                            (one * (members - 1) == other * whole ||
                             other * (members - 1) == one * whole));
}

static void take_bytes(struct operation *operation, const struct mwa_called *data,
                       bool is_inter, uint64_t members, uint32_t own)
{
    const uint64_t part = is_inter ? UINT64_MAX : part_of(data, own);

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
    } else if (!fits(operation->part, part, members, data) && operation->other == MWA_NONE) {
        operation->other = data->rank;
        operation->other_site = data->site;
    }
}

static enum mw_status judge_bytes(const struct operation *operation, uint32_t comm,
                                  struct mwa_mistakes *mistakes)
{
    if (!operation->is_known || operation->scalar.is_broken || /* of other types: no wonder */
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

/* --- terms ------------------------------------------------------------------------- */

/* Holds what a member tells of a term against what others did; kind: what it is if they differ. */
static enum mw_status take_term(struct term *term, uint32_t value,
                                const struct mwa_called *called, enum mwa_mistake_kind kind,
                                struct mwa_mistakes *mistakes)
{
    const bool is_at_odds = kind == MWA_MISTAKE_TYPE &&
                            MW_SCALAR_KIND(value) == MW_SCALAR_AT_ODDS;
    struct mwa_mistake mistake = { .kind = kind,
                                   .is_sure = true,
                                   .rank = called->rank,
                                   .other = MWA_NONE,
                                   .comm = called->comm,
                                   .tag = MWA_NONE,
                                   .site = called->site,
                                   .other_site = MWA_NONE,
                                   .count = 1,
                                   .bytes = UINT64_MAX,
                                   .other_bytes = UINT64_MAX,
                                   .term = value };

    if (value == 0 || value == term->value || term->is_broken) {
        return MW_OK;
    }
    if (term->value == 0 && !is_at_odds) {
        *term = (struct term){ .value = value, .rank = called->rank, .site = called->site };
        return MW_OK;
    }
    term->is_broken = true;
    if (!is_at_odds) {
        mistake.rank = term->rank;
        mistake.site = term->site;
        mistake.term = term->value;
        mistake.other = called->rank;
        mistake.other_site = called->site;
        mistake.other_term = value;
    }
    return mwa_mistakes_add(mistakes, &mistake);
}

static enum mw_status take_terms(struct operation *operation, const struct mwa_called *called,
                                 struct mwa_mistakes *mistakes)
{
    enum mw_status status = take_term(&operation->reduction, MW_TERMS_REDUCTION(called->terms),
                                      called, MWA_MISTAKE_REDUCTION, mistakes);

    return status == MW_OK ? take_term(&operation->scalar, MW_TERMS_SCALAR(called->terms), called,
                                       MWA_MISTAKE_TYPE, mistakes)
                           : status;
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

/* What the members' calls have to be alike in, in one number. */
static uint32_t code_of(const struct mwa_called *called)
{
    return called->operation << 2 | (uint32_t)called->is_nonblocking << 1 |
           (uint32_t)called->is_on_neighbors;
}

static enum mw_status disagree(struct series *series, const struct operation *operation,
                               const struct mwa_called *called, enum mwa_mistake_kind kind,
                               struct mwa_mistakes *mistakes)
{
    series->is_over |= kind == MWA_MISTAKE_ORDER;
    return mwa_mistakes_add(mistakes, &(struct mwa_mistake){ .kind = kind,
                                                             .is_sure = true,
                                                             .rank = operation->rank,
                                                             .other = called->rank,
                                                             .comm = called->comm,
                                                             .tag = MWA_NONE,
                                                             .site = operation->site,
                                                             .other_site = called->site,
                                                             .count = 1,
                                                             .bytes = UINT64_MAX,
                                                             .other_bytes = UINT64_MAX });
}

static enum mw_status take_as(struct mwa_agreement *agreement, struct series *series,
                              struct operation *operation, const struct mwa_called *called,
                              struct mwa_mistakes *mistakes)
{
    const struct mwa_trace *trace = agreement->trace;
    const uint64_t members = mwa_trace_comm_size(trace, called->comm);
    const bool is_inter = trace->comms[called->comm].inter;
    enum mw_status status = MW_OK;

    if (operation->present++ == 0) {
        operation->code = code_of(called);
        operation->root = called->root;
        operation->rank = called->rank;
        operation->site = called->site;
    } else if (operation->code != code_of(called)) {
        return disagree(series, operation, called, MWA_MISTAKE_ORDER, mistakes);
    } else if (operation->root != called->root && !is_inter) {
        operation->is_known = false; /* what they sent each other is nothing to compare */
        status = disagree(series, operation, called, MWA_MISTAKE_ROOT, mistakes);
    }
    if (status == MW_OK) {
        status = take_terms(operation, called, mistakes);
    }
    if (status == MW_OK && agreement->has_bytes) {
        take_bytes(operation, called, is_inter, members,
                   own_rank(trace, called->comm, called->rank));
    }
    if (status == MW_OK && agreement->has_bytes && operation->present == members) {
        status = judge_bytes(operation, called->comm, mistakes);
    }
    drop_done(series, members);
    return status;
}

/* Whether the rank calls on the communicator by this location alone, so that they have an order. */
static bool is_of_one(struct mwa_agreement *agreement, const struct mwa_called *called,
                      enum mw_status *status)
{
    const uint64_t *location =
        mwa_map_put(&agreement->locations, (struct mwa_key){ called->comm, called->rank },
                    called->location);

    *status = location ? MW_OK : MW_ERROR_MEMORY;
    return location && *location == called->location;
}

enum mw_status mwa_agreement_take(struct mwa_agreement *agreement,
                                  const struct mwa_called *called, struct mwa_mistakes *mistakes)
{
    struct series *series = &agreement->series[called->comm];
    struct operation *operation;
    enum mw_status status = MW_OK;

    if (!series->is_looked_at) {
        series->is_looked_at = true;
        series->is_left = !is_whole(agreement->trace, called->comm);
        series->is_over = series->is_left;
    }
    if (series->is_left) {
        return MW_OK;
    }
    if (!is_of_one(agreement, called, &status)) {
        mwa_agreement_leave(agreement, called->comm);
        return status;
    }
    if (series->is_over) {
        return MW_OK;
    }
    operation = next_of(agreement, series, called->comm, called->rank, &status);
    return operation ? take_as(agreement, series, operation, called, mistakes) : status;
}

void mwa_agreement_leave(struct mwa_agreement *agreement, uint32_t comm)
{
    struct series *series = &agreement->series[comm];

    free(series->operations);
    *series = (struct series){ .is_looked_at = true, .is_over = true, .is_left = true };
}

void mwa_agreement_clear(const struct mwa_agreement *agreement, struct mwa_mistakes *mistakes)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < mistakes->count; i++) {
        const struct mwa_mistake *mistake = &mistakes->list[i];

        if (mistake->kind >= MWA_MISTAKE_UNRECEIVED || mistake->comm == MWA_NONE ||
            !agreement->series[mistake->comm].is_left) {
            mistakes->list[count++] = *mistake;
        }
    }
    mistakes->count = count;
}
