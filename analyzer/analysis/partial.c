/* What most analyses have, rows by a key, is seen to here, so that they tell of the rest alone. */
#include <stdlib.h>

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/keyed_rows.h"

void *mwa_partial_create(const struct mwa_analysis *analysis, const struct mwa_trace *trace)
{
    const struct mwa_trace **partial = calloc(1, analysis->size);

    if (!partial) {
        return NULL;
    }
    *partial = trace;
    if (analysis->begin && analysis->begin(partial) != MW_OK) {
        mwa_partial_destroy(analysis, partial);
        return NULL;
    }
    return partial;
}

void mwa_partial_destroy(const struct mwa_analysis *analysis, void *partial)
{
    if (!partial) {
        return;
    }
    if (analysis->fini) {
        analysis->fini(partial);
    }
    if (analysis->rows) {
        mwa_rows_fini(analysis->rows, partial);
    }
    free(partial);
}

enum mw_status mwa_partial_merge(const struct mwa_analysis *analysis, void *into, const void *from)
{
    const enum mw_status status = analysis->rows ? mwa_rows_merge(analysis->rows, into, from)
                                                 : MW_OK;

    return status == MW_OK && analysis->merge ? analysis->merge(into, from) : status;
}

bool mwa_partial_may_travel(const struct mwa_analysis *analysis)
{
    return analysis->rows || analysis->pack;
}

void mwa_partial_pack(const struct mwa_analysis *analysis, const void *partial,
                      struct mw_buffer *to)
{
    if (analysis->rows) {
        mwa_rows_pack(analysis->rows, partial, to);
    }
    if (analysis->pack) {
        analysis->pack(partial, to);
    }
}

enum mw_status mwa_partial_unpack(const struct mwa_analysis *analysis, void *partial,
                                  const struct mwa_moment *moment, struct mw_cursor *from)
{
    const enum mw_status status =
        analysis->rows ? mwa_rows_unpack(analysis->rows, partial, moment->trace, from) : MW_OK;

    return status == MW_OK && analysis->unpack ? analysis->unpack(partial, moment, from) : status;
}
