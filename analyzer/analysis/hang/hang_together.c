/*
 * Members do the same in the same order on a communicator, so that who has done fewer has not come.
 * Operations that do not block are in that order by their beginnings. Persistent ones match in the
 * order in which they were made and not in that of their starts (MPI 4.0, 6.13): where there are
 * some, and where one failed that others may have done, the numbers prove nothing.
 */
#include "analyzer/analysis/hang/hang_together.h"

#include "analyzer/analysis/hang/hang_receives.h"
#include "formats/table/calls.h"

unsigned mwa_hang_call_of(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                          uint32_t rank)
{
    const struct mwa_hang_rank *state = &states->ranks[rank];

    return state->where == MWA_HANG_INSIDE && state->site != MWA_NONE
               ? trace->regions[trace->sites[state->site].region].call
               : MW_CALL_COUNT;
}

/* As a world rank; root is one in comm, if it is told. */
static uint32_t root_of(const struct mwa_trace *trace, uint32_t rank, uint32_t comm, bool is_told,
                        int32_t root)
{
    return is_told ? mwa_hang_world_rank(trace, comm, rank, root) : MWA_NONE;
}

bool mwa_hang_meets(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                    uint32_t rank, struct mwa_hang_meeting *meeting)
{
    const struct mwa_hang_rank *state = &states->ranks[rank];
    const unsigned call = mwa_hang_call_of(trace, states, rank);
    const struct mwa_hint *hint = &state->hint;

    if (!state->has_hint || call == MW_CALL_COUNT) {
        return false;
    }
    *meeting = (struct mwa_hang_meeting){ .index = hint->comm,
                                          .comm = hint->comm,
                                          .kind = mw_call_kind(call),
                                          .root = root_of(trace, rank, hint->comm,
                                                          hint->has_peer, hint->peer) };
    if (mw_call_group(call) == MW_GROUP_COLL && hint->comm != MWA_NONE) {
        meeting->what = MWA_HANG_COLLECTIVES;
    } else if (mw_call_kind(call) == MW_KIND_COMM_CREATION && hint->comm != MWA_NONE) {
        meeting->what = MWA_HANG_COMMS;
    } else if (mw_call_means(call, MW_MAKES_OBJECT) && hint->comm != MWA_NONE) {
        meeting->what = MWA_HANG_WINDOWS;
    } else if ((mw_call_kind(call) == MW_KIND_WIN_FENCE ||
                mw_call_kind(call) == MW_KIND_WIN_FREE) &&
               hint->window != MWA_NONE) {
        meeting->what = MWA_HANG_FENCES;
        meeting->index = hint->window;
        meeting->comm = trace->metrics.objects[hint->window].comm;
    } else {
        return false;
    }
    meeting->number = mwa_hang_count(states, rank, meeting->what, meeting->index) + 1;
    return meeting->comm != MWA_NONE;
}

/* The kind of the blocking operation. Not of those in which it is a matter of counts, or of ranks,
 * who needs whom: the root of MPI_Igatherv may get nothing from some. */
static unsigned blocking_kind(unsigned kind)
{
    switch (kind) {
    case MW_KIND_IBARRIER:
        return MW_KIND_BARRIER;
    case MW_KIND_IBCAST:
        return MW_KIND_BCAST;
    case MW_KIND_ISCATTER:
    case MW_KIND_ISCATTERV:
        return MW_KIND_SCATTER;
    case MW_KIND_IREDUCE:
        return MW_KIND_REDUCE;
    case MW_KIND_IGATHER:
        return MW_KIND_GATHER;
    case MW_KIND_IALLREDUCE:
        return MW_KIND_ALLREDUCE;
    case MW_KIND_IALLGATHER:
        return MW_KIND_ALLGATHER;
    case MW_KIND_IALLTOALL:
        return MW_KIND_ALLTOALL;
    case MW_KIND_IREDUCE_SCATTER_BLOCK:
        return MW_KIND_REDUCE_SCATTER_BLOCK;
    default:
        return MW_KIND_PLAIN;
    }
}

