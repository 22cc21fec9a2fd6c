#ifndef MWA_ANALYSIS_EFFICIENCY_PATH_JOINTS_H
#define MWA_ANALYSIS_EFFICIENCY_PATH_JOINTS_H

#include "analyzer/analysis/efficiency/dependence.h"
#include "analyzer/analysis/efficiency/path_tree.h"
#include "analyzer/exchange/exchange.h"
#include "analyzer/model/pool.h"

/*
 * What the critical path keeps of calls, and where it is told afterwards that it comes from another
 * rank.
 *
 * A call that completes sends, entered at E and left at L, waited if a receive was posted in
 * between (Scalasca Late Receiver); one that completes an end of a message or a part of an
 * operation may have waited for another's call (mwa_awaited_progress, mwa_visit_completions); and
 * members of some collectives for the last (mwa_awaited_last), or for who gets from them to come to
 * MPI (mwa_awaited_return). That is known long after the path has gone on behind L. So there is a
 * joint at L; when it is told, the path comes there by the other rank's up to where that posted, or
 * entered, and spends the time from there to L in the call, if that was later than what is known at
 * L.
 *
 * Times are ticks. Not thread-safe.
 */

/* What is kept of a call until nobody can ask for it any more. */
struct mwa_snapshot {
    /* What others may have to wait for: the state of the rank at the call's beginning. */
    struct mwa_words clocks;    /* of the ideal network */
    struct mwa_path_node *path; /* null: nobody asks */

    struct mwa_path_joint joint; /* at the end of a call that completes messages */
    uint64_t latest_sent; /* of what that has received or found, at least its enter */
    uint64_t awaited; /* when other, the rank that the path comes from, came; 0: from none */
    uint32_t other;
};

struct mwa_joints {
    const struct mwa_trace *trace;
    uint32_t slot; /* of calls' notes */
    struct mwa_pool snapshots;
    struct mwa_path_tree paths;
};

/* Nothing is kept of the calls of the trace, which stays and has to be there until fini. */
void mwa_joints_init(struct mwa_joints *joints, const struct mwa_trace *trace, uint32_t slot);
void mwa_joints_fini(struct mwa_joints *joints);

/* What is kept of call; null: nothing, or call is null. It belongs to joints. */
MW_INLINE struct mwa_snapshot *mwa_joints_kept(const struct mwa_joints *joints,
                                               const struct mwa_exchange_call *call)
{
    return call ? (struct mwa_snapshot *)(uintptr_t)call->note[joints->slot] : NULL;
}

/* The same, of a call of which nothing is kept yet: zeros. Null: there is no memory. */
struct mwa_snapshot *mwa_joints_keep(struct mwa_joints *joints, struct mwa_exchange_call *call);

/* Nobody asks for what is kept of call any more. */
void mwa_joints_forget(struct mwa_joints *joints, struct mwa_exchange_call *call);

/* Whether a call that is left may turn out to have waited when others are told of. */
bool mwa_may_turn_out(const struct mwa_exchange_call *call);

/*
 * Puts a joint at the call's end, where *path leads; the rest as in the snapshot. MW_ERROR_MEMORY:
 * there is no memory.
 */
enum mw_status mwa_joints_make(struct mwa_joints *joints, struct mwa_exchange_call *call,
                               uint64_t latest_sent, uint64_t awaited, uint32_t other,
                               struct mwa_path_node **path) MW_MUST_CHECK;

/*
 * What is known when a message, a part of a call's operation that is complete, or a collective is
 * told: leads the paths to the ends of the calls that waited. MW_ERROR_MEMORY as above.
 */
enum mw_status mwa_joints_lead_message(struct mwa_joints *joints,
                                       const struct mwa_message *message) MW_MUST_CHECK;
enum mw_status mwa_joints_lead_collective(struct mwa_joints *joints,
                                          struct mwa_collective *collective) MW_MUST_CHECK;

/* The index of call's region; the number of regions stands for none. */
MW_INLINE uint32_t mwa_joints_region(const struct mwa_joints *joints,
                                     const struct mwa_exchange_call *call)
{
    return (uint32_t)(call->region ? (uint64_t)(call->region - joints->trace->regions)
                                   : joints->trace->region_count);
}

#endif
