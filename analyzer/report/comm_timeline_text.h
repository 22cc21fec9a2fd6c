#ifndef MWA_REPORT_COMM_TIMELINE_TEXT_H
#define MWA_REPORT_COMM_TIMELINE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/analysis/comms/comm_timeline.h"

/* Lives of communicators over time. Errors of out stay in out. */

/*
 * For people: a bar per communicator, of the lanes with the most time at most limit (0: all),
 * and one of the number alive.
 */
void mwa_text_comm_timeline(const struct mwa_trace *trace,
                            const struct mwa_comm_timeline *timeline, uint64_t limit, FILE *out);

/*
 * JSON, schema mpiwatch-comm-timeline/1, written communicator by communicator, so that it
 * needs no more memory than one takes.
 *
 * \return false without memory.
 */
bool mwa_json_comm_timeline(const struct mwa_trace *trace, const struct mwa_comms *comms,
                            const struct mwa_comm_timeline *timeline, FILE *out);

/* A line per communicator and bin in which there is anything. False without memory. */
bool mwa_csv_comm_timeline(const struct mwa_trace *trace,
                           const struct mwa_comm_timeline *timeline, FILE *out);

#endif
