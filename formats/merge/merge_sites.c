/*
 * What ranks have in common is asked for once: a thousand ranks call MPI from the same addresses.
 */
#include "formats/merge/merge_sites.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return mw_hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t hash_number(uint64_t hash, uint32_t number)
{
    return mw_hash_bytes(hash, &number, sizeof number);
}

/*
 * The index of key in an array of elements of so many bytes, behind whose last one it is put if it
 * is not there; MW_INDEX_NONE without memory.
 */
static uint32_t share(struct mw_index_table *table, void **array, uint32_t *count, size_t bytes,
                      uint64_t hash, mw_index_equal *equal, const void *key)
{
    uint32_t index = mw_index_find(table, hash, equal, *array, key);

    if (index != MW_INDEX_NONE) {
        return index;
    }
    if (!mw_array_grow(array, *count, bytes) || !mw_index_add(table, hash, *count)) {
        return MW_INDEX_NONE;
    }
    memcpy((char *)*array + *count * bytes, key, bytes);
    return (*count)++;
}

/* --- what processes tell ------------------------------------------------------------- */

static bool module_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_module *one = &((const struct mw_merged_module *)context)[index];
    const struct mw_merged_module *other = key;

    return strcmp(one->path, other->path) == 0 && strcmp(one->build_id, other->build_id) == 0;
}

static uint32_t share_module(struct mw_merged_sites *sites, const struct mw_define_module *define)
{
    struct mw_merged_module module = {.path = define->path, .build_id = define->build_id};
    uint64_t hash = hash_text(hash_text(MW_HASH_START, define->path), define->build_id);

    return share(&sites->by_module, (void **)&sites->modules, &sites->module_count, sizeof module,
                 hash, module_is, &module);
}

static bool spot_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_spot *one = &((const struct mw_merged_spot *)context)[index];
    const struct mw_merged_spot *other = key;

    return one->module == other->module && one->address == other->address &&
           one->call == other->call;
}

static uint32_t share_spot(struct mw_merged_sites *sites, uint32_t module, uint64_t address,
                           uint32_t call)
{
    struct mw_merged_spot spot = {.module = module, .address = address, .call = call};
    uint64_t hash = hash_number(
        hash_number(mw_hash_bytes(MW_HASH_START, &address, sizeof address), module), call);

    return share(&sites->by_spot, (void **)&sites->spots, &sites->spot_count, sizeof spot, hash,
                 spot_is, &spot);
}

uint32_t mw_merged_sites_spot(struct mw_merged_sites *sites, uint32_t module, uint64_t address)
{
    return share_spot(sites, module, address, MW_SPOT_OF_FRAME);
}

/* The spot of a line, which is what there is to know of it; its address is a number for it. */
static uint32_t share_line(struct mw_merged_sites *sites, uint32_t module, uint32_t line,
                           const char *function)
{
    uint64_t address = hash_text(MW_HASH_START, function) << 32 | line;
    uint32_t spot = share_spot(sites, module, address, MW_SPOT_OF_FRAME);

    if (spot != MW_INDEX_NONE && !sites->spots[spot].function) {
        sites->spots[spot].is_line = true;
        if (!mw_merged_sites_put(sites, spot, sites->modules[module].path, line, function)) {
            return MW_INDEX_NONE;
        }
    }
    return spot;
}

static bool frame_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_frame *one = &((const struct mw_merged_frame *)context)[index];
    const struct mw_merged_frame *other = key;

    return one->parent == other->parent && one->spot == other->spot;
}

/* The parent is an index of the process's own. */
static uint32_t share_frame(struct mw_merged_sites *sites, const struct mw_site_map *map,
                            uint32_t parent, uint32_t spot)
{
    struct mw_merged_frame frame = {
        .parent = parent < map->frame_count ? map->frames[parent] : parent,
        .spot = spot,
    };

    return frame.spot == MW_INDEX_NONE
               ? MW_INDEX_NONE
               : share(&sites->by_frame, (void **)&sites->frames, &sites->frame_count,
                       sizeof frame,
                       hash_number(hash_number(MW_HASH_START, frame.parent), frame.spot),
                       frame_is, &frame);
}

static bool site_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_site *one = &((const struct mw_merged_site *)context)[index];
    const struct mw_merged_site *other = key;

    return one->call == other->call && one->spot == other->spot && one->frame == other->frame;
}

static uint32_t share_site(struct mw_merged_sites *sites, uint32_t call, uint32_t spot,
                           uint32_t frame)
{
    struct mw_merged_site site = {.call = call, .spot = spot, .frame = frame};
    uint64_t hash = hash_number(hash_number(hash_number(MW_HASH_START, call), spot), frame);

    return spot == MW_INDEX_NONE ? MW_INDEX_NONE
                                 : share(&sites->by_site, (void **)&sites->sites,
                                         &sites->site_count, sizeof site, hash, site_is, &site);
}

/* The spot of the call that is made in a frame: it may be another function's, which the frame's
 * called last and which has left it none. */
