#include "formats/merge/merge_sites.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return mw_hash_bytes(hash, text, strlen(text) + 1);
}

/* --- modules -------------------------------------------------------------------- */

static bool module_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_module *module = &((const struct mw_merged_module *)context)[index];
    const struct mw_define_module *define = key;

    return strcmp(module->path, define->path) == 0 &&
           strcmp(module->build_id, define->build_id) == 0;
}

/* Its index, which may be new; MW_INDEX_NONE without memory. */
static uint32_t share_module(struct mw_merged_sites *sites, const struct mw_define_module *define)
{
    uint64_t hash = hash_text(hash_text(MW_HASH_START, define->path), define->build_id);
    uint32_t index = mw_index_find(&sites->by_module, hash, module_is, sites->modules, define);

    if (index != MW_INDEX_NONE) {
        return index;
    }
    index = sites->module_count;
    if (!mw_array_grow((void **)&sites->modules, index, sizeof *sites->modules) ||
        !mw_index_add(&sites->by_module, hash, index)) {
        return MW_INDEX_NONE;
    }
    sites->modules[sites->module_count++] =
        (struct mw_merged_module){.path = define->path, .build_id = define->build_id};
    return index;
}

/* --- sites ------------------------------------------------------------------------ */

static bool site_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_site *one = &((const struct mw_merged_site *)context)[index];
    const struct mw_merged_site *other = key;

    return one->call == other->call && one->module == other->module &&
           one->address == other->address;
}

static uint32_t share_site(struct mw_merged_sites *sites, const struct mw_merged_site *site)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, &site->address, sizeof site->address);
    uint32_t index;

    hash = mw_hash_bytes(hash, &site->call, sizeof site->call);
    hash = mw_hash_bytes(hash, &site->module, sizeof site->module);
    index = mw_index_find(&sites->by_site, hash, site_is, sites->sites, site);
    if (index != MW_INDEX_NONE) {
        return index;
    }
    index = sites->site_count;
    if (!mw_array_grow((void **)&sites->sites, index, sizeof *sites->sites) ||
        !mw_index_add(&sites->by_site, hash, index)) {
        return MW_INDEX_NONE;
    }
    sites->sites[sites->site_count++] = *site;
    return index;
}

/* The next of a process's own numbers is index. */
static bool add_index(uint32_t **indices, uint32_t *count, uint32_t index)
{
    if (index == MW_INDEX_NONE || !mw_array_grow((void **)indices, *count, sizeof **indices)) {
        return false;
    }
    (*indices)[(*count)++] = index;
    return true;
}

bool mw_merge_site(struct mw_merged_sites *sites, struct mw_site_map *map,
                   const struct mw_definition *definition)
{
    const struct mw_define_site *define = &definition->of.site;

    if (definition->kind == MW_DEFINE_MODULE) {
        return add_index(&map->modules, &map->module_count,
                         share_module(sites, &definition->of.module));
    }
    return add_index(&map->sites, &map->site_count,
                     share_site(sites, &(struct mw_merged_site){
                                           .call = define->call,
                                           .module = map->modules[define->module],
                                           .address = define->address,
                                           .place = MW_SITE_NONE,
                                       }));
}

/* --- places ------------------------------------------------------------------------- */

static bool place_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_place *one = &((const struct mw_merged_place *)context)[index];
    const struct mw_merged_place *other = key;

    return one->call == other->call && one->line == other->line &&
           strcmp(one->file, other->file) == 0 && strcmp(one->function, other->function) == 0;
}

static uint32_t share_place(struct mw_merged_sites *sites, const struct mw_merged_place *place)
{
    uint64_t hash = hash_text(hash_text(MW_HASH_START, place->file), place->function);
    struct mw_merged_place added = *place;
    uint32_t index;

    hash = mw_hash_bytes(hash, &place->line, sizeof place->line);
    hash = mw_hash_bytes(hash, &place->call, sizeof place->call);
    index = mw_index_find(&sites->by_place, hash, place_is, sites->places, place);
    if (index != MW_INDEX_NONE) {
        return index;
    }
    index = sites->place_count;
    added.file = strdup(place->file);
    added.function = strdup(place->function);
    if (!added.file || !added.function ||
        !mw_array_grow((void **)&sites->places, index, sizeof *sites->places) ||
        !mw_index_add(&sites->by_place, hash, index)) {
        free(added.file);
        free(added.function);
        return MW_INDEX_NONE;
    }
    sites->places[sites->place_count++] = added;
    return index;
}

bool mw_merged_sites_put(struct mw_merged_sites *sites, uint32_t site, const char *file,
                         uint32_t line, const char *function)
{
    struct mw_merged_place place = {.call = sites->sites[site].call,
                                    .line = line,
                                    .file = (char *)file,
                                    .function = (char *)function};
    uint32_t index = share_place(sites, &place);

    sites->sites[site].place = index;
    return index != MW_INDEX_NONE;
}

/* --- the end --------------------------------------------------------------------------- */

void mw_merged_sites_fini(struct mw_merged_sites *sites)
{
    for (uint32_t i = 0; i < sites->place_count; i++) {
        free(sites->places[i].file);
        free(sites->places[i].function);
    }
    free(sites->places);
    free(sites->sites);
    free(sites->modules);
    mw_index_fini(&sites->by_module);
    mw_index_fini(&sites->by_site);
    mw_index_fini(&sites->by_place);
    memset(sites, 0, sizeof *sites);
}

void mw_site_map_fini(struct mw_site_map *map)
{
    free(map->modules);
    free(map->sites);
    memset(map, 0, sizeof *map);
}

void mw_site_map_append(const struct mw_site_map *map, const struct mw_merged_sites *sites,
                        uint32_t first_region, struct mw_buffer *buffer)
{
    mw_buffer_append(buffer, &map->site_count, sizeof map->site_count);
    for (uint32_t i = 0; i < map->site_count; i++) {
        uint32_t id = first_region + sites->sites[map->sites[i]].place;

        mw_buffer_append(buffer, &id, sizeof id);
    }
}
