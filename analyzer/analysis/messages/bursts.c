#include "analyzer/analysis/messages/bursts.h"

#include "analyzer/analysis/keyed_rows.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* of rows */
    struct mwa_burst_row *rows;
    bool is_open;     /* the last message was tiny, and nothing has come in since, */
    uint32_t last_to; /* and went to this rank */
};

static struct mwa_key key_of(const void *data)
{
    const struct mwa_burst_row *row = data;

    return (struct mwa_key){ (uint64_t)row->from << 32 | row->to, row->site };
}

static void add(void *to_data, const void *data)
{
    struct mwa_burst_row *to = to_data;
    const struct mwa_burst_row *row = data;

    to->count += row->count;
    to->bytes += row->bytes;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct mwa_burst_row *row = data;

    return row->from < trace->rank_count && row->to < trace->rank_count &&
           (row->site < trace->site_count || row->site == MWA_NONE);
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(rows),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

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
    return follows ? mwa_rows_add(&rows, partial, &row) : MW_OK;
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
    .rows = &rows,
    .event = event,
    .finish = finish
};
