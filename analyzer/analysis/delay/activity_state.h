#ifndef MWA_ANALYSIS_DELAY_ACTIVITY_STATE_H
#define MWA_ANALYSIS_DELAY_ACTIVITY_STATE_H

#include "analyzer/analysis/delay/activity.h"
#include "analyzer/analysis/delay/waypoints_ahead.h"

/*
 * The state of what ranks' main threads have done, and what its parts do for each other: activity.c
 * follows them, activity_origins.c is about where chapters begin and end.
 */

#define SHARED (MWA_ACTIVITIES - 1) /* the number of all that came too late */

#define MARK_STEP 8u

/* A stretch of one activity; it begins where the one before ends. There are hundreds for each rank:
 * when they end is apart, for that to take 2 bytes. */
struct stretch {
    uint8_t activity;
    uint8_t entered; /* at its beginning: */
};

enum { NO_CALL, PART_OF_CALL /* and the next stretch is the rest of it */, WHOLE_CALL };

_Static_assert(MWA_ACTIVITIES <= UINT8_MAX, "an activity is a byte");

/* A rank's main thread. */
struct track {
    bool running; /* the run has begun, and is not over */
    bool in_call;
    uint64_t at; /* up to here it has come */
    uint64_t useful_in_call;
    uint32_t current; /* activity of the call being made */
    uint32_t *open;   /* regions of the program that are open */
    uint64_t open_capacity;
    uint64_t depth;
    struct mwa_waypoints_ahead ahead;
    uint64_t *ticks; /* by activity */
    uint64_t tick_capacity;
    uint64_t *ends; /* of stretches, a ring: number i is ends[i & (kept_capacity - 1)] … */
    struct stretch *kept; /* … and kept[…], in the same block */
    uint64_t kept_capacity;
    uint64_t first_kept;
    uint64_t end_kept;
    uint64_t since;        /* beginning of the first stretch kept */
    uint64_t begun;        /* and of all */
    struct mwa_mark *last;    /* made last */
    struct mwa_mark *pending; /* at the time up to which it has come */
    struct mwa_origin origin; /* its ticks null: it is not kept, or not there yet */
};

struct mwa_activities {
    const struct mwa_trace *trace;
    struct track *tracks;     /* per rank */
    uint8_t *numbers;         /* per region, and none; UINT8_MAX: it has none yet */
    uint32_t regions[MWA_ACTIVITIES];
    uint32_t count;
    bool have_lacked; /* a moment was asked for that was forgotten */
    const struct mwa_reading_start *start; /* origins are kept; null: they are not */
    struct mwa_pool marks[MWA_ACTIVITIES / MARK_STEP]; /* by how many activities they have room for,
                                                          MARK_STEP, twice that … */
};

/* --- activity.c ------------------------------------------------------------------------------- */

/* The number of a region's activity, or of none's: its index, or how many regions there are. */
uint32_t mwa_activity_number(struct mwa_activities *activities, uint64_t region);

/* That of what track does outside of MPI: the innermost region that is open, or none. */
uint32_t mwa_activity_innermost(struct mwa_activities *activities, const struct track *track);

/* The track goes on behind the pending mark, doing this: in a call that is left at leave, 0: in
 * none. */
void mwa_activity_set_pending(struct track *track, uint32_t activity, uint64_t leave);

/* Takes the waypoints of track before time, and those of useful time at it; all up to it if
 * inclusive. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_activity_take_ahead(struct mwa_activities *activities, struct track *track,
                                       uint64_t time, bool inclusive) MW_MUST_CHECK;

/* --- activity_origins.c ----------------------------------------------------------------------- */

/* The first call of track's rank in the chapter begins. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_activity_keep_origin(struct mwa_activities *activities,
                                        struct track *track) MW_MUST_CHECK;

#endif
