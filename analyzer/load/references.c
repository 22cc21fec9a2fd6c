/*
 * libotf2 doesn't check references in events; what the readers would index an
 * array with is checked here.
 */
#include "analyzer/load/references.h"

#include <stddef.h>

bool mwa_may_be_member(const struct mwa_trace *trace, uint32_t index, uint32_t peer)
{
    const struct mwa_comm *comm = index == MWA_NONE ? NULL : &trace->comms[index];

    return !comm || comm->inter || comm->other_job || comm->group == MWA_NONE ||
           trace->incomplete || peer < mwa_trace_comm_size(trace, index);
}

bool mwa_may_be_root(const struct mwa_trace *trace, uint32_t index, uint32_t root)
{
    return root >= UINT32_MAX - 2 || mwa_may_be_member(trace, index, root);
}
