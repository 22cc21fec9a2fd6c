#ifndef MWA_ANALYSIS_DELAY_DELAY_H
#define MWA_ANALYSIS_DELAY_DELAY_H

#include "analyzer/analysis/analysis.h"

/*
 * The root causes of waits: what the ranks that came late had done meanwhile, and what that
 * cost others (Böhme, Geimer, Arnold, Voigtlaender, Wolf: Identifying the Root Causes of Wait
 * States in Large-Scale Parallel Applications, ACM TOPC 3(2), 2016; Scalasca's SCOUT,
 * Delay.MPI.pattern, whose intervals and scaling these are).
 *
 * Rank w waited for rank d, for t_wait. The *synchronization interval* goes from the last
 * moment at which both met to this one: they meet where one waits for the other, in a
 * collective operation where everybody waits for everybody (if somebody did wait in it, or all
 * ranks take part), and at the beginning of the run. It begins when the first of both leaves the
 * call in which they met, and ends on each side where the call is entered that waits or is waited
 * for: of another thread's that was entered before all ranks met last, there. Of a lock's holder
 * it is the leave of the unlock: what it does in that keeps others waiting, too.
 *
 *   t_r(a)   time of rank r in the interval doing a (activity.h), less its waits
 *   delay    D(a) = (t_d(a) - t_w(a))+: d did more of a than w
 *   waits    W(k): the waits of d in the interval
 *   S        sum of all D(a) and W(k);  M = max(S, t_wait)
 *
 * The wait's cost is distributed: D(a) / M of it is a *short-term* cost of a on d; W(k) / M of
 * it is the part that wait k of d has passed on, which is distributed as the cost of k itself,
 * and so on: where it arrives it is a *long-term* cost. If S < t_wait, 1 - S / M of it is not
 * explained: d had done no more than w, so that other things made it late (its clock, the network,
 * ranks that it waited for in ways that are no pattern). So
 *
 *   sum of short-term + long-term + unexplained = sum of all waits that have a cause
 *
 * (SCOUT takes min(cost / S, 1) for passed-on costs as well, by which those that exceed S
 * are lost; here S / M is the same share for both.)
 *
 * Costs go backwards in time, and intervals are known forwards. So waits with their
 * intervals are put in order of their ends by a queue (MWA_DELAY_QUEUE), written to a log
 * (record_log.h), and distributed from the last to the first when the pass is over:
 * exact, in memory that grows with ranks, pairs of them that wait for each other
 * (MWA_DELAY_PAIRS) and communicators, not with events. Waits are counted by rank, meetings
 * compared by time, sums made for each rank in the order of its waits: none of it depends on what
 * ranks do that have nothing to do with it.
 *
 * A run may be followed in chapters (struct mwa_exchange_analysis), each by a struct mwa_delay of
 * its own, which are appended. A chapter is opened by a call in which all ranks meet
 * (mwa_delay_meet), and which all entered before any left; the chapter before ends with the same
 * call, and has its waits. What is found is to the last bit what one finds that follows it all,
 * unless that loses something: a wait that is told later than the queue is long, or of a moment
 * that is further back than MWA_ACTIVITY_KEPT stretches and the round. Or a chapter is opened at a
 * lull, where nothing is under way: then what was remembered is handed over, and intervals that
 * begin in the chapter before are found when it is appended (delay_lulls.c).
 */

struct mwa_reading_start;

#define MWA_DELAY_QUEUE 4096u  /* waits in the queue from round to round, and
                                  MWA_DELAY_QUEUE_RANK for each rank */
#define MWA_DELAY_QUEUE_RANK 16u
#define MWA_DELAY_PAIRS 64u    /* pairs remembered by each rank; then the first go */
#define MWA_DELAY_GROUPS 8u    /* communicators remembered per rank, those that met last, and
                                  the last meeting of all ranks */

/* What a rank's activity has cost. */
struct mwa_delay_cell {
    uint32_t rank;
    uint32_t region;  /* index; the number of regions: computation in none; MWA_NONE: others */
    uint64_t short_ns;
    uint64_t long_ns;
    uint32_t before;  /* the place of the calls that were waited for with most of that, a site;
                         MWA_NONE: not known */
};

