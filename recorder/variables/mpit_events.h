#ifndef MWR_VARIABLES_MPIT_EVENTS_H
#define MWR_VARIABLES_MPIT_EVENTS_H

#include <stdint.h>

struct mwr_call;

/*
 * The MPI's own events (MPI_T events of MPI 4.0), recorded if --mpit-events asks for them. Each is
 * a metric whose values are the event's elements, with the time when the MPI told it; those that
 * were dropped, by the MPI or for want of room here, are counted by another one, NAME.dropped.
 *
 * The MPI calls back in whatever state it is: within a signal handler, in threads that are not the
 * program's. So a callback takes no lock, allocates nothing and writes no record: it copies the
 * elements into a queue of fixed size, which the next call of MPI that is recorded empties.
 */

/* At the end of MPI_Init: asks for the events that are selected. MPI_T must be initialised. */
void mwr_mpit_events_start(void);

/*
 * At the end of a call that is recorded, entered and not left: writes what waits in the queue into
 * its record. Thread-safe; of several threads one writes, and nobody waits.
 */
void mwr_mpit_events_write(const struct mwr_call *call);

/* In MPI_Finalize: writes the rest into its record, and wants no more. */
void mwr_mpit_events_finish(const struct mwr_call *call);

#endif
