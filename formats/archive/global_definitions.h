#ifndef MW_FORMATS_ARCHIVE_GLOBAL_DEFINITIONS_H
#define MW_FORMATS_ARCHIVE_GLOBAL_DEFINITIONS_H

#include <stdint.h>

#include "formats/archive/otf2_output.h"
#include "formats/base/status.h"
#include "formats/merge/merge.h"
#include "formats/table/calls.h"

#define MW_GROUP_FIRST 2u /* the id of the first of merged's groups */

/*
 * The ids of the calls' regions; OTF2_UNDEFINED_REGION for calls that no event is of. Those that
 * events without a site are of come first; behind them the places, the regions of the program,
 * and, where sites are attributes, the other calls'. So all else has the same ids in both forms.
 *
 * \return the first id behind them.
 */
uint32_t mw_region_ids(const struct mw_merged *merged, uint32_t ids[MW_CALL_COUNT]);

/* How many come first: the ids of the places begin behind theirs. */
uint32_t mw_region_count(const struct mw_call_set *used);

/*
 * Writes traces.def: the global definitions that ARCHIVE.md lists. Rank 0's work, after
 * the definitions of its locations are closed.
 *
 * \return MW_OK; MW_ERROR_OTF2; MW_ERROR_MEMORY.
 */
enum mw_status mw_global_definitions_write(struct mw_otf2_output *output,
                                           const struct mw_merged *merged,
                                           struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Ids in the archive by the process's own numbers. */
struct mw_location_maps {
    const uint32_t *comms;
    uint32_t comm_count;
    const uint32_t *metrics;
    uint32_t metric_count;
    struct mw_object_map objects;
    const uint32_t *sites; /* regions */
    uint32_t site_count;
    struct mw_user_map user;
    struct mw_source_map sources;
};

/*
 * Writes the definitions of one location: mapping tables and clock offsets.
 *
 * \return MW_OK; MW_ERROR_OTF2; MW_ERROR_MEMORY.
 */
enum mw_status mw_local_definitions_write(struct mw_otf2_output *output, uint64_t location,
                                          const struct mw_location_maps *maps,
                                          const uint32_t regions[MW_CALL_COUNT],
                                          const struct mw_clock_point *clock,
                                          size_t clock_count,
                                          struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
