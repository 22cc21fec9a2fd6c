/* Of a location one rank is known: there are flags for all of them only where results meet. */
#include "analyzer/analysis/time/rank_records.h"

#include <stdlib.h>

struct partial {
    const struct mwa_trace *trace;
    bool *has_events; /* by rank; null: rank alone */
    uint32_t rank;    /* that has events; MWA_NONE: none */
    bool has_begun;
    uint64_t open_calls; /* of a location: its last call is open */
};

void mwa_rank_records_fini(struct mwa_rank_records *records)
{
    free(records->has_events);
}

static void fini(void *data)
{
    struct partial *partial = data;

    free(partial->has_events);
}

static enum mw_status begin(void *data)
{
    struct partial *partial = data;

    partial->rank = MWA_NONE;
    return MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;

    partial->has_begun = true;
    if (moment->event->kind == MWA_ENTER) {
        partial->open_calls = 0; /* left by a jump, if at all: the record goes on */
    } else if (moment->event->kind == MWA_LEAVE && moment->call->region->mpi_index != MWA_NONE) {
        partial->open_calls = moment->call->open;
    }
    return MW_OK;
}

static enum mw_status end(void *data, const struct mwa_location *location, uint64_t last)
{
    struct partial *partial = data;

    partial->rank = partial->has_begun ? location->rank : MWA_NONE;
    return MW_OK;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    const uint64_t count = from->trace->rank_count;

    if (!into->has_events) {
        into->has_events = calloc(count + 1, sizeof *into->has_events);
        if (!into->has_events) {
            return MW_ERROR_MEMORY;
        }
    }
    for (uint64_t i = 0; from->has_events && i < count; i++) {
        into->has_events[i] |= from->has_events[i];
    }
    if (from->rank < count) {
        into->has_events[from->rank] = true;
    }
    into->open_calls += from->open_calls;
    return MW_OK;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    const uint64_t count = partial->trace->rank_count;
    struct mwa_rank_records *records = result;

    records->open_calls = partial->open_calls;
    records->has_events = calloc(count + 1, sizeof *records->has_events);
    if (!records->has_events) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; partial->has_events && i < count; i++) {
        records->has_events[i] = partial->has_events[i];
    }
    return MW_OK;
}

const struct mwa_analysis mwa_rank_records_analysis = { .name = "records of ranks",
                                                        .kinds = MWA_KINDS_ALL,
                                                        .size = sizeof(struct partial),
                                                        .begin = begin,
                                                        .event = event,
                                                        .end = end,
                                                        .merge = merge,
                                                        .finish = finish,
                                                        .fini = fini };
