#ifndef MWA_LIVE_LIVE_WAITS_H
#define MWA_LIVE_LIVE_WAITS_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/live/live.h"

/*
 * How much of their time ranks wait, while they run: the waits of mpiwatch-analyze that count, in
 * messages, collective operations and windows, as its engine and its ledger find them in the events
 * of the spools. A wait is known when all calls that it comes of have ended. Of one thread.
 */
struct mwa_live_waits;

/* For a run with that trace, which stays the caller's, and extra[rank] threads beside the main one.
 * Null: no memory. */
struct mwa_live_waits *mwa_live_waits_create(const struct mwa_trace *trace, const uint32_t *extra);
void mwa_live_waits_destroy(struct mwa_live_waits *waits); /* null is fine */

/* The number of the location of a rank's thread; MWA_NONE: it was not made for that one. */
uint32_t mwa_live_waits_location(const struct mwa_live_waits *waits, uint32_t rank,
                                 uint32_t thread);

/* Takes what trace has become, before events are taken that speak of it. */
void mwa_live_waits_refresh(struct mwa_live_waits *waits, const struct mwa_trace *trace);

/* Takes the latest look at a location's thread, before events are taken that come after it. */
void mwa_live_waits_look(struct mwa_live_waits *waits, uint32_t location,
                         const struct mwa_live_thread *thread);

/* Takes an event of a location, in its order, with what surrounds it. \return MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_live_waits_take(struct mwa_live_waits *waits, uint32_t location,
                                   const struct mwa_moment *moment) MW_MUST_CHECK;

/* All locations have been read about as far; nothing more comes of any with is_over. \return as
 * mwa_live_waits_take. */
enum mw_status mwa_live_waits_round(struct mwa_live_waits *waits, bool is_over) MW_MUST_CHECK;

/* Writes what is known of the location into its thread, for mwa_live_rate. */
void mwa_live_waits_tell(const struct mwa_live_waits *waits, uint32_t location,
                         struct mwa_live_thread *thread);

#endif
