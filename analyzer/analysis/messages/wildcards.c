#include "analyzer/analysis/messages/wildcards.h"

#include <stdlib.h>

#include "analyzer/analysis/keyed_rows.h"
#include "formats/spool/record.h"

/* Receives of a rank, or on a communicator. */
struct row {
    uint32_t on_comm; /* 0, 1 */
    uint32_t index;
    struct mwa_wildcard_count count;
};

struct partial {
    const struct mwa_trace *trace;
    struct mwa_map pending; /* requests posted with wildcards, to these */
    struct mwa_index index; /* of rows */
    struct row *rows;
    struct mwa_wildcards sums; /* without lists */
};

static enum mw_status begin(void *data)
{
    struct partial *partial = data;
    const struct mwa_trace *trace = partial->trace;

    partial->sums.known = trace->attributes[MW_ATTRIBUTE_WILDCARDS] != MWA_NONE;
    partial->sums.rank_count = trace->rank_count;
    partial->sums.comm_count = trace->comm_count;
    return MW_OK;
}

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_map_fini(&partial->pending);
}

static void add(struct mwa_wildcard_count *into, const struct mwa_wildcard_count *from)
{
    into->receives += from->receives;
    into->any_source += from->any_source;
    into->any_tag += from->any_tag;
    into->any += from->any;
    into->probes += from->probes;
}

static struct mwa_key key_of(const void *data)
{
    const struct row *row = data;

    return (struct mwa_key){ row->on_comm, row->index };
}

static void add_counts(void *to, const void *row)
{
    add(&((struct row *)to)->count, &((const struct row *)row)->count);
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct row *row = data;

    return row->index < (row->on_comm ? trace->comm_count : trace->rank_count);
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(rows),
                                            .key = key_of,
                                            .add = add_counts,
                                            .is_known = is_known };

static struct mwa_wildcard_count count_of(uint64_t receives, uint64_t wildcards)
{
    return (struct mwa_wildcard_count){ .receives = receives,
                                        .any_source = (wildcards & MW_WILDCARD_SOURCE) != 0,
                                        .any_tag = (wildcards & MW_WILDCARD_TAG) != 0,
                                        .any = wildcards != 0 };
}

/* Adds to the row of a rank or a communicator. */
static enum mw_status add_row(struct partial *partial, bool on_comm, uint32_t index,
                              const struct mwa_wildcard_count *count)
{
    return mwa_rows_add(&rows, partial,
                        &(struct row){ .on_comm = on_comm, .index = index, .count = *count });
}

/* A receive of the location's rank. */
static enum mw_status count_posted(struct partial *partial, const struct mwa_moment *moment,
                                   uint64_t wildcards)
{
    const struct mwa_wildcard_count count = count_of(1, wildcards);

    add(&partial->sums.total, &count);
    return moment->location->rank == MWA_NONE
               ? MW_OK
               : add_row(partial, false, moment->location->rank, &count);
}

static bool is_selected(const struct mwa_moment *moment, uint32_t comm)
{
    return !moment->selected_comms || (comm != MWA_NONE && moment->selected_comms[comm]);
}

/* A call of the location's rank, which may be a probe that was to find a message of anybody. */
static enum mw_status count_probe(struct partial *partial, const struct mwa_moment *moment,
                                  const struct mwa_found_data *found)
{
    const struct mwa_wildcard_count count = { .probes = 1 };

    if (!found->is_told || !(found->wildcards & MW_WILDCARD_SOURCE) ||
        moment->location->rank == MWA_NONE || !is_selected(moment, found->comm)) {
        return MW_OK;
    }
    add(&partial->sums.total, &count);
    return add_row(partial, false, moment->location->rank, &count);
}

/* It was on comm, whose selection is known now. */
static enum mw_status count_on(struct partial *partial, uint32_t comm, uint64_t wildcards)
{
    const struct mwa_wildcard_count count = count_of(0, wildcards);

    return wildcards && comm != MWA_NONE ? add_row(partial, true, comm, &count) : MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const struct mwa_event *event = moment->event;
    const struct mwa_key key = { 0, event->request };
    uint64_t wildcards = event->kind == MWA_ENTER ? 0 : event->of.message.wildcards;
    enum mw_status status = MW_OK;
    bool selected;

    if (event->kind == MWA_ENTER) {
        return count_probe(partial, moment, &event->of.call.found);
    }
    if (event->kind == MWA_IRECV_POST) {
        if (wildcards && !mwa_map_put(&partial->pending, key, wildcards)) {
            return MW_ERROR_MEMORY;
        }
        return moment->selected_comms ? MW_OK : count_posted(partial, moment, wildcards);
    }
    if (event->kind != MWA_RECV) {
        wildcards = mwa_map_remove(&partial->pending, key);
        wildcards = wildcards == MWA_MAP_ABSENT ? 0 : wildcards;
    }
    if (event->kind == MWA_CANCELLED) {
        return MW_OK;
    }
    selected = is_selected(moment, event->of.message.comm);
    if (selected && (moment->selected_comms || event->kind == MWA_RECV)) {
        status = count_posted(partial, moment, wildcards);
    }
    return selected && status == MW_OK ? count_on(partial, event->of.message.comm, wildcards)
                                       : status;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;

    add(&into->sums.total, &from->sums.total);
    return MW_OK;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mw_buffer_append(to, &partial->sums.total, sizeof partial->sums.total);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;

    return mw_cursor_take(from, &partial->sums.total, sizeof partial->sums.total)
               ? MW_OK
               : MW_ERROR_FORMAT;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_wildcards *wildcards = result;

    *wildcards = partial->sums;
    wildcards->ranks = calloc(wildcards->rank_count + 1, sizeof *wildcards->ranks);
    wildcards->comms = calloc(wildcards->comm_count + 1, sizeof *wildcards->comms);
    if (!wildcards->ranks || !wildcards->comms) {
        mwa_wildcards_fini(wildcards);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < partial->index.count; i++) {
        const struct row *row = &partial->rows[i];

        add(row->on_comm ? &wildcards->comms[row->index] : &wildcards->ranks[row->index],
            &row->count);
    }
    return MW_OK;
}

const struct mwa_analysis mwa_wildcards_analysis = {
    .name = "wildcards",
    .kinds = MWA_KIND(MWA_ENTER) | MWA_KIND(MWA_RECV) | MWA_KIND(MWA_IRECV_POST) |
             MWA_KIND(MWA_IRECV) | MWA_KIND(MWA_CANCELLED),
    .size = sizeof(struct partial),
    .rows = &rows,
    .begin = begin,
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};

void mwa_wildcards_fini(struct mwa_wildcards *wildcards)
{
    free(wildcards->ranks);
    free(wildcards->comms);
    *wildcards = (struct mwa_wildcards){ 0 };
}
