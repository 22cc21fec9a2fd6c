#ifndef MWR_CARRY_PATIENCE_H
#define MWR_CARRY_PATIENCE_H

#include "formats/archive/transport.h"

/*
 * Comes back when all processes of a transport that was lent (lent_transport.h) have called it, and
 * sleeps until then: MPIs wait with a whole core, which others may need that have more to do.
 * Lent likewise.
 */
void mpiwatch_transport_await(struct mw_transport *transport);

#endif
