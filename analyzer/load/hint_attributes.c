/* Only archives of mpiwatch have such attributes: without the first of them none is looked for. */
#include "analyzer/load/hint_attributes.h"

#include <otf2/OTF2_GeneralDefinitions.h>

static bool number_of(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                      enum mw_attribute attribute, int32_t *number)
{
    uint64_t bits;

    if (!mwa_attribute_find(attributes, trace->attributes[attribute], OTF2_TYPE_INT32, &bits)) {
        return false;
    }
    *number = (int32_t)(uint32_t)bits;
    return true;
}

/* The communicator and the window, as indices. */
static void take_place(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                       struct mwa_hint *hint)
{
    const uint32_t *ids = trace->attributes;
    uint64_t id;

    hint->comm = hint->window = MWA_NONE;
    if (mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_COMM], OTF2_TYPE_COMM, &id)) {
        hint->comm = mwa_trace_comm(trace, (uint32_t)id);
    }
    if (mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_WINDOW], OTF2_TYPE_RMA_WIN, &id)) {
        hint->window = mwa_metric_object_index(&trace->metrics, false, (uint32_t)id);
    }
}

/* A send that the call completes: it is not being sent before all of it is ready. */
static void take_unready(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                         struct mwa_hint *hint)
{
    const uint32_t *ids = trace->attributes;
    uint64_t count = 0;
    uint64_t which = 0;

    if (ids[MW_ATTRIBUTE_UNREADY] != MWA_NONE && hint->sends && hint->comm != MWA_NONE &&
        mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_UNREADY], OTF2_TYPE_UINT32, &count)) {
        mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_UNREADY_WHICH], OTF2_TYPE_UINT32, &which);
        hint->unready = (uint32_t)count;
        hint->unready_which = (uint32_t)which;
        hint->sends = false;
    }
}

bool mwa_hint_attributes(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                         struct mwa_hint *hint)
{
    const uint32_t *ids = trace->attributes;
    uint64_t pending = 0;

    *hint = (struct mwa_hint){ .bytes = UINT64_MAX };
    if (ids[MW_ATTRIBUTE_PENDING] == MWA_NONE || attributes->count == 0) {
        return false;
    }
    take_place(trace, attributes, hint);
    mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_PENDING], OTF2_TYPE_UINT8, &pending);
    hint->is_pending = pending != 0;
    hint->is_awaited = pending == 2;
    hint->has_peer = number_of(trace, attributes, MW_ATTRIBUTE_PEER, &hint->peer);
    hint->sends = number_of(trace, attributes, MW_ATTRIBUTE_TAG, &hint->tag) && hint->has_peer;
    hint->receives = number_of(trace, attributes, MW_ATTRIBUTE_SOURCE, &hint->source) &&
                     number_of(trace, attributes, MW_ATTRIBUTE_SOURCE_TAG, &hint->source_tag);
    mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_BYTES], OTF2_TYPE_UINT64, &hint->bytes);
    hint->completes = mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_REQUESTS], OTF2_TYPE_UINT64,
                                         &hint->requests);
    take_unready(trace, attributes, hint);
    return hint->is_pending || hint->comm != MWA_NONE || hint->window != MWA_NONE ||
           hint->completes;
}
