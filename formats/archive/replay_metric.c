/*
 * A sample's values are copied as bits: the recorder never looks at their type,
 * OTF2's writer has to.
 */
#include "formats/archive/replay_metric.h"

#include <string.h>

#include "formats/archive/archive_words.h"
#include "formats/archive/replay.h"

static OTF2_Type type_of(const struct mw_metric_member *metric, unsigned index)
{
    static const OTF2_Type types[] = {[MW_METRIC_UINT64] = OTF2_TYPE_UINT64,
                                      [MW_METRIC_INT64] = OTF2_TYPE_INT64,
                                      [MW_METRIC_DOUBLE] = OTF2_TYPE_DOUBLE};

    if (metric->type > MW_METRIC_DOUBLE ||
        MW_METRIC_IS_PLACE(MW_METRIC_FORM(metric->form), index)) {
        return OTF2_TYPE_UINT64;
    }
    return types[metric->type];
}

/* Puts into attributes, and nothing else, what the variable is bound to. */
static OTF2_ErrorCode describe_object(OTF2_AttributeList *attributes,
                                      const struct mw_replay_sample *sample)
{
    const struct mw_metric_member *metric = sample->metric;
    OTF2_CommRef comm = sample->comm;
    OTF2_ErrorCode code = OTF2_AttributeList_RemoveAllAttributes(attributes);

    if (code != OTF2_SUCCESS) {
        return code;
    }
    switch (MW_METRIC_OBJECT(metric->form)) {
    case MW_METRIC_OF_WINDOW:
        code = OTF2_AttributeList_AddRmaWinRef(attributes, MW_ATTRIBUTE_WINDOW,
                                               metric->head.comm);
        break;
    case MW_METRIC_OF_FILE:
        code = OTF2_AttributeList_AddIoHandleRef(attributes, MW_ATTRIBUTE_FILE,
                                                 metric->head.comm);
        break;
    default:
        if (comm != OTF2_UNDEFINED_COMM) {
            code = OTF2_AttributeList_AddCommRef(attributes, MW_ATTRIBUTE_COMM, comm);
        }
    }
    return code;
}

/* Puts into attributes what the values don't say. */
static OTF2_ErrorCode describe(OTF2_AttributeList *attributes,
                               const struct mw_replay_sample *sample)
{
    OTF2_ErrorCode code = describe_object(attributes, sample);

    if (code == OTF2_SUCCESS && sample->metric->flags != 0) {
        code = OTF2_AttributeList_AddUint8(attributes, MW_ATTRIBUTE_FLAGS, sample->metric->flags);
    }
    return code;
}

static OTF2_ErrorCode tell(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                           const struct mw_replay_sample *sample, enum mw_discontinuity what)
{
    OTF2_ErrorCode code = describe_object(attributes, sample);

    if (code == OTF2_SUCCESS) {
        code = OTF2_AttributeList_AddMetricRef(attributes, MW_ATTRIBUTE_METRIC,
                                               sample->metric->metric);
    }
    return code != OTF2_SUCCESS
               ? code
               : OTF2_EvtWriter_ParameterUnsignedInt(writer, attributes, sample->time,
                                                     MW_PARAMETER_DISCONTINUITY, what);
}

/* The sum goes on; that its variable did not is an event of its own. */
static OTF2_ErrorCode tell_steps(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                 const struct mw_replay_sample *sample)
{
    const struct mw_metric_member *metric = sample->metric;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (metric->form & MW_METRIC_WAS_RESET) {
        code = tell(writer, attributes, sample,
                    metric->flags & MW_SAMPLE_FOREIGN ? MW_DISCONTINUITY_RESET
                                                      : MW_DISCONTINUITY_FALL);
    }
    if (code == OTF2_SUCCESS && metric->form & MW_METRIC_HAS_WRAPPED) {
        code = tell(writer, attributes, sample, MW_DISCONTINUITY_WRAP);
    }
    return code;
}

static OTF2_ErrorCode add_double(OTF2_AttributeList *attributes, enum mw_attribute id,
                                 uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return OTF2_AttributeList_AddDouble(attributes, id, value);
}

/* And what is known of the time since the sample before. */
static OTF2_ErrorCode describe_before(OTF2_AttributeList *attributes,
                                      const struct mw_replay_sample *sample)
{
    const struct mw_value_member *held = (const void *)sample->about;
    const struct mw_partly_member *partly = (const void *)sample->about;
    const struct mw_course_member *course = (const void *)sample->about;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (sample->about && sample->about->type == MW_MEMBER_HELD) {
        return OTF2_AttributeList_AddUint64(
            attributes, MW_ATTRIBUTE_HELD, mw_clock_told(held->value, sample->scale));
    }
    if (sample->about && sample->about->type == MW_MEMBER_PARTLY) {
        code = OTF2_AttributeList_AddUint64(
            attributes, MW_ATTRIBUTE_UNSEEN, mw_clock_told(partly->unseen, sample->scale));
    }
    if (code == OTF2_SUCCESS && sample->about &&
        (sample->about->type == MW_MEMBER_COURSE || sample->about->type == MW_MEMBER_PARTLY)) {
        code = add_double(attributes, MW_ATTRIBUTE_MEAN_LOWER, course->mean_lower)
                   ?: add_double(attributes, MW_ATTRIBUTE_MEAN_UPPER, course->mean_upper)
                   ?: add_double(attributes, MW_ATTRIBUTE_LOW, course->low)
                   ?: add_double(attributes, MW_ATTRIBUTE_HIGH, course->high);
    }
    return code;
}

OTF2_ErrorCode mw_replay_metric(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                const struct mw_replay_sample *sample)
{
    const struct mw_metric_member *metric = sample->metric;
    OTF2_Type types[MW_METRIC_VALUES_MAX];
    OTF2_MetricValue values[MW_METRIC_VALUES_MAX];
    OTF2_ErrorCode code = tell_steps(writer, attributes, sample)
                              ?: describe(attributes, sample)
                              ?: describe_before(attributes, sample);

    for (unsigned i = 0; i < metric->count; i++) {
        types[i] = type_of(metric, i);
        memcpy(&values[i], &metric->values[i], sizeof values[i]);
    }
    return code ?: OTF2_EvtWriter_Metric(writer, attributes, sample->time, metric->metric,
                                         metric->count, types, values);
}
