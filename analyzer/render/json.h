#ifndef MWA_RENDER_JSON_H
#define MWA_RENDER_JSON_H

#include <jansson.h>

#include "analyzer/render/results.h"

/*
 * The results as JSON, one object per command with its schema; mpiwatch-analyze(1)
 * describes the keys. Integers are exact, what is not known is null. The caller frees
 * with json_decref; null when there is no memory.
 */
json_t *mwa_json_info(const struct mwa_results *results);
json_t *mwa_json_calls(const struct mwa_results *results);
json_t *mwa_json_ranks(const struct mwa_results *results);
json_t *mwa_json_messages(const struct mwa_results *results);

/* All of the above under their commands' names, and the verdict. */
json_t *mwa_json_report(const struct mwa_results *results);

#endif
