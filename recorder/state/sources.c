#include "recorder/state/sources.h"

#include <pthread.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/base/index_table.h"
#include "formats/spool/record.h"
#include "recorder/recorder.h"

/* A set that has a number: its place among them. */
struct set {
    uint32_t comm;
    uint32_t count;
    uint32_t first; /* in set_ranks */
};

/* All under set_lock. */
static struct set *sets;
static uint32_t set_count;
static uint32_t set_ranks[MWR_SOURCES_MAX];
static uint32_t set_rank_count;
static struct mw_index_table set_index;
static pthread_mutex_t set_lock = PTHREAD_MUTEX_INITIALIZER;

struct wanted {
    uint32_t comm;
    uint32_t count;
    const uint32_t *ranks;
};

static bool set_is(const void *context, uint32_t index, const void *key)
{
    const struct set *set = &((const struct set *)context)[index];
    const struct wanted *wanted = key;

    return set->comm == wanted->comm && set->count == wanted->count &&
           memcmp(set_ranks + set->first, wanted->ranks, set->count * sizeof *set_ranks) == 0;
}

/* Adds a set; set_lock is held. Its number; MW_SOURCES_NONE: too many, or no memory. */
static uint32_t add(const struct wanted *wanted, uint64_t hash)
{
    if (wanted->count > MWR_SOURCES_MAX - set_rank_count || set_count >= MWR_SOURCES_MAX ||
        !mw_array_grow((void **)&sets, set_count, sizeof *sets) ||
        !mw_index_add(&set_index, hash, set_count)) {
        return MW_SOURCES_NONE;
    }
    sets[set_count] = (struct set){wanted->comm, wanted->count, set_rank_count};
    memcpy(set_ranks + set_rank_count, wanted->ranks, wanted->count * sizeof *set_ranks);
    set_rank_count += wanted->count;
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_SOURCES,
        .of.sources = {.sources = set_count,
                       .comm = wanted->comm,
                       .count = wanted->count,
                       .ranks = wanted->ranks},
    });
    return set_count++;
}

uint32_t mwr_sources_number(const struct mwr_comm *comm, const uint32_t *ranks, uint32_t count)
{
    const struct wanted wanted = {comm->number, count, ranks};
    uint64_t hash = mw_hash_bytes(MW_HASH_START, &wanted.comm, sizeof wanted.comm);
    uint32_t number;

    hash = mw_hash_bytes(hash, ranks, count * sizeof *ranks);
    pthread_mutex_lock(&set_lock);
    number = mw_index_find(&set_index, hash, set_is, sets, &wanted);
    if (number == MW_INDEX_NONE) {
        number = add(&wanted, hash);
    }
    pthread_mutex_unlock(&set_lock);
    return number;
}
