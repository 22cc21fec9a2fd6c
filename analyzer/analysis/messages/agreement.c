/*
 * What is kept is as many operations as the quickest member is ahead of the slowest one. One is
 * judged when all members have come to it, or at the end: who came first, or was read first, says
 * nothing of who is wrong, but most are taken to be right, and of as many those with the lowest
 * rank. Who is in another operation is in others from there on, as like as not: one is told.
 */
#include "analyzer/analysis/messages/agreement.h"

#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

#include "formats/table/terms.h"

#define AHEAD_MAX 100000u /* operations; a communicator with more after a round is looked at no
                             further */
#define CLAIMS_MAX 16u    /* of one thing; the least values */

/* What members say of one thing, and the first of them by rank. */
struct claim {
    uint64_t value;
    uint32_t count; /* of members; 0: nobody says anything */
    uint32_t rank;
    uint32_t site; /* where it called */
};

/* All that is said of it: mostly the same. */
struct claims {
    struct claim first;
    uint32_t other_count;
    struct claim *others;
};

/* One operation, as far as members have come to it. */
struct operation {
    uint32_t present;
    bool is_unknown; /* bytes are, of some */
    struct claims codes;
    struct claims roots;
    struct claims reductions;
    struct claims scalars;
    struct claims parts; /* bytes of each that are to be compared */
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

static void forget(struct operation *operation)
{
    free(operation->codes.others);
    free(operation->roots.others);
    free(operation->reductions.others);
    free(operation->scalars.others);
    free(operation->parts.others);
}

/* The communicator is looked at no further. */
static void end_series(struct series *series)
{
    const bool is_left = series->is_left;

    for (uint64_t i = 0; i < series->count; i++) {
        forget(&series->operations[series->begin + i]);
    }
    free(series->operations);
    *series = (struct series){ .is_looked_at = true, .is_over = true, .is_left = is_left };
}

void mwa_agreement_destroy(struct mwa_agreement *agreement)
{
    if (agreement) {
        for (uint64_t i = 0; agreement->series && i < agreement->trace->comm_count; i++) {
            end_series(&agreement->series[i]);
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

/* The operation that is the rank's next, made if need be; null without memory. */
static struct operation *next_of(struct mwa_agreement *agreement, struct series *series,
                                 uint32_t comm, uint32_t rank)
{
    uint64_t *number = mwa_map_put(&agreement->numbers, (struct mwa_key){ comm, rank }, 0);
    uint64_t at;

    if (!number) {
        return NULL;
    }
    at = (*number)++ - series->first;
    if (at >= series->count) {
        if (!mwa_grow(&series->operations, &series->capacity, series->begin + at + 1,
                      sizeof *series->operations)) {
            return NULL;
        }
        series->count = at + 1;
        series->operations[series->begin + at] = (struct operation){ 0 };
    }
    return &series->operations[series->begin + at];
}

/* --- claims ------------------------------------------------------------------------ */

/* Of which there is one: the one at index 0 is the first. */
static struct claim *claim_at(struct claims *claims, uint32_t index)
{
    return index == 0 ? &claims->first : &claims->others[index - 1];
}

static uint32_t count_of(const struct claims *claims)
{
    return claims->first.count == 0 ? 0 : 1 + claims->other_count;
}

/* Adds a value that nobody else has claimed; of too many the greatest goes, and comes no more. */
static enum mw_status add_claim(struct claims *claims, const struct claim *claim)
{
    uint32_t greatest = 0;

    if (!claims->others) {
        claims->others = malloc((CLAIMS_MAX - 1) * sizeof *claims->others);
        if (!claims->others) {
            return MW_ERROR_MEMORY;
        }
    }
    if (count_of(claims) < CLAIMS_MAX) {
        claims->others[claims->other_count++] = *claim;
        return MW_OK;
    }
    for (uint32_t i = 1; i < CLAIMS_MAX; i++) {
        greatest = claim_at(claims, i)->value > claim_at(claims, greatest)->value ? i : greatest;
    }
    if (claim->value < claim_at(claims, greatest)->value) {
        *claim_at(claims, greatest) = *claim;
    }
    return MW_OK;
}

static enum mw_status take_claim(struct claims *claims, uint64_t value,
                                 const struct mwa_called *called)
{
    const struct claim made = { value, 1, called->rank, called->site };

    for (uint32_t i = 0; i < count_of(claims); i++) {
        struct claim *claim = claim_at(claims, i);

        if (claim->value == value) {
            claim->count++;
            if (called->rank < claim->rank) {
                claim->rank = called->rank;
                claim->site = called->site;
            }
            return MW_OK;
        }
    }
    if (claims->first.count == 0) {
        claims->first = made;
        return MW_OK;
    }
    return add_claim(claims, &made);
}

/* What most say; of as many, those with the lowest rank. */
static const struct claim *main_of(struct claims *claims)
{
    const struct claim *most = &claims->first;

    for (uint32_t i = 1; i < count_of(claims); i++) {
        const struct claim *claim = claim_at(claims, i);

        if (claim->count > most->count ||
            (claim->count == most->count && claim->rank < most->rank)) {
            most = claim;
        }
    }
    return most;
}

/* Of claims that are wrong beside the main one the lowest rank's; null: there is none. */
static const struct claim *other_of(struct claims *claims, const struct claim *most,
                                    bool (*is_wrong)(const struct claim *claim,
                                                     const struct claim *most, const void *user),
                                    const void *user)
{
    const struct claim *other = NULL;

    for (uint32_t i = 0; i < count_of(claims); i++) {
        const struct claim *claim = claim_at(claims, i);

        if (claim != most && (!other || claim->rank < other->rank) &&
            (!is_wrong || is_wrong(claim, most, user))) {
            other = claim;
        }
    }
    return other;
}

/* A mistake of the ranks of two claims; other null: of the first. */
static struct mwa_mistake mistake_of(enum mwa_mistake_kind kind, uint32_t comm,
                                     const struct claim *one, const struct claim *other)
{
    return (struct mwa_mistake){ .kind = kind,
                                 .is_sure = true,
                                 .rank = one->rank,
                                 .other = other ? other->rank : MWA_NONE,
                                 .comm = comm,
                                 .tag = MWA_NONE,
                                 .site = one->site,
                                 .other_site = other ? other->site : MWA_NONE,
                                 .count = 1,
                                 .bytes = UINT64_MAX,
                                 .other_bytes = UINT64_MAX };
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

/* What parts are of. */
struct parting {
    uint64_t members;
    uint64_t operation;
    uint64_t root;
};

/* Whether two members' parts don't fit: those of one with MPI_IN_PLACE lack its own. */
static bool is_unfit(const struct claim *claim, const struct claim *most, const void *user)
{
    const struct parting *of = user;
    const uint64_t whole =
        of->operation == OTF2_COLLECTIVE_OP_SCAN ? of->members + 1 : of->members;
    const uint64_t one = most->value, other = claim->value;

    return of->root != OTF2_COLLECTIVE_ROOT_NONE || of->operation == OTF2_COLLECTIVE_OP_EXSCAN ||
           (one * (of->members - 1) != other * whole && other * (of->members - 1) != one * whole);
}

static enum mw_status take_bytes(struct operation *operation, const struct mwa_called *data,
                                 bool is_inter, uint32_t own)
{
    const uint64_t part = is_inter ? UINT64_MAX : part_of(data, own);

    if (data->bytes_sent == UINT64_MAX || data->bytes_received == UINT64_MAX) {
        operation->is_unknown = true;
        return MW_OK;
    }
    operation->sent += data->bytes_sent;
    operation->received += data->bytes_received;
    return part == UINT64_MAX ? MW_OK : take_claim(&operation->parts, part, data);
}

/* Of an operation of all members, who agree on what it is, its root and its types. */
static enum mw_status judge_bytes(struct operation *operation, uint32_t comm, uint64_t members,
                                  struct mwa_mistakes *mistakes)
{
    const struct parting parting = { members, operation->codes.first.value >> 2,
                                     operation->roots.first.value };
    const struct claim *part = main_of(&operation->parts);
    const struct claim *other = other_of(&operation->parts, part, is_unfit, &parting);
    struct mwa_mistake mistake;

    if (operation->is_unknown || (!other && operation->sent == operation->received)) {
        return MW_OK;
    }
    mistake = mistake_of(MWA_MISTAKE_COUNT, comm, other ? part : &operation->codes.first, other);
    mistake.bytes = operation->sent;
    mistake.other_bytes = operation->received;
    return mwa_mistakes_add(mistakes, &mistake);
}

/* --- terms ------------------------------------------------------------------------- */

static bool is_at_odds(const struct claim *claim, const struct claim *most, const void *user)
{
    return MW_SCALAR_KIND((uint32_t)claim->value) == MW_SCALAR_AT_ODDS;
}

/* Holds what members tell of a term against each other; kind: what it is if they differ. */
static enum mw_status judge_term(struct claims *claims, uint32_t comm,
                                 enum mwa_mistake_kind kind, bool *is_broken,
                                 struct mwa_mistakes *mistakes)
{
    const struct claim *one = main_of(claims);
    const struct claim *other = NULL;
    const struct claim *own =
        kind == MWA_MISTAKE_TYPE ? other_of(claims, NULL, is_at_odds, NULL) : NULL;
    struct mwa_mistake mistake;

    if (own) { /* what it sends is at odds with what it receives, whatever others say */
        one = own;
    } else {
        other = other_of(claims, one, NULL, NULL);
    }
    *is_broken = own || other;
    if (!*is_broken) {
        return MW_OK;
    }
    mistake = mistake_of(kind, comm, one, other);
    mistake.term = (uint32_t)one->value;
    mistake.other_term = other ? (uint32_t)other->value : 0;
    return mwa_mistakes_add(mistakes, &mistake);
}

static enum mw_status take_terms(struct operation *operation, const struct mwa_called *called)
{
    const uint32_t reduction = MW_TERMS_REDUCTION(called->terms);
    const uint32_t scalar = MW_TERMS_SCALAR(called->terms);
    enum mw_status status =
        reduction == 0 ? MW_OK : take_claim(&operation->reductions, reduction, called);

    return status == MW_OK && scalar != 0 ? take_claim(&operation->scalars, scalar, called)
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

/* Of an operation that all members have come to, or that no more will. */
static enum mw_status judge(const struct mwa_agreement *agreement, struct series *series,
                            struct operation *operation, uint32_t comm,
                            struct mwa_mistakes *mistakes)
{
    const uint64_t members = mwa_trace_comm_size(agreement->trace, comm);
    const struct claim *most = main_of(&operation->codes);
    const struct claim *other = other_of(&operation->codes, most, NULL, NULL);
    enum mw_status status = MW_OK;
    struct mwa_mistake mistake;
    bool is_broken = false;

    if (other) {
        series->is_over = true;
        mistake = mistake_of(MWA_MISTAKE_ORDER, comm, most, other);
        return mwa_mistakes_add(mistakes, &mistake);
    }
    most = main_of(&operation->roots);
    for (uint32_t i = 0; i < count_of(&operation->roots) && status == MW_OK; i++) {
        other = claim_at(&operation->roots, i);
        if (other != most) {
            operation->is_unknown = true; /* what they sent each other is nothing to compare */
            mistake = mistake_of(MWA_MISTAKE_ROOT, comm, most, other);
            status = mwa_mistakes_add(mistakes, &mistake);
        }
    }
    if (status == MW_OK) {
        status = judge_term(&operation->reductions, comm, MWA_MISTAKE_REDUCTION, &is_broken,
                            mistakes);
    }
    if (status == MW_OK) {
        status = judge_term(&operation->scalars, comm, MWA_MISTAKE_TYPE, &is_broken, mistakes);
    }
    if (status != MW_OK || !agreement->has_bytes || operation->present < members || is_broken) {
        return status; /* of other types: no wonder */
    }
    return judge_bytes(operation, comm, members, mistakes);
}

/* Judges those that all members have been in, and takes them out; all: the others, too. */
static enum mw_status judge_done(const struct mwa_agreement *agreement, uint32_t comm, bool all,
                                 struct mwa_mistakes *mistakes)
{
    struct series *series = &agreement->series[comm];
    const uint64_t members = mwa_trace_comm_size(agreement->trace, comm);
    enum mw_status status = MW_OK;

    while (series->count > 0 && !series->is_over && status == MW_OK &&
           (all || series->operations[series->begin].present == members)) {
        struct operation *operation = &series->operations[series->begin];

        status = judge(agreement, series, operation, comm, mistakes);
        forget(operation);
        series->begin++;
        series->first++;
        series->count--;
    }
    if (series->is_over || all) {
        end_series(series);
    } else if (series->count == 0 || series->begin > 1024) {
        memmove(series->operations, series->operations + series->begin,
                series->count * sizeof *series->operations);
        series->begin = 0;
    }
    return status;
}

static enum mw_status take_as(struct mwa_agreement *agreement, struct operation *operation,
                              const struct mwa_called *called)
{
    const struct mwa_trace *trace = agreement->trace;
    const bool is_inter = trace->comms[called->comm].inter;
    enum mw_status status = take_claim(&operation->codes, code_of(called), called);

    operation->present++;
    if (status == MW_OK) { /* on an intercommunicator it says on which side it is */
        status = take_claim(&operation->roots, is_inter ? MWA_NONE : called->root, called);
    }
    if (status == MW_OK) {
        status = take_terms(operation, called);
    }
    return status == MW_OK && agreement->has_bytes
               ? take_bytes(operation, called, is_inter,
                            own_rank(trace, called->comm, called->rank))
               : status;
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
    operation = next_of(agreement, series, called->comm, called->rank);
    if (!operation) {
        return MW_ERROR_MEMORY;
    }
    status = take_as(agreement, operation, called);
    return status == MW_OK ? judge_done(agreement, called->comm, false, mistakes) : status;
}

void mwa_agreement_leave(struct mwa_agreement *agreement, uint32_t comm)
{
    end_series(&agreement->series[comm]);
    agreement->series[comm].is_left = true;
}

enum mw_status mwa_agreement_round(struct mwa_agreement *agreement, struct mwa_mistakes *mistakes)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < agreement->trace->comm_count && status == MW_OK; i++) {
        if (agreement->series[i].count > AHEAD_MAX) {
            status = judge_done(agreement, i, true, mistakes);
        }
    }
    return status;
}

enum mw_status mwa_agreement_finish(struct mwa_agreement *agreement,
                                    struct mwa_mistakes *mistakes)
{
    enum mw_status status = MW_OK;
    uint64_t count = 0;

    for (uint32_t i = 0; i < agreement->trace->comm_count && status == MW_OK; i++) {
        if (agreement->series[i].count > 0) {
            status = judge_done(agreement, i, true, mistakes);
        }
    }
    for (uint64_t i = 0; i < mistakes->count; i++) {
        const struct mwa_mistake *mistake = &mistakes->list[i];

        if (mistake->kind >= MWA_MISTAKE_UNRECEIVED || mistake->comm == MWA_NONE ||
            !agreement->series[mistake->comm].is_left) {
            mistakes->list[count++] = *mistake;
        }
    }
    mistakes->count = count;
    return status;
}
