#ifndef MWA_LOAD_JOINT_TRACE_H
#define MWA_LOAD_JOINT_TRACE_H

#include "analyzer/load/joint.h"
#include "analyzer/load/joint_comms.h"

/*
 * Fills joint's trace and parts from the parts' own traces; partners are those of their
 * communicators. Jobs and archives' names are there.
 *
 * \return MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mwa_joint_trace_fill(struct mwa_joint *joint,
                                    const struct mwa_meeting_part *partners) MW_MUST_CHECK;

/* Times count from where the first rank of all jobs leaves MPI_Init, as the parts say. */
void mwa_joint_find_origin(struct mwa_joint *joint);

#endif
