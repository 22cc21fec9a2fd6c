/*
 * One number per metric is kept, so that the report's line costs nothing with many
 * samples. Equal peaks are told by time and rank, else the result would depend on
 * which thread read what.
 */
#include "analyzer/analysis/counters/peaks.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

struct partial {
    const struct mwa_trace *trace;
    struct mwa_peaks peaks;
};

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_peaks_fini(&partial->peaks);
}

static enum mw_status begin(void *data)
{
    struct partial *partial = data;

    partial->peaks.count = partial->trace->metrics.count;
    partial->peaks.list = calloc(partial->peaks.count + 1, sizeof *partial->peaks.list);
    return partial->peaks.list ? MW_OK : MW_ERROR_MEMORY;
}

static bool has_peak(const struct mwa_metric *metric)
{
    return metric->count > 0 &&
           (metric->effective == MW_CLASS_LEVEL || metric->effective == MW_CLASS_SIZE ||
            metric->effective == MW_CLASS_PERCENTAGE ||
            metric->effective == MW_CLASS_HIGHWATERMARK);
}

static bool is_higher(const struct mwa_peak *one, const struct mwa_peak *other)
{
    if (!other->has_samples || one->value != other->value) {
        return !other->has_samples || one->value > other->value;
    }
    return one->time != other->time ? one->time < other->time : one->rank < other->rank;
}

/* The higher one of the two becomes peak; what is known of any class is of both. */
static void raise_peak(struct mwa_peak *peak, const struct mwa_peak *from)
{
    bool is_still = peak->is_still || from->is_still;
    bool is_seen = peak->is_seen || from->is_seen;

    if (from->has_samples && is_higher(from, peak)) {
        *peak = *from;
    }
    peak->is_still = is_still;
    peak->is_seen = is_seen;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    const struct mwa_metrics *metrics = &partial->trace->metrics;
    const struct mwa_metric_data *sample = &moment->event->of.metric;
    const struct mwa_metric *metric = &metrics->list[sample->metric];
    bool is_still = mwa_metric_is_still(sample->flags);
    struct mwa_peak peak = { .is_still = is_still,
                             .is_seen = !is_still,
                             .has_samples = has_peak(metric) && sample->count > 0,
                             .time = moment->event->time,
                             .rank = moment->location->rank };

    if (peak.rank == MWA_NONE) {
        return MW_OK;
    }
    if (peak.has_samples) {
        peak.value = mwa_metric_value(metrics->members[metric->members[0]].type, sample->values[0]);
    }
    raise_peak(&partial->peaks.list[sample->metric], &peak);
    return MW_OK;
}

static enum mw_status merge(void *into_data, const void *from_data)
{
    struct mwa_peaks *into = &((struct partial *)into_data)->peaks;
    const struct mwa_peaks *from = &((const struct partial *)from_data)->peaks;

    for (uint64_t i = 0; i < into->count; i++) {
        raise_peak(&into->list[i], &from->list[i]);
    }
    return MW_OK;
}

static void pack(const void *data, struct mw_buffer *to)
{
    const struct mwa_peaks *peaks = &((const struct partial *)data)->peaks;

    mwa_pack_array(to, peaks->list, peaks->count, sizeof *peaks->list);
}

static enum mw_status unpack(void *data, const struct mwa_moment *moment, struct mw_cursor *from)
{
    struct mwa_peaks *peaks = &((struct partial *)data)->peaks;

    return mwa_unpack_into(from, peaks->list, peaks->count, sizeof *peaks->list);
}

static enum mw_status finish(const void *data, void *result)
{
    const struct mwa_peaks *from = &((const struct partial *)data)->peaks;
    struct mwa_peaks *peaks = result;

    *peaks = (struct mwa_peaks){ .count = from->count };
    peaks->list = calloc(from->count + 1, sizeof *peaks->list);
    if (!peaks->list) {
        return MW_ERROR_MEMORY;
    }
    if (from->count > 0) {
        memcpy(peaks->list, from->list, from->count * sizeof *peaks->list);
    }
    return MW_OK;
}

void mwa_peaks_fini(struct mwa_peaks *peaks)
{
    free(peaks->list);
    *peaks = (struct mwa_peaks){ 0 };
}

const struct mwa_analysis mwa_peaks_analysis = { .name = "peaks",
                                                 .kinds = MWA_KIND(MWA_METRIC),
                                                 .size = sizeof(struct partial),
                                                 .begin = begin,
                                                 .event = event,
                                                 .merge = merge,
                                                 .pack = pack,
                                                 .unpack = unpack,
                                                 .finish = finish,
                                                 .fini = fini };