bool mwa_hang_meets_by(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                       const struct mwa_hang_request *request, struct mwa_hang_meeting *meeting)
{
    const unsigned call = request->site == MWA_NONE
                              ? MW_CALL_COUNT
                              : trace->regions[trace->sites[request->site].region].call;

    *meeting = (struct mwa_hang_meeting){ .what = MWA_HANG_COLLECTIVES,
                                          .index = request->comm,
                                          .comm = request->comm,
                                          .number = request->number,
                                          .kind = blocking_kind(mw_call_kind(call)),
                                          .root = root_of(trace, request->rank, request->comm,
                                                          request->has_root, request->root),
                                          .is_begun = true };
    return request->kind == MWA_COLLECTIVE_POST && request->comm != MWA_NONE &&
           request->number > 0 && !states->ranks[request->rank].has_threads &&
           !mw_call_means(call, MW_NEIGHBORS);
}

/* Whether other's open call is of the same sort on the same. */
static bool meets_there(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                        const struct mwa_hang_meeting *meeting, uint32_t other,
                        struct mwa_hang_meeting *others)
{
    return mwa_hang_meets(trace, states, other, others) && others->what == meeting->what &&
           others->index == meeting->index;
}

bool mwa_hang_disagrees(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                        const struct mwa_hang_meeting *meeting, uint32_t self, uint32_t other)
{
    const struct mwa_hint *mine = &states->ranks[self].hint;
    const struct mwa_hint *theirs = &states->ranks[other].hint;
    struct mwa_hang_meeting others;

    return !meeting->is_begun && meets_there(trace, states, meeting, other, &others) &&
           others.number == meeting->number &&
           (!mw_call_is_same(mwa_hang_call_of(trace, states, self),
                             mwa_hang_call_of(trace, states, other)) ||
            (mine->has_peer && theirs->has_peer && mine->peer != theirs->peer));
}

bool mwa_hang_has_come(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                       const struct mwa_hang_meeting *meeting, uint32_t other)
{
    struct mwa_hang_meeting others;
    const uint64_t made = mwa_hang_count(states, other, meeting->what, meeting->index);

    return made + meets_there(trace, states, meeting, other, &others) >= meeting->number;
}

bool mwa_hang_are_in_step(const struct mwa_hang_states *states,
                          const struct mwa_hang_meeting *meeting, uint32_t self, uint32_t other)
{
    const struct mwa_hang_rank *mine = &states->ranks[self];
    const struct mwa_hang_rank *theirs = &states->ranks[other];

    switch (meeting->what) {
    case MWA_HANG_COLLECTIVES:
        return !mine->starts_together && !theirs->starts_together && !mine->has_failures &&
               !theirs->has_failures;
    case MWA_HANG_COMMS:
        return !mine->has_splits && !theirs->has_splits;
    default:
        return true;
    }
}

/* Of an intercommunicator's groups each needs the other one only. */
static bool are_in_one_group_of_two(const struct mwa_trace *trace, uint32_t comm, uint32_t self,
                                    uint32_t other)
{
    uint64_t count = 0;
    const uint32_t *members =
        trace->comms[comm].inter ? mwa_trace_members(trace, comm, 0, &count) : NULL;
    bool has_self = false;
    bool has_other = false;

    for (uint64_t i = 0; members && i < count; i++) {
        has_self |= members[i] == self;
        has_other |= members[i] == other;
    }
    return trace->comms[comm].inter && has_self == has_other;
}

/* Counts may be 0 that each rank has for itself: the root of MPI_Gatherv needs nobody of whom it
 * gets nothing, nor does who gets nothing from MPI_Reduce_scatter. */
bool mwa_hang_needs_surely(const struct mwa_trace *trace, const struct mwa_hang_states *states,
                           const struct mwa_hang_meeting *meeting, uint32_t self, uint32_t other)
{
    if (meeting->is_begun && states->ranks[other].has_threads) {
        return false;
    }
    switch (meeting->kind) {
    case MW_KIND_BCAST:
    case MW_KIND_SCATTER:
    case MW_KIND_SCATTERV:
        return other == meeting->root;
    case MW_KIND_REDUCE:
    case MW_KIND_GATHER:
        return self == meeting->root;
    case MW_KIND_BARRIER:
    case MW_KIND_ALLREDUCE:
    case MW_KIND_ALLGATHER:
    case MW_KIND_ALLTOALL:
    case MW_KIND_REDUCE_SCATTER_BLOCK:
        return !are_in_one_group_of_two(trace, meeting->comm, self, other);
    default:
        return !meeting->is_begun &&
               mw_call_means(mwa_hang_call_of(trace, states, self), MW_MAKES_COMM);
    }
}
