#ifndef MW_FORMATS_MERGE_MERGE_GROUPS_H
#define MW_FORMATS_MERGE_MERGE_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/merge/merge_members.h"
#include "formats/spool/definition.h"

/*
 * Groups of world ranks, equal ones shared: those of communicators, and the sets of those that
 * a process gets something from in a collective operation. A part of formats/merge.
 */

struct mw_merged;

/* A process's sets, by its own numbers. */
struct mw_source_map {
    struct mw_define_sources *defines; /* as told, while they are merged */
    uint32_t *groups; /* index in merged's groups, or a group's id; MW_MERGED_NONE: not known */
    uint32_t count;
};

/*
 * The index of the group of members, which are settled; it may be new and then refers to them.
 * False without memory.
 */
bool mw_merge_share_group(struct mw_merged *merged, const struct mw_members *members,
                          uint32_t *group);

/* Takes in a definition of the process that map is of. False without memory. */
bool mw_merge_sources(struct mw_source_map *map, const struct mw_define_sources *define);

/* Finds all sets' groups, when members of communicators are known. False without memory. */
bool mw_merge_source_groups(struct mw_merged *merged);

/*
 * Gives processes with several threads their contingents' ids, behind those of the
 * communicators, when all have been merged.
 */
void mw_merge_number_contingents(struct mw_merged *merged);

void mw_merged_source_groups_fini(struct mw_merged *merged);
void mw_source_map_fini(struct mw_source_map *map);

/*
 * Puts a map behind what is in the buffer, groups as ids in the archive (from first_group),
 * and takes it out; false: it is not all there, or there is no memory.
 */
void mw_source_map_append(const struct mw_source_map *map, uint32_t first_group,
                          struct mw_buffer *buffer);
bool mw_source_map_take(struct mw_cursor *cursor, struct mw_source_map *map);

#endif
