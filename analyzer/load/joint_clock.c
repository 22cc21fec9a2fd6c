/* Both who put times together and who asks whether calls met need it. */
#include "analyzer/load/joint_clock.h"

#include <string.h>

uint64_t mwa_joint_end(const struct mwa_trace *trace)
{
    return trace->clock_length < UINT64_MAX - trace->clock_offset
               ? trace->clock_offset + trace->clock_length
               : UINT64_MAX;
}

enum mwa_job_clock mwa_joint_clock_of(const struct mwa_trace *first, const struct mwa_trace *trace)
{
    if (first->rank_count > 0 && trace->rank_count > 0 &&
        strcmp(first->ranks[0].host, trace->ranks[0].host) == 0 &&
        first->clock_offset <= mwa_joint_end(trace) &&
        trace->clock_offset <= mwa_joint_end(first)) {
        return MWA_JOB_CLOCK_SHARED;
    }
    return first->realtime != UINT64_MAX && trace->realtime != UINT64_MAX ? MWA_JOB_CLOCK_WALL
                                                                          : MWA_JOB_CLOCK_UNKNOWN;
}
