#include "analyzer/validate/comm_lives.h"

#include <stdlib.h>

#include "analyzer/analysis/comms/charge.h"
#include "analyzer/analysis/pass.h"
#include "analyzer/load/input.h"

enum trouble { CREATED_TWICE, FREED_TWICE, NEVER_CREATED, USED_EARLY, USED_LATE, TROUBLES };

/* What a rank does with a communicator; times are ticks. */
struct life {
    uint32_t rank;
    uint32_t comm;
    uint64_t creations;
    uint64_t releases;
    uint64_t created; /* UINT64_MAX: never */
    uint64_t freed;   /* 0: never */
    uint64_t first_use; /* UINT64_MAX: none */
    uint64_t last_use;
};

struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* rank and communicator to position in lives */
    struct life *lives;
};

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_index_fini(&partial->index);
    free(partial->lives);
}

static struct life *life_of(struct partial *partial, uint32_t rank, uint32_t comm)
{
    uint64_t before = partial->index.count;
    uint64_t at = mwa_index_of(&partial->index, (struct mwa_key){ rank, comm }, &partial->lives,
                               sizeof *partial->lives);

    if (at == MWA_MAP_ABSENT) {
        return NULL;
    }
    if (at == before) {
        partial->lives[at] = (struct life){
            .rank = rank, .comm = comm, .created = UINT64_MAX, .first_use = UINT64_MAX
        };
    }
    return &partial->lives[at];
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    uint32_t comm = mwa_event_comm(event);
    struct life *life;

    if (comm == MWA_NONE || moment->location->rank == MWA_NONE) {
        return MW_OK;
    }
    life = life_of(data, moment->location->rank, comm);
    if (!life) {
        return MW_ERROR_MEMORY;
    }
    if (event->kind == MWA_COMM_CREATE) {
        life->creations++;
        life->created = least(life->created, event->time);
    } else if (event->kind == MWA_COMM_DESTROY) {
        life->releases++;
        life->freed = greatest(life->freed, event->time);
    } else {
        life->first_use = least(life->first_use, event->time);
        life->last_use = greatest(life->last_use, event->time);
    }
    return MW_OK;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    const struct partial *from = from_data;

    for (uint64_t i = 0; i < from->index.count; i++) {
        const struct life *add = &from->lives[i];
        struct life *to = life_of(into_data, add->rank, add->comm);

        if (!to) {
            return MW_ERROR_MEMORY;
        }
        to->creations += add->creations;
        to->releases += add->releases;
        to->created = least(to->created, add->created);
        to->freed = greatest(to->freed, add->freed);
        to->first_use = least(to->first_use, add->first_use);
        to->last_use = greatest(to->last_use, add->last_use);
    }
    return MW_OK;
}

static bool has_trouble(const struct mwa_trace *trace, const struct life *life, bool is_told,
                        enum trouble trouble)
{
    const struct mwa_comm *comm = &trace->comms[life->comm];
    bool is_held = is_told && !mwa_rank_has_gaps(&trace->ranks[life->rank]) &&
                   !comm->predefined && !comm->foreign;

    switch (trouble) {
    case CREATED_TWICE:
        return life->creations > 1;
    case FREED_TWICE:
        return life->releases > 1;
    case NEVER_CREATED:
        return is_held && life->creations == 0;
    case USED_EARLY:
        return is_held && life->creations > 0 && life->first_use < life->created;
    case USED_LATE:
        return is_held && life->releases > 0 && life->last_use > life->freed;
    case TROUBLES:
        break;
    }
    return false;
}

/* In which order they are in the list depends on who read what. */
static bool is_before(const struct life *life, const struct life *other)
{
    return life->rank != other->rank ? life->rank < other->rank : life->comm < other->comm;
}

/* is_told: communicators that some rank creates. */
static void tell(const struct mwa_trace *trace, const struct partial *partial,
                 const bool *is_told, struct mwa_findings *findings)
{
    static const char *const what[] = { "creates it more than once", "frees it more than once",
                                        "uses or frees it without having created it",
                                        "uses it before it is created",
                                        "uses it after it was freed" };
    const struct life *first[TROUBLES] = { NULL };
    uint64_t counts[TROUBLES] = { 0 };

    for (uint64_t i = 0; i < partial->index.count; i++) {
        const struct life *life = &partial->lives[i];

        for (unsigned k = 0; k < TROUBLES; k++) {
            if (has_trouble(trace, life, is_told[life->comm], (enum trouble)k)) {
                first[k] = counts[k]++ == 0 || is_before(life, first[k]) ? life : first[k];
            }
        }
    }
    for (unsigned i = 0; i < TROUBLES; i++) {
        if (counts[i] > 0) {
            mwa_findings_add(findings, i == CREATED_TWICE ? MWA_CORRUPT : MWA_NOTE, "",
                             MW_DIAGNOSTIC_OFFSET_NONE,
                             "communicator \"%.80s\" (Comm %u): rank %u %s; %llu such in all",
                             trace->comms[first[i]->comm].name, trace->comms[first[i]->comm].id,
                             first[i]->rank, what[i], (unsigned long long)counts[i]);
        }
    }
}

static enum mw_status check(const struct mwa_trace *trace, const struct partial *partial,
                            struct mwa_findings *findings, struct mw_diagnostic *diagnostic)
{
    bool *is_told = calloc(trace->comm_count + 1, sizeof *is_told);

    if (!is_told) {
        return mw_no_memory(diagnostic, NULL, "for lives of communicators");
    }
    for (uint64_t i = 0; i < partial->index.count; i++) {
        is_told[partial->lives[i].comm] |= partial->lives[i].creations > 0;
    }
    tell(trace, partial, is_told, findings);
    free(is_told);
    return MW_OK;
}

void mwa_check_comm_lives(const char *path, uint32_t threads, struct mwa_findings *findings)
{
    static const struct mwa_analysis analysis = {
        .name = "lives of communicators",
        .kinds = MWA_KIND(MWA_COMM_CREATE) | MWA_KIND(MWA_COMM_DESTROY) | MWA_KIND(MWA_SEND) |
                 MWA_KIND(MWA_ISEND) | MWA_KIND(MWA_RECV) | MWA_KIND(MWA_COLLECTIVE_END),
        .size = sizeof(struct partial),
        .event = event,
        .merge = merge,
        .fini = fini
    };
    const struct mwa_analysis *const analyses[] = { &analysis };
    struct mwa_pass pass = { .analyses = analyses, .analysis_count = 1, .only_rank = MWA_NONE };
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_pass_result result;
    void *total = NULL;
    enum mw_status status = mwa_input_open(path, &pass.input, &diagnostic);

    if (status == MW_OK) {
        mwa_input_set_threads(pass.input, threads);
        status = mwa_pass_run(&pass, &total, &result, &diagnostic);
    }
    if (status == MW_OK) {
        status = check(mwa_input_trace(pass.input), total, findings, &diagnostic);
    }
    if (status != MW_OK) {
        mwa_findings_add_failure(findings, &diagnostic);
    }
    mwa_partial_destroy(&analysis, total);
    mwa_input_close(pass.input);
}