/* Sums are of the waits selected; ns. */
struct mwa_delays {
    uint64_t short_ns;
    uint64_t long_ns;
    uint64_t unexplained_ns;
    uint64_t indirect_ns; /* of the waits' time, what waits of the causing ranks passed on */
    uint64_t *rank_short_ns; /* per rank; null: nothing was found */
    uint64_t *rank_long_ns;
    struct mwa_delay_cell *cells; /* the greatest sum first; those that cost anything */
    uint64_t cell_count;
    struct mwa_delay_cell *places; /* each of them by what was waited for, likewise */
    uint64_t place_count;
    uint64_t rank_count;
};

void mwa_delays_fini(struct mwa_delays *delays);

struct mwa_delay;

/* A wait, as the patterns find it: see struct mwa_wait. Ticks. */
struct mwa_delay_wait {
    uint64_t time; /* begin of the wait */
    uint64_t wait;
    uint64_t selected; /* part of wait that is to be distributed; all of it passes costs on */
    uint32_t rank;
    uint32_t location;
    uint32_t cause;
    uint32_t cause_site; /* of the call that was waited for; MWA_NONE: not known */
    const struct mwa_region *call;
    bool grouped; /* in a collective of which mwa_delay_meet tells */
    bool is_for_leave; /* of cause's call, not for its enter: both meet when that is left */
    bool before_chapter; /* its chapter began with the call: the one before has taken it */
};

/* For trace, or a chapter of it, which must outlive it; null without memory. One thread's at a
 * time. */
struct mwa_delay *mwa_delay_create(const struct mwa_trace *trace);
void mwa_delay_destroy(struct mwa_delay *delay); /* null is fine */

/* What each has to be told: as a waypoint and listener functions of an analysis. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_delay_waypoint(struct mwa_delay *delay, uint32_t location,
                                  const struct mwa_waypoint *waypoint) MW_MUST_CHECK;
enum mw_status mwa_delay_begin(struct mwa_delay *delay,
                               const struct mwa_exchange_call *call) MW_MUST_CHECK;
enum mw_status mwa_delay_end(struct mwa_delay *delay,
                             const struct mwa_exchange_call *call) MW_MUST_CHECK;

/*
 * Takes a wait that has a cause; in any order within a round of the engine, and at most the queue's
 * length late. One that is before_chapter is passed over.
 */
enum mw_status mwa_delay_take(struct mwa_delay *delay,
                              const struct mwa_delay_wait *wait) MW_MUST_CHECK;

/* All members of a collective have met, after all its waits were taken. Where nobody waited, it is
 * a meeting if it is of all ranks. */
enum mw_status mwa_delay_meet(struct mwa_delay *delay,
                              const struct mwa_collective *collective) MW_MUST_CHECK;

/* A round is over: what the queue and the memory of activities have too much of goes. */
enum mw_status mwa_delay_round(struct mwa_delay *delay) MW_MUST_CHECK;

/* Whether nothing of its chapter was forgotten before it was asked for, by rounds that are others
 * where the run is followed as a whole; and whether all of it has its place there between the lulls
 * with which it begins and ends, as clocks that disagree may not have it. */
bool mwa_delay_can_be_appended(const struct mwa_delay *delay);

/* Its chapter begins at the lull start (analyzer/load/quiet_places.h), and the next one at next;
 * null: at none. They outlive it. Before all else. */
void mwa_delay_at_lulls(struct mwa_delay *delay, const struct mwa_reading_start *start,
                        const struct mwa_reading_start *next);

/* Appends what it remembers, of which mwa_meetings_keys_fit says whether it is too much. */
void mwa_delay_pack_remembered(const struct mwa_delay *delay, struct mw_buffer *to);

/*
 * Appends later's chapter, or chapters, to delay's, which lie before; both are through: no more is
 * to be told to them. later is then to be destroyed, also after a failure. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_delay_append(struct mwa_delay *delay, struct mwa_delay *later) MW_MUST_CHECK;

/*
 * All that append takes, for another process (analyzer/team/packing.h): pack appends it to to,
 * and leaves delay to be destroyed; without memory, or scratch file, to is marked failed. unpack
 * takes it out into one that was just created. MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are
 * other bytes.
 */
void mwa_delay_pack(struct mwa_delay *delay, struct mw_buffer *to);
enum mw_status mwa_delay_unpack(struct mwa_delay *delay, struct mw_cursor *from) MW_MUST_CHECK;

/* All is told. \return MW_OK and *delays; MW_ERROR_MEMORY; MW_ERROR_SYSTEM: no scratch file. */
enum mw_status mwa_delay_finish(struct mwa_delay *delay, struct mwa_delays *delays) MW_MUST_CHECK;

#endif