static uint32_t spot_of_call(struct mw_merged_sites *sites, uint32_t frame, uint32_t call)
{
    const uint32_t spot = sites->frames[frame].spot;

    return sites->spots[spot].is_line ? spot
                                      : share_spot(sites, sites->spots[spot].module,
                                                   sites->spots[spot].address, call);
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
    const struct mw_define_site *site = &definition->of.site;
    const struct mw_define_stack *stack = &definition->of.stack;
    const struct mw_define_line *line = &definition->of.line;
    const struct mw_define_frame *of = &definition->of.frame;
    const struct mw_define_line_frame *line_frame = &definition->of.line_frame;
    uint32_t frame;

    switch (definition->kind) {
    case MW_DEFINE_MODULE:
        return add_index(&map->modules, &map->module_count,
                         share_module(sites, &definition->of.module));
    case MW_DEFINE_FRAME:
        return add_index(&map->frames, &map->frame_count,
                         share_frame(sites, map, of->parent,
                                     share_spot(sites, map->modules[of->module], of->address,
                                                MW_SPOT_OF_FRAME)));
    case MW_DEFINE_LINE_FRAME:
        return add_index(&map->frames, &map->frame_count,
                         share_frame(sites, map, line_frame->parent,
                                     share_line(sites, map->modules[line_frame->module],
                                                line_frame->line, line_frame->function)));
    case MW_DEFINE_STACK:
        frame = map->frames[stack->frame];
        return add_index(&map->sites, &map->site_count,
                         share_site(sites, stack->call, spot_of_call(sites, frame, stack->call),
                                    frame));
    case MW_DEFINE_LINE:
        return add_index(&map->sites, &map->site_count,
                         share_site(sites, line->call,
                                    share_line(sites, map->modules[line->module], line->line,
                                               line->function),
                                    MW_FRAME_NONE));
    default:
        return add_index(&map->sites, &map->site_count,
                         share_site(sites, site->call,
                                    share_spot(sites, map->modules[site->module], site->address,
                                               site->call),
                                    MW_FRAME_NONE));
    }
}

/* --- what that is in the source --------------------------------------------------------- */

bool mw_merged_sites_put(struct mw_merged_sites *sites, uint32_t spot, const char *file,
                         uint32_t line, const char *function)
{
    struct mw_merged_spot *of = &sites->spots[spot];

    of->line = line;
    of->file = strdup(file);
    of->function = strdup(function);
    return of->file && of->function;
}

static bool context_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_context *one = &((const struct mw_merged_context *)context)[index];
    const struct mw_merged_context *other = key;

    return one->parent == other->parent && one->line == other->line &&
           strcmp(one->file, other->file) == 0 && strcmp(one->function, other->function) == 0;
}

static uint32_t share_context(struct mw_merged_sites *sites, const struct mw_merged_frame *frame)
{
    const struct mw_merged_spot *spot = &sites->spots[frame->spot];
    struct mw_merged_context context = {
        .parent = frame->parent < sites->frame_count ? sites->frames[frame->parent].context
                                                     : frame->parent,
        .line = spot->line,
        .file = spot->file,
        .function = spot->function,
    };
    uint64_t hash = hash_text(hash_text(MW_HASH_START, context.file), context.function);

    hash = hash_number(hash_number(hash, context.line), context.parent);
    return share(&sites->by_context, (void **)&sites->contexts, &sites->context_count,
                 sizeof context, hash, context_is, &context);
}

static bool place_is(const void *context, uint32_t index, const void *key)
{
    const struct mw_merged_place *one = &((const struct mw_merged_place *)context)[index];
    const struct mw_merged_place *other = key;

    return one->call == other->call && one->context == other->context &&
           one->line == other->line && strcmp(one->file, other->file) == 0 &&
           strcmp(one->function, other->function) == 0;
}

static uint32_t share_place(struct mw_merged_sites *sites, const struct mw_merged_site *site)
{
    const struct mw_merged_spot *spot = &sites->spots[site->spot];
    struct mw_merged_place place = {
        .call = site->call,
        .context =
            site->frame == MW_FRAME_NONE ? MW_CONTEXT_NONE : sites->frames[site->frame].context,
        .line = spot->line,
        .file = spot->file,
        .function = spot->function,
    };
    uint64_t hash = hash_text(hash_text(MW_HASH_START, place.file), place.function);

    hash = hash_number(hash_number(hash_number(hash, place.line), place.call), place.context);
    return share(&sites->by_place, (void **)&sites->places, &sites->place_count, sizeof place,
                 hash, place_is, &place);
}

bool mw_merged_sites_place(struct mw_merged_sites *sites)
{
    for (uint32_t i = 0; i < sites->frame_count; i++) {
        sites->frames[i].context = share_context(sites, &sites->frames[i]);
        if (sites->frames[i].context == MW_INDEX_NONE) {
            return false;
        }
    }
    for (uint32_t i = 0; i < sites->site_count; i++) {
        sites->sites[i].place = share_place(sites, &sites->sites[i]);
        if (sites->sites[i].place == MW_INDEX_NONE) {
            return false;
        }
    }
    return true;
}

/* --- the end --------------------------------------------------------------------------- */

void mw_merged_sites_fini(struct mw_merged_sites *sites)
{
    for (uint32_t i = 0; i < sites->spot_count; i++) {
        free(sites->spots[i].file);
        free(sites->spots[i].function);
    }
    free(sites->contexts);
    free(sites->places);
    free(sites->sites);
    free(sites->frames);
    free(sites->spots);
    free(sites->modules);
    mw_index_fini(&sites->by_module);
    mw_index_fini(&sites->by_spot);
    mw_index_fini(&sites->by_frame);
    mw_index_fini(&sites->by_site);
    mw_index_fini(&sites->by_place);
    mw_index_fini(&sites->by_context);
    memset(sites, 0, sizeof *sites);
}

void mw_site_map_fini(struct mw_site_map *map)
{
    free(map->modules);
    free(map->frames);
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
