/* What the passes over events and what is kept of them mean by an open call is the same. */
#include "analyzer/load/open_calls.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"

bool mwa_open_call_is_sound(const struct mwa_trace *trace, const struct mwa_open_call *call)
{
    return call->region < trace->region_count && call->site < trace->site_count &&
           trace->sites[call->site].region == call->region && call->repeat > 0 &&
           (!call->found.is_told || call->found.comm < trace->comm_count);
}

uint32_t mwa_open_calls_kept(const struct mwa_open_calls *calls, uint32_t region)
{
    uint32_t keep = calls->depth;

    while (keep > 0 && calls->stack[keep - 1].region != region) {
        keep--;
    }
    return keep > 0 ? keep - 1 : calls->depth;
}

static bool is_in_mpi(const struct mwa_open_calls *calls)
{
    for (uint32_t i = calls->depth; i-- > 0;) {
        if (calls->trace->regions[calls->stack[i].region].kind != MWA_REGION_USER) {
            return true;
        }
    }
    return false;
}

static enum mw_status enter(struct mwa_open_calls *calls, const struct mwa_event *event)
{
    if (calls->depth == MWA_NESTED_MAX ||
        !mwa_grow(&calls->stack, &calls->capacity, calls->depth + 1u, sizeof *calls->stack)) {
        return calls->depth == MWA_NESTED_MAX ? MW_ERROR_FORMAT : MW_ERROR_MEMORY;
    }
    calls->is_through |=
        calls->trace->regions[event->of.call.region].kind == MWA_REGION_FINALIZE &&
        !is_in_mpi(calls);
    calls->stack[calls->depth++] = (struct mwa_open_call){ .enter = event->time,
                                                           .inside = event->of.call.inside,
                                                           .repeat = event->of.call.repeat,
                                                           .region = event->of.call.region,
                                                           .site = event->of.call.site,
                                                           .found = event->of.call.found };
    return MW_OK;
}

enum mw_status mwa_open_calls_take(struct mwa_open_calls *calls, const struct mwa_event *event)
{
    if (event->kind == MWA_ENTER) {
        return enter(calls, event);
    }
    if (event->kind == MWA_LEAVE) {
        calls->depth = mwa_open_calls_kept(calls, event->of.call.region);
    }
    return MW_OK;
}

bool mwa_open_calls_begin(struct mwa_open_calls *calls, const struct mwa_open_call *from,
                          uint32_t count, bool is_through)
{
    if (!mwa_grow(&calls->stack, &calls->capacity, count, sizeof *calls->stack)) {
        return false;
    }
    if (count > 0) {
        memcpy(calls->stack, from, count * sizeof *from);
    }
    calls->depth = count;
    calls->is_through = is_through;
    return true;
}

void mwa_open_calls_fini(struct mwa_open_calls *calls)
{
    free(calls->stack);
    *calls = (struct mwa_open_calls){ 0 };
}
