/*
 * Many communicators have the same members, above all duplicates: groups are found
 * by their content, so that an archive grows with different groups and not with
 * communicators.
 */
#include "formats/merge/merge_groups.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/base/order.h"
#include "formats/merge/merge.h"
#include "formats/spool/record.h"

static bool members_are(const void *context, uint32_t index, const void *key)
{
    return mw_members_equal(((const struct mw_members *const *)context)[index], key);
}

bool mw_merge_share_group(struct mw_merged *merged, const struct mw_members *members,
                          uint32_t *group)
{
    uint64_t hash = mw_members_hash(members);

    *group = mw_index_find(&merged->by_members, hash, members_are, merged->groups, members);
    if (*group != MW_INDEX_NONE) {
        return true;
    }
    if (!mw_array_grow((void **)&merged->groups, merged->group_count, sizeof *merged->groups)) {
        return false;
    }
    *group = merged->group_count++;
    merged->groups[*group] = members;
    return mw_index_add(&merged->by_members, hash, *group);
}

/* --- sets of sources ------------------------------------------------------------ */

bool mw_merge_sources(struct mw_source_map *map, const struct mw_define_sources *define)
{
    uint32_t *ranks = malloc((define->count + (size_t)1) * sizeof *ranks);

    if (!ranks || !mw_array_grow((void **)&map->defines, map->count, sizeof *map->defines)) {
        free(ranks);
        return false;
    }
    if (define->count > 0) {
        memcpy(ranks, define->ranks, define->count * sizeof *ranks);
    }
    map->defines[map->count] = *define;
    map->defines[map->count++].ranks = ranks;
    return true;
}

/* Fills ranks with the world ranks of a set; false: one of them is not known. */
static bool find_ranks(const struct mw_merged *merged, const struct mw_merged_rank *rank,
                       const struct mw_define_sources *define, uint32_t *ranks)
{
    uint32_t id = mw_merged_comm_of(rank, define->comm);
    const struct mw_merged_comm *comm = id < merged->comm_count ? &merged->comms[id] : NULL;

    if (!comm || comm->side_count != 1) {
        return false;
    }
    for (uint32_t i = 0; i < define->count; i++) {
        uint32_t member = define->ranks[i];

        if (member >= comm->sides[0].members.size) {
            return false;
        }
        ranks[i] = mw_members_at(&comm->sides[0].members, member);
        if (ranks[i] == MW_MERGED_NONE) {
            return false;
        }
    }
    qsort(ranks, define->count, sizeof *ranks, mw_order_u32);
    return true;
}

/* A group of its own for ranks; null without memory. */
static struct mw_members *make_members(const uint32_t *ranks, uint32_t count)
{
    struct mw_members *members = calloc(1, sizeof *members);
    bool enough = members;

    for (uint32_t i = 0; enough && i < count; i++) {
        bool agrees;

        members->size = count;
        enough = mw_members_set(members, i, ranks[i], &agrees);
    }
    if (!enough || !mw_members_settle(members)) {
        if (members) {
            mw_members_fini(members);
        }
        free(members);
        return NULL;
    }
    return members;
}

/* Shares the group of ranks, which is kept if it is new. False without memory. */
static bool share_ranks(struct mw_merged *merged, const uint32_t *ranks, uint32_t count,
                        uint32_t *group)
{
    struct mw_members *members = make_members(ranks, count);
    uint32_t before = merged->group_count;
    bool enough;

    if (!members || !mw_array_grow((void **)&merged->source_groups, merged->source_group_count,
                                   sizeof *merged->source_groups)) {
        if (members) {
            mw_members_fini(members);
        }
        free(members);
        return false;
    }
    enough = mw_merge_share_group(merged, members, group);
    if (merged->group_count > before) {
        merged->source_groups[merged->source_group_count++] = members;
    } else {
        mw_members_fini(members);
        free(members);
    }
    return enough;
}

/* Finds the group of one set. */
static bool find_group(struct mw_merged *merged, const struct mw_merged_rank *rank,
                       const struct mw_define_sources *define, uint32_t *group)
{
    uint32_t *ranks = malloc((define->count > 0 ? define->count : 1) * sizeof *ranks);
    bool enough = ranks;

    *group = MW_MERGED_NONE;
    if (enough && find_ranks(merged, rank, define, ranks)) {
        enough = share_ranks(merged, ranks, define->count, group);
    }
    free(ranks);
    return enough;
}

/* Frees the sets as they were told. */
static void free_defines(struct mw_source_map *map)
{
    for (uint32_t i = 0; map->defines && i < map->count; i++) {
        free((void *)(uintptr_t)map->defines[i].ranks);
    }
    free(map->defines);
    map->defines = NULL;
}

bool mw_merge_source_groups(struct mw_merged *merged)
{
    for (uint32_t i = 0; i < merged->rank_count; i++) {
        struct mw_merged_rank *rank = &merged->ranks[i];
        struct mw_source_map *map = &rank->sources;

        if (map->count == 0) {
            continue;
        }
        map->groups = malloc(map->count * sizeof *map->groups);
        if (!map->groups) {
            return false;
        }
        for (uint32_t k = 0; k < map->count; k++) {
            if (!find_group(merged, rank, &map->defines[k], &map->groups[k])) {
                return false;
            }
        }
        free_defines(map);
    }
    return true;
}

void mw_merged_source_groups_fini(struct mw_merged *merged)
{
    for (uint32_t i = 0; i < merged->source_group_count; i++) {
        mw_members_fini(merged->source_groups[i]);
        free(merged->source_groups[i]);
    }
    free(merged->source_groups);
}

/* --- maps ------------------------------------------------------------------------ */

void mw_source_map_fini(struct mw_source_map *map)
{
    free_defines(map);
    free(map->groups);
    memset(map, 0, sizeof *map);
}

void mw_source_map_append(const struct mw_source_map *map, uint32_t first_group,
                          struct mw_buffer *buffer)
{
    mw_buffer_append(buffer, &map->count, sizeof map->count);
    for (uint32_t i = 0; i < map->count; i++) {
        uint32_t id = map->groups[i] == MW_MERGED_NONE ? MW_MERGED_NONE
                                                       : first_group + map->groups[i];

        mw_buffer_append(buffer, &id, sizeof id);
    }
}

bool mw_source_map_take(struct mw_cursor *cursor, struct mw_source_map *map)
{
    memset(map, 0, sizeof *map);
    if (!mw_cursor_take(cursor, &map->count, sizeof map->count) ||
        map->count > cursor->left / sizeof(uint32_t)) {
        map->count = 0;
        return false;
    }
    map->groups = malloc((map->count > 0 ? map->count : 1) * sizeof *map->groups);
    return map->groups && mw_cursor_take(cursor, map->groups, map->count * sizeof *map->groups);
}

/* Whether a thread besides the first was recorded. */
static bool has_threads(const struct mw_merged_rank *rank)
{
    for (uint32_t i = 0; i < rank->location_count; i++) {
        if (rank->locations[i].thread != 0) {
            return true;
        }
    }
    return false;
}

void mw_merge_number_contingents(struct mw_merged *merged)
{
    uint32_t next = merged->comm_count;

    for (uint32_t i = 0; i < merged->rank_count; i++) {
        merged->ranks[i].contingent =
            has_threads(&merged->ranks[i]) ? next++ : MW_MERGED_NONE;
    }
}
