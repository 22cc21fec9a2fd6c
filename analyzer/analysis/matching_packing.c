/* Above the room of matching, where bytes are packed. */
#include "analyzer/analysis/matching_packing.h"

#include <stdlib.h>

#include "analyzer/team/packing.h"

void mwa_matching_result_pack(const struct mwa_matching_result *result, struct mw_buffer *to)
{
    struct mwa_matching_result sums = *result;

    sums.cancelled_sends = NULL;
    sums.cancelled_send_count = 0;
    mwa_pack_array(to, &sums, 1, sizeof sums);
    mwa_pack_array(to, result->cancelled_sends, result->cancelled_send_count,
                   sizeof *result->cancelled_sends);
}

static bool is_of(const struct mwa_trace *trace, const struct mwa_cancelled_send *send)
{
    return send->from < trace->rank_count &&
           (send->to == MWA_NONE || send->to < trace->rank_count) &&
           (send->comm == MWA_NONE || send->comm < trace->comm_count);
}

static enum mw_status unpack_cancelled(const struct mwa_trace *trace, struct mw_cursor *from,
                                       struct mwa_matching_result *result)
{
    enum mw_status status =
        mwa_unpack_array(from, &result->cancelled_sends, &result->cancelled_send_count,
                         sizeof *result->cancelled_sends);

    for (uint64_t i = 0; i < result->cancelled_send_count && status == MW_OK; i++) {
        status = is_of(trace, &result->cancelled_sends[i]) ? MW_OK : MW_ERROR_FORMAT;
    }
    return status;
}

enum mw_status mwa_matching_result_unpack(const struct mwa_trace *trace, struct mw_cursor *from,
                                          struct mwa_matching_result *result)
{
    enum mw_status status = mwa_unpack_into(from, result, 1, sizeof *result);

    if (status != MW_OK) {
        *result = (struct mwa_matching_result){ 0 };
        return status;
    }
    result->cancelled_sends = NULL;
    status = unpack_cancelled(trace, from, result);
    if (result->cancelled_send_count == 0) { /* there is no list, then */
        free(result->cancelled_sends);
        result->cancelled_sends = NULL;
    }
    return status;
}
