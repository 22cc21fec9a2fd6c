#ifndef MWA_ANALYSIS_EFFICIENCY_IDEAL_TRACK_H
#define MWA_ANALYSIS_EFFICIENCY_IDEAL_TRACK_H

#include "analyzer/analysis/delay/waypoints_ahead.h"
#include "analyzer/analysis/efficiency/dependence.h"
#include "analyzer/analysis/efficiency/ideal.h"
#include "analyzer/analysis/efficiency/path_tree.h"
#include "analyzer/analysis/efficiency/region_clocks.h"
#include "analyzer/analysis/efficiency/stretches.h"

/*
 * A rank's main thread in the replay on the ideal network (ideal_replay.h): how far it has come,
 * its clock, its regions and the path to where it is. Zeros, but for paths, which it shares with
 * all others, rank and outside. Not thread-safe.
 */
struct mwa_ideal_track {
    struct mwa_path_tree *paths;
    uint32_t rank;    /* of the world */
    uint32_t outside; /* stands for no region: how many there are */
    bool running; /* between the beginning and the end of its run */
    bool ended;
    bool in_call;
    uint64_t at; /* up to here it has come; ticks of the trace */
    uint64_t ended_at;
    uint64_t clock; /* on the ideal network; */
    uint64_t free_clock; /* where messages are there before anybody waits for them */
    uint64_t useful_in_call; /* of the call being made */
    uint64_t stretch; /* outside of MPI since the last call, in the run */
    struct mwa_stretches stretches;
    struct mwa_region_clocks regions;
    struct mwa_waypoints_ahead ahead;
    struct mwa_path_node *path; /* null: no run has begun */
    struct mwa_path_node *opening; /* of a later chapter: where the path begins; else null */
    bool is_closed; /* the chapter is: its clock stands still, and regions are left */
};

/* Its clock and its free clock; and where it waits until they are these, or go beyond. */
static inline struct mwa_words mwa_ideal_track_clocks(const struct mwa_ideal_track *track)
{
    return (struct mwa_words){ track->clock, track->free_clock };
}

static inline void mwa_ideal_track_wait(struct mwa_ideal_track *track, struct mwa_words until)
{
    const struct mwa_words clocks = mwa_greatest(mwa_ideal_track_clocks(track), until);

    track->clock = clocks.first;
    track->free_clock = clocks.second;
}

/* Frees what it holds, but for the path. */
void mwa_ideal_track_fini(struct mwa_ideal_track *track);

/* Spends ticks more on the path, in region (its index, or outside). MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_track_spend(struct mwa_ideal_track *track, uint32_t region,
                                     uint64_t ticks) MW_MUST_CHECK;

/* Takes note of a waypoint, the next one; with the first one the run begins, unless MPI_Init comes.
 * MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_track_tell(struct mwa_ideal_track *track,
                                    const struct mwa_waypoint *waypoint) MW_MUST_CHECK;

/*
 * Brings track to time, ticks: takes the waypoints before it, and of those at it the ones of useful
 * time; all if inclusive. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_ideal_track_reach(struct mwa_ideal_track *track, uint64_t time,
                                     bool inclusive) MW_MUST_CHECK;

/* A call at place begins, where track is. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_track_call(struct mwa_ideal_track *track, uint32_t place) MW_MUST_CHECK;

/* Takes all waypoints that are left. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_track_finish(struct mwa_ideal_track *track) MW_MUST_CHECK;

/* MPI_Init is left: what was before is not part of the run. MW_OK, MW_ERROR_MEMORY. The run is over
 * where track is. */
enum mw_status mwa_ideal_track_begin_run(struct mwa_ideal_track *track) MW_MUST_CHECK;
void mwa_ideal_track_end_run(struct mwa_ideal_track *track);

/* The stretches of all locations' tracks, in trace's ns; *list is to be freed. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_tracks_stretches(const struct mwa_ideal_track *tracks,
                                          const struct mwa_trace *trace,
                                          struct mwa_rank_stretch **list,
                                          uint64_t *count) MW_MUST_CHECK;

/*
 * Chapters of a run are followed each by itself (analyzer/model/exchanged.h). In the call that
 * opens one all wait for all: on the ideal network all leave it at once, with the latest of their
 * clocks. So the later chapter has clocks from 0 on, from when the call is entered (open), and the
 * earlier one ends there (close); when the call is left, mwa_region_clocks_reach_seam is due. Whose
 * path it is that goes on is known in the later chapter, which has where each of them begins. The
 * run of the rank has begun before the call, and is over behind it. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_ideal_track_open(struct mwa_ideal_track *track) MW_MUST_CHECK;
void mwa_ideal_track_close(struct mwa_ideal_track *track);

/*
 * Goes on as later, both finished, whose paths are track's by now; latest are the latest clock and
 * the latest free clock of those that were closed. What later holds is to be freed as before.
 * MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_ideal_track_append(struct mwa_ideal_track *track,
                                      struct mwa_ideal_track *later,
                                      struct mwa_words latest) MW_MUST_CHECK;

/*
 * What mwa_ideal_track_append asks of count tracks of a later chapter, finished, for another
 * process (analyzer/team/packing.h). Without memory to is marked failed; unpack takes it out
 * into tracks that were told nothing. MW_OK, MW_ERROR_MEMORY, MW_ERROR_FORMAT: these are other
 * bytes.
 */
void mwa_ideal_tracks_pack(const struct mwa_ideal_track *tracks, uint64_t count,
                           struct mw_buffer *to);
enum mw_status mwa_ideal_tracks_unpack(struct mwa_ideal_track *tracks, uint64_t count,
                                       struct mw_cursor *from) MW_MUST_CHECK;

/*
 * What the clocks of trace's tracks, one for each location and finished, come to. ideal is to be
 * freed by mwa_ideal_fini in any case; *last: that whose run ends last, lent; null: none has one.
 * MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_ideal_tracks_sum(const struct mwa_ideal_track *tracks,
                                    const struct mwa_trace *trace, struct mwa_ideal *ideal,
                                    const struct mwa_ideal_track **last) MW_MUST_CHECK;

#endif
