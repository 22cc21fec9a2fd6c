/* Leaders are few and ranks are many: only the leaders' shares are kept. */
#include "analyzer/model/clusters.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/model/map.h"

#define ROUNDING 1e-9 /* of shares that are equal */

static bool are_near(const struct mwa_alike *alike, const double *one, const double *other)
{
    for (uint32_t i = 0; i < alike->times + alike->calls; i++) {
        const double apart = i < alike->times ? MWA_TIME_APART : MWA_CALLS_APART;

        if (fabs(one[i] - other[i]) > apart + ROUNDING) {
            return false;
        }
    }
    return true;
}

enum mw_status mwa_clusters_find(const struct mwa_alike *alike, uint32_t *cluster, uint32_t *count)
{
    const size_t shares = alike->times + (size_t)alike->calls;
    double *own = calloc(shares + 1, sizeof *own), *leaders = NULL;
    uint64_t capacity = 0;
    uint32_t found = 0;
    enum mw_status status = MW_ERROR_MEMORY;

    for (uint64_t i = 0; own && i < alike->count; i++) {
        uint32_t at = 0;

        alike->shares_of(alike->of, i, own);
        while (at < found && at + 1 < MWA_CLUSTERS_MAX &&
               !are_near(alike, &leaders[at * shares], own)) {
            at++;
        }
        cluster[i] = at;
        if (at < found) {
            continue;
        }
        if (!mwa_grow(&leaders, &capacity, (found + UINT64_C(1)) * shares + 1, sizeof *leaders)) {
            goto out;
        }
        for (size_t k = 0; k < shares; k++) {
            leaders[found * shares + k] = own[k];
        }
        found++;
    }
    status = own ? MW_OK : MW_ERROR_MEMORY;
out:
    *count = found;
    free(leaders);
    free(own);
    return status;
}
