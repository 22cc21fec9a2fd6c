/*
 * libotf2 doesn't check references in events; what the readers would index an
 * array with is checked here.
 */
#include "analyzer/load/references.h"

#include <stddef.h>

bool mwa_may_be_member(const struct mwa_trace *trace, uint32_t index, uint32_t peer)
{
    const struct mwa_comm *comm = index == MWA_NONE ? NULL : &trace->comms[index];

    return !comm || comm->inter || comm->other_job || comm->group == MWA_NONE ||
           trace->incomplete || peer < mwa_trace_comm_size(trace, index);
}

bool mwa_may_be_root(const struct mwa_trace *trace, uint32_t index, uint32_t root)
{
    return root >= UINT32_MAX - 2 || mwa_may_be_member(trace, index, root);
}

void mwa_take_bound(const struct mwa_trace *trace, const OTF2_AttributeList *attributes,
                    struct mwa_metric_data *data)
{
    const uint32_t *ids = trace->attributes;
    OTF2_CommRef comm = OTF2_UNDEFINED_COMM;
    uint32_t id;

    data->object = MWA_NONE;
    /* What is asked for and not there would count as an error of libotf2's. */
    if (OTF2_AttributeList_TestAttributeByID(attributes, ids[MW_ATTRIBUTE_COMM])) {
        OTF2_AttributeList_GetCommRef(attributes, ids[MW_ATTRIBUTE_COMM], &comm);
    }
    if (OTF2_AttributeList_TestAttributeByID(attributes, ids[MW_ATTRIBUTE_WINDOW]) &&
        OTF2_AttributeList_GetRmaWinRef(attributes, ids[MW_ATTRIBUTE_WINDOW], &id) ==
            OTF2_SUCCESS) {
        data->object = mwa_metric_object_index(&trace->metrics, false, id);
    } else if (OTF2_AttributeList_TestAttributeByID(attributes, ids[MW_ATTRIBUTE_FILE]) &&
               OTF2_AttributeList_GetIoHandleRef(attributes, ids[MW_ATTRIBUTE_FILE], &id) ==
                   OTF2_SUCCESS) {
        data->object = mwa_metric_object_index(&trace->metrics, true, id);
    }
    data->comm = mwa_trace_comm(trace, comm);
}
