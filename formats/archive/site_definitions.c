/*
 * A place is a region of its own with the function's name, and no attribute of each event: profiles
 * by name are what they were, every tool shows a region's source, and events are no longer for it.
 * So is a stack: the region leads to its one calling context, and that to those around it.
 */
#include "formats/archive/site_definitions.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/base/index_table.h"
#include "formats/table/calls.h"
#include "formats/table/region_role.h"

/* Strings that many places share: written when the first one needs them. */
struct strings {
    struct mw_defining *defining;
    const char **list; /* files */
    uint32_t *ids;
    uint32_t count;
    struct mw_index_table table;
    uint32_t names[MW_CALL_COUNT]; /* id + 1; 0: not yet */
    uint32_t groups[MW_GROUP_COUNT];
};

static bool string_is(const void *list, uint32_t index, const void *key)
{
    return strcmp(((const char *const *)list)[index], key) == 0;
}

static uint32_t file_string(struct strings *strings, const char *file)
{
    const uint64_t hash = mw_hash_bytes(MW_HASH_START, file, strlen(file));
    const uint32_t index = mw_index_find(&strings->table, hash, string_is, strings->list, file);

    if (index != MW_INDEX_NONE) {
        return strings->ids[index];
    }
    if (!mw_array_grow((void **)&strings->list, strings->count, sizeof *strings->list) ||
        !mw_array_grow((void **)&strings->ids, strings->count, sizeof *strings->ids) ||
        !mw_index_add(&strings->table, hash, strings->count)) {
        strings->defining->out_of_memory = true;
        return OTF2_UNDEFINED_STRING;
    }
    strings->list[strings->count] = file;
    strings->ids[strings->count] = mw_defining_string(strings->defining, file);
    return strings->ids[strings->count++];
}

static void define_place(struct strings *strings, const struct mw_merged_place *place, uint32_t id)
{
    struct mw_defining *defining = strings->defining;
    uint32_t *name = &strings->names[place->call];
    const enum mw_group kind = mw_call_group(place->call);
    uint32_t *group = &strings->groups[kind];
    uint32_t file = file_string(strings, place->file);

    if (*name == 0) {
        *name = 1 + mw_defining_string(defining, mw_call_name(place->call));
    }
    if (*group == 0) {
        *group = 1 + mw_defining_string(defining, mw_group_name(kind));
    }
    mw_defining_note(defining, OTF2_GlobalDefWriter_WriteRegion(
                                   defining->writer, id, *name - 1, *name - 1, *group - 1,
                                   mw_region_role(place->call), OTF2_PARADIGM_MPI,
                                   OTF2_REGION_FLAG_NONE, file, place->line, place->line));
}

void mw_site_definitions_write(struct mw_defining *defining, uint32_t first)
{
    const struct mw_merged_sites *sites = &defining->merged->sites;
    struct strings strings = { .defining = defining };

    for (uint32_t i = 0; i < sites->place_count; i++) {
        define_place(&strings, &sites->places[i], first + i);
    }
    free(strings.list);
    free(strings.ids);
    mw_index_fini(&strings.table);
}
