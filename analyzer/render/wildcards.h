#ifndef MWA_RENDER_WILDCARDS_H
#define MWA_RENDER_WILDCARDS_H

#include <stdio.h>

#include "analyzer/render/results.h"

/* Receives for any source or tag, as part of what tells of messages. */

void mwa_text_wildcards(const struct mwa_results *results, FILE *out);

#endif
