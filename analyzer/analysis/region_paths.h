#ifndef MWA_ANALYSIS_REGION_PATHS_H
#define MWA_ANALYSIS_REGION_PATHS_H

#include "analyzer/model/map.h"
#include "analyzer/model/region_path.h"
#include "analyzer/model/trace.h"
#include "formats/base/buffer.h"
#include "formats/base/status.h"

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

/*
 * A path of regions of trace, which may be null, for another process (packing.h): pack appends it;
 * unpack takes it out as one of paths. MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other
 * bytes.
 */
void mwa_region_path_pack(const struct mwa_trace *trace, const struct mwa_region_path *path,
                          struct mw_buffer *to);
enum mw_status mwa_region_path_unpack(struct mwa_region_paths *paths,
                                      const struct mwa_trace *trace, struct mw_cursor *from,
                                      const struct mwa_region_path **path) MW_MUST_CHECK;

void mwa_region_paths_fini(struct mwa_region_paths *paths);

#endif
