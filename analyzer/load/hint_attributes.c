#include "analyzer/load/hint_attributes.h"

static bool number_of(const struct mwa_trace *trace, const OTF2_AttributeList *attributes,
                      enum mw_attribute attribute, int32_t *number)
{
    return OTF2_AttributeList_GetInt32(attributes, trace->attributes[attribute], number) ==
           OTF2_SUCCESS;
}

/* The communicator and the window, as indices. */
static void take_place(const struct mwa_trace *trace, const OTF2_AttributeList *attributes,
                       struct mwa_hint *hint)
{
    const uint32_t *ids = trace->attributes;
    OTF2_CommRef comm;
    OTF2_RmaWinRef window;

    hint->comm = hint->window = MWA_NONE;
    if (OTF2_AttributeList_GetCommRef(attributes, ids[MW_ATTRIBUTE_COMM], &comm) ==
        OTF2_SUCCESS) {
        hint->comm = mwa_trace_comm(trace, comm);
    }
    if (OTF2_AttributeList_GetRmaWinRef(attributes, ids[MW_ATTRIBUTE_WINDOW], &window) ==
        OTF2_SUCCESS) {
        hint->window = mwa_metric_object_index(&trace->metrics, false, window);
    }
}

bool mwa_hint_attributes(const struct mwa_trace *trace, const OTF2_AttributeList *attributes,
                         struct mwa_hint *hint)
{
    const uint32_t *ids = trace->attributes;
    uint8_t pending = 0;

    *hint = (struct mwa_hint){ .bytes = UINT64_MAX };
    if (ids[MW_ATTRIBUTE_PENDING] == MWA_NONE ||
        OTF2_AttributeList_GetNumberOfElements(attributes) == 0) {
        return false;
    }
    take_place(trace, attributes, hint);
    OTF2_AttributeList_GetUint8(attributes, ids[MW_ATTRIBUTE_PENDING], &pending);
    hint->is_pending = pending != 0;
    hint->is_awaited = pending == 2;
    hint->has_peer = number_of(trace, attributes, MW_ATTRIBUTE_PEER, &hint->peer);
    hint->sends = number_of(trace, attributes, MW_ATTRIBUTE_TAG, &hint->tag) && hint->has_peer;
    hint->receives = number_of(trace, attributes, MW_ATTRIBUTE_SOURCE, &hint->source) &&
                     number_of(trace, attributes, MW_ATTRIBUTE_SOURCE_TAG, &hint->source_tag);
    OTF2_AttributeList_GetUint64(attributes, ids[MW_ATTRIBUTE_BYTES], &hint->bytes);
    hint->completes = OTF2_AttributeList_GetUint64(attributes, ids[MW_ATTRIBUTE_REQUESTS],
                                                   &hint->requests) == OTF2_SUCCESS;
    return hint->is_pending || hint->comm != MWA_NONE || hint->window != MWA_NONE ||
           hint->completes;
}
