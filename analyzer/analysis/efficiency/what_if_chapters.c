/*
 * What one chapter has to tell the next is when its ranks' last calls have ended: where all have
 * met one number for all, and at a lull one for each of them, which the next one's tape begins
 * with.
 */
#include "analyzer/analysis/efficiency/what_if_state.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/reading_start.h"
#include "analyzer/team/packing.h"

enum mw_status mwa_what_if_carry(void *analysis, const struct mwa_reading_start *start,
                                 const struct mwa_reading_start *next)
{
    struct mwa_if_replay *replay = analysis;
    const uint64_t count = replay->trace->location_count;

    for (uint64_t i = 0; next && next->is_lull && i < count; i++) {
        replay->tracks[i].goes_on = next->locations[i].is_there;
    }
    if (start && start->is_lull) {
        replay->instants.tape = mwa_tape_create(count + 1);
        return replay->instants.tape ? MW_OK : MW_ERROR_MEMORY;
    }
    return MW_OK;
}

/* Of a chapter that is through: runs that end in it are over, and its tape says when the last calls
 * of all others have ended. */
static enum mw_status close_chapter(struct mwa_if_replay *replay)
{
    const enum mw_status status = mwa_what_if_end_runs(replay);

    for (uint64_t i = 0; replay->instants.tape && i < replay->trace->location_count; i++) {
        struct mwa_if_track *track = &replay->tracks[i];

        if (track->last && track->last->missing == 0) {
            mwa_instant_write_last(&replay->instants, track->last, i + 1);
        }
        replay->is_full |= track->last && track->last->missing > 0;
        mwa_instant_drop(&replay->instants, track->last);
        track->last = NULL;
    }
    return status == MW_OK ? replay->instants.status : status;
}

/* --- all have met ----------------------------------------------------------------------------- */

/*
 * All wait for all in the call between two chapters: a rank leaves it as much later than the last
 * one comes as it did in the run, which the later chapter knows, in all cases.
 */
static void append_where_all_meet(struct mwa_if_replay *replay,
                                  const struct mwa_if_replay *from)
{
    for (uint32_t i = 0; i < replay->instants.cases->count; i++) {
        const uint64_t end = replay->seam[i] + from->end[i];

        replay->end[i] = end > replay->end[i] ? end : replay->end[i];
        replay->seam[i] += from->seam[i];
    }
}

/* --- at a lull -------------------------------------------------------------------------------- */

/* A rank goes on from where it was to its first call behind the lull, times of which are *given
 * then. */
static enum mw_status reach_opening(struct mwa_if_replay *replay,
                                    struct mwa_if_track *track,
                                    const struct mwa_if_track *later,
                                    struct mwa_instant_times *given)
{
    struct mwa_instant *opening;

    if (!track->last || track->last->missing > 0) {
        replay->is_full = true; /* it is not known when it comes there */
        return MW_OK;
    }
    opening = mwa_what_if_go_on(replay, track, later->opened_at, later->opened_by);
    if (!opening) {
        return MW_ERROR_MEMORY;
    }
    mwa_instant_close(&replay->instants, opening);
    memcpy(given->at, opening->at, sizeof given->at);
    track->last = opening;
    return MW_OK;
}

/* It is where it is in the end of the later chapter. */
static void take_over(struct mwa_if_replay *replay, struct mwa_if_track *track,
                      const struct mwa_if_track *later, const struct mwa_instant_times *given)
{
    track->at = later->at;
    track->last_event = later->last_event;
    track->goes_on = later->goes_on;
    track->is_over = later->is_over;
    memcpy(track->last->at, given->at, sizeof given->at);
    if (track->is_over) {
        mwa_instant_drop(&replay->instants, track->last);
        track->last = NULL;
    }
}

static enum mw_status append_at_lull(struct mwa_if_replay *replay,
                                     const struct mwa_if_replay *from)
{
    const uint64_t count = replay->trace->location_count;
    struct mwa_instant_times *given = calloc(count + 1, sizeof *given);
    enum mw_status status = given ? MW_OK : MW_ERROR_MEMORY;

    for (uint64_t i = 0; i < count && status == MW_OK && !replay->is_full; i++) {
        if (from->tracks[i].is_opened) {
            status = reach_opening(replay, &replay->tracks[i], &from->tracks[i], &given[i + 1]);
        }
    }
    if (status == MW_OK && !replay->is_full) {
        status = mwa_instants_play(from->instants.tape, given, count + 1, replay->end);
    }
    for (uint64_t i = 0; i < count && status == MW_OK && !replay->is_full; i++) {
        if (from->tracks[i].is_opened) {
            take_over(replay, &replay->tracks[i], &from->tracks[i], &given[i + 1]);
        }
    }
    free(given);
    return status;
}

