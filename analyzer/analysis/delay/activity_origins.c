/*
 * A chapter that begins at a lull counts all that ranks have done before it as something, which may
 * be wrong: what it counts so is kept, and what the chapter before knows takes its place.
 */
#include "analyzer/analysis/delay/activity_state.h"

#include <stdlib.h>

#include "analyzer/load/reading_start.h"

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

enum mw_status mwa_activities_finish(struct mwa_activities *activities)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < activities->trace->rank_count && status == MW_OK; i++) {
        status = mwa_activity_take_ahead(activities, &activities->tracks[i], UINT64_MAX, true);
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

struct mwa_mark *mwa_activities_make_mark(struct mwa_activities *activities, uint64_t time,
                                          uint64_t leave, uint32_t activity)
{
    struct mwa_mark *made = mwa_pool_take(&activities->marks[0]);

    if (made) {
        made->home = &activities->marks[0];
        made->holders = 1;
        made->time = time;
        made->leave = leave;
        made->activity = activity;
        made->count = 0;
    }
    return made;
}
