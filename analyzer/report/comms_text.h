#ifndef MWA_REPORT_COMMS_TEXT_H
#define MWA_REPORT_COMMS_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * Communicators. Only those that results->selected_comms has, if it is there. Errors of out
 * stay in out.
 */

#define MWA_COMM_LABEL_BYTES 256

/*
 * What tells communicators apart that have one name: the name and, where the program gave it, how
 * the communicator was made: "rows (split#1.0)". In text, of MWA_COMM_LABEL_BYTES, which is
 * returned; names come from the archive, and are as they are there.
 */
const char *mwa_comm_label(const struct mwa_trace *trace, uint32_t index, char *text);

/* A tree with a line each, what more there is below it, then the findings. */
void mwa_text_comms(const struct mwa_results *results, FILE *out);

#endif
