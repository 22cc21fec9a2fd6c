/*
 * libotf2 doesn't check references in events; what the readers would index an
 * array with is checked here.
 */
#include "analyzer/load/references.h"

#include <stddef.h>

#include <otf2/OTF2_GeneralDefinitions.h>

bool mwa_may_be_other(const struct mwa_trace *trace, uint32_t index, uint32_t peer)
{
    const struct mwa_comm *comm = &trace->comms[index];

    return comm->inter || comm->other_job || comm->group == MWA_NONE || trace->incomplete ||
           peer < mwa_trace_comm_size(trace, index);
}

bool mwa_may_be_root(const struct mwa_trace *trace, uint32_t index, uint32_t root)
{
    return root >= UINT32_MAX - 2 || mwa_may_be_member(trace, index, root);
}

void mwa_take_bound(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                    struct mwa_metric_data *data)
{
    const uint32_t *ids = trace->attributes;
    uint64_t comm = OTF2_UNDEFINED_COMM;
    uint64_t id;

    data->object = MWA_NONE;
    mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_COMM], OTF2_TYPE_COMM, &comm);
    if (mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_WINDOW], OTF2_TYPE_RMA_WIN, &id)) {
        data->object = mwa_metric_object_index(&trace->metrics, false, (uint32_t)id);
    } else if (mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_FILE], OTF2_TYPE_IO_HANDLE, &id)) {
        data->object = mwa_metric_object_index(&trace->metrics, true, (uint32_t)id);
    }
    data->comm = mwa_trace_comm(trace, (uint32_t)comm);
}
