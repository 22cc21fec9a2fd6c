#ifndef MWR_STATE_LINEAGE_H
#define MWR_STATE_LINEAGE_H

#include "recorder/dispatch/mpi_header.h"
#include "recorder/state/comms.h"

/*
 * Which job spawned which. A job that spawns another tells it the archive that is its own
 * through the environment, by Open MPI's Info key "env" of MPI_Comm_spawn; what the
 * application gave stays in it. Another MPI has no such key: there the parent is not
 * known. Nothing is sent: whether the other job is recorded is unknown. By the identity that comes
 * with it, both archives know the inter-communicator between them for the same.
 */

/* Infos made in place of the application's; of all others none. */
struct mwr_lineage {
    MPI_Info *infos;
    int count;
};

/*
 * At the entry of a spawn, which creation is of: what to pass in place of the count infos of
 * the application (ignored but at root, where it may be null): the same, or infos with the word
 * for the new job, to be ended by mwr_lineage_end. Null only if infos is.
 */
const MPI_Info *mwr_lineage_begin(struct mwr_lineage *lineage, const struct mwr_creation *creation,
                                  MPI_Comm comm, int root, const MPI_Info *infos, int count);
void mwr_lineage_end(struct mwr_lineage *lineage);

/* In MPI_Init: tells the archive of the job that spawned this one, if there is any. */
void mwr_lineage_define(void);

/* The identity of the communicator with that job, null if it has not told; after the above. */
const struct mw_uid *mwr_lineage_uid(void);

#endif
