#ifndef MWA_LOAD_VARIABLE_DEFINITIONS_H
#define MWA_LOAD_VARIABLE_DEFINITIONS_H

#include <stdbool.h>

#include <jansson.h>

#include "analyzer/model/trace.h"

/*
 * Takes "variables" of mpiwatch.json into trace->metrics. What contradicts the archive's
 * definitions is left out. \return false without memory.
 */
bool mwa_variables_take(struct mwa_trace *trace, const json_t *variables);

#endif
