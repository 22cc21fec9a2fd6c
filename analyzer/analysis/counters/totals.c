#include "analyzer/analysis/counters/totals.h"

#include "analyzer/analysis/counters/sums.h"
#include "formats/spool/sum.h"

static const struct mwa_baseline *first_doubt(const struct mwa_trace *trace,
                                              const struct mwa_track *track)
{
    return mwa_metric_doubt(&trace->metrics, track->metric, track->rank, track->comm,
                            track->object);
}

/* The doubt of a track's value: of a sum over elements that of all, else the greatest of any. */
static struct mwa_total doubt_of(const struct mwa_trace *trace, const struct mwa_track *track)
{
    const struct mwa_metric *metric = &trace->metrics.list[track->metric];
    const enum mw_metric_type type = mwa_track_type(trace, track);
    const bool is_list = !metric->is_statistic && !metric->is_top;
    const struct mwa_baseline *doubt = first_doubt(trace, track);
    struct mwa_total sum = { 0 };

    for (; doubt; doubt = doubt->next ? &trace->metrics.baselines[doubt->next - 1] : NULL) {
        const double value = mwa_metric_value(type, doubt->doubt);

        if (is_list ? doubt->element == metric->first + track->value
                    : metric->is_statistic && track->value == 0) {
            sum.exact = mw_sum_add(type, sum.exact, doubt->doubt);
            sum.value += value;
        } else if (!is_list && value > sum.value) {
            sum = (struct mwa_total){ value, doubt->doubt };
        }
    }
    return sum;
}

struct mwa_total mwa_total_at_most(const struct mwa_trace *trace, const struct mwa_track *track,
                                   struct mwa_total total)
{
    const struct mwa_total doubt = doubt_of(trace, track);

    return (struct mwa_total){ total.value + doubt.value, total.exact + doubt.exact };
}

struct mwa_total mwa_total_at_least(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                                    const struct mwa_track *track, struct mwa_total total)
{
    const struct mwa_sample *last = &track->samples[track->count - 1];
    const struct mwa_sample *sure = mwa_track_at(track, tracks->first_end);

    if (!first_doubt(trace, track)) {
        return total;
    }
    if (!sure || sure == track->samples) {
        return (struct mwa_total){ 0 }; /* as it began */
    }
    sure--; /* it was read before the next one's time, but that itself any while after its own */
    return (struct mwa_total){ total.value - (last->value - sure->value),
                               total.exact - (last->bits - sure->bits) };
}

bool mwa_track_is_open(const struct mwa_trace *trace, const struct mwa_track *track)
{
    const struct mwa_metric *metric = &trace->metrics.list[track->metric];

    return !metric->is_foreign && !mwa_metric_is_told(metric) &&
           !(track->samples[track->count - 1].flags & MW_SAMPLE_END);
}
