#ifndef MWA_ANALYSIS_EFFICIENCY_INSTANTS_H
#define MWA_ANALYSIS_EFFICIENCY_INSTANTS_H

#include "analyzer/analysis/efficiency/what_if.h"
#include "analyzer/model/pool.h"

/*
 * Times of a replay (what_if.h), many of which are not known when they are first spoken of: each
 * follows some others, and is known when these are. Ticks, by case. Not thread-safe.
 */

struct mwa_instant_link;

/* The beginning or the end of a call, or when several others are all there. */
struct mwa_instant {
    struct mwa_instant *next;     /* first: a pool's to write over; of those that became known */
    struct mwa_instant_link *followers; /* that wait for it */
    uint64_t at[MWA_WHAT_IF_CASES]; /* of all that it follows, the latest known; then its own */
    uint64_t *ends;               /* a rank stops here: the latest such, by case; else null */
    uint64_t ticks;               /* that it comes later than all that it follows */
    uint32_t rank;                /* outside of MPI of this one; MWA_NONE: inside */
    uint32_t call_at;             /* the place of the call that begins then; MWA_NONE: not known */
    uint32_t missing;             /* what it follows and is not known; 1 more until closed */
    uint32_t references;
};

struct mwa_instants {
    const struct mwa_what_if_cases *cases;
    struct mwa_pool pool;
    struct mwa_pool links;
    uint64_t alive;
    uint64_t running; /* ranks that have begun and not stopped, so far as it is known */
};

void mwa_instants_init(struct mwa_instants *instants, const struct mwa_what_if_cases *cases);
void mwa_instants_fini(struct mwa_instants *instants); /* frees all of them, whoever has them */

/* An open one, for one owner; null without memory. */
struct mwa_instant *mwa_instant_make(struct mwa_instants *instants);
void mwa_instant_drop(struct mwa_instants *instants, struct mwa_instant *instant); /* null: none */

/* The follower, which is open, comes no earlier than instant; by a message, to a call at place, it
 * may in cases in which none is waited for there, or none that is sent at instant. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_instant_follow(struct mwa_instants *instants, struct mwa_instant *instant,
                                  struct mwa_instant *follower, bool is_message,
                                  uint32_t place) MW_MUST_CHECK;

/* Nothing more is said that instant follows: if all that is known, so is it, and who follows it. */
void mwa_instant_close(struct mwa_instants *instants, struct mwa_instant *instant);

#endif
