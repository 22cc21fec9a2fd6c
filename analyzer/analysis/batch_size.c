/* What is in flight between locations grows with batches: it is best when it fits the caches. */
#include "analyzer/analysis/pass.h"

/* With few locations, turns should be rare. */
#define BATCH_ALL   8192u /* of all locations together */
#define BATCH_MOST  512u
#define BATCH_LEAST 96u

uint32_t mwa_batch_of(const struct mwa_pass *pass)
{
    uint64_t share = BATCH_ALL / (mwa_input_trace(pass->input)->location_count + 1);

    if ((!pass->ordering && !pass->exchange) || share > BATCH_MOST) {
        return BATCH_MOST;
    }
    return share < BATCH_LEAST ? BATCH_LEAST : (uint32_t)share;
}
