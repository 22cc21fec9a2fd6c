#include "analyzer/analysis/counters/sums.h"

#include <stdlib.h>
#include <string.h>

#include "formats/spool/sum.h"

/* --- classes -------------------------------------------------------------------------- */

/* What accumulates has more rises than this for each time that it begins again. */
#define RISES_OF_A_FALL 10u

/* Whether a track is of numbers of elements or of their places. */
static bool is_about_elements(const struct mwa_metric *metric, const struct mwa_track *track)
{
    return mwa_metric_is_place(metric, track->value) ||
           (metric->is_statistic && track->value == 3); /* nonzero */
}

/* What the values of a metric do, over all ranks and communicators; another tool's are each of a
 * kind of its own. */
struct behaviour {
    uint64_t rises;
    uint64_t falls; /* without a reset */
};

static uint64_t behaviour_of(const struct mwa_metrics *metrics, const struct mwa_track *track)
{
    const struct mwa_metric *metric = &metrics->list[track->metric];

    return metric->is_foreign ? metrics->count + metric->members[track->value] : track->metric;
}

static void watch(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                  struct behaviour *behaviours)
{
    for (uint64_t i = 0; i < tracks->count; i++) {
        const struct mwa_track *track = &tracks->list[i];
        struct behaviour *behaviour = &behaviours[behaviour_of(&trace->metrics, track)];

        if (is_about_elements(&trace->metrics.list[track->metric], track)) {
            continue;
        }
        for (uint64_t k = 1; k < track->count; k++) {
            double change = track->samples[k].value - track->samples[k - 1].value;
            bool reset = track->samples[k].flags & MW_SAMPLE_FOREIGN;

            behaviour->rises += change > 0 && !reset;
            behaviour->falls += change < 0 && !reset;
        }
    }
}

/* Other tools say of sensors, too, that they accumulate; what does so falls when it wraps. */
static bool is_no_sum(const struct mwa_metrics *metrics, const struct behaviour *behaviour,
                      const struct mwa_track *track)
{
    const struct mwa_metric *metric = &metrics->list[track->metric];

    return metric->is_foreign && MW_CLASS_IS_SUM(track->class) &&
           !metrics->members[metric->members[track->value]].is_relative &&
           behaviour->falls > behaviour->rises / RISES_OF_A_FALL;
}

static void classify(const struct mwa_metrics *metrics, const struct behaviour *behaviour,
                     struct mwa_track *track)
{
    const struct mwa_metric *metric = &metrics->list[track->metric];

    track->class = mwa_metric_class(metrics, metric, track->value);
    if (is_about_elements(metric, track)) {
        track->class = MW_CLASS_LEVEL;
    } else if (metric->effective == MW_CLASS_SIZE && behaviour->falls == 0 &&
               behaviour->rises >= MWA_RISES_MIN) {
        track->class = MW_CLASS_COUNTER;
        track->is_reclassified = true;
    } else if (is_no_sum(metrics, behaviour, track)) {
        track->class = MW_CLASS_LEVEL;
        track->is_reclassified = true;
    } else if (!metric->read_resets &&
               ((metric->effective == MW_CLASS_HIGHWATERMARK && behaviour->falls > 0) ||
                (metric->effective == MW_CLASS_LOWWATERMARK && behaviour->rises > 0))) {
        track->class = MW_CLASS_LEVEL;
        track->is_reclassified = true;
    }
}

/* --- sums ----------------------------------------------------------------------------------- */

bool mwa_metric_is_told(const struct mwa_metric *metric)
{
    return strcmp(metric->bind, "PROGRAM") == 0 || strcmp(metric->bind, MW_BIND_EVENT) == 0;
}

struct sum {
    enum mw_metric_type type;
    uint64_t mask;     /* the greatest integer of the value */
    uint64_t range;    /* the same of one element, where several are summed up */
    uint64_t baseline; /* bits of what was subtracted */
};

