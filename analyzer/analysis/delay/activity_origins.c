/*
 * A chapter that begins at a lull counts all that ranks have done before it as something, which may
 * be wrong: what it counts so is kept, and what the chapter before knows takes its place.
 */
#include "analyzer/analysis/delay/activity_state.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/reading_start.h"
#include "analyzer/team/packing.h"

enum mw_status mwa_activity_keep_origin(struct mwa_activities *activities, struct track *track)
{
    const uint32_t rank = (uint32_t)(track - activities->tracks);
    const struct mwa_location_start *start =
        &activities->start->locations[activities->trace->ranks[rank].master];
    const uint64_t region = start->call_count > 0 ? start->calls[start->call_count - 1].region
                                                  : activities->trace->region_count;
    uint64_t *ticks = calloc(track->tick_capacity + 1, sizeof *ticks);

    for (uint64_t i = 0; ticks && i < track->tick_capacity; i++) {
        ticks[i] = track->ticks[i];
    }
    track->origin = (struct mwa_origin){ .at = track->at,
                                         .activity = mwa_activity_number(activities, region),
                                         .count = (uint32_t)track->tick_capacity,
                                         .ticks = ticks };
    return ticks ? MW_OK : MW_ERROR_MEMORY;
}

void mwa_activities_keep_origins(struct mwa_activities *activities,
                                 const struct mwa_reading_start *start)
{
    activities->start = start;
}

bool mwa_activities_origin(const struct mwa_activities *activities, uint32_t rank,
                           struct mwa_origin *origin)
{
    *origin = activities->tracks[rank].origin;
    return origin->ticks != NULL;
}

enum mw_status mwa_activities_stay(struct mwa_activities *activities,
                                   const struct mwa_activities *earlier, uint32_t rank,
                                   const uint8_t *numbers)
{
    const struct track *from = &earlier->tracks[rank];
    struct track *track = &activities->tracks[rank];

    if (!mwa_grow(&track->ticks, &track->tick_capacity, activities->count,
                  sizeof *track->ticks)) {
        return MW_ERROR_MEMORY;
    }
    memset(track->ticks, 0, track->tick_capacity * sizeof *track->ticks);
    for (uint64_t i = 0; i < from->tick_capacity && i < earlier->count; i++) {
        track->ticks[numbers[i]] += from->ticks[i];
    }
    track->at = from->at;
    track->ahead.first = track->ahead.end; /* what is open, as it was */
    return MW_OK;
}

enum mw_status mwa_activities_finish(struct mwa_activities *activities)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < activities->trace->rank_count && status == MW_OK; i++) {
        struct track *track = &activities->tracks[i];

        status = mwa_activity_take_ahead(activities, track, UINT64_MAX, true);
        mwa_activity_set_pending(track, mwa_activity_innermost(activities, track), 0);
    }
    return status;
}

const uint64_t *mwa_activities_total(const struct mwa_activities *activities, uint32_t rank,
                                     uint64_t *count, uint64_t *at)
{
    *count = activities->tracks[rank].tick_capacity;
    *at = activities->tracks[rank].at;
    return activities->tracks[rank].ticks;
}

struct mwa_mark *mwa_activities_make_mark(struct mwa_activities *activities,
                                          const struct mwa_mark *seen, const uint64_t *ticks,
                                          uint32_t count)
{
    struct mwa_pool *home = &activities->marks[count > 0 ? (count - 1) / MARK_STEP : 0];
    struct mwa_mark *made = mwa_pool_take(home);

    if (made) {
        made->home = home;
        made->holders = 1;
        made->time = seen->time;
        made->leave = seen->leave;
        made->activity = seen->activity;
        made->count = count;
    }
    for (uint32_t i = 0; made && i < count; i++) {
        made->ticks[i] = ticks[i];
    }
    return made;
}

/* --- for another process ---------------------------------------------------------------------- */

void mwa_activities_pack_lull(const struct mwa_activities *activities, struct mw_buffer *to)
{
    for (uint64_t i = 0; i < activities->trace->rank_count; i++) {
        const struct track *track = &activities->tracks[i];
        const struct mwa_origin *origin = &track->origin;
        const uint64_t told[] = { track->at, origin->at, origin->activity, origin->ticks != NULL };

        mwa_pack_array(to, told, 4, sizeof *told);
        mwa_pack_array(to, track->ticks, track->tick_capacity, sizeof *track->ticks);
        mwa_pack_array(to, origin->ticks, origin->ticks ? origin->count : 0,
                       sizeof *origin->ticks);
    }
}

static enum mw_status unpack_track(const struct mwa_activities *activities, struct track *track,
                                   struct mw_cursor *from)
{
    uint64_t told[4] = { 0 };
    uint64_t *ticks = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_into(from, told, 4, sizeof *told);

    if (status == MW_OK) {
        free(track->ticks);
        track->ticks = NULL;
        status = mwa_unpack_array(from, &track->ticks, &track->tick_capacity,
                                  sizeof *track->ticks);
    }
    if (status == MW_OK) {
        status = mwa_unpack_array(from, &ticks, &count, sizeof *ticks);
    }
    if (status == MW_OK && (told[2] >= MWA_ACTIVITIES || told[3] > 1 || count > UINT32_MAX ||
                            (told[3] > 0 && told[2] >= activities->count))) {
        status = MW_ERROR_FORMAT;
    }
    if (status != MW_OK || told[3] == 0) {
        free(ticks);
        ticks = NULL;
    }
    track->at = told[0];
    track->origin = (struct mwa_origin){ told[1], (uint32_t)told[2], (uint32_t)count, ticks };
    return status;
}

enum mw_status mwa_activities_unpack_lull(struct mwa_activities *activities,
                                          struct mw_cursor *from)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < activities->trace->rank_count && status == MW_OK; i++) {
        status = unpack_track(activities, &activities->tracks[i], from);
    }
    return status;
}