enum mw_status mwa_what_if_append(void *analysis, void *later, const struct mwa_seam *seam)
{
    struct mwa_if_replay *replay = analysis;
    struct mwa_if_replay *from = later;
    enum mw_status status = close_chapter(from);

    replay->is_full |= from->is_full;
    replay->instants.running += from->instants.running;
    if (status != MW_OK || replay->is_full) {
        return status;
    }
    if (from->instants.tape) {
        return append_at_lull(replay, from);
    }
    append_where_all_meet(replay, from);
    return MW_OK;
}

/* --- by another process ----------------------------------------------------------------------- */

/* A track that begins at a lull, as it travels. */
struct plain {
    uint64_t at;
    uint64_t last_event;
    uint64_t opened_at;
    uint32_t opened_by;
    uint8_t is_opened, is_over, goes_on, unused;
};

static void pack_track(const struct mwa_if_track *track, struct mw_buffer *to)
{
    const struct plain plain = { .at = track->at,
                                 .last_event = track->last_event,
                                 .opened_at = track->opened_at,
                                 .opened_by = track->opened_by,
                                 .is_opened = track->is_opened,
                                 .is_over = track->is_over,
                                 .goes_on = track->goes_on };

    mw_buffer_append(to, &plain, sizeof plain);
}

void mwa_what_if_pack(void *analysis, struct mw_buffer *to)
{
    struct mwa_if_replay *replay = analysis;
    const uint32_t cases = replay->instants.cases->count;

    to->failed |= close_chapter(replay) != MW_OK;
    mw_buffer_u32(to, replay->is_full);
    mw_buffer_u64(to, replay->instants.running);
    mwa_pack_array(to, replay->end, cases, sizeof *replay->end);
    mwa_pack_array(to, replay->seam, cases, sizeof *replay->seam);
    mwa_tape_pack(replay->instants.tape, to);
    for (uint64_t i = 0; replay->instants.tape && i < replay->trace->location_count; i++) {
        pack_track(&replay->tracks[i], to);
    }
}

static enum mw_status unpack_track(const struct mwa_trace *trace, struct mwa_if_track *track,
                                   struct mw_cursor *from)
{
    struct plain plain;

    if (!mw_cursor_take(from, &plain, sizeof plain) ||
        !mwa_is_none_or_below(plain.opened_by, trace->site_count)) {
        return MW_ERROR_FORMAT;
    }
    *track = (struct mwa_if_track){ .at = plain.at,
                                         .last_event = plain.last_event,
                                         .opened_at = plain.opened_at,
                                         .opened_by = plain.opened_by,
                                         .is_opened = plain.is_opened > 0,
                                         .is_over = plain.is_over > 0,
                                         .goes_on = plain.goes_on > 0 };
    return MW_OK;
}

/* What a chapter that begins at a lull has; nothing of others. */
static enum mw_status unpack_lull(struct mwa_if_replay *replay, struct mw_cursor *from)
{
    const uint64_t count = replay->trace->location_count;
    enum mw_status status = mwa_instants_tape_unpack(&replay->instants.tape, count + 1, from);

    for (uint64_t i = 0; replay->instants.tape && i < count && status == MW_OK; i++) {
        status = unpack_track(replay->trace, &replay->tracks[i], from);
    }
    return status;
}

enum mw_status mwa_what_if_unpack(void *analysis, struct mwa_region_paths *paths,
                                  struct mw_cursor *from)
{
    struct mwa_if_replay *replay = analysis;
    const uint32_t cases = replay->instants.cases->count;
    char bytes[sizeof(uint32_t) + sizeof(uint64_t)];
    enum mw_status status;

    if (!mw_cursor_take(from, bytes, sizeof bytes)) {
        return MW_ERROR_FORMAT;
    }
    replay->is_full = mw_get_u32(bytes) > 0;
    replay->instants.running = mw_get_u64(bytes + sizeof(uint32_t));
    status = mwa_unpack_into(from, replay->end, cases, sizeof *replay->end);
    if (status == MW_OK) {
        status = mwa_unpack_into(from, replay->seam, cases, sizeof *replay->seam);
    }
    return status == MW_OK ? unpack_lull(replay, from) : status;
}
