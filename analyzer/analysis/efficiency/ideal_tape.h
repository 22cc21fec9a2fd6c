#ifndef MWA_ANALYSIS_EFFICIENCY_IDEAL_TAPE_H
#define MWA_ANALYSIS_EFFICIENCY_IDEAL_TAPE_H

#include "analyzer/analysis/efficiency/ideal_track.h"

/*
 * What is done with the clocks of tracks: at once, or, where a track has a tape, when that is
 * played. Clocks that were kept for others are words, the first of which is a register of the tape
 * then; 0: there are none. Not thread-safe.
 */

/* Keeps the clocks that track has, in *kept. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_keep(struct mwa_ideal_track *track,
                              struct mwa_words *kept) MW_MUST_CHECK;

/* Nobody asks for kept any more. tape may be null. */
void mwa_ideal_forget(struct mwa_tape *tape, struct mwa_words kept);

/* Adds kept to what was gathered, zeros at first: of each clock the latest. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_gather(struct mwa_tape *tape, struct mwa_words kept,
                                struct mwa_words *gathered) MW_MUST_CHECK;

/* Track waits until its clocks are kept or gathered, or go beyond: by a message the first clock
 * only. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_receive(struct mwa_ideal_track *track,
                                 struct mwa_words kept) MW_MUST_CHECK;
enum mw_status mwa_ideal_wait(struct mwa_ideal_track *track,
                              struct mwa_words gathered) MW_MUST_CHECK;

/* Track has computed for ticks. */
static inline void mwa_ideal_compute(struct mwa_ideal_track *track, uint64_t ticks)
{
    track->clocks.first += ticks;
    track->clocks.second += ticks;
    track->unwritten += track->tape ? ticks : 0;
}

/* Track enters a region, leaves the innermost one, or ends its run within those that are open; they
 * return MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_enter(struct mwa_ideal_track *track, uint32_t region) MW_MUST_CHECK;
enum mw_status mwa_ideal_leave(struct mwa_ideal_track *track) MW_MUST_CHECK;
enum mw_status mwa_ideal_end(struct mwa_ideal_track *track) MW_MUST_CHECK;

/* All that track has computed is on its tape. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_write_up(struct mwa_ideal_track *track) MW_MUST_CHECK;

/* Goes the steps of tape, which is through, with all of count tracks, which know their clocks.
 * MW_OK; MW_ERROR_MEMORY; MW_ERROR_SYSTEM: its file can't be read. */
enum mw_status mwa_ideal_tape_play(struct mwa_tape *tape, struct mwa_ideal_track *tracks,
                                   uint64_t count) MW_MUST_CHECK;

/* What mwa_tape_unpack returns, of a tape of count tracks and so many regions. */
enum mw_status mwa_ideal_tape_unpack(struct mwa_tape **made, uint64_t count, uint64_t regions,
                                     struct mw_cursor *from) MW_MUST_CHECK;

#endif
