/*
 * Records come in the order of what they refer to; one that refers to nothing known, or has
 * another number of dimensions than its topology, tells nothing.
 */
#include "analyzer/load/topology_records.h"

#include <stdlib.h>
#include <string.h>

static OTF2_CallbackCode result_of(struct mwa_loading *loading, bool enough)
{
    loading->no_memory |= !enough;
    return loading->no_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_dimension(void *user, OTF2_CartDimensionRef self, OTF2_StringRef name,
                                      uint32_t size, OTF2_CartPeriodicity periodicity)
{
    struct mwa_loading *loading = user;
    const struct mwa_key key = mwa_loading_key(self);

    if (mwa_map_get(&loading->dimensions, key) != MWA_MAP_ABSENT) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (!mwa_grow(&loading->dimension, &loading->dimension_capacity, loading->dimension_count + 1,
                  sizeof *loading->dimension) ||
        !mwa_map_put(&loading->dimensions, key, loading->dimension_count)) {
        return result_of(loading, false);
    }
    loading->dimension[loading->dimension_count++] = (struct mwa_dimension){
        .name = mwa_loading_text(loading, name),
        .size = size,
        .is_periodic = periodicity == OTF2_CART_PERIODIC_TRUE
    };
    return result_of(loading, true);
}

/* Fills dimensions; false if one of them is not known. */
static bool find_dimensions(const struct mwa_loading *loading, const OTF2_CartDimensionRef *ids,
                            uint32_t count, struct mwa_dimension *dimensions)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t index = mwa_map_get(&loading->dimensions, mwa_loading_key(ids[i]));

        if (index == MWA_MAP_ABSENT) {
            return false;
        }
        dimensions[i] = loading->dimension[index];
    }
    return true;
}

static OTF2_CallbackCode on_topology(void *user, OTF2_CartTopologyRef self, OTF2_StringRef name,
                                     OTF2_CommRef comm, uint8_t count,
                                     const OTF2_CartDimensionRef *ids)
{
    struct mwa_loading *loading = user;
    struct mwa_trace *trace = loading->trace;
    struct mwa_topology topology = { .name = mwa_loading_text(loading, name),
                                     .comm = mwa_trace_comm(trace, comm),
                                     .dimension_count = count };
    const struct mwa_key key = mwa_loading_key(self);

    if (count == 0 || topology.comm == MWA_NONE ||
        mwa_map_get(&loading->topologies, key) != MWA_MAP_ABSENT) {
        return OTF2_CALLBACK_SUCCESS;
    }
    topology.dimensions = calloc(count, sizeof *topology.dimensions);
    if (!topology.dimensions) {
        return result_of(loading, false);
    }
    if (!find_dimensions(loading, ids, count, topology.dimensions)) {
        free(topology.dimensions);
        return OTF2_CALLBACK_SUCCESS;
    }
    if (!mwa_grow(&trace->topologies, &loading->topology_capacity, trace->topology_count + 1,
                  sizeof *trace->topologies) ||
        !mwa_map_put(&loading->topologies, key, trace->topology_count)) {
        free(topology.dimensions);
        return result_of(loading, false);
    }
    trace->topologies[trace->topology_count++] = topology;
    return result_of(loading, true);
}

static OTF2_CallbackCode on_coordinate(void *user, OTF2_CartTopologyRef id, uint32_t rank,
                                       uint8_t count, const uint32_t *coordinates)
{
    struct mwa_loading *loading = user;
    struct mwa_trace *trace = loading->trace;
    uint64_t index = mwa_map_get(&loading->topologies, mwa_loading_key(id));
    struct mwa_topology *topology =
        index == MWA_MAP_ABSENT ? NULL : &trace->topologies[index];
    struct mwa_coordinates *place;
    const uint32_t *members;
    uint64_t size;

    if (!topology || count != topology->dimension_count) {
        return OTF2_CALLBACK_SUCCESS;
    }
    members = mwa_trace_members(trace, topology->comm, 0, &size);
    if (rank >= size || members[rank] == MWA_NONE) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (!mwa_grow(&topology->places, &topology->place_capacity, topology->place_count + 1,
                  sizeof *topology->places)) {
        return result_of(loading, false);
    }
    place = &topology->places[topology->place_count];
    place->rank = members[rank];
    place->at = calloc(count, sizeof *place->at);
    if (!place->at) {
        return result_of(loading, false);
    }
    memcpy(place->at, coordinates, count * sizeof *place->at);
    topology->place_count++;
    return result_of(loading, true);
}

void mwa_topology_callbacks(OTF2_GlobalDefReaderCallbacks *all)
{
    OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback(all, on_dimension);
    OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback(all, on_topology);
    OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback(all, on_coordinate);
}
