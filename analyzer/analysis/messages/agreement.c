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

#include "analyzer/analysis/messages/terms_deferred.h"
#include "analyzer/load/positions.h"
#include "analyzer/team/packing.h"

#define AHEAD_MAX 100000u /* operations; a communicator with more after a round is looked at no
                             further */

/* One operation, as far as members have come to it. */
struct operation {
    uint32_t present;
    bool is_unknown; /* bytes are, of some */
    struct mwa_claims codes;
    struct mwa_claims roots;
    struct mwa_claims parts; /* bytes of each that are to be compared */
    struct mwa_terms_told terms;
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
    bool has_given_up;      /* one had too much */
    struct mwa_terms_deferred deferred;
    struct mwa_positions positions;
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
    return mwa_positions_init(&created->positions, trace) && created->series ? MW_OK
                                                                             : MW_ERROR_MEMORY;
}

static void forget(struct operation *operation)
{
    mwa_claims_fini(&operation->codes);
    mwa_claims_fini(&operation->roots);
    mwa_claims_fini(&operation->parts);
    mwa_terms_told_fini(&operation->terms);
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
        mwa_terms_deferred_fini(&agreement->deferred);
        mwa_positions_fini(&agreement->positions);
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
static bool is_unfit(const struct mwa_claim *claim, const struct mwa_claim *most, const void *user)
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
    return part == UINT64_MAX
               ? MW_OK
               : mwa_claims_take(&operation->parts, part, data->rank, data->site);
}

/* Of an operation of all members, who agree on what it is and its root: whether *mistake is one. */
static bool judge_bytes(const struct operation *operation, uint32_t comm, uint64_t members,
                        struct mwa_mistake *mistake)
{
    const struct parting parting = { members, operation->codes.first.value >> 2,
                                     operation->roots.first.value };
    const struct mwa_claim *part = mwa_claims_main(&operation->parts);
    const struct mwa_claim *other =
        mwa_claims_other(&operation->parts, part, is_unfit, &parting);

    if (operation->is_unknown || (!other && operation->sent == operation->received)) {
        return false;
    }
    *mistake = mwa_claims_mistake(MWA_MISTAKE_COUNT, comm,
                                  other ? part : &operation->codes.first, other);
    mistake->bytes = operation->sent;
    mistake->other_bytes = operation->received;
    return true;
}

/* --- one operation ----------------------------------------------------------------- */

/* Where who calls stands among the communicator's members; MWA_NONE: it is none of them. */
static enum mw_status find_own(struct mwa_agreement *agreement, const struct mwa_called *called,
                               uint32_t *position)
{
    *position = mwa_positions_find(&agreement->positions, called->comm, called->rank);
    return agreement->positions.no_memory ? MW_ERROR_MEMORY : MW_OK;
}

/* What the members' calls have to be alike in, in one number. */
static uint32_t code_of(const struct mwa_called *called)
{
    return called->operation << 2 | (uint32_t)called->is_nonblocking << 1 |
           (uint32_t)called->is_on_neighbors;
}

/* Of an operation of one kind with one root, or several: terms, and bytes if all are there. */
static enum mw_status judge_data(struct mwa_agreement *agreement, struct operation *operation,
                                 uint32_t comm, struct mwa_mistakes *mistakes)
{
    const uint64_t members = mwa_trace_comm_size(agreement->trace, comm);
    struct mwa_mistake of_bytes;
    const bool has_mistake = agreement->has_bytes && operation->present >= members &&
                             judge_bytes(operation, comm, members, &of_bytes);
    bool is_broken = false;
    enum mw_status status;

    if (operation->terms.heir_count > 0) {
        return mwa_terms_deferred_add(&agreement->deferred, comm,
                                      (uint32_t)(operation->codes.first.value >> 2),
                                      &operation->terms, has_mistake ? &of_bytes : NULL);
    }
    status = mwa_terms_told_judge(&operation->terms, comm, &is_broken, mistakes);
    return status == MW_OK && has_mistake && !is_broken /* of other types: no wonder */
               ? mwa_mistakes_add(mistakes, &of_bytes)
               : status;
}

/* Of an operation that all members have come to, or that no more will. */
static enum mw_status judge(struct mwa_agreement *agreement, struct series *series,
                            struct operation *operation, uint32_t comm,
                            struct mwa_mistakes *mistakes)
{
    const struct mwa_claim *most = mwa_claims_main(&operation->codes);
    const struct mwa_claim *other = mwa_claims_other(&operation->codes, most, NULL, NULL);
    enum mw_status status = MW_OK;
    struct mwa_mistake mistake;

    if (other) {
        series->is_over = true;
        mistake = mwa_claims_mistake(MWA_MISTAKE_ORDER, comm, most, other);
        return mwa_mistakes_add(mistakes, &mistake);
    }
    most = mwa_claims_main(&operation->roots);
    for (uint32_t i = 0; i < mwa_claims_count(&operation->roots) && status == MW_OK; i++) {
        other = mwa_claims_at(&operation->roots, i);
        if (other != most) {
            operation->is_unknown = true; /* what they sent each other is nothing to compare */
            mistake = mwa_claims_mistake(MWA_MISTAKE_ROOT, comm, most, other);
            status = mwa_mistakes_add(mistakes, &mistake);
        }
    }
    return status == MW_OK ? judge_data(agreement, operation, comm, mistakes) : status;
}

