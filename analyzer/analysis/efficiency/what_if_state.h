#ifndef MWA_ANALYSIS_EFFICIENCY_WHAT_IF_STATE_H
#define MWA_ANALYSIS_EFFICIENCY_WHAT_IF_STATE_H

#include "analyzer/analysis/efficiency/instants.h"
#include "analyzer/analysis/efficiency/members_begun.h"
#include "analyzer/analysis/efficiency/what_if.h"

/* What a replay of what_if.h knows of its ranks. Not thread-safe. */

struct mwa_if_track {
    struct mwa_instant *last; /* the end of the last call; null: no run has begun, or it is over */
    uint64_t at;         /* of that, as it was: ticks */
    uint64_t begun;      /* the run */
    bool has_run;
    uint64_t last_event;
    bool is_over;
    bool opens;          /* a chapter with its next call: what was before is of the one before */
    bool goes_on;        /* with the next chapter, from the lull at which this one ends */
    bool is_opened;      /* of a chapter that begins at a lull: */
    uint32_t opened_by;  /* the place of its first call, … */
    uint64_t opened_at;  /* … when that is entered, ticks */
};

struct mwa_if_replay {
    const struct mwa_trace *trace;
    uint32_t slot;
    struct mwa_if_track *tracks; /* per location, used for main threads */
    struct mwa_instants instants; /* of a chapter that begins at a lull with a tape, of which the
                                     first registers, from 1 on, are when the last calls of
                                     locations before it have ended */
    struct mwa_pool kept;
    struct mwa_members_begun members;
    bool is_full;         /* more instants than may be: nothing is known */
    uint64_t end[MWA_WHAT_IF_CASES]; /* the latest of all runs */
    uint64_t seam[MWA_WHAT_IF_CASES]; /* when the last rank comes to the call that closes the
                                         chapter: in a later one all times are from the same moment
                                         of the call that opens it */
};

/* The instant at time, behind the track's last call, at which one at place begins (MWA_NONE: not
 * known, or none), for its owner; null: no memory. */
struct mwa_instant *mwa_what_if_go_on(struct mwa_if_replay *replay,
                                      struct mwa_if_track *track, uint64_t time,
                                      uint32_t place);

/* Ends the runs that no MPI_Finalize has ended, and that don't go on in the next chapter. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_what_if_end_runs(struct mwa_if_replay *replay) MW_MUST_CHECK;

/* Functions of struct mwa_exchange_analysis. */
enum mw_status mwa_what_if_carry(void *analysis, const struct mwa_reading_start *start,
                                 const struct mwa_reading_start *next);
enum mw_status mwa_what_if_append(void *analysis, void *later, const struct mwa_seam *seam);
void mwa_what_if_pack(void *analysis, struct mw_buffer *to);
enum mw_status mwa_what_if_unpack(void *analysis, struct mwa_region_paths *paths,
                                  struct mw_cursor *from);

#endif
