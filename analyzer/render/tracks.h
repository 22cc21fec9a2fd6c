#ifndef MWA_RENDER_TRACKS_H
#define MWA_RENDER_TRACKS_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "analyzer/analysis/counters.h"
#include "analyzer/analysis/watermarks.h"

/* Variables and levels as text and JSON. rank MWA_NONE: those of all ranks. */

void mwa_text_counters(const struct mwa_trace *trace, const struct mwa_counters *counters,
                       uint32_t rank, FILE *out);
json_t *mwa_json_counters(const struct mwa_trace *trace, const struct mwa_counters *counters,
                          uint32_t rank);

void mwa_csv_counters(const struct mwa_trace *trace, const struct mwa_counters *counters,
                      uint32_t rank, FILE *out);

/* A line per sample: time in ns since the trace's beginning, value, rank, name, communicator. */
/* The same as a table: t_ns, value, rank, name, comm, object. */
void mwa_csv_series(const struct mwa_trace *trace, const struct mwa_counters *counters,
                    uint32_t rank, FILE *out);

void mwa_text_series(const struct mwa_trace *trace, const struct mwa_counters *counters,
                     uint32_t rank, FILE *out);

void mwa_text_watermarks(const struct mwa_trace *trace, const struct mwa_watermarks *watermarks,
                         uint32_t rank, FILE *out);
json_t *mwa_json_watermarks(const struct mwa_trace *trace,
                            const struct mwa_watermarks *watermarks, uint32_t rank);
/* Of each rank; of all together. */
void mwa_csv_watermarks(const struct mwa_trace *trace, const struct mwa_watermarks *watermarks,
                        uint32_t rank, FILE *out);
void mwa_csv_across_ranks(const struct mwa_trace *trace, const struct mwa_watermarks *watermarks,
                          FILE *out);

#endif
