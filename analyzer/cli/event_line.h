#ifndef MWA_CLI_EVENT_LINE_H
#define MWA_CLI_EVENT_LINE_H

#include <stdio.h>

#include "analyzer/table/table.h"

/* Prints an event, the cell's row, as "        1234   0 enter region=MPI_Send". Any thread; errors
 * of out stay in out. */
void mwa_event_line(const struct mwa_cell *cell, FILE *out);

#endif
