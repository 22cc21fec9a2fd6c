#ifndef MWA_LIVE_LIVE_HEAR_H
#define MWA_LIVE_LIVE_HEAR_H

#include "analyzer/live/live.h"

/* A run of which others tell what they see. */

/* Makes *live one that so many tell of. run is filled, and has to live as long as it.
 * mwa_live_fini is due. \return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_live_hear_begin(struct mwa_live *live, struct mw_run *run, uint32_t tellers,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Takes what one of them, below host_count, tells: all of a message or nothing. Of a rank that
 * several tell of counts who is on its host, else who told first.
 *
 * \return MW_OK, also if the message says what can't be: the host's refused tells, and nothing is
 * taken of it any more; MW_ERROR_MEMORY.
 */
enum mw_status mwa_live_hear(struct mwa_live *live, uint32_t teller, const void *message,
                             size_t bytes, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* How far clocks of two hosts can be apart from what was taken into account, at most, ns: a wait
 * has two ends. */
uint64_t mwa_live_hear_clock_error(const struct mwa_live *live);

/* Finds out who was not heard of for so many ns: what processes there do is not known. */
void mwa_live_hear_age(struct mwa_live *live, uint64_t ns);

#endif
