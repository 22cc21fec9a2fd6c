#ifndef MWA_RENDER_DELAYS_H
#define MWA_RENDER_DELAYS_H

#include <jansson.h>
#include <stdio.h>

#include "analyzer/render/results.h"

/* What caused waits, as part of what tells of waits: costs of delays by rank and activity. */

/* A cell's activity: "computation", or the name of a region or an MPI call. */
const char *mwa_delay_activity(const struct mwa_trace *trace, const struct mwa_delay_cell *cell);

/* The top rows; nothing where nothing was found. */
void mwa_text_delays(const struct mwa_results *results, uint32_t top, FILE *out);

json_t *mwa_json_delays(const struct mwa_results *results); /* null without memory */

#endif
