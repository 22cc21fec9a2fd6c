#ifndef MWA_LIVE_LIVE_PEERS_H
#define MWA_LIVE_LIVE_PEERS_H

#include "formats/spool/live_batch.h"
#include "formats/spool/live_message.h"
#include "formats/spool/runs.h"

/*
 * Those that look at the same run on other hosts: what is told to each of them comes, whole and in
 * its order, however often messages are dropped on the way. Nobody waits: who does not take it is
 * given up when there is no room for more, and all is told anew when it is there again. One thread.
 */
struct mwa_live_peers;

/* So many, of which own is this one. give brings one a message, or drops it. Null: no memory. */
struct mwa_live_peers *mwa_live_peers_create(uint32_t count, uint32_t own,
                                             void (*give)(void *context, uint32_t to,
                                                          const void *message, size_t bytes),
                                             void *context);
void mwa_live_peers_destroy(struct mwa_live_peers *peers); /* null is fine */

uint32_t mwa_live_peers_count(const struct mwa_live_peers *peers);
uint32_t mwa_live_peers_own(const struct mwa_live_peers *peers);

/* Which telling this is: when it is another one, all is to be told from the beginning on. */
uint32_t mwa_live_peers_generation(const struct mwa_live_peers *peers);
/* Begins the next one. */
void mwa_live_peers_anew(struct mwa_live_peers *peers);

/* Tells one of them a record, later. Nothing is told to oneself. */
void mwa_live_peers_put(struct mwa_live_peers *peers, uint32_t to,
                        const struct mw_live_record *record);

/* Whether so much waits for one that is there that nothing should be put. */
bool mwa_live_peers_are_full(const struct mwa_live_peers *peers);

/* Nothing was heard of it for so long that others don't wait for it. */
bool mwa_live_peers_is_lost(const struct mwa_live_peers *peers, uint32_t which);

/* Sends what there is room for, with is_flushed all that was put; silence: ns without a word after
 * which one is lost. run is told. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_live_peers_send(struct mwa_live_peers *peers, const struct mw_run *run,
                                   bool is_flushed, uint64_t silence,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Takes a batch of one of them, with the records behind it, or (null) those that could not be taken
 * before. take is called with those that are next in their order, and says whether they were taken.
 */
void mwa_live_peers_take(struct mwa_live_peers *peers, uint32_t from,
                         const struct mw_live_batch *batch, const struct mw_cursor *records,
                         bool (*take)(void *context, uint32_t from,
                                      const struct mw_cursor *records),
                         void *context);

#endif
