#ifndef MWA_LOAD_SAMPLED_SPOTS_H
#define MWA_LOAD_SAMPLED_SPOTS_H

#include <jansson.h>

#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * Takes what mpiwatch.json says of samples into trace, whose ranks and sites must be there; null:
 * it says nothing of them. Of samples that do not fit together nothing is taken but what is wrong
 * (trace->sampled.wrong). path is of the file, for the diagnostic.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_sampled_take(struct mwa_trace *trace, const json_t *samples, const char *path,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
