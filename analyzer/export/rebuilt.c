/* Only archives of former recorders need it: all samples are kept for them, to be looked up. */
#include "analyzer/export/rebuilt.h"

#include <string.h>

#include "analyzer/analysis/collect.h"

bool mwa_rebuilt_is_needed(const struct mwa_metric *metric)
{
    return !metric->is_foreign && MW_CLASS_IS_SUM(metric->effective) && !metric->is_rebuilt &&
           !mwa_metric_is_told(metric);
}

static struct mwa_key key_of(uint32_t rank, uint32_t comm, uint32_t object, uint32_t metric,
                             uint32_t value)
{
    return (struct mwa_key){ (uint64_t)rank << 32 | (comm != MWA_NONE ? comm : object),
                             (uint64_t)metric << 8 | value };
}

enum mw_status mwa_rebuilt_make(struct mwa_rebuilt *rebuilt, const struct mwa_trace *trace,
                                const char *path, struct mw_diagnostic *diagnostic)
{
    const struct mwa_tracks *tracks = &rebuilt->results.tracks;
    enum mw_status status = MW_OK;
    bool is_needed = false;

    memset(rebuilt, 0, sizeof *rebuilt);
    for (uint64_t i = 0; i < trace->metrics.count; i++) {
        is_needed |= mwa_rebuilt_is_needed(&trace->metrics.list[i]);
    }
    if (is_needed) {
        status = mwa_input_open_again(trace, path, &rebuilt->input, diagnostic);
    }
    if (is_needed && status == MW_OK) {
        status = mwa_collect(rebuilt->input, path, MWA_NEED_TRACKS, NULL, &rebuilt->results,
                             diagnostic);
    }
    for (uint64_t i = 0; i < tracks->count && status == MW_OK; i++) {
        const struct mwa_track *track = &tracks->list[i];

        if (mwa_rebuilt_is_needed(&trace->metrics.list[track->metric]) &&
            !mwa_map_put(&rebuilt->tracks, key_of(track->rank, track->comm, track->object,
                                                  track->metric, track->value),
                         i)) {
            status = mw_no_memory(diagnostic, NULL, "for the variables");
        }
    }
    return status;
}

void mwa_rebuilt_fini(struct mwa_rebuilt *rebuilt)
{
    mwa_map_fini(&rebuilt->tracks);
    mwa_results_fini(&rebuilt->results);
    mwa_input_close(rebuilt->input);
}

const uint64_t *mwa_rebuilt_values(struct mwa_rebuilt *rebuilt, const struct mwa_trace *trace,
                                   uint32_t rank, uint64_t time,
                                   const struct mwa_metric_data *data)
{
    if (!mwa_rebuilt_is_needed(&trace->metrics.list[data->metric])) {
        return data->values;
    }
    for (uint32_t i = 0; i < data->count; i++) {
        uint64_t at = mwa_map_get(&rebuilt->tracks,
                                  key_of(rank, data->comm, data->object, data->metric, i));
        const struct mwa_sample *sample =
            at == MWA_MAP_ABSENT ? NULL
                                 : mwa_track_at(&rebuilt->results.tracks.list[at], time);

        rebuilt->values[i] = sample ? sample->bits : data->values[i];
    }
    return rebuilt->values;
}
