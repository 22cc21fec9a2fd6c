/* Posts and completions are counted on both sides: who has given more than it got waits. */
#include "analyzer/analysis/hang/hang_window.h"

#include "formats/table/calls.h"

bool mwa_hang_waits_on_window(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                              unsigned kind, uint32_t self, uint32_t other,
                              enum mwa_hang_why *why)
{
    const struct mwa_hint *hint = &states->ranks[self].hint;
    const uint32_t window = hint->window;
    const uint32_t comm = trace->metrics.objects[window].comm;
    const uint32_t target = hint->has_peer && comm != MWA_NONE && hint->peer >= 0
                                ? mwa_trace_peer(trace, comm, self, (uint32_t)hint->peer)
                                : MWA_NONE;

    switch (kind) {
    case MW_KIND_WIN_WAIT:
        *why = MWA_HANG_TO_COMPLETE;
        return mwa_hang_steps(states, MWA_HANG_POSTS, window, self, other) >
               mwa_hang_steps(states, MWA_HANG_COMPLETES, window, other, self);
    case MW_KIND_WIN_COMPLETE:
        *why = MWA_HANG_TO_POST;
        return mwa_hang_steps(states, MWA_HANG_STARTS, window, self, other) >
               mwa_hang_steps(states, MWA_HANG_POSTS, window, other, self);
    case MW_KIND_WIN_LOCK:
    case MW_KIND_WIN_UNLOCK:
    case MW_KIND_WIN_FLUSH:
    case MW_KIND_WIN_FLUSH_LOCAL:
        *why = MWA_HANG_TO_UNLOCK;
        return target != MWA_NONE &&
               mwa_hang_steps(states, MWA_HANG_LOCKS, window, other, target) > 0;
    default:
        return false;
    }
}
