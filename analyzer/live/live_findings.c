/* What all that has been read comes to. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/live/live_detail_state.h"

enum mw_status mwa_live_detail_states(const struct mwa_live_detail *detail,
                                      struct mwa_hang_states *states, uint64_t *begin,
                                      uint64_t *lost)
{
    struct mwa_live_hang_thread *threads =
        calloc(detail->reading_count + (size_t)1, sizeof *threads);
    enum mw_status status;

    *begin = 0;
    *states = (struct mwa_hang_states){.rank_count = 0};
    for (uint32_t i = 0; threads && i < detail->reading_count; i++) {
        const struct mwa_live_reading *reading = detail->readings[i];
        const uint64_t own = reading->stream.begin;

        threads[i] = (struct mwa_live_hang_thread){&reading->stream, &reading->last};
        lost[reading->rank] += reading->overwritten + reading->is_damaged;
        *begin = own > 0 && (*begin == 0 || own < *begin) ? own : *begin;
    }
    status = threads ? mwa_live_hang_find(detail->hang, threads, detail->reading_count, states)
                     : MW_ERROR_MEMORY;
    free(threads);
    return status;
}

double mwa_live_detail_share(const struct mwa_live_detail *detail, const struct mwa_live *live)
{
    uint64_t made = 0;
    uint64_t read = 0;

    for (uint32_t i = 0; i < live->thread_count; i++) {
        made += live->threads[i].moment.counts.calls;
        read += detail->told ? live->threads[i].read : 0;
    }
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        read += detail->readings[i]->calls;
    }
    return made > read + live->thread_count ? (double)read / (double)made : 1;
}

static enum mw_status merge(const struct mwa_live_detail *detail, enum mwa_live_part part,
                            void *result)
{
    return mwa_live_readings_merge(detail->readings, detail->reading_count, &detail->trace, part,
                                   result);
}

enum mw_status mwa_live_detail_find(const struct mwa_live_detail *detail,
                                    const struct mwa_live *live, struct mwa_live_found *found,
                                    struct mw_diagnostic *diagnostic)
{
    memset(found, 0, sizeof *found);
    for (uint32_t i = 0; i < detail->reading_count; i++) {
        found->overwritten += detail->readings[i]->overwritten;
        found->damaged += detail->readings[i]->is_damaged;
    }
    found->share = mwa_live_detail_share(detail, live);
    found->is_told = detail->told != NULL;
    return merge(detail, MWA_LIVE_PROFILE, &found->profile) == MW_OK &&
                   merge(detail, MWA_LIVE_SENT, &found->sent) == MW_OK &&
                   merge(detail, MWA_LIVE_RECEIVED, &found->received) == MW_OK &&
                   merge(detail, MWA_LIVE_OF_COMMS, &found->comms) == MW_OK
               ? MW_OK
               : mw_no_memory(diagnostic, NULL, "to tell what the run does");
}

void mwa_live_found_fini(struct mwa_live_found *found)
{
    mwa_profile_fini(&found->profile);
    mwa_traffic_fini(&found->sent);
    mwa_traffic_fini(&found->received);
    mwa_comms_fini(&found->comms);
}

const struct mwa_live_trace *mwa_live_detail_trace(const struct mwa_live_detail *detail)
{
    return &detail->trace;
}

const struct mwa_live_variables *mwa_live_detail_variables(const struct mwa_live_detail *detail)
{
    return detail->told ? detail->told->variables : detail->variables;
}
