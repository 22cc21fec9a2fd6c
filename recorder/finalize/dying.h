#ifndef MWR_FINALIZE_DYING_H
#define MWR_FINALIZE_DYING_H

#include "formats/archive/transport.h"

/*
 * For tests: MPIWATCH_TEST_DIE_AT=K or K:RANK kills the process (of that rank only) with
 * SIGKILL at the K-th point, from 1, of what MPI_Finalize does: before each time that the
 * ranks speak to each other, and around the removal of the spools. Unset, nothing happens.
 */
struct mwr_dying {
    struct mw_transport alive;
    unsigned countdown; /* points to come; 0: never */
};

/*
 * Makes transport die where it is told to; dying has to live as long. Without the
 * variable transport stays as it is.
 */
void mwr_dying_wrap(struct mwr_dying *dying, struct mw_transport *transport);

/* A point of its own. */
void mwr_dying_point(struct mwr_dying *dying);

#endif
