#ifndef MWR_HOOKS_COMMUNICATOR_H
#define MWR_HOOKS_COMMUNICATOR_H

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/comms.h"
#include "recorder/state/requests.h"
#include "recorder/state/thread.h"

/*
 * Communicators' beginnings, names and ends. Followed also while their calls are not
 * recorded, since every later record may speak of them.
 */

void mwr_after_creation(struct mwr_call *call, int result, const struct mwr_creation *creation,
                        const MPI_Comm *handle);
void mwr_after_intercomm_create(struct mwr_call *call, int result, unsigned id, MPI_Comm local,
                                int tag, const MPI_Comm *handle);

/* MPI_Comm_accept, MPI_Comm_connect, MPI_Comm_join: at place, entered then; state/meeting.h. */
void mwr_after_meeting(struct mwr_call *call, int result, const struct mwr_creation *creation,
                       const MPI_Comm *handle, uint64_t place, uint64_t enter);

/* MPI_Comm_create_from_group, MPI_Intercomm_create_from_groups. */
void mwr_after_from_group(struct mwr_call *call, int result, unsigned id, const char *tag,
                          const MPI_Comm *handle);
/* MPI_Comm_get_parent: the first time, this is the communicator's beginning. */
void mwr_after_get_parent(struct mwr_call *call, int result, unsigned id, MPI_Comm handle);

/* The communicator of MPI_Comm_idup is there when its request is complete. */
void mwr_after_idup(struct mwr_call *call, int result, const struct mwr_creation *creation,
                    MPI_Comm *handle, const MPI_Request *request);
void mwr_idup_complete(struct mwr_call *call, const struct mwr_request *request, int error);

/* Before MPI_Comm_free and MPI_Comm_disconnect; null if the communicator is unknown. */
struct mwr_comm *mwr_before_comm_free(struct mwr_call *call, MPI_Comm handle);
void mwr_after_comm_free(struct mwr_call *call, int result, struct mwr_comm *comm,
                         MPI_Comm handle);

void mwr_after_comm_set_name(struct mwr_call *call, int result, MPI_Comm handle,
                             const char *name);

#endif
