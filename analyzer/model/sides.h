#ifndef MWA_MODEL_SIDES_H
#define MWA_MODEL_SIDES_H

#include <stdbool.h>

#include "analyzer/model/trace.h"

/*
 * An intercommunicator is made of two communicators, one for the members of each side
 * (MPI_Intercomm_create), of which an archive defines one as its parent. What the other side made
 * it of is a communicator of the same members, one made by the same call as the parent if there is
 * one.
 */

/* Finds that for all communicators of trace, which are complete. False without memory. */
bool mwa_trace_find_sides(struct mwa_trace *trace) MW_MUST_CHECK;

/*
 * What rank, a member, made comm of (indices): its parent, or of an intercommunicator the
 * communicator of its own side.
 *
 * \return MWA_NONE: not known.
 */
uint32_t mwa_comm_made_of(const struct mwa_trace *trace, uint32_t comm, uint32_t rank);

/* Whether comm has the members of a side of an intercommunicator, and no others. */
static inline bool mwa_comm_is_side(const struct mwa_trace *trace, uint32_t comm)
{
    return trace->sides && trace->sides[comm].is_side;
}

#endif
