#ifndef MWA_ANALYSIS_EFFICIENCY_IDEAL_CHAPTERS_H
#define MWA_ANALYSIS_EFFICIENCY_IDEAL_CHAPTERS_H

#include "analyzer/analysis/efficiency/ideal_track.h"

/*
 * Chapters of a run are followed each by itself (analyzer/load/chapters.h).
 *
 * In the call that opens one all wait for all: on the ideal network all leave it at once, with the
 * latest of their clocks. So the later chapter has clocks from 0 on, from when the call is entered
 * (open), and the earlier one ends there (close); when the call is left,
 * mwa_region_clocks_reach_seam is due. Whose path it is that goes on is known in the later chapter,
 * which has where each of them begins. The run of the rank has begun before the call, and is over
 * behind it.
 *
 * Where it begins at a lull ranks have clocks of their own, which the later chapter does not know:
 * what is done with them goes onto a tape, from the first call on (open at a lull).
 *
 * None of it is thread-safe.
 */

/* A call is entered, at which track is, that opens a chapter. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_track_open(struct mwa_ideal_track *track) MW_MUST_CHECK;
void mwa_ideal_track_close(struct mwa_ideal_track *track);

/* call, at place, is the first one behind a lull: what is told of track but the regions that are
 * open there, which come first, is inside of it, and not reached yet. tape lives as long as track.
 * MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_track_open_at_lull(struct mwa_ideal_track *track,
                                            const struct mwa_exchange_call *call, uint32_t place,
                                            struct mwa_tape *tape) MW_MUST_CHECK;

/*
 * Goes on as later, both finished, whose paths are track's by now; latest are the latest clock and
 * the latest free clock of those that were closed. What later holds is to be freed as before.
 * MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_ideal_track_append(struct mwa_ideal_track *track,
                                      struct mwa_ideal_track *later,
                                      struct mwa_words latest) MW_MUST_CHECK;

/* The same where later begins at a lull: its tape is to be played then (ideal_tape.h). */
enum mw_status mwa_ideal_track_append_at_lull(struct mwa_ideal_track *track,
                                              struct mwa_ideal_track *later) MW_MUST_CHECK;

/*
 * Whether chapters that begin at lulls can't be put together: where a region is entered or left at
 * the same time as the first call behind a lull, which takes no time, that counts as being behind
 * it (mwa_ideal_track_reach), but another chapter has the region. remember appends what is to be
 * known of the tracks of a chapter, tied tells by what those of all have appended, in their order.
 * MW_OK, MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_ideal_tracks_remember(const struct mwa_ideal_track *tracks, uint64_t count,
                               struct mw_buffer *to);
enum mw_status mwa_ideal_tracks_tied(struct mw_cursor *from, bool *are_tied) MW_MUST_CHECK;

/*
 * What is asked of count tracks of a later chapter, finished, for another process
 * (analyzer/team/packing.h). Without memory to is marked failed; unpack takes it out into tracks
 * that were told nothing, of a trace with so many sites. MW_OK, MW_ERROR_MEMORY, MW_ERROR_FORMAT:
 * these are other bytes.
 */
void mwa_ideal_tracks_pack(const struct mwa_ideal_track *tracks, uint64_t count,
                           struct mw_buffer *to);
enum mw_status mwa_ideal_tracks_unpack(struct mwa_ideal_track *tracks, uint64_t count,
                                       uint64_t sites, struct mw_cursor *from) MW_MUST_CHECK;

#endif
