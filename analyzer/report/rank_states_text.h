#ifndef MWA_REPORT_RANK_STATES_TEXT_H
#define MWA_REPORT_RANK_STATES_TEXT_H

#include <stdio.h>

#include <jansson.h>

#include "analyzer/analysis/time/rank_states.h"

/* What ranks do over time. rank: only this one, MWA_NONE: all. */

/* A line per rank with a letter for each bin; many ranks share lines. */
void mwa_text_rank_states(const struct mwa_trace *trace, const struct mwa_window *window,
                          const struct mwa_rank_states *states, uint32_t rank, bool color,
                          FILE *out);

/* mpiwatch-timeline/1; null when there is no memory. */
json_t *mwa_json_rank_states(const struct mwa_trace *trace, const struct mwa_window *window,
                             const struct mwa_rank_states *states, uint32_t rank);

/* A line per rank and bin. */
void mwa_csv_rank_states(const struct mwa_trace *trace, const struct mwa_window *window,
                         const struct mwa_rank_states *states, uint32_t rank, FILE *out);

#endif