/* Judges those that all members have been in, and takes them out; all: the others, too. */
static enum mw_status judge_done(struct mwa_agreement *agreement, uint32_t comm, bool all,
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

static enum mw_status take_terms(struct operation *operation, const struct mwa_called *called)
{
    const struct mwa_terms_heir heir = { called->location, called->rank, called->site };

    return called->inherits_terms
               ? mwa_terms_told_inherit(&operation->terms, &heir)
               : mwa_terms_told_take(&operation->terms, called->terms, called->rank, called->site);
}

static enum mw_status take_as(struct mwa_agreement *agreement, struct operation *operation,
                              const struct mwa_called *called)
{
    const bool is_inter = agreement->trace->comms[called->comm].inter;
    uint32_t own = MWA_NONE;
    enum mw_status status =
        mwa_claims_take(&operation->codes, code_of(called), called->rank, called->site);

    operation->present++;
    if (status == MW_OK) { /* on an intercommunicator it says on which side it is */
        status = mwa_claims_take(&operation->roots, is_inter ? MWA_NONE : called->root,
                                 called->rank, called->site);
    }
    if (status == MW_OK) {
        status = take_terms(operation, called);
    }
    if (status != MW_OK || !agreement->has_bytes) {
        return status;
    }
    status = find_own(agreement, called, &own);
    return status == MW_OK ? take_bytes(operation, called, is_inter, own) : status;
}

/* Whether the rank calls on the communicator by this location alone, so that they have an order,
 * and is a member: in place of a missing one it would be ahead of what is judged. */
static bool is_of_one(struct mwa_agreement *agreement, const struct mwa_called *called,
                      enum mw_status *status)
{
    const uint64_t before = agreement->locations.count;
    const uint64_t *location =
        mwa_map_put(&agreement->locations, (struct mwa_key){ called->comm, called->rank },
                    called->location);
    const bool is_new = agreement->locations.count > before;
    uint32_t own = MWA_NONE;

    *status = location ? MW_OK : MW_ERROR_MEMORY;
    if (location && is_new) {
        *status = find_own(agreement, called, &own);
    }
    return location && *location == called->location && (!is_new || own != MWA_NONE);
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
            agreement->has_given_up = true;
            status = judge_done(agreement, i, true, mistakes);
        }
    }
    return status;
}

enum mw_status mwa_agreement_conclude(struct mwa_agreement *agreement,
                                      struct mwa_mistakes *mistakes)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < agreement->trace->comm_count && status == MW_OK; i++) {
        if (agreement->series[i].count > 0) {
            status = judge_done(agreement, i, true, mistakes);
        }
    }
    return status;
}

void mwa_agreement_finish(const struct mwa_agreement *agreement, struct mwa_mistakes *mistakes)
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

/* --- chapters --------------------------------------------------------------------------------- */

bool mwa_agreement_can_be_appended(const struct mwa_agreement *agreement, bool is_last)
{
    for (uint32_t i = 0; i < agreement->trace->comm_count && !is_last; i++) {
        if (agreement->series[i].count > 0) {
            return false;
        }
    }
    return !agreement->has_given_up && !agreement->deferred.has_given_up;
}

/* Whether what a later chapter says of the communicator is looked at. */
static bool goes_on(const struct mwa_agreement *agreement, uint32_t comm)
{
    return comm == MWA_NONE || !agreement->series[comm].is_over;
}

enum mw_status mwa_agreement_append(struct mwa_agreement *agreement,
                                    const struct mwa_agreement *later,
                                    const struct mwa_map *terms, const struct mwa_mistakes *found,
                                    struct mwa_mistakes *mistakes)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < found->count && status == MW_OK; i++) {
        if (found->list[i].kind >= MWA_MISTAKE_UNRECEIVED ||
            goes_on(agreement, found->list[i].comm)) {
            status = mwa_mistakes_add(mistakes, &found->list[i]);
        }
    }
    for (uint64_t i = 0; i < later->deferred.count && status == MW_OK; i++) {
        if (goes_on(agreement, later->deferred.list[i].comm)) {
            status = mwa_terms_deferred_judge(&later->deferred.list[i], terms, mistakes);
        }
    }
    for (uint32_t i = 0; i < agreement->trace->comm_count; i++) {
        agreement->series[i].is_looked_at |= later->series[i].is_looked_at;
        agreement->series[i].is_over |= later->series[i].is_over;
        agreement->series[i].is_left |= later->series[i].is_left;
    }
    return status;
}

void mwa_agreement_pack(const struct mwa_agreement *agreement, struct mw_buffer *to)
{
    for (uint32_t i = 0; i < agreement->trace->comm_count; i++) {
        const struct series *series = &agreement->series[i];

        mw_buffer_u64(to, (uint64_t)series->is_looked_at | (uint64_t)series->is_over << 1 |
                              (uint64_t)series->is_left << 2);
    }
    mwa_terms_deferred_pack(&agreement->deferred, to);
}

enum mw_status mwa_agreement_unpack(struct mwa_agreement *agreement, struct mw_cursor *from)
{
    for (uint32_t i = 0; i < agreement->trace->comm_count; i++) {
        char flags[sizeof(uint64_t)];

        if (!mw_cursor_take(from, flags, sizeof flags)) {
            return MW_ERROR_FORMAT;
        }
        agreement->series[i].is_looked_at = mw_get_u64(flags) & 1;
        agreement->series[i].is_over = mw_get_u64(flags) & 2;
        agreement->series[i].is_left = mw_get_u64(flags) & 4;
    }
    return mwa_terms_deferred_unpack(&agreement->deferred, agreement->trace, from);
}
