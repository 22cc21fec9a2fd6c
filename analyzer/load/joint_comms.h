#ifndef MWA_LOAD_JOINT_COMMS_H
#define MWA_LOAD_JOINT_COMMS_H

#include <stdint.h>

#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * Which communicators of jobs that met are the same: each job's archive has one of its own,
 * with its own members, and nobody for the other job's. By the identity that a spawn gives
 * both, by where two jobs met (joint_meetings.h), and what was made of such by the same creation
 * on it.
 */

/* Where a communicator is in another archive; part MWA_NONE: nowhere. */
struct mwa_partner {
    uint32_t part;
    uint32_t comm;
};

/* An archive of several. */
struct mwa_meeting_part {
    const struct mwa_trace *trace;
    struct mwa_partner *partners; /* by communicator */
};

/* Whether each member is known to one of the two, and to one only. */
bool mwa_joint_complement(const struct mwa_comm *a, const struct mwa_comm *b);

/*
 * Fills partners of all parts, which are allocated; each communicator has one at most, and is that
 * one's. Pairs complement each other: each member is known to one of them.
 *
 * \return MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mwa_joint_comms_find(struct mwa_meeting_part *parts, uint32_t count) MW_MUST_CHECK;

#endif
