#ifndef MWA_LOAD_BLOCK_LAYOUT_H
#define MWA_LOAD_BLOCK_LAYOUT_H

#include "analyzer/load/block_states.h"
#include "analyzer/load/quiet_places.h"

/*
 * The sidecar of block_states.h. For each location, by OTF2's id of it, sections "entries",
 * "calls", "quiet", "lulls" and "carried", which may be empty: arrays of the structs by these
 * names. Where a location of an archive has some that are quiet none has lulls.
 * The version is another one whenever regions or sites of an archive get other indices.
 */

#define MWA_BLOCKS_PART    "blocks"
#define MWA_BLOCKS_VERSION 17u

#define MWA_BLOCKS_ENTRIES "entries" /* struct mwa_block_entry */
#define MWA_BLOCKS_CALLS   "calls"   /* struct mwa_open_call */
#define MWA_BLOCKS_QUIET   "quiet"   /* struct mwa_quiet_place */
#define MWA_BLOCKS_LULLS   "lulls"   /* likewise */
#define MWA_BLOCKS_CARRIED "carried" /* struct mwa_carried_request, by what begins them */

_Static_assert(sizeof(struct mwa_block_entry) == 56 && sizeof(struct mwa_open_call) == 48 &&
                   sizeof(struct mwa_quiet_place) == 32 &&
                   sizeof(struct mwa_carried_request) == 88,
               "they are kept as they are");

#endif
