#ifndef MWA_LIVE_LIVE_GHOSTS_H
#define MWA_LIVE_LIVE_GHOSTS_H

#include "analyzer/live/live_peers.h"
#include "analyzer/live/live_trace.h"

/* Ranks of other hosts, as those that look there tell of them (live_across.h). Of one thread. */
struct mwa_live_ghosts;

struct mwa_live_waits;

/* Of a run with so many ranks; host_of, by rank, is filled with which of peers tells of it,
 * MWA_NONE: nobody. All are the caller's, as are definitions. Null: no memory. */
struct mwa_live_ghosts *mwa_live_ghosts_create(struct mwa_live_trace *live, uint32_t *host_of,
                                               uint32_t ranks,
                                               const struct mwa_live_peers *peers);
void mwa_live_ghosts_destroy(struct mwa_live_ghosts *ghosts); /* null is fine */

/* Who takes their calls; null: nobody so far. */
void mwa_live_ghosts_to(struct mwa_live_ghosts *ghosts, struct mwa_live_waits *waits);

/* A host tells of the rank, which has so many threads. */
void mwa_live_ghosts_claim(struct mwa_live_ghosts *ghosts, uint32_t host, uint32_t rank,
                           uint32_t threads);

/* How many it was said to have; 0: nothing was said. */
uint32_t mwa_live_ghosts_threads(const struct mwa_live_ghosts *ghosts, uint32_t rank);

/* Why waits can't be known, as far as others told; two tell of the same rank; they said what can't
 * be. MW_LIVE_KNOWN: nothing. */
enum mw_live_no_waits mwa_live_ghosts_unknown(const struct mwa_live_ghosts *ghosts);

/* Nothing more comes of that host. */
bool mwa_live_ghosts_are_over(const struct mwa_live_ghosts *ghosts, uint32_t host);

/*
 * Takes all of the records, or nothing but definitions: false, as somebody else has to tell
 * something first, there is nobody who takes calls, or no memory. Nothing is trusted. *is_anew: all
 * has to be told anew, as a thread came that was not told of.
 */
bool mwa_live_ghosts_hear(struct mwa_live_ghosts *ghosts, uint32_t from,
                          const struct mw_cursor *records, bool *is_anew);

#endif
