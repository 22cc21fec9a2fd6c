/*
 * A place is a region of its own with the function's name, and no attribute of each event: profiles
 * by name are what they were, every tool shows a region's source, and events are no longer for it.
 * So is a stack: the region leads to its one calling context, and that to those around it.
 */
#include "formats/archive/site_definitions.h"

#include "formats/table/calls.h"
#include "formats/table/region_role.h"

void mw_site_definitions_write(struct mw_defining *defining, uint32_t first)
{
    const struct mw_merged_sites *sites = &defining->merged->sites;

    for (uint32_t i = 0; i < sites->place_count; i++) {
        const struct mw_merged_place *place = &sites->places[i];
        uint32_t name = mw_defining_string(defining, mw_call_name(place->call));
        uint32_t group =
            mw_defining_string(defining, mw_group_name(mw_call_group(place->call)));
        uint32_t file = mw_defining_string(defining, place->file);

        mw_defining_note(defining, OTF2_GlobalDefWriter_WriteRegion(
                                       defining->writer, first + i, name, name, group,
                                       mw_region_role(place->call), OTF2_PARADIGM_MPI,
                                       OTF2_REGION_FLAG_NONE, file, place->line, place->line));
    }
}
