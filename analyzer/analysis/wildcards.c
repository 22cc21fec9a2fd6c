#include "analyzer/analysis/wildcards.h"

#include <stdlib.h>

#include "formats/record.h"

struct partial {
    struct mwa_table pending; /* requests posted with wildcards, to these */
    struct mwa_wildcards sums;
};

static void *begin(const struct mwa_trace *trace)
{
    struct partial *partial = calloc(1, sizeof *partial);

    if (partial) {
        partial->sums.known = trace->attribute_wildcards != MWA_NONE;
        partial->sums.rank_count = trace->rank_count;
        partial->sums.comm_count = trace->comm_count;
    }
    return partial;
}

static void destroy(void *data)
{
    struct partial *partial = data;

    if (partial) {
        mwa_table_fini(&partial->pending);
        mwa_wildcards_fini(&partial->sums);
        free(partial);
    }
}

static void count_receive(struct mwa_wildcard_count *count, uint64_t receives, uint64_t wildcards)
{
    count->receives += receives;
    count->any_source += (wildcards & MW_WILDCARD_SOURCE) != 0;
    count->any_tag += (wildcards & MW_WILDCARD_TAG) != 0;
    count->any += wildcards != 0;
}

/* Counts in list[index], which is made. */
static enum mw_status count_in(struct mwa_wildcard_count **list, uint64_t length, uint32_t index,
                               uint64_t receives, uint64_t wildcards)
{
    if (index >= length) {
        return MW_OK;
    }
    if (!*list && !(*list = calloc(length, sizeof **list))) {
        return MW_ERROR_MEMORY;
    }
    count_receive(&(*list)[index], receives, wildcards);
    return MW_OK;
}

/* A receive of the location's rank. */
static enum mw_status count_posted(struct partial *partial, const struct mwa_moment *moment,
                                   uint64_t wildcards)
{
    struct mwa_wildcards *sums = &partial->sums;

    count_receive(&sums->total, 1, wildcards);
    return count_in(&sums->ranks, sums->rank_count, moment->location->rank, 1, wildcards);
}

/* It was on comm, whose selection is known now. */
static enum mw_status count_on(struct partial *partial, uint32_t comm, uint64_t wildcards)
{
    struct mwa_wildcards *sums = &partial->sums;

    return wildcards ? count_in(&sums->comms, sums->comm_count, comm, 0, wildcards) : MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const struct mwa_event *event = moment->event;
    const struct mwa_key key = { 0, event->request };
    uint64_t wildcards = event->of.message.wildcards;
    enum mw_status status = MW_OK;
    bool selected;

    if (event->kind == MWA_IRECV_POST) {
        if (wildcards && !mwa_table_put(&partial->pending, key, wildcards)) {
            return MW_ERROR_MEMORY;
        }
        return moment->selected_comms ? MW_OK : count_posted(partial, moment, wildcards);
    }
    if (event->kind != MWA_RECV) {
        wildcards = mwa_table_remove(&partial->pending, key);
        wildcards = wildcards == MWA_TABLE_ABSENT ? 0 : wildcards;
    }
    if (event->kind == MWA_CANCELLED) {
        return MW_OK;
    }
    selected = !moment->selected_comms || (event->of.message.comm != MWA_NONE &&
                                           moment->selected_comms[event->of.message.comm]);
    if (selected && (moment->selected_comms || event->kind == MWA_RECV)) {
        status = count_posted(partial, moment, wildcards);
    }
    return selected && status == MW_OK ? count_on(partial, event->of.message.comm, wildcards)
                                       : status;
}

static void add(struct mwa_wildcard_count *into, const struct mwa_wildcard_count *from)
{
    into->receives += from->receives;
    into->any_source += from->any_source;
    into->any_tag += from->any_tag;
    into->any += from->any;
}

static enum mw_status add_list(struct mwa_wildcard_count **into,
                               const struct mwa_wildcard_count *from, uint64_t length)
{
    if (!from) {
        return MW_OK;
    }
    if (!*into && !(*into = calloc(length, sizeof **into))) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < length; i++) {
        add(&(*into)[i], &from[i]);
    }
    return MW_OK;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct mwa_wildcards *into = &((struct partial *)into_data)->sums;
    const struct mwa_wildcards *from = &((const struct partial *)from_data)->sums;
    enum mw_status status = add_list(&into->ranks, from->ranks, into->rank_count);

    add(&into->total, &from->total);
    return status == MW_OK ? add_list(&into->comms, from->comms, into->comm_count) : status;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_wildcards *wildcards = result;
    enum mw_status status;

    *wildcards = partial->sums;
    wildcards->ranks = NULL;
    wildcards->comms = NULL;
    status = add_list(&wildcards->ranks, partial->sums.ranks, wildcards->rank_count);
    return status == MW_OK
               ? add_list(&wildcards->comms, partial->sums.comms, wildcards->comm_count)
               : status;
}

const struct mwa_analysis mwa_wildcards_analysis = {
    .name = "wildcards",
    .kinds = MWA_KIND(MWA_RECV) | MWA_KIND(MWA_IRECV_POST) | MWA_KIND(MWA_IRECV) |
             MWA_KIND(MWA_CANCELLED),
    .begin = begin,
    .event = event,
    .merge = merge,
    .finish = finish,
    .destroy = destroy
};

void mwa_wildcards_fini(struct mwa_wildcards *wildcards)
{
    free(wildcards->ranks);
    free(wildcards->comms);
    *wildcards = (struct mwa_wildcards){ 0 };
}
