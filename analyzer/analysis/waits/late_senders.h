#ifndef MWA_ANALYSIS_WAITS_LATE_SENDERS_H
#define MWA_ANALYSIS_WAITS_LATE_SENDERS_H

#include "analyzer/analysis/region_paths.h"
#include "analyzer/analysis/waits/wait_ledger.h"

/*
 * The late senders of a location that may yet turn out to be received in the wrong order
 * (waits_p2p.c). Of a chapter that begins at a lull, what was received early is remembered: what it
 * was received in wrong order with is in the chapter before. All return MW_OK, MW_ERROR_MEMORY.
 */
struct mwa_late_senders;

/* None so far; began_at: when, in ticks, the location's chapter began at a lull; 0: it did not.
 * Null: no memory. To be destroyed; null is fine. */
struct mwa_late_senders *mwa_late_senders_create(uint64_t began_at);
void mwa_late_senders_destroy(struct mwa_late_senders *late);

/* A call waited for one that was entered at sent. */
enum mw_status mwa_late_senders_keep(struct mwa_late_senders *late, const struct mwa_wait *wait,
                                     uint64_t sent) MW_MUST_CHECK;

/* call, by which the last receives of the location so far were completed, has received something:
 * charges those of the late senders that should have been received behind it. */
enum mw_status mwa_late_senders_take(struct mwa_wait_ledger *ledger,
                                     struct mwa_late_senders *late,
                                     const struct mwa_exchange_call *call) MW_MUST_CHECK;

/* The call that was left then has received what it waited for. */
void mwa_late_senders_left(struct mwa_late_senders *late, uint64_t time);

/* Whether none was sent behind time (ticks), so that what is received behind a lull then, and sent
 * later, is in no wrong order with them. */
bool mwa_late_senders_are_before(const struct mwa_late_senders *late, uint64_t time);

/* Adds later's, of the chapter behind a lull, to *late, and charges in ledger what they have in
 * wrong order with each other. *late may become later, which then is null. */
enum mw_status mwa_late_senders_append(struct mwa_wait_ledger *ledger,
                                       struct mwa_late_senders **late,
                                       struct mwa_late_senders **later,
                                       const struct mwa_seam *seam) MW_MUST_CHECK;

/*
 * All that append takes, for another process (analyzer/team/packing.h): pack appends late, null or
 * not; unpack takes it out into *late, which takes the place of what was there. Paths live as long
 * as paths does. MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_late_senders_pack(const struct mwa_trace *trace, const struct mwa_late_senders *late,
                           struct mw_buffer *to);
enum mw_status mwa_late_senders_unpack(const struct mwa_trace *trace,
                                       struct mwa_region_paths *paths, struct mw_cursor *from,
                                       struct mwa_late_senders **late) MW_MUST_CHECK;

#endif
