#ifndef MWA_ANALYSIS_REGION_PATHS_H
#define MWA_ANALYSIS_REGION_PATHS_H

#include "analyzer/model/map.h"
#include "analyzer/model/region_path.h"

/*
 * Regions of the program as a tree: by which ones a call is made, from the outermost in. So that
 * it stays small whatever recurses, a region directly in itself is one with it, and of more than
 * MWA_REGION_PATH_DEPTH those between the outermost ones and the innermost are left out. All zero
 * is an empty one. For one thread.
 */

#define MWA_REGION_PATH_DEPTH 32u

struct mwa_region_paths {
    struct mwa_index index;
    struct mwa_region_path **all; /* by number; they don't move */
};

/* The path of region inside of outer (null: of none), which lives as long as paths. Null: no
 * memory. */
const struct mwa_region_path *mwa_region_paths_enter(struct mwa_region_paths *paths,
                                                     const struct mwa_region_path *outer,
                                                     const struct mwa_region *region);

/* The same path as one of others', which may be null: so is it then. False without memory. */
bool mwa_region_paths_adopt(struct mwa_region_paths *paths, const struct mwa_region_path *path,
                            const struct mwa_region_path **adopted) MW_MUST_CHECK;

void mwa_region_paths_fini(struct mwa_region_paths *paths);

#endif
