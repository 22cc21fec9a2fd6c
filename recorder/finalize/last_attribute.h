#ifndef MWR_FINALIZE_LAST_ATTRIBUTE_H
#define MWR_FINALIZE_LAST_ATTRIBUTE_H

#include "recorder/state/thread.h"

/* Before the program sets an attribute of MPI_COMM_SELF: sets one of ours, if there is none yet.
 * Thread-safe. */
void mwr_last_attribute_set(void);

/* The same behind an attribute that the MPI has set for itself in another call: what that stands
 * for has to last for longer than ours. */
void mwr_last_attribute_follow(void);

/* In MPI_Finalize, before the library's: recording ends (mwr_finish) when the library has deleted
 * all other attributes of MPI_COMM_SELF; at once where there is none of ours. */
void mwr_last_attribute_await(struct mwr_call *call);

/* Behind the library's. If it came back without that, and not finalized, recording ends now; if it
 * is, the spools are kept, as those of a process that ends without MPI_Finalize. */
void mwr_last_attribute_passed(struct mwr_call *call);

#endif
