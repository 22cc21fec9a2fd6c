/* Copies of values and hints move while they grow: events point to them when all are there. */
#include "analyzer/load/event_batch.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"

_Static_assert(sizeof(double) == sizeof(uint64_t), "a course is kept behind the values");

static bool has_values(const struct mwa_event *event)
{
    return (event->kind == MWA_METRIC || event->kind == MWA_RUNNING) &&
           event->of.metric.count > 0;
}

/* How many values are kept of a metric's event. */
static uint64_t kept_values(const struct mwa_event *event)
{
    return event->of.metric.count + (event->of.metric.course ? MWA_COURSE_NUMBERS : 0u);
}

static enum mw_status keep_values(struct mwa_event_batch *batch, const struct mwa_event *event)
{
    const struct mwa_metric_data *metric = &event->of.metric;
    uint64_t count = batch->value_count + kept_values(event);

    if (!mwa_grow(&batch->values, &batch->value_capacity, count, sizeof *batch->values)) {
        return MW_ERROR_MEMORY;
    }
    memcpy(batch->values + batch->value_count, metric->values,
           metric->count * sizeof *batch->values);
    if (metric->course) {
        memcpy(batch->values + batch->value_count + metric->count, metric->course,
               MWA_COURSE_NUMBERS * sizeof *batch->values);
    }
    batch->value_count = count;
    return MW_OK;
}

static enum mw_status keep_hint(struct mwa_event_batch *batch, const struct mwa_hint *hint)
{
    if (!mwa_grow(&batch->hints, &batch->hint_capacity, batch->hint_count + 1,
                  sizeof *batch->hints)) {
        return MW_ERROR_MEMORY;
    }
    batch->hints[batch->hint_count++] = *hint;
    return MW_OK;
}

bool mwa_event_batch_begin(struct mwa_event_batch *batch, uint32_t most)
{
    batch->count = 0;
    batch->value_count = 0;
    batch->hint_count = 0;
    if (!batch->events) {
        batch->events = malloc(most * sizeof *batch->events);
    }
    return batch->events != NULL;
}

enum mw_status mwa_event_batch_add(struct mwa_event_batch *batch, const struct mwa_event *event)
{
    enum mw_status status = MW_OK;

    batch->events[batch->count] = *event;
    if (has_values(event)) {
        status = keep_values(batch, event);
    }
    if (event->hint && status == MW_OK) {
        status = keep_hint(batch, event->hint);
    }
    batch->count += status == MW_OK;
    return status;
}

void mwa_event_batch_end(struct mwa_event_batch *batch)
{
    const uint64_t *values = batch->values;
    const struct mwa_hint *hint = batch->hints;

    for (uint32_t i = 0; i < batch->count; i++) {
        struct mwa_event *event = &batch->events[i];

        event->hint = event->hint ? hint++ : NULL;
        if (has_values(event)) {
            struct mwa_metric_data *metric = &event->of.metric;

            metric->values = values;
            values += kept_values(event);
            if (metric->course) {
                metric->course = (const double *)(const void *)(metric->values + metric->count);
            }
        }
    }
}

void mwa_event_batch_fini(struct mwa_event_batch *batch)
{
    free(batch->events);
    free(batch->values);
    free(batch->hints);
}
