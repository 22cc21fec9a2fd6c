/* The members of all communicators that one call makes are counted once, and not by each location
 * that takes part in that. */
#include "analyzer/load/quiet_creations.h"

struct mwa_key mwa_quiet_creation_of(const struct mwa_trace *trace, uint32_t comm)
{
    const struct mwa_comm *made = &trace->comms[comm];

    return made->parent != MWA_NONE && made->sequence != UINT64_MAX
               ? (struct mwa_key){ made->parent, made->sequence }
               : (struct mwa_key){ MWA_NONE, comm };
}

bool mwa_quiet_common_init(struct mwa_quiet_common *common, const struct mwa_trace *trace)
{
    common->trace = trace;
    if (!mwa_positions_init(&common->positions, trace)) {
        return false;
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        const struct mwa_key key = mwa_quiet_creation_of(trace, i);
        uint64_t *members = mwa_map_put(&common->creations, key, 0);

        if (!members || !mwa_map_put(&common->creators, key, i)) {
            return false;
        }
        *members += mwa_trace_comm_size(trace, i);
    }
    return true;
}

void mwa_quiet_common_fini(struct mwa_quiet_common *common)
{
    mwa_positions_fini(&common->positions);
    mwa_map_fini(&common->creations);
    mwa_map_fini(&common->creators);
}
