/* A node is allocated by itself, since who follows the run keeps pointers to it. */
#include "analyzer/analysis/region_paths.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

const struct mwa_region_path *mwa_region_paths_enter(struct mwa_region_paths *paths,
                                                     const struct mwa_region_path *outer,
                                                     const struct mwa_region *region)
{
    struct mwa_region_path **node;
    struct mwa_key key;
    uint64_t at;

    if (outer && outer->region == region) {
        return outer;
    }
    if (outer && outer->depth == MWA_REGION_PATH_DEPTH) {
        outer = outer->outer;
    }
    key = (struct mwa_key){ outer ? outer->number + UINT64_C(1) : 0, (uintptr_t)region };
    at = mwa_index_of(&paths->index, key, &paths->all, sizeof(struct mwa_region_path *));
    if (at >= MWA_NONE) {
        return NULL;
    }
    node = &paths->all[at];
    if (!*node && (*node = malloc(sizeof **node))) {
        **node = (struct mwa_region_path){ region, outer, outer ? outer->depth + 1 : 1,
                                           (uint32_t)at };
    }
    return *node;
}

bool mwa_region_paths_adopt(struct mwa_region_paths *paths, const struct mwa_region_path *path,
                            const struct mwa_region_path **adopted)
{
    const struct mwa_region *regions[MWA_REGION_PATH_DEPTH];
    uint32_t depth = 0;

    for (; path; path = path->outer) {
        regions[depth++] = path->region;
    }
    *adopted = NULL;
    while (depth > 0) {
        *adopted = mwa_region_paths_enter(paths, *adopted, regions[--depth]);
        if (!*adopted) {
            return false;
        }
    }
    return true;
}

void mwa_region_path_pack(const struct mwa_trace *trace, const struct mwa_region_path *path,
                          struct mw_buffer *to)
{
    uint32_t regions[MWA_REGION_PATH_DEPTH];
    uint32_t depth = 0;

    for (; path; path = path->outer) {
        regions[depth++] = (uint32_t)(path->region - trace->regions);
    }
    mwa_pack_array(to, regions, depth, sizeof *regions);
}

enum mw_status mwa_region_path_unpack(struct mwa_region_paths *paths,
                                      const struct mwa_trace *trace, struct mw_cursor *from,
                                      const struct mwa_region_path **path)
{
    uint32_t *regions = NULL;
    uint64_t depth = 0;
    enum mw_status status = mwa_unpack_array(from, &regions, &depth, sizeof *regions);

    *path = NULL;
    if (status == MW_OK && depth > MWA_REGION_PATH_DEPTH) {
        status = MW_ERROR_FORMAT;
    }
    while (status == MW_OK && depth > 0) {
        const uint32_t region = regions[--depth];

        if (region >= trace->region_count) {
            status = MW_ERROR_FORMAT;
        } else {
            *path = mwa_region_paths_enter(paths, *path, &trace->regions[region]);
            status = *path ? MW_OK : MW_ERROR_MEMORY;
        }
    }
    free(regions);
    return status;
}

void mwa_region_paths_fini(struct mwa_region_paths *paths)
{
    for (uint64_t i = 0; i < paths->index.count; i++) {
        free(paths->all[i]);
    }
    free(paths->all);
    mwa_index_fini(&paths->index);
    *paths = (struct mwa_region_paths){ 0 };
}
