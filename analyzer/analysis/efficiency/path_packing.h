#ifndef MWA_ANALYSIS_EFFICIENCY_PATH_PACKING_H
#define MWA_ANALYSIS_EFFICIENCY_PATH_PACKING_H

#include "analyzer/analysis/efficiency/path_tree.h"
#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * Paths of a tree (path_tree.h) as plain bytes, for another process (analyzer/team/packing.h):
 * what several of them have in common travels once.
 */

/* Appends the paths to count ends, null for none. Without memory to is marked failed. */
void mwa_path_pack(struct mwa_path_node *const *ends, uint64_t count, struct mw_buffer *to);

/*
 * Takes them out into tree; ends gets as many, each for the caller to hold.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes. In both cases ends is not
 * to be used, and tree has nodes that nobody holds.
 */
enum mw_status mwa_path_unpack(struct mwa_path_tree *tree, struct mwa_path_node **ends,
                               uint64_t count, struct mw_cursor *from) MW_MUST_CHECK;

#endif
