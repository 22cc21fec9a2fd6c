#ifndef MWA_REPORT_COMM_TIMELINE_TEXT_H
#define MWA_REPORT_COMM_TIMELINE_TEXT_H

#include <stdio.h>

#include "analyzer/analysis/results.h"

/*
 * Lives of communicators over time, for people: a bar per communicator, of the lanes with the
 * most time at most limit (0: all), and one of the number alive. Errors of out stay in out.
 */
void mwa_text_comm_timeline(const struct mwa_results *results, uint64_t limit, FILE *out);

#endif
