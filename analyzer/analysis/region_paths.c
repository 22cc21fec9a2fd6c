/* A node is allocated by itself, since who follows the run keeps pointers to it. */
#include "analyzer/analysis/region_paths.h"

#include <stdlib.h>

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

void mwa_region_paths_fini(struct mwa_region_paths *paths)
{
    for (uint64_t i = 0; i < paths->index.count; i++) {
        free(paths->all[i]);
    }
    free(paths->all);
    mwa_index_fini(&paths->index);
    *paths = (struct mwa_region_paths){ 0 };
}
