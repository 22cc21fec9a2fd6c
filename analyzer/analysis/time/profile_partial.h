#ifndef MWA_ANALYSIS_TIME_PROFILE_PARTIAL_H
#define MWA_ANALYSIS_TIME_PROFILE_PARTIAL_H

#include "analyzer/analysis/comms/charge.h"
#include "analyzer/analysis/time/call_sums.h"
#include "analyzer/analysis/time/off_core.h"
#include "analyzer/analysis/time/rank_sums.h"
#include "analyzer/analysis/time/timeline.h"

/* The profile's partial results, and how they are put together. All for one thread. */

/* Plain data. */
struct mwa_profile_facts {
    bool events; /* there are any */
    bool is_selected; /* communicators are selected */
    bool is_cut; /* it is of a span, of which nobody tells where threads ran */
    uint64_t mpi_calls;
    uint64_t open_calls; /* of one location: the last call is open */
    uint64_t first;
    uint64_t last;

    /* Of the one location that this partial saw; merged into ranks when it ends. */
    bool run_begun; /* by MPI_Init; else by its first event, and perhaps in a part before */
    bool run_ended;
    uint64_t run_begin;
    uint64_t run_end;
    uint64_t bytes_sent;
    uint64_t bytes_received;
    uint64_t states[MWA_STATES]; /* outermost calls in the run, by what they are */
};

struct mwa_profile_partial {
    const struct mwa_trace *trace;
    struct mwa_call_sums *calls; /* per mpi_index */
    struct mwa_profile_facts facts;

    /* Of the one location, too. */
    uint64_t selected;
    bool is_across; /* the call that is being made is one with ranks of other jobs */
    struct mwa_charger charger; /* where communicators are selected */
    struct mwa_off_core running;

    struct mwa_rank_sums *ranks; /* null, of the location's rank, or (merged) of all */
    uint64_t rank_first;
    uint64_t rank_count;
};

/* MPI_Init ends at time, ticks, and the run begins: what was before it does not count. */
void mwa_profile_begin_run(struct mwa_profile_partial *partial, uint64_t time);

/* Makes sums of count ranks from first on, where there are none. \return false: no memory. */
bool mwa_profile_need_ranks(struct mwa_profile_partial *partial, uint64_t first, uint64_t count);

/* As struct mwa_analysis has them. */
enum mw_status mwa_profile_merge(void *into, const void *from);
void mwa_profile_pack(const void *partial, struct mw_buffer *to);
enum mw_status mwa_profile_unpack(void *partial, const struct mwa_moment *moment,
                                  struct mw_cursor *from);

/* As struct mwa_part_functions has them. */
enum mw_status mwa_profile_append(void *partial, void *later);
void mwa_profile_pack_part(const void *partial, struct mw_buffer *to);
enum mw_status mwa_profile_unpack_part(void *partial, struct mw_cursor *from);

#endif
