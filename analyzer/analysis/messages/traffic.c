/* A location's messages are of few sizes, of the many that there may be: these take memory. */
#include "analyzer/analysis/messages/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/keyed_rows.h"
#include "analyzer/analysis/time/tally.h"
#include "formats/base/order.h"

#define BIN_STEPS_LOG2 6u

struct partial {
    const struct mwa_trace *trace;
    uint64_t messages;
    uint64_t bytes;
    struct mwa_index index; /* from and to, to position in pairs */
    struct mwa_pair *pairs;
    struct mwa_tally sizes; /* messages, by the bin of their size */
};

unsigned mwa_bin_of_size(uint64_t bytes)
{
    unsigned power;

    if (bytes < 2u << BIN_STEPS_LOG2) {
        return (unsigned)bytes;
    }
    power = 63u - (unsigned)__builtin_clzll(bytes) - BIN_STEPS_LOG2;
    return (power << BIN_STEPS_LOG2) + (unsigned)(bytes >> power);
}

uint64_t mwa_size_of_bin(unsigned bin)
{
    unsigned power;

    if (bin < 2u << BIN_STEPS_LOG2) {
        return bin;
    }
    power = (bin >> BIN_STEPS_LOG2) - 1;
    return ((uint64_t)(bin & ((1u << BIN_STEPS_LOG2) - 1)) + (1u << BIN_STEPS_LOG2)) << power;
}

static struct mwa_key key_of(const void *data)
{
    const struct mwa_pair *pair = data;

    return (struct mwa_key){ pair->from, pair->to };
}

static void add(void *to_data, const void *data)
{
    struct mwa_pair *to = to_data;
    const struct mwa_pair *pair = data;

    to->count += pair->count;
    to->bytes += pair->bytes;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct mwa_pair *pair = data;

    return pair->from < trace->rank_count && pair->to < trace->rank_count;
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(pairs),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const struct mwa_message_data *message = &moment->event->of.message;
    uint64_t bytes = message->bytes == UINT64_MAX ? 0 : message->bytes;
    struct mwa_pair pair = { .from = moment->location->rank, .count = 1, .bytes = bytes };

    if (moment->selected_comms &&
        (message->comm == MWA_NONE || !moment->selected_comms[message->comm])) {
        return MW_OK;
    }
    partial->messages++;
    partial->bytes += bytes;
    if (!mwa_tally_add(&partial->sizes, mwa_bin_of_size(bytes), 1)) {
        return MW_ERROR_MEMORY;
    }
    pair.to = mwa_trace_peer(moment->trace, message->comm, pair.from, message->peer);
    return pair.from == MWA_NONE || pair.to == MWA_NONE ? MW_OK
                                                          : mwa_rows_add(&rows, partial, &pair);
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;

    into->messages += from->messages;
    into->bytes += from->bytes;
    return mwa_tally_add_all(&into->sizes, &from->sizes) ? MW_OK : MW_ERROR_MEMORY;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mw_buffer_append(to, &partial->messages, sizeof partial->messages);
    mw_buffer_append(to, &partial->bytes, sizeof partial->bytes);
    mwa_tally_pack(&partial->sizes, to);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;

    return mw_cursor_take(from, &partial->messages, sizeof partial->messages) &&
                   mw_cursor_take(from, &partial->bytes, sizeof partial->bytes)
               ? mwa_tally_unpack(&partial->sizes, from)
               : MW_ERROR_FORMAT;
}

static int by_ranks(const void *one, const void *other)
{
    const struct mwa_pair *a = one;
    const struct mwa_pair *b = other;

    return mw_order(a->from, b->from) ?: mw_order(a->to, b->to);
}

static unsigned power_of(uint64_t bytes)
{
    return bytes ? 64u - (unsigned)__builtin_clzll(bytes) : 0;
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_traffic *traffic = result;

    traffic->messages = partial->messages;
    traffic->bytes = partial->bytes;
    traffic->pair_count = partial->index.count;
    memset(traffic->sizes, 0, sizeof traffic->sizes);
    mwa_tally_spread(&partial->sizes, 0, traffic->sizes, MWA_SIZE_BINS);
    for (unsigned bin = 0; bin < MWA_SIZE_BINS; bin++) {
        traffic->powers[power_of(mwa_size_of_bin(bin))] += traffic->sizes[bin];
    }
    traffic->pairs = mwa_rows_copy(&rows, partial);
    if (!traffic->pairs) {
        return MW_ERROR_MEMORY;
    }
    qsort(traffic->pairs, traffic->pair_count, sizeof *traffic->pairs, by_ranks);
    return MW_OK;
}

static void fini(void *data)
{
    mwa_tally_fini(&((struct partial *)data)->sizes);
}

void mwa_traffic_fini(struct mwa_traffic *traffic)
{
    free(traffic->pairs);
    traffic->pairs = NULL;
    traffic->pair_count = 0;
}

void mwa_traffic_forget(struct mwa_traffic *traffic, uint32_t from, uint32_t to, uint64_t bytes)
{
    const struct mwa_pair key = { .from = from, .to = to };
    struct mwa_pair *pair = traffic->pair_count
                                ? bsearch(&key, traffic->pairs, traffic->pair_count, sizeof key,
                                          by_ranks)
                                : NULL;

    bytes = bytes == UINT64_MAX ? 0 : bytes;
    traffic->messages--;
    traffic->bytes -= bytes;
    traffic->sizes[mwa_bin_of_size(bytes)]--;
    traffic->powers[power_of(bytes)]--;
    if (!pair) {
        return;
    }
    pair->bytes -= bytes;
    if (--pair->count == 0) {
        memmove(pair, pair + 1, (size_t)(traffic->pairs + traffic->pair_count - pair - 1) *
                                    sizeof *pair);
        traffic->pair_count--;
    }
}

uint64_t mwa_traffic_median(const struct mwa_traffic *traffic)
{
    uint64_t before = 0;

    for (unsigned i = 0; i < MWA_SIZE_BINS; i++) {
        before += traffic->sizes[i];
        if (traffic->sizes[i] > 0 && before >= (traffic->messages + 1) / 2) {
            return mwa_size_of_bin(i);
        }
    }
    return 0;
}

const struct mwa_pair *mwa_traffic_heaviest(const struct mwa_traffic *traffic)
{
    const struct mwa_pair *best = NULL;

    for (uint64_t i = 0; i < traffic->pair_count; i++) {
        if (!best || traffic->pairs[i].bytes > best->bytes) {
            best = &traffic->pairs[i];
        }
    }
    return best;
}

const struct mwa_analysis mwa_traffic_analysis = {
    .name = "messages",
    .kinds = MWA_KIND(MWA_SEND) | MWA_KIND(MWA_ISEND),
    .size = sizeof(struct partial),
    .rows = &rows,
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};
