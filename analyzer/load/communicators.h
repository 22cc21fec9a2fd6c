#ifndef MWA_LOAD_COMMUNICATORS_H
#define MWA_LOAD_COMMUNICATORS_H

#include <stdbool.h>

#include <jansson.h>

#include "analyzer/model/trace.h"

/*
 * Takes what mpiwatch.json (formats/ARCHIVE.md) tells of communicators, an array of
 * objects, into trace->comms. Elements that are not as they should be are passed over.
 *
 * \return true; false without memory.
 */
bool mwa_communicators_take(struct mwa_trace *trace, const json_t *list);

/* The same of the calls that were only counted, into trace->filtered. */
bool mwa_filtered_take(struct mwa_trace *trace, const json_t *list);

#endif
