/*
 * On the ideal network computing takes as long as it did, and calls take nothing: so what a rank
 * does by itself is here, and whom it waits for is the replay's concern.
 */
#include "analyzer/analysis/efficiency/ideal_track.h"

#include <stdlib.h>

#include "analyzer/analysis/efficiency/ideal_tape.h"
#include "formats/base/order.h"

void mwa_ideal_track_fini(struct mwa_ideal_track *track)
{
    mwa_region_clocks_fini(&track->regions);
    mwa_stretches_fini(&track->stretches);
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
    mwa_ideal_compute(track, ticks);
    track->stretch += ticks;
    return track->in_row ? MW_OK /* until it is left all of it is the polls' */
                         : mwa_ideal_track_spend(
                               track, region == MWA_NONE ? track->outside : region, ticks);
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
    mwa_stretches_begin(&track->stretches);
    track->stretch = 0;
    track->polling = (struct mwa_polling){ 0 };
    track->clocks = (struct mwa_words){ 0 };
    track->begins_again |= track->tape != NULL;
    track->running = !track->ended;
    mwa_path_drop(track->paths, track->path);
    track->path = mwa_path_begin(track->paths);
    return track->path ? MW_OK : MW_ERROR_MEMORY;
}

enum mw_status mwa_ideal_track_end_run(struct mwa_ideal_track *track)
{
    const enum mw_status status = mwa_ideal_end(track);

    track->running = false;
    track->ended = true;
    track->ended_at = track->at;
    return status;
}

static enum mw_status take_waypoint(struct mwa_ideal_track *track,
                                    const struct mwa_waypoint *waypoint)
{
    switch (waypoint->kind) {
    case MWA_WAYPOINT_FIRST: /* never ahead */
        return MW_OK;
    case MWA_WAYPOINT_ENTER:
        track->ends_in_tie |= track->goes_on && waypoint->time == track->next_enter;
        return mwa_ideal_enter(track, waypoint->region);
    case MWA_WAYPOINT_LEAVE:
        track->ends_in_tie |= track->goes_on && waypoint->time == track->next_enter;
        return mwa_ideal_leave(track);
    case MWA_WAYPOINT_USEFUL:
        track->useful_in_call += track->in_row ? 0 : waypoint->ticks;
        return compute(track, waypoint->ticks);
    case MWA_WAYPOINT_LAST:
        if (track->is_closed) {
            return mwa_ideal_end(track);
        }
        return track->running && !track->goes_on ? mwa_ideal_track_end_run(track) : MW_OK;
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

static enum mw_status take_ahead(struct mwa_ideal_track *track, uint64_t time, bool inclusive)
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

/* Takes the waypoints of track before time, and those of useful time at it; all up to it if
 * inclusive. Most calls have none. */
static inline enum mw_status catch_up(struct mwa_ideal_track *track, uint64_t time, bool inclusive)
{
    return track->ahead.first < track->ahead.end ? take_ahead(track, time, inclusive) : MW_OK;
}

enum mw_status mwa_ideal_track_reach(struct mwa_ideal_track *track, uint64_t time,
                                     bool inclusive)
{
    enum mw_status status = catch_up(track, time, inclusive);

    return status == MW_OK ? pass_time(track, time) : status;
}

enum mw_status mwa_ideal_track_call(struct mwa_ideal_track *track, uint32_t place)
{
    const uint64_t ticks = track->stretch;

    track->stretch = 0;
    return track->running ? mwa_stretches_add(&track->stretches, place, ticks) : MW_OK;
}

void mwa_ideal_track_polled(struct mwa_ideal_track *track, const struct mwa_exchange_call *call)
{
    if (MW_UNLIKELY(call->is_row)) {
        track->polling.between += call->outside;
        track->polling.inside += call->leave - call->enter - call->outside;
    }
}

enum mw_status mwa_ideal_track_finish(struct mwa_ideal_track *track)
{
    const enum mw_status status = catch_up(track, UINT64_MAX, true);

    return status == MW_OK ? mwa_ideal_write_up(track) : status;
}

static int by_rank(const void *one, const void *other)
{
    const struct mwa_rank_stretch *a = one;
    const struct mwa_rank_stretch *b = other;

    return mw_order(a->rank, b->rank) ?: mw_order(a->place, b->place);
}

enum mw_status mwa_ideal_tracks_stretches(const struct mwa_ideal_track *tracks,
                                          const struct mwa_trace *trace,
                                          struct mwa_rank_stretch **list, uint64_t *count)
{
    uint64_t room = 1;

    *count = 0;
    for (uint64_t i = 0; i < trace->location_count; i++) {
        room += tracks[i].stretches.index.count;
    }
    *list = calloc(room, sizeof **list);
    if (!*list) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        const struct mwa_stretches *from = &tracks[i].stretches;

        for (uint64_t j = 0; j < from->index.count; j++) {
            (*list)[(*count)++] = (struct mwa_rank_stretch){
                tracks[i].rank, from->list[j].place, mwa_trace_ns(trace, from->list[j].ticks),
                from->list[j].calls, mwa_trace_ns(trace, from->list[j].shortest)
            };
        }
    }
    qsort(*list, *count, sizeof **list, by_rank);
    return MW_OK;
}

/* --- the result ----------------------------------------------------------------------------- */

static int by_region(const void *one, const void *other)
{
    const struct mwa_ideal_cell *a = one;
    const struct mwa_ideal_cell *b = other;

    return mw_order(a->region, b->region) ?: mw_order(a->rank, b->rank);
}

enum mw_status mwa_ideal_tracks_sum(const struct mwa_ideal_track *tracks,
                                    const struct mwa_trace *trace, struct mwa_ideal *ideal,
                                    const struct mwa_ideal_track **last)
{
    uint64_t cells = 0;

    for (uint64_t i = 0; i < trace->location_count; i++) {
        cells += tracks[i].regions.index.count;
    }
    *ideal = (struct mwa_ideal){
        .rank_count = trace->rank_count,
        .per_rank_ns = calloc(trace->rank_count + 1, sizeof *ideal->per_rank_ns),
        .polling = calloc(trace->rank_count + 1, sizeof *ideal->polling),
        .cells = calloc(cells + 1, sizeof *ideal->cells)
    };
    *last = NULL;
    if (!ideal->per_rank_ns || !ideal->polling || !ideal->cells) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        const struct mwa_ideal_track *track = &tracks[i];
        const uint64_t ns = mwa_trace_ns(trace, track->clocks.first);
        const uint64_t free_ns = mwa_trace_ns(trace, track->clocks.second);

        if (track->path) {
            *last = !*last || track->ended_at > (*last)->ended_at ? track : *last;
            ideal->per_rank_ns[trace->locations[i].rank] = ns;
            ideal->polling[trace->locations[i].rank] =
                (struct mwa_polling){ mwa_trace_ns(trace, track->polling.inside),
                                      mwa_trace_ns(trace, track->polling.between) };
            ideal->runtime_ns = ns > ideal->runtime_ns ? ns : ideal->runtime_ns;
            ideal->free_ns = free_ns > ideal->free_ns ? free_ns : ideal->free_ns;
        }
        ideal->cell_count += mwa_region_clocks_cells(&track->regions, trace,
                                                     trace->locations[i].rank,
                                                     ideal->cells + ideal->cell_count);
    }
    qsort(ideal->cells, ideal->cell_count, sizeof *ideal->cells, by_region);
    return MW_OK;
}