static struct sum sum_of(const struct mwa_trace *trace, const struct mwa_track *track)
{
    const struct mwa_metrics *metrics = &trace->metrics;
    const struct mwa_metric *metric = &metrics->list[track->metric];
    bool combines = metric->is_statistic || metric->is_top;
    struct sum sum = { .type = metrics->members[metric->members[track->value]].type,
                       .mask = metric->bits == 32 && !combines ? UINT32_MAX : UINT64_MAX,
                       .range = metric->bits == 32 ? UINT32_MAX : UINT64_MAX };

    for (uint64_t i = 0; i < metrics->baseline_count && !combines; i++) {
        const struct mwa_baseline *baseline = &metrics->baselines[i];

        if (baseline->metric == track->metric && baseline->rank == track->rank &&
            baseline->comm == track->comm && baseline->object == track->object &&
            baseline->element == metric->first + track->value) {
            sum.baseline = baseline->bits;
        }
    }
    if (sum.type == MW_METRIC_DOUBLE) {
        sum.mask = UINT64_MAX;
    }
    return sum;
}

/* Replaces what was stored of a variable by what it sums up to. */
static void rebuild(const struct mwa_trace *trace, struct mwa_track *track)
{
    const struct sum sum = sum_of(trace, track);
    uint64_t total = track->count > 0 ? track->samples[0].bits : 0;
    uint64_t before = mw_sum_add(sum.type, total, sum.baseline) & sum.mask;

    for (uint64_t i = 1; i < track->count; i++) {
        struct mwa_sample *sample = &track->samples[i];
        uint64_t now = mw_sum_add(sum.type, sample->bits, sum.baseline) & sum.mask;
        uint64_t gain;
        enum mw_sum_step step = mw_sum_step(sum.type, sum.range, before, now,
                                            sample->flags & MW_SAMPLE_FOREIGN, &gain);

        track->resets += step == MW_SUM_IS_RESET;
        track->wraps += step == MW_SUM_WRAPS;
        total = mw_sum_add(sum.type, total, gain);
        sample->bits = total;
        sample->value = mwa_metric_value(sum.type, total);
        before = now;
    }
}

/* Each sample is what came since the one before: replaces them by what they sum up to. */
static void add_up(enum mw_metric_type type, struct mwa_track *track)
{
    for (uint64_t i = 1; i < track->count; i++) {
        struct mwa_sample *sample = &track->samples[i];

        sample->bits = mw_sum_add(type, sample[-1].bits, sample->bits);
        sample->value = mwa_metric_value(type, sample->bits);
    }
}

/* Two threads that read a variable at all but the same time may tell it in the other order. */
static void straighten(struct mwa_track *track)
{
    for (uint64_t i = 1; i < track->count; i++) {
        struct mwa_sample *sample = &track->samples[i];

        if (sample->value < sample[-1].value) {
            sample->value = sample[-1].value;
            sample->bits = sample[-1].bits;
        }
    }
}

enum mw_status mwa_sums_rebuild(const struct mwa_trace *trace, struct mwa_tracks *tracks)
{
    uint64_t count = trace->metrics.count + trace->metrics.member_count + 1;
    struct behaviour *behaviours = calloc(count, sizeof *behaviours);

    if (!behaviours) {
        return MW_ERROR_MEMORY;
    }
    watch(trace, tracks, behaviours);
    for (uint64_t i = 0; i < tracks->count; i++) {
        struct mwa_track *track = &tracks->list[i];
        const struct mwa_metric *metric = &trace->metrics.list[track->metric];

        classify(&trace->metrics, &behaviours[behaviour_of(&trace->metrics, track)], track);
        if (mwa_track_is_relative(trace, track)) {
            add_up(mwa_track_type(trace, track), track);
        } else if (!MW_CLASS_IS_SUM(track->class) || mwa_metric_is_told(metric)) {
            continue;
        } else if (metric->is_rebuilt) {
            straighten(track);
        } else {
            rebuild(trace, track);
        }
    }
    free(behaviours);
    return MW_OK;
}
