#include "analyzer/exchange/exchange_engine.h"

#include <stdlib.h>

#include "formats/base/order.h"

/*
 * Whom members of collectives wait for where that is not everybody. A member that waits watches
 * one of its sources at a time, the first that has not begun: so a collective costs as much as
 * there are sources, whatever the order in which they begin.
 */

/* So many ranks are looked at, in all groups: no honest archive has as many. */
#define RANKS_MAX (UINT64_C(1) << 28)

/* The positions of a group's ranks in comm; null without memory. */
static struct mwa_sources *make(struct mwa_positions *positions, uint32_t comm,
                                const struct mwa_group *group)
{
    struct mwa_sources *made =
        malloc(sizeof *made + ((uint64_t)group->count + 1) * sizeof made->positions[0]);
    uint32_t count = 0;

    for (uint32_t i = 0; made && i < group->count; i++) {
        uint32_t position = mwa_positions_find(positions, comm, group->ranks[i]);

        if (position != MWA_NONE) {
            made->positions[count++] = position;
        }
    }
    if (made) {
        qsort(made->positions, count, sizeof made->positions[0], mw_order_u32);
        made->count = count;
    }
    return made;
}

enum mw_status mwa_exchange_sources_find(struct mwa_exchange *exchange, uint32_t comm,
                                         const struct mwa_group *group,
                                         const struct mwa_sources **sources)
{
    struct mwa_exchange_groups *groups = &exchange->groups;
    const struct mwa_key key = { comm, group ? (uint64_t)(group - exchange->trace->groups) : 0 };
    uint64_t known;

    *sources = NULL;
    if (!group || group->self) {
        return MW_OK;
    }
    known = mwa_map_get(&groups->sources, key);
    if (known == MWA_MAP_ABSENT) {
        struct mwa_sources *made;

        if (group->count > RANKS_MAX - groups->source_ranks) {
            return MW_OK;
        }
        groups->source_ranks += group->count;
        made = make(&groups->positions, comm, group);
        known = (uintptr_t)made;
        if (!made || !mwa_map_put(&groups->sources, key, known)) {
            free(made);
            return MW_ERROR_MEMORY;
        }
    }
    *sources = (const struct mwa_sources *)(uintptr_t)known;
    return MW_OK;
}

void mwa_exchange_sources_fini(struct mwa_exchange *exchange)
{
    struct mwa_map *table = &exchange->groups.sources;

    for (uint64_t i = 0; i < table->capacity; i++) {
        if (table->slots[i].value != MWA_MAP_ABSENT) {
            free((void *)(uintptr_t)table->slots[i].value);
        }
    }
    mwa_map_fini(table);
}

bool mwa_exchange_sources_are_served(struct mwa_member *member)
{
    const struct mwa_sources *sources = member->sources;

    while (member->served < sources->count) {
        const struct mwa_member *source =
            &member->collective->members[sources->positions[member->served]];

        if (!source->begin || !source->begin->has_begun) {
            return false;
        }
        member->served++;
    }
    return true;
}

void mwa_exchange_sources_watch(struct mwa_member *member)
{
    struct mwa_member *source =
        &member->collective->members[member->sources->positions[member->served]];

    member->next_watcher = source->watchers;
    source->watchers = member;
}

void mwa_exchange_sources_begun(struct mwa_exchange *exchange, struct mwa_member *member)
{
    struct mwa_member *watcher = member->watchers;
    struct mwa_member *next;

    member->watchers = NULL;
    for (; watcher; watcher = next) {
        next = watcher->next_watcher;
        if (!watcher->waits) {
            continue;
        }
        if (!mwa_exchange_sources_are_served(watcher)) {
            mwa_exchange_sources_watch(watcher);
            continue;
        }
        watcher->waits = false;
        if (!watcher->end->has_ended) {
            mwa_exchange_decide(exchange, watcher->end);
        }
    }
}
