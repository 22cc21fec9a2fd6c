#ifndef MWA_ANALYSIS_EFFICIENCY_IDEAL_TRACK_H
#define MWA_ANALYSIS_EFFICIENCY_IDEAL_TRACK_H

#include "analyzer/analysis/delay/waypoints_ahead.h"
#include "analyzer/analysis/efficiency/dependence.h"
#include "analyzer/analysis/efficiency/ideal.h"
#include "analyzer/analysis/efficiency/path_tree.h"
#include "analyzer/analysis/efficiency/region_clocks.h"
#include "analyzer/analysis/efficiency/stretches.h"
#include "analyzer/analysis/efficiency/tape.h"

/*
 * A rank's main thread in the replay on the ideal network (ideal_replay.h): how far it has come,
 * its clocks, its regions and the path to where it is. Zeros, but for paths, which it shares with
 * all others, rank, number and outside. Not thread-safe.
 */
struct mwa_ideal_track {
    struct mwa_path_tree *paths;
    uint32_t rank;    /* of the world */
    uint32_t number;  /* of the location, from 1 on: the register of its clocks on a tape */
    uint32_t outside; /* stands for no region: how many there are */
    bool running; /* between the beginning and the end of its run */
    bool ended;
    bool in_call;
    uint64_t at; /* up to here it has come; ticks of the trace */
    uint64_t ended_at;
    struct mwa_words clocks; /* on the ideal network; and where messages are there before anybody
                                waits for them */
    bool in_row; /* the call being made is a row of polls */
    uint64_t useful_in_call; /* of the call being made; of a row nothing is */
    uint64_t stretch; /* outside of MPI since the last call, in the run */
    struct mwa_stretches stretches;
    struct mwa_polling polling; /* of the run, ticks */
    struct mwa_region_clocks regions;
    struct mwa_waypoints_ahead ahead;
    struct mwa_path_node *path; /* null: no run has begun */
    struct mwa_path_node *opening; /* of a later chapter: where the path begins; else null */
    bool is_closed; /* the chapter is: its clocks stand still */
    bool goes_on;   /* with the next chapter, from the lull at which this one ends */
    bool ends_in_tie;  /* there, with a region entered or left when its next call is entered */
    bool begins_again; /* its run does, in a chapter that has a tape, which does not know that */
    bool opens_at_once; /* it begins at a lull, with a call that takes no time */
    uint64_t next_enter; /* that goes on: when its next call is entered */
    uint64_t opened_at; /* it begins at a lull: when its first call is entered, ticks, … */
    uint32_t opened_by; /* … and the place of that */
    uint32_t regions_before; /* so many are open there, which are told first */
    struct mwa_tape *tape; /* from then on: where its steps go (ideal_tape.h); else null */
    uint64_t unwritten; /* ticks that it has computed since the last of these */
};

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

/* Another one, of the run, is over: adds it to polling if it is a row of polls. */
void mwa_ideal_track_polled(struct mwa_ideal_track *track, const struct mwa_exchange_call *call);

/* Takes all waypoints that are left. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_track_finish(struct mwa_ideal_track *track) MW_MUST_CHECK;

/* MPI_Init is left: what was before is not part of the run. The run is over where track is. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_track_begin_run(struct mwa_ideal_track *track) MW_MUST_CHECK;
enum mw_status mwa_ideal_track_end_run(struct mwa_ideal_track *track) MW_MUST_CHECK;

/* The stretches of all locations' tracks, in trace's ns; *list is to be freed. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_ideal_tracks_stretches(const struct mwa_ideal_track *tracks,
                                          const struct mwa_trace *trace,
                                          struct mwa_rank_stretch **list,
                                          uint64_t *count) MW_MUST_CHECK;

/*
 * What the clocks of trace's tracks, one for each location and finished, come to. ideal is to be
 * freed by mwa_ideal_fini in any case; *last: that whose run ends last, lent; null: none has one.
 * MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_ideal_tracks_sum(const struct mwa_ideal_track *tracks,
                                    const struct mwa_trace *trace, struct mwa_ideal *ideal,
                                    const struct mwa_ideal_track **last) MW_MUST_CHECK;

#endif
