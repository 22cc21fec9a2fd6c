/*
 * What a sample is bound to, and what is known of the time before it, OTF2 has no place for in a
 * Metric event: mpiwatch's archives tell it by attributes, found by their names.
 */
#include "analyzer/load/sample_attributes.h"

#include <math.h>

#include "analyzer/load/references.h"

/* What is told of the time since the sample before; false: nothing, or no numbers. */
static bool get_course(const OTF2_AttributeList *attributes, const uint32_t *ids,
                       double course[MWA_COURSE_NUMBERS])
{
    static const enum mw_attribute names[MWA_COURSE_NUMBERS] = {
        MW_ATTRIBUTE_MEAN_LOWER, MW_ATTRIBUTE_MEAN_UPPER, MW_ATTRIBUTE_LOW, MW_ATTRIBUTE_HIGH
    };

    for (unsigned i = 0; i < MWA_COURSE_NUMBERS; i++) {
        if (OTF2_AttributeList_GetDouble(attributes, ids[names[i]], &course[i]) != OTF2_SUCCESS ||
            !isfinite(course[i])) {
            return false;
        }
    }
    return course[0] <= course[1] && course[2] <= course[3];
}

void mwa_sample_attributes(const struct mwa_trace *trace, const OTF2_AttributeList *attributes,
                           double course[MWA_COURSE_NUMBERS], struct mwa_metric_data *data)
{
    const uint32_t *ids = trace->attributes;
    uint64_t held = 0;
    uint64_t unseen = 0;
    uint8_t flags = 0;

    mwa_take_bound(trace, attributes, data);
    if (OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
        OTF2_AttributeList_GetUint8(attributes, ids[MW_ATTRIBUTE_FLAGS], &flags);
        data->has_held = OTF2_AttributeList_GetUint64(attributes, ids[MW_ATTRIBUTE_HELD],
                                                      &held) == OTF2_SUCCESS;
        OTF2_AttributeList_GetUint64(attributes, ids[MW_ATTRIBUTE_UNSEEN], &unseen);
        data->course = get_course(attributes, ids, course) ? course : NULL;
    }
    data->flags = flags;
    data->held = mwa_trace_ticks(trace, held);
    data->unseen = mwa_trace_ticks(trace, unseen);
}
