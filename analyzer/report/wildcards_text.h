#ifndef MWA_REPORT_WILDCARDS_TEXT_H
#define MWA_REPORT_WILDCARDS_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/* Receives for any source or tag, as part of what tells of messages. */

void mwa_text_wildcards(const struct mwa_results *results, FILE *out);

#endif
