/*
 * Posts and completions are counted on both sides: who has given more than it got waits. A lock is
 * granted when the call that locks returns, or later, at the first call that needs it: both are
 * looked at, and of the former it is not told which lock it wants.
 */
#include "analyzer/analysis/hang/hang_window.h"

#include "formats/table/calls.h"

/* A rank's lock of another one's window, or of everybody's. */
struct lock {
    const struct mwa_trace *trace;
    const struct mwa_hang_states *states;
    uint32_t window;
    uint32_t target; /* world rank; MWA_NONE: everybody's */
};

static bool holds(const struct lock *lock, enum mwa_hang_step step, uint32_t rank, uint32_t target)
{
    return mwa_hang_steps(lock->states, step, lock->window, rank, target) > 0;
}

/* Whether rank holds that kind of lock of the target, or of any of all. */
static bool is_held_by(const struct lock *lock, enum mwa_hang_step step, uint32_t rank)
{
    const uint32_t comm = lock->trace->metrics.objects[lock->window].comm;
    uint64_t count = 0;
    const uint32_t *members =
        comm == MWA_NONE ? NULL : mwa_trace_members(lock->trace, comm, 0, &count);
    bool is_held = step == MWA_HANG_SHARES && holds(lock, step, rank, MWA_NONE);

    if (lock->target != MWA_NONE) {
        return is_held || holds(lock, step, rank, lock->target);
    }
    for (uint64_t i = 0; !is_held && members && i < count; i++) {
        is_held = holds(lock, step, rank, members[i]);
    }
    return is_held;
}

static bool is_held_exclusively(const struct lock *lock)
{
    for (uint32_t rank = 0; rank < lock->states->rank_count; rank++) {
        if (is_held_by(lock, MWA_HANG_LOCKS, rank)) {
            return true;
        }
    }
    return false;
}

/* An exclusive lock waits for all holders, a shared one for one who holds it exclusively. */
static bool waits_for_lock(const struct lock *lock, unsigned kind, uint32_t self, uint32_t other)
{
    const bool is_locking = kind == MW_KIND_WIN_LOCK;
    const bool is_exclusive = is_locking ? !is_held_exclusively(lock)
                                         : is_held_by(lock, MWA_HANG_LOCKS, self);

    return is_held_by(lock, MWA_HANG_LOCKS, other) ||
           (is_exclusive && lock->target != MWA_NONE && is_held_by(lock, MWA_HANG_SHARES, other));
}

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
    const struct lock lock = { trace, states, window, target };

    switch (kind) {
    case MW_KIND_WIN_WAIT:
        *why = MWA_HANG_TO_COMPLETE;
        return mwa_hang_steps(states, MWA_HANG_POSTS, window, self, other) >
               mwa_hang_steps(states, MWA_HANG_COMPLETES, window, other, self);
    case MW_KIND_WIN_COMPLETE:
        *why = MWA_HANG_TO_POST;
        return mwa_hang_steps(states, MWA_HANG_STARTS, window, self, other) >
               mwa_hang_steps(states, MWA_HANG_POSTS, window, other, self);
    case MW_KIND_WIN_START: /* the call that is open is not among the starts */
        *why = MWA_HANG_TO_POST;
        return mwa_hang_steps(states, MWA_HANG_STARTS, window, self, other) >=
               mwa_hang_steps(states, MWA_HANG_POSTS, window, other, self);
    case MW_KIND_WIN_LOCK:
    case MW_KIND_WIN_UNLOCK:
    case MW_KIND_WIN_FLUSH:
    case MW_KIND_WIN_FLUSH_LOCAL:
        *why = MWA_HANG_TO_UNLOCK;
        return target != MWA_NONE && waits_for_lock(&lock, kind, self, other);
    case MW_KIND_WIN_LOCK_ALL:
    case MW_KIND_WIN_UNLOCK_ALL:
    case MW_KIND_WIN_FLUSH_ALL:
    case MW_KIND_WIN_FLUSH_LOCAL_ALL:
        *why = MWA_HANG_TO_UNLOCK;
        return waits_for_lock(&lock, kind, self, other);
    default:
        return false;
    }
}
