#ifndef MWA_ANALYSIS_DELAY_ACTIVITY_H
#define MWA_ANALYSIS_DELAY_ACTIVITY_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/model/pool.h"

/*
 * What each rank's main thread has done up to a moment: ticks by activity. An activity is
 * an outermost MPI call, by its region, or computation: in the innermost region of the
 * program, or in none. Useful time in a call (between coalesced polls, in callbacks) is
 * computation. All time from the beginning of the trace to that of the run (the end of
 * MPI_Init; the first event where there is none) is one activity's, so that ranks whose runs
 * begin at different times compare: MPI_Init's, or computation.
 *
 * The stretches of a round and the last MWA_ACTIVITY_KEPT before it of a rank are remembered, so
 * that a moment of the recent past can be asked for: the exchange engine tells of waits after the
 * fact. Activities are numbered as they come up, which is a matter of the order of reading, but if
 * more can come up than there are numbers as they are defined: computation in none, MPI calls,
 * regions of the program; those behind the first MWA_ACTIVITIES - 1 share one number.
 */

struct mwa_reading_start;

#define MWA_ACTIVITIES 128u
#define MWA_ACTIVITY_KEPT 768u /* with those of a round of many locations 10 KiB */

/* What a rank had done at time; belongs to those who hold it, and not longer than its activities
 * are there. */
struct mwa_mark {
    struct mwa_pool *home; /* where it is given back */
    uint64_t holders;
    uint64_t time;
    uint64_t leave;    /* of the call that was made at time, and left later; 0: there is none, or
                          not yet */
    uint32_t activity; /* what was done then, or from then on: that call's */
    uint32_t count;
    uint64_t ticks[]; /* count of them, by activity; 0 for all others */
};

struct mwa_activities;

/* For trace, which must outlive it; null without memory. */
struct mwa_activities *mwa_activities_create(const struct mwa_trace *trace);
void mwa_activities_destroy(struct mwa_activities *activities); /* null is fine */

/* Take what a pass and the engine tell; other threads' are passed over. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_activities_waypoint(struct mwa_activities *activities, uint32_t location,
                                       const struct mwa_waypoint *waypoint) MW_MUST_CHECK;
enum mw_status mwa_activities_begin(struct mwa_activities *activities,
                                    const struct mwa_exchange_call *call) MW_MUST_CHECK;
enum mw_status mwa_activities_end(struct mwa_activities *activities,
                                  const struct mwa_exchange_call *call) MW_MUST_CHECK;

/* Whether what rank had done at time is known for good. Of a call that is entered then, rank has to
 * have been told. */
bool mwa_activities_have_reached(const struct mwa_activities *activities, uint32_t rank,
                                 uint64_t time);

/* Forgets the stretches that are too many: a round of the engine is over. */
void mwa_activities_forget(struct mwa_activities *activities);

/*
 * What rank had done at time, held for the caller; its leave is filled in when the call that
 * was entered then ends.
 *
 * \return MW_OK and *mark, null: that is not known (any more). MW_ERROR_MEMORY.
 */
enum mw_status mwa_activities_mark(struct mwa_activities *activities, uint32_t rank,
                                   uint64_t time, struct mwa_mark **mark) MW_MUST_CHECK;
/* Whether a mark was asked for that had been forgotten: by other rounds it may not have been. */
bool mwa_activities_have_lacked(const struct mwa_activities *activities);

/*
 * What a rank had done when the first call of a chapter began that begins at a lull: some of it is
 * wrong, all that it had done before, which is not known, but the chapters' difference counts.
 */
struct mwa_origin {
    uint64_t at;
    uint32_t activity; /* up to there, from the last event of the chapter before: computation */
    uint32_t count;
    const uint64_t *ticks; /* count of them, by activity */
};

/* Has origins kept of a chapter that begins at start, which outlives activities. First of all. */
void mwa_activities_keep_origins(struct mwa_activities *activities,
                                 const struct mwa_reading_start *start);

/* The origin of rank, good until activities are destroyed. False: it has made no call. */
bool mwa_activities_origin(const struct mwa_activities *activities, uint32_t rank,
                           struct mwa_origin *origin);

/* Rank, which makes no call in the chapter, has done what it had in the chapter before, whose
 * activities have these numbers in activities. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_activities_stay(struct mwa_activities *activities,
                                   const struct mwa_activities *earlier, uint32_t rank,
                                   const uint8_t *numbers) MW_MUST_CHECK;

/* All is told up to where the chapter ends, behind which ranks go on outside of MPI. MW_OK,
 * MW_ERROR_MEMORY; then what rank has done in all, up to *at. */
enum mw_status mwa_activities_finish(struct mwa_activities *activities) MW_MUST_CHECK;
const uint64_t *mwa_activities_total(const struct mwa_activities *activities, uint32_t rank,
                                     uint64_t *count, uint64_t *at);

/* A mark of what another chapter has seen, with count ticks (MWA_ACTIVITIES at most), by activity.
 * Null: no memory. */
struct mwa_mark *mwa_activities_make_mark(struct mwa_activities *activities,
                                          const struct mwa_mark *seen, const uint64_t *ticks,
                                          uint32_t count);

/*
 * What is asked for of a chapter that begins or ends at a lull, and is through, for another process
 * (analyzer/team/packing.h): origins, and what ranks have done in all. unpack takes it out into new
 * ones that know what numbers mean. MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_activities_pack_lull(const struct mwa_activities *activities, struct mw_buffer *to);
enum mw_status mwa_activities_unpack_lull(struct mwa_activities *activities,
                                          struct mw_cursor *from) MW_MUST_CHECK;

struct mwa_mark *mwa_mark_hold(struct mwa_mark *mark); /* null is fine */
void mwa_mark_drop(struct mwa_mark *mark);             /* null is fine */

/* The number of an MPI call's activity. */
uint32_t mwa_activity_of(struct mwa_activities *activities, const struct mwa_region *call);

/* How many there are so far, and what the one of a number is: the index of its region, the
 * number of regions for computation in none, MWA_NONE for those that share a number. */
uint32_t mwa_activity_count(const struct mwa_activities *activities);
uint32_t mwa_activity_region(const struct mwa_activities *activities, uint32_t activity);

/* The number here of what has this number with others of the same trace. */
uint32_t mwa_activity_adopt(struct mwa_activities *activities, const struct mwa_activities *others,
                            uint32_t activity);

/*
 * What the numbers mean, for another process (analyzer/team/packing.h): pack appends it, unpack
 * takes it out into new ones, of which nothing but that is asked then. MW_OK; MW_ERROR_MEMORY;
 * MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_activities_pack(const struct mwa_activities *activities, struct mw_buffer *to);
enum mw_status mwa_activities_unpack(struct mwa_activities *activities,
                                     struct mw_cursor *from) MW_MUST_CHECK;

#endif
