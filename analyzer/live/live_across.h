#ifndef MWA_LIVE_LIVE_ACROSS_H
#define MWA_LIVE_LIVE_ACROSS_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/live/live_peers.h"
#include "analyzer/live/live_trace.h"

/*
 * Calls that ranks of several hosts take part in: each of those that look tells the others of its
 * own, and hears of theirs. Told are those alone that a rank of the other one needs: messages to
 * and from it, receives that may become such, collective operations that it is a member of,
 * MPI_Init and MPI_Finalize. Times are those of rank 0's clock. Of one thread.
 */
struct mwa_live_across;

struct mwa_live_waits;

/* For a run of so many ranks, whose definitions live has: both, and peers, live longer. Null: no
 * memory. */
struct mwa_live_across *mwa_live_across_create(struct mwa_live_peers *peers,
                                               struct mwa_live_trace *live, uint32_t ranks);
void mwa_live_across_destroy(struct mwa_live_across *across); /* null is fine */

/* Who takes what is heard: the waits of this telling; null: there is nobody yet. */
void mwa_live_across_to(struct mwa_live_across *across, struct mwa_live_waits *waits);

/* A rank with so many threads is told of here. Before all calls. */
void mwa_live_across_rank(struct mwa_live_across *across, uint32_t rank, uint32_t threads);

/* Threads of a rank that another one tells of; 0: none does. */
uint32_t mwa_live_across_threads(const struct mwa_live_across *across, uint32_t rank);

/* Whether somebody tells of each rank. */
bool mwa_live_across_has_all(const struct mwa_live_across *across);

/* Whether somebody who is there tells of that rank, or this one does. */
bool mwa_live_across_has(const struct mwa_live_across *across, uint32_t rank);

/* Tells the others that waits can't be known, and how far the own clock may be off. */
void mwa_live_across_tell(struct mwa_live_across *across, enum mw_live_no_waits unknown,
                          uint64_t clock_error);

/* What the others have told of that: MW_LIVE_KNOWN: nothing, or two tell of the same rank. */
enum mw_live_no_waits mwa_live_across_unknown(const struct mwa_live_across *across);

/* Takes the next event of a rank's thread, at that time of rank 0's clock. \return MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_live_across_take(struct mwa_live_across *across, uint32_t rank, uint32_t thread,
                                    const struct mwa_event *event, const struct mwa_moment *moment,
                                    uint64_t time) MW_MUST_CHECK;

/* A thread has been read up to that time of rank 0's clock. */
void mwa_live_across_through(struct mwa_live_across *across, uint32_t rank, uint32_t thread,
                             uint64_t time);

/* Tells groups of communicators that have come to be known. They are told to all at the same time,
 * and before the calls that are read afterwards: so nobody waits for what is behind such calls. */
void mwa_live_across_groups(struct mwa_live_across *across);

/* Tells that this is all. */
void mwa_live_across_over(struct mwa_live_across *across);

/* Whether nothing will come of anybody who is there. */
bool mwa_live_across_is_over(const struct mwa_live_across *across);

/* Hears records, as mwa_live_peers_take calls it; context is a struct mwa_live_across. */
bool mwa_live_across_hear(void *context, uint32_t from, const struct mw_cursor *records);

#endif
