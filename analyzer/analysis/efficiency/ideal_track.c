/*
 * On the ideal network computing takes as long as it did, and calls take nothing: so what a rank
 * does by itself is here, and whom it waits for is the replay's concern.
 */
#include "analyzer/analysis/efficiency/ideal_track.h"

#include <stdlib.h>

#include "analyzer/analysis/efficiency/path_packing.h"
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
    track->clock += ticks;
    track->free_clock += ticks;
    track->stretch += ticks;
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
    mwa_stretches_begin(&track->stretches);
    track->stretch = 0;
    track->clock = 0;
    track->free_clock = 0;
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

enum mw_status mwa_ideal_track_finish(struct mwa_ideal_track *track)
{
    return catch_up(track, UINT64_MAX, true);
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
                tracks[i].rank, from->list[j].place, mwa_trace_ns(trace, from->list[j].ticks)
            };
        }
    }
    qsort(*list, *count, sizeof **list, by_rank);
    return MW_OK;
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
                                      struct mwa_ideal_track *later, struct mwa_words latest)
{
    const uint64_t waited = latest.first > track->clock ? latest.first - track->clock : 0;
    enum mw_status status;

    if (!later->opening) { /* it makes no calls: all of it is in the first chapter */
        return MW_OK;
    }
    mwa_path_graft(track->paths, later->opening, track->path);
    track->path = later->path;
    later->opening = NULL;
    later->path = NULL;
    track->clock = latest.first + later->clock;
    track->free_clock = latest.second + later->free_clock;
    track->running = later->running;
    track->ended = later->ended;
    track->ended_at = later->ended_at;
    track->is_closed = later->is_closed;
    status = mwa_stretches_append(&track->stretches, &later->stretches);
    return status == MW_OK ? mwa_region_clocks_append(&track->regions, &later->regions, waited)
                           : status;
}

/* --- to another process ----------------------------------------------------------------------- */

/* A track as it travels, but for its regions and its path. */
struct plain {
    uint64_t clock;
    uint64_t free_clock;
    uint64_t ended_at;
    uint16_t running, ended, is_closed;
    uint16_t unused;
};

static void pack_track(const struct mwa_ideal_track *track, struct mw_buffer *to)
{
    const struct plain plain = { .clock = track->clock,
                                 .free_clock = track->free_clock,
                                 .ended_at = track->ended_at,
                                 .running = track->running,
                                 .ended = track->ended,
                                 .is_closed = track->is_closed };

    mw_buffer_append(to, &plain, sizeof plain);
    mwa_region_clocks_pack(&track->regions, to);
    mwa_stretches_pack(&track->stretches, to);
}

/* Where the path of each track begins, and where it is; to be freed. Null without memory. */
static struct mwa_path_node **make_ends(uint64_t count)
{
    return calloc(2 * count + 1, sizeof(struct mwa_path_node *));
}

void mwa_ideal_tracks_pack(const struct mwa_ideal_track *tracks, uint64_t count,
                           struct mw_buffer *to)
{
    struct mwa_path_node **ends = make_ends(count);

    for (uint64_t i = 0; ends && i < count; i++) {
        pack_track(&tracks[i], to);
        ends[2 * i] = tracks[i].opening;
        ends[2 * i + 1] = tracks[i].opening ? tracks[i].path : NULL; /* else nobody goes on */
    }
    to->failed |= !ends;
    if (count > 0 && !to->failed) {
        mwa_path_pack(ends, 2 * count, to);
    }
    free(ends);
}

static enum mw_status unpack_track(struct mwa_ideal_track *track, struct mw_cursor *from)
{
    struct plain plain;
    enum mw_status status;

    if (!mw_cursor_take(from, &plain, sizeof plain)) {
        return MW_ERROR_FORMAT;
    }
    track->clock = plain.clock;
    track->free_clock = plain.free_clock;
    track->ended_at = plain.ended_at;
    track->running = plain.running > 0;
    track->ended = plain.ended > 0;
    track->is_closed = plain.is_closed > 0;
    status = mwa_region_clocks_unpack(&track->regions, track->outside, from);
    return status == MW_OK ? mwa_stretches_unpack(&track->stretches, from) : status;
}

/* Gives a track its path. What it begins with is to continue one that is not here. */
static enum mw_status take_path(struct mwa_ideal_track *track, struct mwa_path_node *opening,
                                struct mwa_path_node *path)
{
    track->opening = opening;
    track->path = path;
    return !opening == !path && !(opening && opening->before) ? MW_OK : MW_ERROR_FORMAT;
}

enum mw_status mwa_ideal_tracks_unpack(struct mwa_ideal_track *tracks, uint64_t count,
                                       struct mw_cursor *from)
{
    struct mwa_path_node **ends = make_ends(count);
    enum mw_status status = ends ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = unpack_track(&tracks[i], from);
    }
    if (status == MW_OK && count > 0) {
        status = mwa_path_unpack(tracks->paths, ends, 2 * count, from);
    }
    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = take_path(&tracks[i], ends[2 * i], ends[2 * i + 1]);
    }
    free(ends);
    return status;
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
        .cells = calloc(cells + 1, sizeof *ideal->cells)
    };
    *last = NULL;
    if (!ideal->per_rank_ns || !ideal->cells) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        const struct mwa_ideal_track *track = &tracks[i];
        const uint64_t ns = mwa_trace_ns(trace, track->clock);
        const uint64_t free_ns = mwa_trace_ns(trace, track->free_clock);

        if (track->path) {
            *last = !*last || track->ended_at > (*last)->ended_at ? track : *last;
            ideal->per_rank_ns[trace->locations[i].rank] = ns;
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
