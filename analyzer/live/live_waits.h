#ifndef MWA_LIVE_LIVE_WAITS_H
#define MWA_LIVE_LIVE_WAITS_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/live/live.h"
#include "analyzer/live/live_across.h"

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

/* Times of this host, and those of others, are to be those of rank 0's clock: by so many points of
 * this host's one, which are copied. Events of others are told to across, and come from there. */
bool mwa_live_waits_clock(struct mwa_live_waits *waits, const struct mw_clock_point *points,
                          size_t count) MW_MUST_CHECK;
void mwa_live_waits_share(struct mwa_live_waits *waits, struct mwa_live_across *across);

/* As mw_clock_missed, of the line by which times have been told until now. */
uint64_t mwa_live_waits_clock_missed(const struct mwa_live_waits *waits,
                                     const struct mw_clock_point *points, size_t count);

/* Takes an event of a location, in its order, with what surrounds it. \return MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_live_waits_take(struct mwa_live_waits *waits, uint32_t location,
                                   const struct mwa_moment *moment) MW_MUST_CHECK;

/* The same of a location of another host, whose times are those of rank 0's clock. What is told
 * when all is over, by one who was not heard of for long, changes nothing any more. */
enum mw_status mwa_live_waits_hear(struct mwa_live_waits *waits, uint32_t location,
                                   const struct mwa_moment *moment) MW_MUST_CHECK;

/* And that no call of it comes before a time. */
enum mw_status mwa_live_waits_through(struct mwa_live_waits *waits, uint32_t location,
                                      uint64_t time) MW_MUST_CHECK;

/* Tells across how far the location, of this host, has been read: ns of the host's clock. */
void mwa_live_waits_tell_through(struct mwa_live_waits *waits, uint32_t location, uint32_t thread,
                                 uint64_t time);

/* All locations have been read about as far; nothing more comes of any with is_over. \return as
 * mwa_live_waits_take. */
enum mw_status mwa_live_waits_round(struct mwa_live_waits *waits, bool is_over) MW_MUST_CHECK;

/* Whether nothing will become known any more. */
bool mwa_live_waits_are_over(const struct mwa_live_waits *waits);

/* Writes what is known of the location into its thread, for mwa_live_rate. */
void mwa_live_waits_tell(const struct mwa_live_waits *waits, uint32_t location,
                         struct mwa_live_thread *thread);

#endif
