/*
 * One MPI variable may be several values: statistics, or elements with their
 * places. Each is a member of its own in OTF2, whose names, units and modes follow
 * from the form alone.
 */
#include "formats/archive/global_metrics.h"

#include <inttypes.h>
#include <stdio.h>

#include "formats/archive/archive_words.h"
#include "formats/spool/record.h"

static OTF2_MetricMode mode_of(const struct mw_define_metric *metric)
{
    switch (metric->effective) {
    case MW_CLASS_COUNTER:
    case MW_CLASS_AGGREGATE:
    case MW_CLASS_TIMER:
        return OTF2_METRIC_ACCUMULATED_START;
    case MW_CLASS_STATE:
        return OTF2_METRIC_ABSOLUTE_NEXT;
    case MW_CLASS_HIGHWATERMARK:
    case MW_CLASS_LOWWATERMARK:
        return metric->flags & MW_VARIABLE_READ_RESETS ? OTF2_METRIC_ABSOLUTE_LAST
                                                       : OTF2_METRIC_ABSOLUTE_POINT;
    default:
        return OTF2_METRIC_ABSOLUTE_POINT;
    }
}

static OTF2_Type type_of(const struct mw_define_metric *metric)
{
    switch (metric->type) {
    case MW_METRIC_INT64:
        return OTF2_TYPE_INT64;
    case MW_METRIC_DOUBLE:
        return OTF2_TYPE_DOUBLE;
    default:
        return OTF2_TYPE_UINT64;
    }
}

/* The name of a metric's value: that of the variable, of an element or of a statistic. */
static void name_value(const struct mw_define_metric *metric, uint32_t value, char *text,
                       size_t size)
{
    static const char *const statistics[] = {"sum", "max", "argmax", "nonzero"};

    if (metric->form == MW_METRIC_RUNNING && value < MW_RUNNING_VALUES) {
        snprintf(text, size, "%s", mw_running_names[value]);
    } else if (metric->form == MW_METRIC_STATISTICS && value < MW_METRIC_STATISTICS_COUNT) {
        snprintf(text, size, "%s.%s", metric->name, statistics[value]);
    } else if (metric->form == MW_METRIC_TOP) {
        snprintf(text, size, "%s.%s%" PRIu32, metric->name, value % 2 ? "peer" : "top",
                 (metric->first + value) / 2 + 1);
    } else if (metric->elements > 1 || metric->first > 0) {
        snprintf(text, size, "%s[%" PRIu32 "]", metric->name, metric->first + value);
    } else {
        snprintf(text, size, "%s", metric->name);
    }
}

/* The variable's description; of a STATE also what its values mean, for readers of OTF2 alone. */
static uint32_t describe(struct mw_defining *defining, const struct mw_define_metric *metric)
{
    char text[4096];

    if (!*metric->items) {
        return mw_defining_string(defining, metric->description);
    }
    snprintf(text, sizeof text, "%.1024s%s%s", metric->description,
             *metric->description ? ": " : "", metric->items);
    return mw_defining_string(defining, text);
}

/* The string of a value's unit; unit and number are those of the variable and of places. */
static uint32_t unit_of(struct mw_defining *defining, const struct mw_define_metric *metric,
                        uint32_t value, uint32_t unit, uint32_t number)
{
    if (metric->form == MW_METRIC_RUNNING && value < MW_RUNNING_VALUES) {
        return mw_defining_string(defining, mw_running_units[value]);
    }
    return MW_METRIC_IS_PLACE(metric->form, value) ? number : unit;
}

void mw_global_metrics_write(struct mw_defining *defining)
{
    const struct mw_merged_variables *variables = &defining->merged->variables;
    uint32_t next = 0;

    for (uint32_t id = 0; id < variables->metric_count; id++) {
        const struct mw_define_metric *metric = &variables->metrics[id];
        OTF2_MetricMemberRef members[MW_METRIC_VALUES_MAX];
        uint32_t description = describe(defining, metric);
        uint32_t unit = mw_defining_string(defining, metric->unit);
        uint32_t number = mw_defining_string(defining, "#");

        for (uint32_t i = 0; i < metric->count; i++) {
            bool is_place = MW_METRIC_IS_PLACE(metric->form, i);
            char name[512];

            name_value(metric, i, name, sizeof name);
            members[i] = next++;
            mw_defining_note(defining, OTF2_GlobalDefWriter_WriteMetricMember(
                                           defining->writer, members[i],
                                           mw_defining_string(defining, name), description,
                                           OTF2_METRIC_TYPE_OTHER,
                                           is_place ? OTF2_METRIC_ABSOLUTE_POINT : mode_of(metric),
                                           is_place ? OTF2_TYPE_UINT64 : type_of(metric),
                                           OTF2_BASE_DECIMAL, 0,
                                           unit_of(defining, metric, i, unit, number)));
        }
        mw_defining_note(defining, OTF2_GlobalDefWriter_WriteMetricClass(
                                       defining->writer, id, (uint8_t)metric->count, members,
                                       OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
    }
}
