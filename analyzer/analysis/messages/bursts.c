#include "analyzer/analysis/messages/bursts.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* of rows */
    struct mwa_burst_row *rows;
    bool is_open;     /* the last message was tiny, and nothing has come in since, */
    uint32_t last_to; /* and went to this rank */
};

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_index_fini(&partial->index);
    free(partial->rows);
}

static enum mw_status add(struct partial *partial, const struct mwa_burst_row *row)
{
    const struct mwa_key key = { (uint64_t)row->from << 32 | row->to, row->site };
    uint64_t at = mwa_index_of(&partial->index, key, &partial->rows, sizeof *partial->rows);
    struct mwa_burst_row *to;

    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    to = &partial->rows[at];
    to->from = row->from;
    to->to = row->to;
    to->site = row->site;
    to->count += row->count;
    to->bytes += row->bytes;
    return MW_OK;
}

static enum mw_status take_message(struct partial *partial, const struct mwa_moment *moment)
{
    const struct mwa_message_data *message = &moment->event->of.message;
    const struct mwa_burst_row row = {
        .from = moment->location->rank,
        .to = mwa_trace_peer(moment->trace, message->comm, moment->location->rank, message->peer),
        .site = moment->mpi ? moment->site : MWA_NONE,
        .count = 1,
        .bytes = message->bytes
    };
    const bool is_tiny = message->bytes <= MWA_BURST_BYTES && row.from != MWA_NONE &&
                         row.to != MWA_NONE;
    const bool follows = is_tiny && partial->is_open && partial->last_to == row.to;

    partial->is_open = is_tiny;
    partial->last_to = row.to;
    return follows ? add(partial, &row) : MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;

    if (moment->event->kind == MWA_SEND || moment->event->kind == MWA_ISEND) {
        return take_message(partial, moment);
    }
    partial->is_open = false;
    return MW_OK;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->index.count && status == MW_OK; i++) {
        status = add(into, &from->rows[i]);
    }
    return status;
}

/* Whether one is told rather than other: it has more, or as many of lower ranks. */
static bool is_rather(const struct mwa_burst_row *one, const struct mwa_burst_row *other)
{
    if (one->count != other->count) {
        return one->count > other->count;
    }
    if (one->from != other->from) {
        return one->from < other->from;
    }
    return one->to != other->to ? one->to < other->to : one->site < other->site;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mwa_pack_array(to, partial->rows, partial->index.count, sizeof *partial->rows);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;

    return mwa_unpack_array(from, &partial->rows, &partial->index.count, sizeof *partial->rows);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_bursts *bursts = result;

    *bursts = (struct mwa_bursts){ .count = 0 };
    for (uint64_t i = 0; i < partial->index.count; i++) {
        bursts->count += partial->rows[i].count;
        if (is_rather(&partial->rows[i], &bursts->most)) {
            bursts->most = partial->rows[i];
        }
    }
    return MW_OK;
}

const struct mwa_analysis mwa_bursts_analysis = {
    .name = "bursts",
    .kinds = MWA_KIND(MWA_SEND) | MWA_KIND(MWA_ISEND) | MWA_KIND(MWA_RECV) |
             MWA_KIND(MWA_IRECV) | MWA_KIND(MWA_COLLECTIVE_END) |
             MWA_KIND(MWA_COLLECTIVE_COMPLETE),
    .size = sizeof(struct partial),
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};
