#ifndef MW_FORMATS_MERGE_MERGE_USER_H
#define MW_FORMATS_MERGE_MERGE_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/index_table.h"
#include "formats/spool/definition.h"

/*
 * What programs said by the API, and what was filtered, of all processes: regions and texts
 * by their words, registrations by communicator, filtered calls summed up. A part of
 * formats/merge.
 */

struct mw_merge_part;
struct mw_merged;
struct mw_merged_name;

/* The ids, by the process's own numbers. */
struct mw_user_map {
    uint32_t *regions; /* among the program's regions, from 0 */
    uint32_t region_count;
    uint32_t *texts;
    uint32_t text_count;
};

/* From when to when a rank had a communicator registered; ns on its own clock. */
struct mw_merged_registration {
    uint32_t rank;
    uint32_t next; /* of the same communicator, by rank and time; MW_MERGED_NONE: the last */
    const char *name;
    uint64_t from;
    uint64_t to; /* 0: until it was freed, or to the end */
};

struct mw_merged_filtered {
    uint32_t comm; /* id, MW_MERGED_NONE: one of those not told apart */
    uint32_t call;
    uint64_t calls;
    uint64_t bytes_sent;
    uint64_t bytes_received;
};

struct mw_merged_user {
    const char **regions;
    uint32_t region_count;
    const char **texts;
    uint32_t text_count;
    struct mw_merged_registration *registrations;
    uint32_t registration_count;
    struct mw_merged_filtered *filtered;
    uint32_t filtered_count;
    struct mw_index_table by_region;
    struct mw_index_table by_text;
    struct mw_index_table by_filtered;
};

/*
 * Takes in a definition of rank, of a kind from MW_DEFINE_REGION to _MISUSE, or
 * MW_DEFINE_FILTERED. False without memory.
 */
bool mw_merge_user(struct mw_merged *merged, uint32_t rank,
                   const struct mw_definition *definition);

/*
 * Begins or ends a registration, if given is of such a source. Ranks come one after the
 * other, and what a rank says in the order of time. False without memory.
 */
bool mw_merge_registered(struct mw_merged *merged, const struct mw_merged_name *given);

/*
 * Adds part's tallies, which count in the place of MW_DEFINE_FILTERED, when its definitions
 * have been added. False without memory.
 */
bool mw_merge_tallies(struct mw_merged *merged, const struct mw_merge_part *part);

/* The filtered calls by communicator and call. */
void mw_merge_sort_filtered(struct mw_merged *merged);

void mw_merged_user_fini(struct mw_merged_user *user);
void mw_user_map_fini(struct mw_user_map *map);

/*
 * Puts a map behind what is in the buffer, regions as ids in the archive (from
 * first_region), and takes it out; false: it is not all there, or there is no memory.
 */
void mw_user_map_append(const struct mw_user_map *map, uint32_t first_region,
                        struct mw_buffer *buffer);
bool mw_user_map_take(struct mw_cursor *cursor, struct mw_user_map *map);

#endif
