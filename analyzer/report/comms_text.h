#ifndef MWA_REPORT_COMMS_TEXT_H
#define MWA_REPORT_COMMS_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * Communicators. Only those that results->selected_comms has, if it is there. Errors of out
 * stay in out.
 */

/* A tree with a line each, what more there is below it, then the findings. */
void mwa_text_comms(const struct mwa_results *results, FILE *out);

#endif
