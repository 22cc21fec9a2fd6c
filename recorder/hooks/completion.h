#ifndef MWR_HOOKS_COMPLETION_H
#define MWR_HOOKS_COMPLETION_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/requests.h"
#include "recorder/state/thread.h"

/*
 * What the calls that complete requests mean. The library sets handles to
 * MPI_REQUEST_NULL, so they are kept before the call; statuses that the application
 * does not want are wanted here.
 */

/* Handles (and perhaps statuses) as they were before the call, in the thread's scratch. */
struct mwr_saved {
    int count;
    const MPI_Request *requests;
};

/*
 * Keeps count handles. \return statuses, or an array of the recorder's own if the
 * application passed MPI_STATUSES_IGNORE; valid while the call runs.
 */
MPI_Status *mwr_save(struct mwr_saved *saved, int count, const MPI_Request requests[],
                     MPI_Status *statuses);

void mwr_after_wait(struct mwr_call *call, int result, MPI_Request request,
                    const MPI_Status *status);
void mwr_after_test(struct mwr_call *call, int result, MPI_Request request, int flag,
                    const MPI_Status *status);
void mwr_after_waitall(struct mwr_call *call, int result, const struct mwr_saved *saved,
                       const MPI_Status statuses[]);
void mwr_after_testall(struct mwr_call *call, int result, const struct mwr_saved *saved, int flag,
                       const MPI_Status statuses[]);
/* MPI_Waitany and MPI_Testany. */
void mwr_after_any(struct mwr_call *call, int result, const struct mwr_saved *saved, int flag,
                   int index, const MPI_Status *status);
/* MPI_Waitsome and MPI_Testsome. */
void mwr_after_some(struct mwr_call *call, int result, const struct mwr_saved *saved, int count,
                    const int indices[], const MPI_Status statuses[]);
void mwr_after_cancel(struct mwr_call *call, int result, MPI_Request request);

/*
 * MPI_Request_free of an active receive would hide when and with what it completes:
 * such a request is kept, and freed when it is complete, at MPI_Finalize at the latest.
 * The application sees no difference.
 *
 * \return what the library's MPI_Request_free is to be called with.
 */
MPI_Request *mwr_before_request_free(struct mwr_call *call, MPI_Request *request,
                                     MPI_Request *substitute);

/* At MPI_Finalize: notes the kept receives that are complete, and frees all. */
void mwr_free_kept(struct mwr_call *call);

#endif
