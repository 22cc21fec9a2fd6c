/*
 * What a sample is bound to, and what is known of the time before it, OTF2 has no place for in a
 * Metric event: mpiwatch's archives tell it by attributes, found by their names.
 */
#include "analyzer/load/sample_attributes.h"

#include <math.h>
#include <string.h>

#include <otf2/OTF2_GeneralDefinitions.h>

#include "analyzer/load/references.h"

/* What is told of the time since the sample before; false: nothing, or no numbers. */
static bool get_course(const struct mwa_attributes *attributes, const uint32_t *ids,
                       double course[MWA_COURSE_NUMBERS])
{
    static const enum mw_attribute names[MWA_COURSE_NUMBERS] = {
        MW_ATTRIBUTE_MEAN_LOWER, MW_ATTRIBUTE_MEAN_UPPER, MW_ATTRIBUTE_LOW, MW_ATTRIBUTE_HIGH
    };

    for (unsigned i = 0; i < MWA_COURSE_NUMBERS; i++) {
        uint64_t bits;

        if (!mwa_attribute_find(attributes, ids[names[i]], OTF2_TYPE_DOUBLE, &bits)) {
            return false;
        }
        memcpy(&course[i], &bits, sizeof bits);
        if (!isfinite(course[i])) {
            return false;
        }
    }
    return course[0] <= course[1] && course[2] <= course[3];
}

void mwa_sample_attributes(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                           double course[MWA_COURSE_NUMBERS], struct mwa_metric_data *data)
{
    const uint32_t *ids = trace->attributes;
    uint64_t held = 0;
    uint64_t unseen = 0;
    uint64_t flags = 0;

    mwa_take_bound(trace, attributes, data);
    if (attributes->count > 0) {
        mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_FLAGS], OTF2_TYPE_UINT8, &flags);
        data->has_held = mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_HELD], OTF2_TYPE_UINT64,
                                            &held);
        mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_UNSEEN], OTF2_TYPE_UINT64, &unseen);
        data->course = get_course(attributes, ids, course) ? course : NULL;
    }
    data->flags = (uint32_t)flags;
    data->held = mwa_trace_ticks(trace, held);
    data->unseen = mwa_trace_ticks(trace, unseen);
}
