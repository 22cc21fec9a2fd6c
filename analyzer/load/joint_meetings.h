#ifndef MWA_LOAD_JOINT_MEETINGS_H
#define MWA_LOAD_JOINT_MEETINGS_H

#include "analyzer/load/joint_comms.h"

/*
 * Which inter-communicators of MPI_Comm_accept, MPI_Comm_connect and MPI_Comm_join are the same.
 * Nobody could give both sides one identity without an exchange, but both know the place where
 * they met, and neither leaves the call before the other has entered it. Pairs are made where this
 * leaves no doubt, and otherwise not:
 *
 * - all that two processes made at a place, as many on both sides, in the order of making them;
 * - what can be nobody else's, given what is paired already.
 *
 * \return MW_OK; MW_ERROR_MEMORY.
 */
enum mw_status mwa_joint_meetings_pair(struct mwa_meeting_part *parts,
                                       uint32_t count) MW_MUST_CHECK;

#endif
