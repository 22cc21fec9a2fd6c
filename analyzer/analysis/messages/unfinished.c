/* A completion that another thread made is kept until its request is met, in merge. */
#include "analyzer/analysis/messages/unfinished.h"

#include "analyzer/team/packing.h"
#include "analyzer/analysis/time/tally.h"
#include "formats/base/order.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_map begun; /* rank, request: to the site */
    struct mwa_map ended; /* the same, begun by another thread */
};

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_map_fini(&partial->begun);
    mwa_map_fini(&partial->ended);
}

static enum mw_status begin_request(struct partial *partial, struct mwa_key key, uint32_t site)
{
    if (mwa_map_remove(&partial->ended, key) != MWA_MAP_ABSENT) {
        return MW_OK;
    }
    return mwa_map_put(&partial->begun, key, site) ? MW_OK : MW_ERROR_MEMORY;
}

static enum mw_status end_request(struct partial *partial, struct mwa_key key, bool is_shared)
{
    if (mwa_map_remove(&partial->begun, key) != MWA_MAP_ABSENT || !is_shared) {
        return MW_OK;
    }
    return mwa_map_put(&partial->ended, key, 0) ? MW_OK : MW_ERROR_MEMORY;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    const struct mwa_key key = { moment->location->rank, moment->event->request };
    const uint32_t rank = moment->location->rank;

    if (rank == MWA_NONE) {
        return MW_OK;
    }
    switch (moment->event->kind) {
    case MWA_ISEND:
    case MWA_IRECV_POST:
    case MWA_COLLECTIVE_POST:
        return begin_request(data, key, moment->mpi ? moment->site : MWA_NONE);
    default:
        return end_request(data, key, moment->trace->ranks[rank].locations > 1);
    }
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct partial *into = into_data;
    const struct partial *from = from_data;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->ended.capacity && status == MW_OK; i++) {
        const struct mwa_map_slot *slot = &from->ended.slots[i];

        status = slot->value != MWA_MAP_ABSENT ? end_request(into, slot->key, true) : MW_OK;
    }
    for (uint64_t i = 0; i < from->begun.capacity && status == MW_OK; i++) {
        const struct mwa_map_slot *slot = &from->begun.slots[i];

        status = slot->value != MWA_MAP_ABSENT
                     ? begin_request(into, slot->key, (uint32_t)slot->value)
                     : MW_OK;
    }
    return status;
}

/* Of maps the slots, as they are: they are looked through, and never looked up in. */
static void pack(const void *data, struct mw_buffer *to)
{
    const struct partial *partial = data;

    mwa_pack_array(to, partial->begun.slots, partial->begun.capacity,
                   sizeof *partial->begun.slots);
    mwa_pack_array(to, partial->ended.slots, partial->ended.capacity,
                   sizeof *partial->ended.slots);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct partial *partial = data;
    enum mw_status status = mwa_unpack_array(from, &partial->begun.slots, &partial->begun.capacity,
                                             sizeof *partial->begun.slots);

    return status == MW_OK
               ? mwa_unpack_array(from, &partial->ended.slots, &partial->ended.capacity,
                                  sizeof *partial->ended.slots)
               : status;
}

/* The lowest of the keys with the greatest sum. */
struct most {
    uint32_t key;
    uint64_t sum;
};

static void find_most(const struct mwa_tally *tally, uint32_t key, struct most *most)
{
    uint64_t sum = mwa_tally_get(tally, key);

    if (sum > most->sum || (sum == most->sum && key < most->key)) {
        *most = (struct most){ key, sum };
    }
}

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_unfinished *unfinished = result;
    struct mwa_tally ranks = { 0 };
    struct mwa_tally sites = { 0 };
    struct most rank = { MWA_NONE, 0 };
    struct most site = { MWA_NONE, 0 };
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < partial->begun.capacity && status == MW_OK; i++) {
        const struct mwa_map_slot *slot = &partial->begun.slots[i];

        if (slot->value != MWA_MAP_ABSENT &&
            (!mwa_tally_add(&ranks, (uint32_t)slot->key.high, 1) ||
             !mwa_tally_add(&sites, (uint32_t)slot->value, 1))) {
            status = MW_ERROR_MEMORY;
        }
    }
    for (uint64_t i = 0; i < partial->begun.capacity && status == MW_OK; i++) {
        const struct mwa_map_slot *slot = &partial->begun.slots[i];

        if (slot->value != MWA_MAP_ABSENT) {
            find_most(&ranks, (uint32_t)slot->key.high, &rank);
            find_most(&sites, (uint32_t)slot->value, &site);
        }
    }
    *unfinished = (struct mwa_unfinished){ .count = partial->begun.count,
                                           .rank = rank.key,
                                           .site = site.key };
    mwa_tally_fini(&ranks);
    mwa_tally_fini(&sites);
    return status;
}

const struct mwa_analysis mwa_unfinished_analysis = {
    .name = "unfinished requests",
    .kinds = MWA_KIND(MWA_ISEND) | MWA_KIND(MWA_IRECV_POST) | MWA_KIND(MWA_COLLECTIVE_POST) |
             MWA_KIND(MWA_ISEND_COMPLETE) | MWA_KIND(MWA_IRECV) | MWA_KIND(MWA_CANCELLED) |
             MWA_KIND(MWA_COLLECTIVE_COMPLETE),
    .size = sizeof(struct partial),
    .event = event,
    .merge = merge,
    .pack = pack,
    .unpack = unpack,
    .finish = finish,
    .fini = fini
};
