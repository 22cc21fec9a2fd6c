#ifndef MWA_ANALYSIS_TIME_RANK_SUMS_H
#define MWA_ANALYSIS_TIME_RANK_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/analysis/time/off_core.h"
#include "analyzer/analysis/time/timeline.h"
#include "analyzer/model/trace.h"
#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * What the profile sums up of each rank, of its locations together; times are ticks. All zero is
 * that of one without events. Not thread-safe.
 */

struct mwa_rank_call {
    uint64_t count;
    uint64_t time;
};

struct mwa_rank_sums {
    bool has_events;
    struct mwa_off_core_sums running;
    uint64_t run_begin; /* of the main thread; UINT64_MAX: there was none */
    uint64_t run;
    uint64_t mpi;      /* all of it */
    uint64_t states[MWA_STATES]; /* mpi, by kinds of calls */
    uint64_t probing;  /* mpi, in calls that mwa_probes */
    uint64_t across;   /* mpi, in calls with ranks of other jobs */
    uint64_t selected; /* on selected communicators */
    uint64_t calls;
    uint64_t callers; /* locations that make any of them */
    uint64_t bytes_sent;
    uint64_t bytes_received;
    struct mwa_rank_call *by_call; /* per mpi_index of the trace; null: none */
};

void mwa_rank_sums_fini(struct mwa_rank_sums *sums);

/* Makes room for what each call of the trace has. \return false: there is no memory. */
bool mwa_rank_sums_need_calls(struct mwa_rank_sums *sums, const struct mwa_trace *trace);

/* Adds from to to, of the same trace. \return false: there is no memory. */
bool mwa_rank_sums_add(struct mwa_rank_sums *to, const struct mwa_rank_sums *from,
                       const struct mwa_trace *trace);

/* As struct mwa_analysis has them, of one with events. */
void mwa_rank_sums_pack(const struct mwa_rank_sums *sums, const struct mwa_trace *trace,
                        struct mw_buffer *to);
enum mw_status mwa_rank_sums_unpack(struct mwa_rank_sums *sums, const struct mwa_trace *trace,
                                    struct mw_cursor *from);

#endif
