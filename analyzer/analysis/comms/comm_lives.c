/* A rank may have several threads: what is early or late is known behind the pass. */
#include "analyzer/analysis/comms/comm_lives.h"

#include <stdlib.h>

#include "analyzer/analysis/comms/charge.h"
#include "analyzer/model/map.h"

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

/* is_told: some rank creates its communicator. */
static bool has_trouble(const struct mwa_trace *trace, const struct life *life, bool is_told,
                        enum mwa_life_trouble trouble)
{
    const struct mwa_comm *comm = &trace->comms[life->comm];
    bool is_held = is_told && !mwa_rank_has_gaps(&trace->ranks[life->rank]) &&
                   !comm->predefined && !comm->foreign;

    switch (trouble) {
    case MWA_CREATED_TWICE:
        return life->creations > 1;
    case MWA_FREED_TWICE:
        return life->releases > 1;
    case MWA_NEVER_CREATED:
        return is_held && life->creations == 0;
    case MWA_USED_EARLY:
        return is_held && life->creations > 0 && life->first_use < life->created;
    case MWA_USED_LATE:
        return is_held && life->releases > 0 && life->last_use > life->freed;
    case MWA_LIFE_TROUBLES:
        break;
    }
    return false;
}

/* In which order they are in the list depends on who read what. */
static bool is_before(const struct life *life, const struct mwa_life_row *row)
{
    return life->rank != row->rank ? life->rank < row->rank : life->comm < row->comm;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_comm_lives *lives = result;
    bool *is_told = calloc(partial->trace->comm_count + 1, sizeof *is_told);

    if (!is_told) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < partial->index.count; i++) {
        is_told[partial->lives[i].comm] |= partial->lives[i].creations > 0;
    }
    for (uint64_t i = 0; i < partial->index.count; i++) {
        const struct life *life = &partial->lives[i];

        for (unsigned k = 0; k < MWA_LIFE_TROUBLES; k++) {
            struct mwa_life_row *row = &lives->troubles[k];

            if (has_trouble(partial->trace, life, is_told[life->comm],
                            (enum mwa_life_trouble)k) &&
                (row->count++ == 0 || is_before(life, row))) {
                row->rank = life->rank;
                row->comm = life->comm;
            }
        }
    }
    free(is_told);
    return MW_OK;
}

const struct mwa_analysis mwa_comm_lives_analysis = {
    .name = "lives of communicators",
    .kinds = MWA_KIND(MWA_COMM_CREATE) | MWA_KIND(MWA_COMM_DESTROY) | MWA_KIND(MWA_SEND) |
             MWA_KIND(MWA_ISEND) | MWA_KIND(MWA_RECV) | MWA_KIND(MWA_COLLECTIVE_END),
    .size = sizeof(struct partial),
    .event = event,
    .merge = merge,
    .finish = finish,
    .fini = fini
};
