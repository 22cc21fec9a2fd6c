#ifndef MWA_CLI_EVENT_LINE_H
#define MWA_CLI_EVENT_LINE_H

#include <jansson.h>
#include <stdio.h>

/* Prints an event, an object as dump --json has it, as "        1234   0 enter region=MPI_Send". */
void mwa_event_line(json_t *object, FILE *out);

#endif
