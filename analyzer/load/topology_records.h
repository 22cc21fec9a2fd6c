#ifndef MWA_LOAD_TOPOLOGY_RECORDS_H
#define MWA_LOAD_TOPOLOGY_RECORDS_H

#include "analyzer/load/definition_records.h"

/* OTF2's records of Cartesian topologies: those on communicators of MPI come to the trace. */

/* Adds callbacks to all, whose user pointer is a struct mwa_loading. */
void mwa_topology_callbacks(OTF2_GlobalDefReaderCallbacks *all);

#endif
