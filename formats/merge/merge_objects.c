/*
 * Windows and files are one list with a kind, since they differ in nothing but
 * what OTF2 calls them.
 */
#include "formats/merge/merge_objects.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"

struct key {
    uint32_t kind;
    struct mw_uid uid;
};

static bool object_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_define_object *define =
        &((const struct mw_merged_object *)context)[index].define;
    const struct key *wanted = key;

    return define->kind == wanted->kind && mw_uid_equal(define->uid, wanted->uid);
}

static uint32_t find(const struct mw_merged_objects *objects, uint32_t kind, struct mw_uid uid)
{
    struct key key = {kind, uid};

    return mw_index_find(&objects->by_uid, uid.high ^ uid.low ^ kind, object_is,
                         objects->objects, &key);
}

const struct mw_merged_object *mw_objects_find(const struct mw_merged_objects *objects,
                                               uint32_t kind, struct mw_uid uid)
{
    uint32_t index = find(objects, kind, uid);

    return index != MW_INDEX_NONE ? &objects->objects[index] : NULL;
}

/* Adds an object that no process has told yet; MW_INDEX_NONE without memory. */
static uint32_t append(struct mw_merged_objects *objects, const struct mw_define_object *define)
{
    uint32_t index = objects->count;

    if (!mw_array_grow((void **)&objects->objects, index, sizeof *objects->objects) ||
        !mw_index_add(&objects->by_uid, define->uid.high ^ define->uid.low ^ define->kind,
                      index)) {
        return MW_INDEX_NONE;
    }
    objects->objects[index] = (struct mw_merged_object){
        .define = *define,
        .id = objects->counts[define->kind]++,
    };
    objects->count++;
    return index;
}

/* Makes room for number in the map of kind. */
static bool widen(struct mw_object_map *map, uint32_t kind, uint32_t number)
{
    uint32_t count = map->counts[kind];
    uint32_t *grown;

    if (number < count) {
        return true;
    }
    grown = realloc(map->ids[kind], (number + number / 2 + 8) * sizeof *grown);
    if (!grown) {
        return false;
    }
    memset(grown + count, 0xff, (number + 1 - count) * sizeof *grown);
    map->ids[kind] = grown;
    map->counts[kind] = number + 1;
    return true;
}

bool mw_objects_add(struct mw_merged_objects *objects, struct mw_object_map *map,
                    const struct mw_define_object *define)
{
    uint32_t index;

    index = find(objects, define->kind, define->uid);
    if (index == MW_INDEX_NONE) {
        index = append(objects, define);
    }
    if (index == MW_INDEX_NONE || !widen(map, define->kind, define->number)) {
        return false;
    }
    map->ids[define->kind][define->number] = objects->objects[index].id;
    return true;
}

void mw_objects_name(struct mw_merged_objects *objects, const struct mw_object_map *map,
                     const struct mw_define_object_name *define)
{
    if (define->kind >= MW_OBJECT_KIND_COUNT || define->number >= map->counts[define->kind]) {
        return;
    }
    for (uint32_t i = 0; i < objects->count; i++) {
        struct mw_merged_object *object = &objects->objects[i];

        if (object->define.kind == define->kind &&
            object->id == map->ids[define->kind][define->number]) {
            object->name = object->name ? object->name : define->name;
            return;
        }
    }
}

void mw_objects_fini(struct mw_merged_objects *objects)
{
    free(objects->objects);
    mw_index_fini(&objects->by_uid);
    memset(objects, 0, sizeof *objects);
}

void mw_object_map_fini(struct mw_object_map *map)
{
    for (unsigned kind = 0; kind < MW_OBJECT_KIND_COUNT; kind++) {
        free(map->ids[kind]);
    }
    memset(map, 0, sizeof *map);
}

void mw_object_map_append(const struct mw_object_map *map, struct mw_buffer *buffer)
{
    for (unsigned kind = 0; kind < MW_OBJECT_KIND_COUNT; kind++) {
        mw_buffer_append(buffer, &map->counts[kind], sizeof map->counts[kind]);
        mw_buffer_append(buffer, map->ids[kind], map->counts[kind] * sizeof *map->ids[kind]);
    }
}

bool mw_object_map_take(struct mw_cursor *cursor, struct mw_object_map *map)
{
    memset(map, 0, sizeof *map);
    for (unsigned kind = 0; kind < MW_OBJECT_KIND_COUNT; kind++) {
        uint32_t count;

        if (!mw_cursor_take(cursor, &count, sizeof count) ||
            count > cursor->left / sizeof(uint32_t)) {
            return false;
        }
        map->ids[kind] = malloc((count > 0 ? count : 1) * sizeof(uint32_t));
        if (!map->ids[kind]) {
            return false;
        }
        map->counts[kind] = count;
        (void)mw_cursor_take(cursor, map->ids[kind], count * sizeof(uint32_t));
    }
    return true;
}
