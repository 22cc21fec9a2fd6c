/*
 * A clock that is off throughout is moved throughout: a jump at the first message, as by the
 * controlled logical clock, would be told as waiting there.
 */
#include "analyzer/analysis/clocks/host_offsets.h"

#include <stdlib.h>

#include "analyzer/model/needs.h"
#include "formats/base/order.h"

#define MIDDLE (UINT64_C(1) << 62) /* stands for 0 in maps */
#define MOST   (INT64_C(1) << 61)  /* that a clock is told to be off, so that sums of two fit */

/* Two hosts that tell each other something. */
struct pair {
    uint32_t one, other;
    int64_t ahead; /* the clock of other to that of one */
    uint64_t open; /* by so much that may be off */
};

static int64_t bounded(int64_t ticks)
{
    return ticks > MOST ? MOST : ticks < -MOST ? -MOST : ticks;
}

static int64_t signed_ticks(uint64_t one, uint64_t other)
{
    const uint64_t apart = one > other ? one - other : other - one;
    const int64_t ticks = apart < (uint64_t)MOST ? (int64_t)apart : MOST;

    return one > other ? ticks : -ticks;
}

bool mwa_host_offsets_take(struct mwa_host_offsets *offsets, uint32_t from, uint32_t to,
                           uint64_t sent, uint64_t known)
{
    const uint32_t *hosts = offsets->rules->hosts;
    uint64_t took, *least;

    if (hosts[from] == hosts[to]) {
        return true;
    }
    took = MIDDLE + (uint64_t)signed_ticks(known, sent);
    least = mwa_map_put(&offsets->least, (struct mwa_key){ hosts[from], hosts[to] }, took);
    if (least && took < *least) {
        *least = took;
    }
    return least != NULL;
}

static bool is_awaited(enum mwa_needs needs, const struct mwa_member *member)
{
    return member->begin && (needs == MWA_NEEDS_ALL || member->bytes_sent > 0);
}

/* Whether it waits for all that are awaited: where sources are told, it does for these alone. */
static bool awaits_all(enum mwa_needs needs, const struct mwa_member *member)
{
    const struct mwa_collective *collective = member->collective;

    return member->end && !member->end->open && !member->sources &&
           (needs == MWA_NEEDS_ALL || member->bytes_received > 0) &&
           (needs != MWA_NEEDS_ALL_AT_ROOT ||
            member - collective->members == (ptrdiff_t)collective->root);
}

/* Of one host: who came last of those that others wait for, and who that waits for all left first;
 * null: nobody. */
struct ends {
    const struct mwa_member *last, *first;
};

static struct ends ends_on(const struct mwa_collective *collective, enum mwa_needs needs,
                           const uint32_t *hosts, uint32_t host)
{
    struct ends ends = { NULL, NULL };

    for (uint32_t i = 0; i < collective->count; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (member->rank == MWA_NONE || hosts[member->rank] != host) {
            continue;
        }
        if (is_awaited(needs, member) && (!ends.last || mwa_is_later(member, ends.last))) {
            ends.last = member;
        }
        if (awaits_all(needs, member) &&
            (!ends.first || member->end->leave < ends.first->end->leave)) {
            ends.first = member;
        }
    }
    return ends;
}

/* The host of the root, if that alone waits for others; else of the lowest rank. */
static uint32_t middle_host(const struct mwa_collective *collective, enum mwa_needs needs,
                            const uint32_t *hosts)
{
    uint32_t rank = MWA_NONE;

    if (needs == MWA_NEEDS_ALL_AT_ROOT) {
        rank = collective->root == MWA_NONE ? MWA_NONE
                                            : collective->members[collective->root].rank;
    } else {
        for (uint32_t i = 0; i < collective->count; i++) {
            rank = collective->members[i].rank < rank ? collective->members[i].rank : rank;
        }
    }
    return rank == MWA_NONE ? MWA_NONE : hosts[rank];
}

bool mwa_host_offsets_take_all(struct mwa_host_offsets *offsets,
                               const struct mwa_collective *collective)
{
    const enum mwa_needs needs = mwa_needs_of(collective);
    const bool do_await = needs == MWA_NEEDS_ALL || needs == MWA_NEEDS_DATA ||
                          needs == MWA_NEEDS_ALL_AT_ROOT;
    const uint32_t middle = do_await && !collective->inter
                                ? middle_host(collective, needs, offsets->rules->hosts)
                                : MWA_NONE;
    struct ends ends;
    bool has_memory = true;

    if (middle == MWA_NONE) {
        return true;
    }
    ends = ends_on(collective, needs, offsets->rules->hosts, middle);
    for (uint32_t i = 0; i < collective->count && has_memory; i++) {
        const struct mwa_member *member = &collective->members[i];

        if (ends.first && is_awaited(needs, member)) {
            has_memory = mwa_host_offsets_take(offsets, member->rank, ends.first->rank,
                                               member->begin->enter, ends.first->end->leave);
        }
        if (ends.last && awaits_all(needs, member) && has_memory) {
            has_memory = mwa_host_offsets_take(offsets, ends.last->rank, member->rank,
                                               ends.last->begin->enter, member->end->leave);
        }
    }
    return has_memory;
}

