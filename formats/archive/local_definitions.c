/*
 * Events are written with the process's own numbers before anybody knows the
 * global ones; the mapping tables here are what makes them right afterwards,
 * without a second pass over events.
 */
#include "formats/archive/global_definitions.h"
#include "formats/archive/object_definitions.h"
#include "formats/archive/user_definitions.h"

#include <stdlib.h>
#include <string.h>

uint32_t mw_region_ids(const struct mw_merged *merged, uint32_t ids[MW_CALL_COUNT])
{
    const struct mw_merged_sites *sites = &merged->sites;
    struct mw_call_set others = {0};
    uint32_t next = 0;

    for (uint32_t i = 0; sites->are_attributes && i < sites->place_count; i++) {
        mw_call_set_add(&others, sites->places[i].call);
    }
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        ids[call] = mw_call_set_has(&merged->used, call) ? next++ : OTF2_UNDEFINED_REGION;
    }
    next += sites->place_count + merged->user.region_count;
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        if (ids[call] == OTF2_UNDEFINED_REGION && mw_call_set_has(&others, call)) {
            ids[call] = next++;
        }
    }
    return next;
}

uint32_t mw_region_count(const struct mw_call_set *used)
{
    uint32_t count = 0;

    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        count += mw_call_set_has(used, call);
    }
    return count;
}

/* Dense, since readers look an id up for every event. */
static OTF2_ErrorCode write_map(OTF2_DefWriter *writer, OTF2_MappingType type,
                                const uint32_t *ids, uint32_t count)
{
    OTF2_IdMap *map = OTF2_IdMap_CreateFromUint32Array(count, ids, false);
    OTF2_ErrorCode code;

    if (!map) {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    code = OTF2_DefWriter_WriteMappingTable(writer, type, map);
    OTF2_IdMap_Free(map);
    return code;
}

/*
 * Those of communicators; none at all where each number is the id already, as readers take it
 * for without a table.
 */
static OTF2_ErrorCode write_comms(OTF2_DefWriter *writer, const uint32_t *ids, uint32_t count)
{
    bool is_identity = true;

    while (count > 0 && ids[count - 1] == OTF2_UNDEFINED_COMM) {
        count--; /* room, or not defined: no event has this number */
    }
    for (uint32_t i = 0; i < count; i++) {
        is_identity &= ids[i] == i;
    }
    return is_identity ? OTF2_SUCCESS : write_map(writer, OTF2_MAPPING_COMM, ids, count);
}

/* The regions of sites, of calls of MPI, and of the program, as events number them. */
static OTF2_ErrorCode write_regions(OTF2_DefWriter *writer, const struct mw_location_maps *maps,
                                    const uint32_t calls[MW_CALL_COUNT])
{
    size_t own = maps->site_count + (size_t)MW_CALL_COUNT;
    uint32_t *all = malloc((own + maps->user.region_count) * sizeof *all);
    OTF2_ErrorCode code;

    if (!all) {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    for (uint32_t i = 0; i < maps->site_count; i++) {
        all[i] = maps->sites[i];
    }
    memcpy(all + maps->site_count, calls, MW_CALL_COUNT * sizeof *all);
    for (uint32_t i = 0; i < maps->user.region_count; i++) {
        all[own + i] = maps->user.regions[i];
    }
    code = write_map(writer, OTF2_MAPPING_REGION, all, (uint32_t)own + maps->user.region_count);
    free(all);
    return code;
}

/* libotf2 corrects nothing by one offset alone, so that one is said for a later time as well. */
static OTF2_ErrorCode write_clock(OTF2_DefWriter *writer, const struct mw_clock_point *clock,
                                  size_t count)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;

    for (size_t i = 0; code == OTF2_SUCCESS && i < count; i++) {
        code = OTF2_DefWriter_WriteClockOffset(writer, clock[i].time, clock[i].offset,
                                               (double)clock[i].error);
    }
    if (code == OTF2_SUCCESS && count == 1) {
        code = OTF2_DefWriter_WriteClockOffset(writer, clock[0].time + MW_NANOSECONDS,
                                               clock[0].offset, (double)clock[0].error);
    }
    return code;
}

enum mw_status mw_local_definitions_write(struct mw_otf2_output *output, uint64_t location,
                                          const struct mw_location_maps *maps,
                                          const uint32_t regions[MW_CALL_COUNT],
                                          const struct mw_clock_point *clock,
                                          size_t clock_count, struct mw_diagnostic *diagnostic)
{
    OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(output->definitions, location);
    OTF2_ErrorCode code = OTF2_SUCCESS;
    OTF2_ErrorCode closed;

    if (!writer) {
        return mw_otf2_check(output, OTF2_ERROR_MEM_ALLOC_FAILED, "write definitions",
                             diagnostic);
    }
    code = write_comms(writer, maps->comms, maps->comm_count);
    if (code == OTF2_SUCCESS && maps->metric_count > 0) {
        code = write_map(writer, OTF2_MAPPING_METRIC, maps->metrics, maps->metric_count);
    }
    if (code == OTF2_SUCCESS) {
        code = write_regions(writer, maps, regions);
    }
    if (code == OTF2_SUCCESS) {
        code = mw_user_maps_write(writer, &maps->user);
    }
    if (code == OTF2_SUCCESS) {
        code = mw_object_maps_write(writer, &maps->objects);
    }
    if (code == OTF2_SUCCESS && maps->sources.count > 0) {
        code = write_map(writer, OTF2_MAPPING_GROUP, maps->sources.groups, maps->sources.count);
    }
    if (code == OTF2_SUCCESS) {
        code = write_clock(writer, clock, clock_count);
    }
    closed = OTF2_Archive_CloseDefWriter(output->definitions, writer);
    return mw_otf2_check(output, code != OTF2_SUCCESS ? code : closed, "write definitions",
                         diagnostic);
}
