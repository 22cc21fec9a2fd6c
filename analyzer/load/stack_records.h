#ifndef MWA_LOAD_STACK_RECORDS_H
#define MWA_LOAD_STACK_RECORDS_H

#include "analyzer/load/definition_records.h"

/*
 * Who calls what calls MPI: OTF2's CallingContexts become frames of the trace. A context whose
 * region is a call of MPI is the innermost, and its region, of which there is one for each stack,
 * gets the frame that it is in. A region that several contexts have is told of none of them.
 */
void mwa_stack_callbacks(OTF2_GlobalDefReaderCallbacks *all);

/* All definitions are read: sites that are in several stacks are in none that is known. */
void mwa_stacks_settle(struct mwa_trace *trace);

#endif
