#include "analyzer/analysis/messages/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"
#include "formats/base/order.h"

#define BIN_STEPS_LOG2 6u

struct partial {
    const struct mwa_trace *trace;
    uint64_t messages;
    uint64_t bytes;
    struct mwa_index index; /* from and to, to position in pairs */
    struct mwa_pair *pairs;
    uint64_t sizes[MWA_SIZE_BINS];
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

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_index_fini(&partial->index);
    free(partial->pairs);
}

static enum mw_status add_pair(struct partial *partial, const struct mwa_pair *pair)
{
    uint64_t at = mwa_index_of(&partial->index, (struct mwa_key){ pair->from, pair->to },
                               &partial->pairs, sizeof *partial->pairs);

    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    partial->pairs[at].from = pair->from;
    partial->pairs[at].to = pair->to;
    partial->pairs[at].count += pair->count;
    partial->pairs[at].bytes += pair->bytes;
    return MW_OK;
}

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
    partial->sizes[mwa_bin_of_size(bytes)]++;
    pair.to = mwa_trace_peer(moment->trace, message->comm, pair.from, message->peer);
    return pair.from == MWA_NONE || pair.to == MWA_NONE ? MW_OK : add_pair(partial, &pair);
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    enum mw_status status = MW_OK;

    into->messages += from->messages;
    into->bytes += from->bytes;
    for (unsigned i = 0; i < MWA_SIZE_BINS; i++) {
        into->sizes[i] += from->sizes[i];
    }
    for (uint64_t i = 0; i < from->index.count && status == MW_OK; i++) {
        status = add_pair(into, &from->pairs[i]);
    }
    return status;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mw_buffer_append(to, &partial->messages, sizeof partial->messages);
    mw_buffer_append(to, &partial->bytes, sizeof partial->bytes);
    mw_buffer_append(to, partial->sizes, sizeof partial->sizes);
    mwa_pack_array(to, partial->pairs, partial->index.count, sizeof *partial->pairs);
}

/* Whether all pairs are of ranks that there are. */
static bool are_known(const struct partial *partial, const struct mwa_trace *trace)
{
    for (uint64_t i = 0; i < partial->index.count; i++) {
        if (partial->pairs[i].from >= trace->rank_count ||
            partial->pairs[i].to >= trace->rank_count) {
            return false;
        }
    }
    return true;
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    enum mw_status status = MW_ERROR_FORMAT;

    if (mw_cursor_take(from, &partial->messages, sizeof partial->messages) &&
        mw_cursor_take(from, &partial->bytes, sizeof partial->bytes) &&
        mw_cursor_take(from, partial->sizes, sizeof partial->sizes)) {
        status = mwa_unpack_array(from, &partial->pairs, &partial->index.count,
                                  sizeof *partial->pairs);
    }
    return status == MW_OK && !are_known(partial, moment->trace) ? MW_ERROR_FORMAT : status;
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
    memcpy(traffic->sizes, partial->sizes, sizeof traffic->sizes);
    for (unsigned bin = 0; bin < MWA_SIZE_BINS; bin++) {
        traffic->powers[power_of(mwa_size_of_bin(bin))] += traffic->sizes[bin];
    }
    traffic->pairs = malloc((partial->index.count + 1) * sizeof *traffic->pairs);
    if (!traffic->pairs) {
        return MW_ERROR_MEMORY;
    }
    if (partial->index.count > 0) {
        memcpy(traffic->pairs, partial->pairs, partial->index.count * sizeof *traffic->pairs);
        qsort(traffic->pairs, traffic->pair_count, sizeof *traffic->pairs, by_ranks);
    }
    return MW_OK;
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
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};
