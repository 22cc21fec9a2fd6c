#include "analyzer/analysis/waits/waits_known.h"

#define EVENT(kind) (1u << MWA_##kind)
#define STEP(kind)  (1u << MWA_STEP_##kind)

/* The calls that a pattern is of, and the events and steps on windows of which any tells it. */
struct need {
    bool (*is_of)(unsigned call);
    uint32_t events;
    uint32_t steps;
};

static bool is_of_messages(unsigned call)
{
    switch (mw_call_kind(call)) {
    case MW_KIND_SEND:
    case MW_KIND_ISEND:
    case MW_KIND_RECV:
    case MW_KIND_IRECV:
    case MW_KIND_SENDRECV:
    case MW_KIND_SENDRECV_REPLACE:
        return true;
    default:
        return false;
    }
}

static bool is_reduce(unsigned call)
{
    switch (mw_call_kind(call)) {
    case MW_KIND_REDUCE:
    case MW_KIND_GATHER:
    case MW_KIND_GATHERV:
        return true;
    default:
        return false;
    }
}

static bool is_scan(unsigned call)
{
    return mw_call_kind(call) == MW_KIND_SCAN || mw_call_kind(call) == MW_KIND_EXSCAN;
}

static bool is_broadcast(unsigned call)
{
    switch (mw_call_kind(call)) {
    case MW_KIND_BCAST:
    case MW_KIND_SCATTER:
    case MW_KIND_SCATTERV:
        return true;
    default:
        return false;
    }
}

static bool is_barrier(unsigned call)
{
    return mw_call_kind(call) == MW_KIND_BARRIER;
}

static bool is_nxn(unsigned call)
{
    switch (mw_call_kind(call)) {
    case MW_KIND_ALLGATHER:
    case MW_KIND_ALLGATHERV:
    case MW_KIND_ALLREDUCE:
    case MW_KIND_ALLTOALL:
    case MW_KIND_ALLTOALLV:
    case MW_KIND_ALLTOALLW:
    case MW_KIND_REDUCE_SCATTER:
    case MW_KIND_REDUCE_SCATTER_BLOCK:
        return true;
    default:
        return false;
    }
}

static bool is_rooted_or_scan(unsigned call)
{
    return is_reduce(call) || is_broadcast(call) || is_scan(call);
}

static bool is_begun(unsigned call)
{
    return mw_call_means(call, MW_BEGINS) && !mw_call_means(call, MW_PERSISTENT) &&
           mw_call_group(call) == MW_GROUP_COLL;
}

static bool is_of_neighbors(unsigned call)
{
    return mw_call_means(call, MW_NEIGHBORS);
}

static bool is_creation(unsigned call)
{
    return mw_call_means(call, MW_MAKES_COMM);
}

static bool is_of_window(unsigned call)
{
    switch (mw_call_kind(call)) {
    case MW_KIND_WIN_ALLOCATE:
    case MW_KIND_WIN_CREATE:
    case MW_KIND_WIN_FREE:
        return true;
    default:
        return false;
    }
}

static bool is_fence(unsigned call)
{
    return mw_call_kind(call) == MW_KIND_WIN_FENCE;
}

static bool is_access(unsigned call)
{
    return mw_call_kind(call) == MW_KIND_WIN_START || mw_call_kind(call) == MW_KIND_WIN_WAIT;
}

static bool is_lock(unsigned call)
{
    return mw_call_kind(call) == MW_KIND_WIN_LOCK || mw_call_kind(call) == MW_KIND_WIN_LOCK_ALL;
}

static const uint32_t messages = EVENT(SEND) | EVENT(ISEND) | EVENT(RECV) | EVENT(IRECV);
static const uint32_t collectives = EVENT(COLLECTIVE_END) | EVENT(COLLECTIVE_COMPLETE);
static const uint32_t notices = STEP(NOTICE) | STEP(AWAIT) | STEP(GROUP);

static struct need need_of(enum mwa_wait_pattern pattern)
{
    switch (pattern) {
    case MWA_WAIT_LATE_SENDER:
    case MWA_WAIT_WRONG_ORDER_SAME:
    case MWA_WAIT_WRONG_ORDER_DIFFERENT:
    case MWA_WAIT_LATE_RECEIVER:
    case MWA_WAIT_LATE_PROGRESS:
        return (struct need){ is_of_messages, messages, 0 };
    case MWA_WAIT_EARLY_REDUCE:
        return (struct need){ is_reduce, collectives, 0 };
    case MWA_WAIT_EARLY_SCAN:
        return (struct need){ is_scan, collectives, 0 };
    case MWA_WAIT_LATE_BROADCAST:
        return (struct need){ is_broadcast, collectives, 0 };
    case MWA_WAIT_FOR_LAST:
        return (struct need){ is_rooted_or_scan, collectives, 0 };
    case MWA_WAIT_NXN:
    case MWA_WAIT_NXN_COMPLETION:
        return (struct need){ is_nxn, collectives, 0 };
    case MWA_WAIT_BARRIER:
    case MWA_WAIT_BARRIER_COMPLETION:
        return (struct need){ is_barrier, collectives, 0 };
    case MWA_WAIT_NEIGHBORS:
        return (struct need){ is_of_neighbors, collectives, 0 };
    case MWA_WAIT_LATE_COMPLETION:
        return (struct need){ is_begun, EVENT(COLLECTIVE_COMPLETE), 0 };
    case MWA_WAIT_COMM_CREATE:
        return (struct need){ is_creation, EVENT(COMM_CREATE), 0 };
    case MWA_WAIT_WINDOW:
        return (struct need){ is_of_window, EVENT(WINDOW_COLLECTIVE), 0 };
    case MWA_WAIT_FENCE:
        return (struct need){ is_fence, EVENT(WINDOW_COLLECTIVE), 0 };
    case MWA_WAIT_LATE_POST:
    case MWA_WAIT_EARLY_WAIT:
    case MWA_WAIT_LATE_COMPLETE:
        return (struct need){ is_access, 0, notices };
    case MWA_WAIT_LOCK_CONTENTION:
        return (struct need){ is_lock, 0, STEP(LOCK) | STEP(REQUEST) };
    case MWA_WAIT_INIT_COMPLETION:
    case MWA_WAIT_FINALIZE:
    case MWA_WAIT_PATTERNS:
        break;
    }
    return (struct need){ NULL, 0, 0 };
}

const struct mwa_region *mwa_wait_unknown(const struct mwa_trace *trace,
                                          const struct mwa_profile *profile,
                                          const struct mwa_exchange_result *exchange,
                                          enum mwa_wait_pattern pattern)
{
    const struct need need = need_of(pattern);

    if (trace->has_metadata || !need.is_of || exchange->seen_kinds & need.events ||
        exchange->seen_steps & need.steps) {
        return NULL;
    }
    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (need.is_of(profile->calls[i].region->call)) {
            return profile->calls[i].region;
        }
    }
    return NULL;
}
