#ifndef MWA_RENDER_WILDCARDS_H
#define MWA_RENDER_WILDCARDS_H

#include <jansson.h>
#include <stdio.h>

#include "analyzer/render/results.h"

/* Receives for any source or tag, as part of what tells of messages. */

void mwa_text_wildcards(const struct mwa_results *results, FILE *out);

/* Null (JSON's) where the archive does not tell. */
json_t *mwa_json_wildcards(const struct mwa_results *results);

/* A line for each rank that has receives; nothing but its head where the archive does not tell. */
void mwa_csv_wildcards(const struct mwa_results *results, FILE *out);

#endif
