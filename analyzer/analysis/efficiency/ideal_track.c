/*
 * On the ideal network computing takes as long as it did, and calls take nothing: so what a rank
 * does by itself is here, and whom it waits for is the replay's concern.
 */
#include "analyzer/analysis/efficiency/ideal_track.h"

#include <stdlib.h>

void mwa_ideal_track_fini(struct mwa_ideal_track *track)
{
    mwa_region_clocks_fini(&track->regions);
    free(track->ahead.list);
}

enum mw_status mwa_ideal_track_spend(struct mwa_ideal_track *track, uint32_t region,
                                     uint64_t ticks)
{
    return mwa_path_spend(track->paths, &track->path, region, track->rank, ticks)
               ? MW_OK
               : MW_ERROR_MEMORY;
}

/* Useful ticks: on the ideal network they take as long. */
static enum mw_status compute(struct mwa_ideal_track *track, uint64_t ticks)
{
    uint32_t region = mwa_region_clocks_innermost(&track->regions);

    if (!track->running || ticks == 0) {
        return MW_OK;
    }
    track->clock += ticks;
    return mwa_ideal_track_spend(track, region == MWA_NONE ? track->outside : region, ticks);
}

static enum mw_status pass_time(struct mwa_ideal_track *track, uint64_t time)
{
    uint64_t ticks = time > track->at ? time - track->at : 0;

    track->at += ticks;
    return track->in_call ? MW_OK : compute(track, ticks);
}

enum mw_status mwa_ideal_track_begin_run(struct mwa_ideal_track *track)
{
    mwa_region_clocks_begin(&track->regions);
    track->clock = 0;
    track->running = !track->ended;
    mwa_path_drop(track->paths, track->path);
    track->path = mwa_path_begin(track->paths);
    return track->path ? MW_OK : MW_ERROR_MEMORY;
}

void mwa_ideal_track_end_run(struct mwa_ideal_track *track)
{
    mwa_region_clocks_end(&track->regions, track->clock);
    track->running = false;
    track->ended = true;
    track->ended_at = track->at;
}

static enum mw_status take_waypoint(struct mwa_ideal_track *track,
                                    const struct mwa_waypoint *waypoint)
{
    switch (waypoint->kind) {
    case MWA_WAYPOINT_FIRST: /* never ahead */
        return MW_OK;
    case MWA_WAYPOINT_ENTER:
        return mwa_region_clocks_enter(&track->regions, waypoint->region, track->clock);
    case MWA_WAYPOINT_LEAVE:
        mwa_region_clocks_leave(&track->regions, track->clock,
                                track->running || track->is_closed);
        return MW_OK;
    case MWA_WAYPOINT_USEFUL:
        track->useful_in_call += waypoint->ticks;
        return compute(track, waypoint->ticks);
    case MWA_WAYPOINT_LAST:
        if (track->running) {
            mwa_ideal_track_end_run(track);
        }
        return MW_OK;
    }
    return MW_OK;
}

enum mw_status mwa_ideal_track_tell(struct mwa_ideal_track *track,
                                    const struct mwa_waypoint *waypoint)
{
    if (waypoint->kind == MWA_WAYPOINT_FIRST) {
        track->at = waypoint->time;
        return mwa_ideal_track_begin_run(track);
    }
    return mwa_waypoints_ahead_add(&track->ahead, waypoint);
}

/* Takes the waypoints of track before time, and those of useful time at it; all up to it if
 * inclusive. */
static enum mw_status catch_up(struct mwa_ideal_track *track, uint64_t time, bool inclusive)
{
    const struct mwa_waypoint *waypoint;
    enum mw_status status = MW_OK;

    while (status == MW_OK &&
           (waypoint = mwa_waypoints_ahead_take(&track->ahead, time, inclusive)) != NULL) {
        status = pass_time(track, waypoint->time);
        if (status == MW_OK) {
            status = take_waypoint(track, waypoint);
        }
    }
    return status;
}

enum mw_status mwa_ideal_track_reach(struct mwa_ideal_track *track, uint64_t time,
                                     bool inclusive)
{
    enum mw_status status = catch_up(track, time, inclusive);

    return status == MW_OK ? pass_time(track, time) : status;
}

enum mw_status mwa_ideal_track_finish(struct mwa_ideal_track *track)
{
    return catch_up(track, UINT64_MAX, true);
}

/* --- chapters --------------------------------------------------------------------------------- */

enum mw_status mwa_ideal_track_open(struct mwa_ideal_track *track)
{
    enum mw_status status = mwa_ideal_track_begin_run(track);

    if (status == MW_OK) {
        track->opening = mwa_path_hold(track->path);
    }
    return status;
}

void mwa_ideal_track_close(struct mwa_ideal_track *track)
{
    track->running = false;
    track->is_closed = true;
}

enum mw_status mwa_ideal_track_append(struct mwa_ideal_track *track,
                                      struct mwa_ideal_track *later, uint64_t latest)
{
    const uint64_t waited = latest > track->clock ? latest - track->clock : 0;

    if (!later->opening) { /* it makes no calls: all of it is in the first chapter */
        return MW_OK;
    }
    mwa_path_graft(track->paths, later->opening, track->path);
    track->path = later->path;
    later->opening = NULL;
    later->path = NULL;
    track->clock = latest + later->clock;
    track->running = later->running;
    track->ended = later->ended;
    track->ended_at = later->ended_at;
    track->is_closed = later->is_closed;
    return mwa_region_clocks_append(&track->regions, &later->regions, waited);
}
