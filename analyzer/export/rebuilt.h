#ifndef MWA_EXPORT_REBUILT_H
#define MWA_EXPORT_REBUILT_H

#include "analyzer/analysis/results.h"

/*
 * What samples are exported with: sums that never fall, also of an archive whose recorder stored
 * them modulo the range of their variables (analyzer/analysis/counters/sums.h). For one thread.
 */
struct mwa_rebuilt {
    struct mwa_input *input;
    struct mwa_results results; /* tracks, if some of them have to be rebuilt */
    struct mwa_map tracks;      /* of what to index */
    uint64_t values[UINT8_MAX];
};

/* path is where trace can be opened again. As mwa_collect; mwa_rebuilt_fini is due in any case. */
enum mw_status mwa_rebuilt_make(struct mwa_rebuilt *rebuilt, const struct mwa_trace *trace,
                                const char *path, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_rebuilt_fini(struct mwa_rebuilt *rebuilt);

/* Whether the metric's values have to be rebuilt. */
bool mwa_rebuilt_is_needed(const struct mwa_metric *metric);

/* The values of a sample that a rank took at time, data's own or in place until the next call. */
const uint64_t *mwa_rebuilt_values(struct mwa_rebuilt *rebuilt, const struct mwa_trace *trace,
                                   uint32_t rank, uint64_t time,
                                   const struct mwa_metric_data *data);

#endif
