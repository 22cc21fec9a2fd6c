/*
 * Ranks are compared by how many operations each has done on a communicator. What failed at one
 * of them is not in its record, though the others may have done it, and what made no communicator
 * likewise: of such a rank it is remembered that its numbers may be others.
 */
#include "analyzer/analysis/hang/hang_calls.h"

#include "formats/table/calls.h"

void mwa_hang_enter(struct mwa_hang_rank *rank, const struct mwa_moment *moment)
{
    if (!moment->mpi || moment->mpi_depth != 1) {
        return;
    }
    rank->aborts = moment->mpi->call == MW_CALL_MPI_Abort;
    rank->where = rank->aborts ? MWA_HANG_OUTSIDE : MWA_HANG_INSIDE;
    rank->site = moment->site;
    rank->since = moment->event->time;
    rank->has_hint = moment->event->hint != NULL;
    if (rank->has_hint) {
        rank->hint = *moment->event->hint;
    }
    rank->makes_comm = false;
    rank->is_counted = false;
}

/* Whether a call is a collective operation, or begins one; a persistent one begins by MPI_Start. */
static bool takes_part(unsigned call)
{
    return call < MW_CALL_COUNT &&
           (mw_call_group(call) == MW_GROUP_COLL || mw_call_means(call, MW_NEIGHBORS)) &&
           mw_call_kind(call) != MW_KIND_PLAIN && !mw_call_means(call, MW_PERSISTENT);
}

void mwa_hang_leave(struct mwa_hang_rank *rank, const struct mwa_moment *moment)
{
    const struct mwa_call *call = moment->call;

    if (!call || !call->outermost || call->region->mpi_index == MWA_NONE) {
        return;
    }
    if (call->open) {
        rank->fails = mwa_rank_fatal(&moment->trace->ranks[rank->rank]) != 0;
        rank->where = rank->fails ? MWA_HANG_OUTSIDE : rank->where;
        return;
    }
    rank->has_splits |= mw_call_means(call->region->call, MW_MAKES_COMM) && !rank->makes_comm;
    rank->has_failures |= takes_part(call->region->call) && !rank->is_counted;
    rank->where = call->region->kind == MWA_REGION_FINALIZE ? MWA_HANG_FINISHED
                                                            : MWA_HANG_OUTSIDE;
    rank->site = moment->site;
    rank->since = call->leave;
}

void mwa_hang_merge_rank(struct mwa_hang_rank *into, const struct mwa_hang_rank *from)
{
    bool has_threads = into->has_threads || from->has_threads;
    bool has_pauses = into->has_pauses || from->has_pauses;
    bool starts_together = into->starts_together || from->starts_together;

    if (into->where == MWA_HANG_UNKNOWN) {
        *into = *from;
    }
    into->has_threads = has_threads;
    into->has_pauses = has_pauses;
    into->starts_together = starts_together;
}
