/* A chapter knows what its ranks did, and not what they had done before. */
#include "analyzer/analysis/efficiency/ideal_chapters.h"

#include <stdlib.h>

#include "analyzer/analysis/efficiency/path_packing.h"
#include "analyzer/team/packing.h"

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

/* The regions that are open at the lull: the tape is played where they are. */
static enum mw_status enter_regions(struct mwa_ideal_track *track)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < track->regions_before && status == MW_OK; i++) {
        const struct mwa_waypoint *entered =
            mwa_waypoints_ahead_take(&track->ahead, UINT64_MAX, true);

        status = entered ? mwa_region_clocks_enter(&track->regions, entered->region, 0) : MW_OK;
    }
    return status;
}

enum mw_status mwa_ideal_track_open_at_lull(struct mwa_ideal_track *track,
                                            const struct mwa_exchange_call *call, uint32_t place,
                                            struct mwa_tape *tape)
{
    enum mw_status status = enter_regions(track);

    if (status == MW_OK) {
        status = mwa_ideal_track_open(track);
    }
    track->tape = tape;
    track->at = call->enter;
    track->opened_at = call->enter;
    track->opened_by = place;
    track->opens_at_once = call->leave == call->enter;
    return status;
}

/* What is the same where all have met and at a lull. */
static enum mw_status go_on_as(struct mwa_ideal_track *track, struct mwa_ideal_track *later)
{
    mwa_path_graft(track->paths, later->opening, track->path);
    track->path = later->path;
    later->opening = NULL;
    later->path = NULL;
    track->running = later->running;
    track->ended = later->ended;
    track->ended_at = later->ended_at;
    track->polling.inside += later->polling.inside;
    track->polling.between += later->polling.between;
    return mwa_stretches_append(&track->stretches, &later->stretches);
}

enum mw_status mwa_ideal_track_append(struct mwa_ideal_track *track,
                                      struct mwa_ideal_track *later, struct mwa_words latest)
{
    const uint64_t own = track->clocks.first;
    const uint64_t waited = latest.first > own ? latest.first - own : 0;
    enum mw_status status;

    if (!later->opening) { /* it makes no calls: all of it is in the first chapter */
        return MW_OK;
    }
    track->clocks.first = latest.first + later->clocks.first;
    track->clocks.second = latest.second + later->clocks.second;
    track->is_closed = later->is_closed;
    status = go_on_as(track, later);
    return status == MW_OK ? mwa_region_clocks_append(&track->regions, &later->regions, waited)
                           : status;
}

enum mw_status mwa_ideal_track_append_at_lull(struct mwa_ideal_track *track,
                                              struct mwa_ideal_track *later)
{
    enum mw_status status;

    if (!later->opening) {
        return MW_OK;
    }
    status = mwa_ideal_track_reach(track, later->opened_at, true);
    if (status == MW_OK) {
        status = mwa_ideal_track_call(track, later->opened_by);
    }
    track->at = later->at;
    track->stretch = later->stretch;
    return status == MW_OK ? go_on_as(track, later) : status;
}

/* --- ties ------------------------------------------------------------------------------------- */

struct tie {
    uint8_t ends_in_one, opens_at_once;
};

void mwa_ideal_tracks_remember(const struct mwa_ideal_track *tracks, uint64_t count,
                               struct mw_buffer *to)
{
    mw_buffer_u64(to, count);
    for (uint64_t i = 0; i < count; i++) {
        const struct tie tie = { tracks[i].ends_in_tie, tracks[i].opens_at_once };

        mw_buffer_append(to, &tie, sizeof tie);
    }
}

/* One chapter after the other: before has those of the one before, or is null. */
static enum mw_status find_ties(struct mw_cursor *from, const struct tie *before,
                                struct tie **ties, uint64_t *count, bool *are_tied)
{
    const uint64_t last = *count;
    const enum mw_status status = mwa_unpack_array(from, ties, count, sizeof **ties);

    if (status != MW_OK || (before && *count != last)) {
        return status == MW_OK ? MW_ERROR_FORMAT : status;
    }
    for (uint64_t i = 0; before && i < *count; i++) {
        *are_tied |= before[i].ends_in_one && (*ties)[i].opens_at_once;
    }
    return MW_OK;
}

enum mw_status mwa_ideal_tracks_tied(struct mw_cursor *from, bool *are_tied)
{
    struct tie *before = NULL;
    uint64_t count = 0;
    enum mw_status status = MW_OK;

    *are_tied = false;
    while (from->left > 0 && status == MW_OK) {
        struct tie *ties = NULL;

        status = find_ties(from, before, &ties, &count, are_tied);
        free(before);
        before = ties;
    }
    free(before);
    return status;
}

/* --- to another process ----------------------------------------------------------------------- */

/* A track as it travels, but for its regions and its path. */
struct plain {
    struct mwa_words clocks;
    uint64_t at;
    uint64_t ended_at;
    uint64_t opened_at;
    uint64_t stretch;
    struct mwa_polling polling;
    uint32_t opened_by;
    uint8_t running, ended, is_closed, unused;
};

static void pack_track(const struct mwa_ideal_track *track, struct mw_buffer *to)
{
    const struct plain plain = { .clocks = track->clocks,
                                 .at = track->at,
                                 .ended_at = track->ended_at,
                                 .opened_at = track->opened_at,
                                 .stretch = track->stretch,
                                 .polling = track->polling,
                                 .opened_by = track->opened_by,
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

static enum mw_status unpack_track(struct mwa_ideal_track *track, uint64_t sites,
                                   struct mw_cursor *from)
{
    struct plain plain;
    enum mw_status status;

    if (!mw_cursor_take(from, &plain, sizeof plain) ||
        !mwa_is_none_or_below(plain.opened_by, sites)) {
        return MW_ERROR_FORMAT;
    }
    track->clocks = plain.clocks;
    track->at = plain.at;
    track->ended_at = plain.ended_at;
    track->opened_at = plain.opened_at;
    track->stretch = plain.stretch;
    track->polling = plain.polling;
    track->opened_by = plain.opened_by;
    track->running = plain.running > 0;
    track->ended = plain.ended > 0;
    track->is_closed = plain.is_closed > 0;
    status = mwa_region_clocks_unpack(&track->regions, track->outside, from);
    return status == MW_OK ? mwa_stretches_unpack(&track->stretches, sites, from) : status;
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
                                       uint64_t sites, struct mw_cursor *from)
{
    struct mwa_path_node **ends = make_ends(count);
    enum mw_status status = ends ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        status = unpack_track(&tracks[i], sites, from);
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
