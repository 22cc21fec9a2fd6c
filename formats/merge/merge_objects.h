#ifndef MW_FORMATS_MERGE_MERGE_OBJECTS_H
#define MW_FORMATS_MERGE_MERGE_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/base/buffer.h"
#include "formats/base/index_table.h"
#include "formats/spool/definition.h"

/*
 * Windows, files and open files of all processes made one, as formats/merge does it with
 * communicators: told by their uid, numbered 0, 1, … within their kind.
 */

struct mw_merged_object {
    struct mw_define_object define; /* of the first that told it; texts as there */
    uint32_t id;                    /* among those of its kind */
    const char *name;               /* given later, or null */
};

struct mw_merged_objects {
    struct mw_merged_object *objects;
    uint32_t count;
    uint32_t counts[MW_OBJECT_KIND_COUNT];
    struct mw_index_table by_uid;
};

/* Ids by a process's own numbers; UINT32_MAX: not defined. A zeroed one is empty. */
struct mw_object_map {
    uint32_t *ids[MW_OBJECT_KIND_COUNT];
    uint32_t counts[MW_OBJECT_KIND_COUNT];
};

/* Adds what a process tells; nonsense is left out. False without memory. */
bool mw_objects_add(struct mw_merged_objects *objects, struct mw_object_map *map,
                    const struct mw_define_object *define);

/* A name that a process gave; the first one of each object counts. */
void mw_objects_name(struct mw_merged_objects *objects, const struct mw_object_map *map,
                     const struct mw_define_object_name *define);

/* The object of kind that has uid; null if there is none. */
const struct mw_merged_object *mw_objects_find(const struct mw_merged_objects *objects,
                                               uint32_t kind, struct mw_uid uid);

void mw_objects_fini(struct mw_merged_objects *objects);
void mw_object_map_fini(struct mw_object_map *map);

/* Puts a map behind what is in the buffer, and takes it out; false: it is not all there. */
void mw_object_map_append(const struct mw_object_map *map, struct mw_buffer *buffer);
bool mw_object_map_take(struct mw_cursor *cursor, struct mw_object_map *map);

#endif