static int best_first(const void *left, const void *right)
{
    const struct pair *one = left, *other = right;

    return mw_order(one->open, other->open) ?: mw_order(one->one, other->one)
               ?: mw_order(one->other, other->other);
}

static struct pair both_ways(const struct mwa_key *key, uint64_t out, uint64_t back)
{
    const int64_t there = (int64_t)(out - MIDDLE), here = (int64_t)(back - MIDDLE);

    return (struct pair){ .one = (uint32_t)key->high,
                          .other = (uint32_t)key->low,
                          .ahead = (there < 0) != (here < 0) ? (there - here) / 2 : 0,
                          .open = (uint64_t)llabs(there + here) };
}

/* Comes behind all that are known both ways, what is out of order last. Moved by as much as each
 * other, the two stay as they are. */
static struct pair one_way(const struct mwa_key *key, uint64_t out)
{
    return (struct pair){ .one = (uint32_t)key->high,
                          .other = (uint32_t)key->low,
                          .open = out >= MIDDLE ? MIDDLE + out : 4 * MIDDLE - out };
}

/* Lists the pairs of hosts, the best known first; pairs has room for all. */
static uint64_t list_pairs(const struct mwa_map *least, struct pair *pairs)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < least->capacity; i++) {
        const struct mwa_map_slot *slot = &least->slots[i];
        const struct mwa_key key = { slot->key.low, slot->key.high };
        uint64_t back;

        if (slot->value == MWA_MAP_ABSENT) {
            continue;
        }
        back = mwa_map_get(least, key);
        if (back == MWA_MAP_ABSENT) {
            pairs[count++] = one_way(&slot->key, slot->value);
        } else if (slot->key.high < slot->key.low) {
            pairs[count++] = both_ways(&slot->key, slot->value, back);
        }
    }
    if (count > 0) {
        qsort(pairs, count, sizeof *pairs, best_first);
    }
    return count;
}

/* Hosts that are known to each other have one group, and how far each is ahead of its first. */
struct groups {
    uint32_t *of;
    int64_t *ahead;
    uint64_t hosts;
};

static void join(struct groups *groups, const struct pair *pair)
{
    const uint32_t group = groups->of[pair->one], joined = groups->of[pair->other];
    const int64_t by = bounded(groups->ahead[pair->one] + pair->ahead) -
                       groups->ahead[pair->other];

    for (uint64_t i = 0; group != joined && i < groups->hosts; i++) {
        if (groups->of[i] == joined) {
            groups->of[i] = group;
            groups->ahead[i] = bounded(groups->ahead[i] + by);
        }
    }
}

/* furthest has room for all hosts. */
static bool tell_behind(const struct groups *groups, int64_t *furthest, uint64_t *behind)
{
    bool are_off = false;

    for (uint64_t i = 0; i < groups->hosts; i++) {
        int64_t *most = &furthest[groups->of[i]];

        *most = groups->ahead[i] > *most ? groups->ahead[i] : *most;
    }
    for (uint64_t i = 0; i < groups->hosts; i++) {
        behind[i] = (uint64_t)(furthest[groups->of[i]] - groups->ahead[i]);
        are_off |= behind[i] > 0;
    }
    return are_off;
}

enum mw_status mwa_host_offsets_find(const struct mwa_host_offsets *offsets, uint64_t *behind,
                                     bool *are_off)
{
    const uint64_t hosts = offsets->rules->host_count;
    struct pair *pairs = calloc(offsets->least.count + 1, sizeof *pairs);
    int64_t *furthest = calloc(hosts + 1, sizeof *furthest);
    struct groups groups = { .of = calloc(hosts + 1, sizeof *groups.of),
                             .ahead = calloc(hosts + 1, sizeof *groups.ahead),
                             .hosts = hosts };
    const bool has_memory = pairs && furthest && groups.of && groups.ahead;

    for (uint64_t i = 0; has_memory && i < hosts; i++) {
        groups.of[i] = (uint32_t)i;
    }
    if (has_memory) {
        const uint64_t count = list_pairs(&offsets->least, pairs);

        for (uint64_t i = 0; i < count; i++) {
            join(&groups, &pairs[i]);
        }
        *are_off = tell_behind(&groups, furthest, behind);
    }
    free(pairs);
    free(furthest);
    free(groups.of);
    free(groups.ahead);
    return has_memory ? MW_OK : MW_ERROR_MEMORY;
}

void mwa_host_offsets_fini(struct mwa_host_offsets *offsets)
{
    mwa_map_fini(&offsets->least);
}
