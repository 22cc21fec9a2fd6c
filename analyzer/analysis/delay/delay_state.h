#ifndef MWA_ANALYSIS_DELAY_DELAY_STATE_H
#define MWA_ANALYSIS_DELAY_DELAY_STATE_H

#include "analyzer/analysis/delay/activity.h"
#include "analyzer/analysis/delay/delay.h"
#include "analyzer/analysis/delay/delay_cost.h"
#include "analyzer/analysis/delay/delay_meetings.h"
#include "analyzer/analysis/delay/delay_queue.h"

/*
 * The state of the analysis of delays, and what its parts do for each other: delay.c finds the
 * intervals of waits, delay_chapters.c puts chapters together, delay_lulls.c finds intervals that
 * begin in the chapter before, delay_packing.c tells all of it to another process.
 */

struct mwa_delay {
    const struct mwa_trace *trace;
    struct mwa_activities *activities;
    struct mwa_delay_queue *queue;
    struct mwa_meetings *meetings;
    struct mwa_delay_chapter *chapters; /* those appended to, the last one is this one's */
    uint64_t chapter_capacity;
    uint64_t chapter_count;
    struct mwa_delay_item **late; /* in the queue: their marks are not all set */
    uint64_t late_capacity;
    uint64_t late_count;
    uint64_t *logged;  /* per rank: waits, of all chapters */
    uint64_t *waited;  /* per rank: what those of this chapter come to, ticks … */
    uint64_t **waits;  /* … and by activity; null: none */
    bool has_waits;    /* some of the collective that meets next were taken */
    uint64_t meetings_of_all; /* that were told */
    uint64_t met_of_all;      /* those of them that were processed */
    bool begins_at_lull, ends_at_lull;
    const struct mwa_reading_start *start, *next; /* these lulls, while it is followed */
    bool is_across; /* by the time of something a rank was not between them */
    struct mwa_delay_early **early; /* waits of which the chapter before has the interval's begin */
    uint64_t early_capacity;
    uint64_t early_count;
    struct mwa_standing **origins; /* per rank: at the beginning of the run; null: it begins here */
};

/* A wait whose ranks have not met in the chapter, which begins at a lull. */
struct mwa_delay_early {
    struct mwa_delay_wait wait;
    struct mwa_mark *waiter, *cause; /* as in the item */
    uint64_t waited;  /* the cause's waits in the chapter, ticks */
    uint32_t count;   /* activities */
    uint64_t waits[]; /* by activity: the waiter's, the cause's */
};

/* --- delay.c ---------------------------------------------------------------------------------- */

/* Begins the next chapter; null without memory. */
struct mwa_delay_chapter *mwa_delay_begin_chapter(struct mwa_delay *delay);

/* What rank has waited, by activity, MWA_ACTIVITIES of them. */
const uint64_t *mwa_delay_waits_of(const struct mwa_delay *delay, uint32_t rank);

/* An interval's beginning, and what both have waited up to its end. */
struct mwa_delay_interval {
    struct mwa_meeting met;
    const struct mwa_mark *waiter, *cause;
    const uint64_t *waits, *causes; /* by activity, count of them */
    uint64_t waited;                /* the cause's */
    uint32_t count;
};

/* Fills a record's head but for what depends on the interval; and that, with the delays: \return
 * its words. */
void mwa_delay_fill_head(const struct mwa_delay *delay, const struct mwa_delay_wait *wait,
                         uint64_t *words);
uint32_t mwa_delay_weigh(const struct mwa_delay_interval *interval, uint64_t *words);

/* What is left in the queue is logged. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_delay_log_all(struct mwa_delay *delay) MW_MUST_CHECK;

/* --- delay_lulls.c ---------------------------------------------------------------------------- */

/* Whether item lies between the lulls, for all its ranks: others in the run come before all of it,
 * or behind. */
bool mwa_delay_is_between_lulls(const struct mwa_delay *delay, const struct mwa_delay_item *item);

/* Keeps item's wait, and its place in the log. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_delay_put_off(struct mwa_delay *delay,
                                 const struct mwa_delay_item *item) MW_MUST_CHECK;

/* Makes records of those that later has put off, and has it remember all that delay, which lies
 * before, remembers; delay's numbers of activities become later's. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_delay_join_at_lull(struct mwa_delay *delay,
                                      struct mwa_delay *later) MW_MUST_CHECK;

void mwa_delay_lulls_fini(struct mwa_delay *delay);

#endif
