#include "formats/replay_metric.h"

#include <string.h>

#include "formats/replay.h"

static OTF2_Type type_of(const struct mw_metric_member *metric, unsigned index)
{
    static const OTF2_Type types[] = {[MW_METRIC_UINT64] = OTF2_TYPE_UINT64,
                                      [MW_METRIC_INT64] = OTF2_TYPE_INT64,
                                      [MW_METRIC_DOUBLE] = OTF2_TYPE_DOUBLE};

    if (metric->type > MW_METRIC_DOUBLE || (metric->form == MW_METRIC_STATISTICS && index >= 2)) {
        return OTF2_TYPE_UINT64;
    }
    return types[metric->type];
}

/* Puts into attributes what the values don't say. */
static OTF2_ErrorCode describe(OTF2_AttributeList *attributes, OTF2_CommRef comm, uint8_t flags)
{
    OTF2_ErrorCode code = OTF2_AttributeList_RemoveAllAttributes(attributes);

    if (code == OTF2_SUCCESS && comm != OTF2_UNDEFINED_COMM) {
        code = OTF2_AttributeList_AddCommRef(attributes, MW_ATTRIBUTE_COMM, comm);
    }
    if (code == OTF2_SUCCESS && flags != 0) {
        code = OTF2_AttributeList_AddUint8(attributes, MW_ATTRIBUTE_FLAGS, flags);
    }
    return code;
}

OTF2_ErrorCode mw_replay_metric(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                uint64_t time, OTF2_CommRef comm,
                                const struct mw_metric_member *metric)
{
    OTF2_Type types[MW_METRIC_VALUES_MAX];
    OTF2_MetricValue values[MW_METRIC_VALUES_MAX];
    OTF2_ErrorCode code = describe(attributes, comm, metric->flags);

    for (unsigned i = 0; i < metric->count; i++) {
        types[i] = type_of(metric, i);
        memcpy(&values[i], &metric->values[i], sizeof values[i]);
    }
    return code != OTF2_SUCCESS ? code
                                : OTF2_EvtWriter_Metric(writer, attributes, time, metric->metric,
                                                        metric->count, types, values);
}
