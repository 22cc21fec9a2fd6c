#include "analyzer/render/summary.h"

#include <time.h>

bool mwa_is_complete(const struct mwa_results *results)
{
    const struct mwa_trace *trace = results->trace;

    if (trace->incomplete || trace->lost_events > 0 || results->pass.missing_events > 0) {
        return false;
    }
    if (!results->has_profile) {
        return true;
    }
    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        if (!results->profile.ranks[i].has_events) {
            return false;
        }
    }
    return results->profile.open_calls == 0;
}

uint64_t mwa_duration_ns(const struct mwa_results *results)
{
    const struct mwa_profile *profile = &results->profile;

    return mwa_trace_ns(results->trace, profile->last_ticks - profile->first_ticks);
}

const char *mwa_started(const struct mwa_trace *trace, char *text)
{
    struct tm parts;
    time_t seconds;

    if (trace->realtime == UINT64_MAX) {
        return NULL;
    }
    seconds = (time_t)(trace->realtime / 1000000000u);
    if (!gmtime_r(&seconds, &parts)) {
        return NULL;
    }
    return strftime(text, MWA_STARTED_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 ? text : NULL;
}

const char *mwa_unmatched_reason_name(unsigned reason)
{
    static const char *const names[] = { [MWA_UNMATCHED_PAUSED] = "paused",
                                         [MWA_UNMATCHED_INCOMPLETE] = "incomplete",
                                         [MWA_UNMATCHED_LOST] = "lost",
                                         [MWA_UNMATCHED_UNDEFINED] = "undefined",
                                         [MWA_UNMATCHED_UNKNOWN] = "unknown" };

    return reason < MWA_UNMATCHED_REASONS ? names[reason] : "unknown";
}
