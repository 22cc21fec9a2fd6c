#ifndef MWA_ANALYSIS_DELAY_WAYPOINTS_AHEAD_H
#define MWA_ANALYSIS_DELAY_WAYPOINTS_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/map.h"
#include "analyzer/model/waypoint.h"
#include "formats/base/status.h"

/*
 * The waypoints of one location that were read, and that an analysis has not passed yet: the
 * exchange engine tells of calls later than they are read. Zeroes are an empty one; list is to be
 * freed.
 */
struct mwa_waypoints_ahead {
    struct mwa_waypoint *list;
    uint64_t capacity;
    uint64_t first; /* from here … */
    uint64_t end;   /* … to here, exclusive, they are to be passed */
};

/* Appends waypoint. MW_OK, MW_ERROR_MEMORY. */
static inline MW_MUST_CHECK enum mw_status
mwa_waypoints_ahead_add(struct mwa_waypoints_ahead *ahead, const struct mwa_waypoint *waypoint)
{
    if (ahead->first == ahead->end) {
        ahead->first = 0;
        ahead->end = 0;
    }
    if (!mwa_grow(&ahead->list, &ahead->capacity, ahead->end + 1, sizeof *ahead->list)) {
        return MW_ERROR_MEMORY;
    }
    ahead->list[ahead->end++] = *waypoint;
    return MW_OK;
}

/*
 * Takes the next one if it lies before time (ticks), or at it if that is inclusive or it is one of
 * useful time; else null. It is good until one is added.
 */
static inline const struct mwa_waypoint *
mwa_waypoints_ahead_take(struct mwa_waypoints_ahead *ahead, uint64_t time, bool inclusive)
{
    const struct mwa_waypoint *waypoint;

    if (ahead->first == ahead->end) {
        return NULL;
    }
    waypoint = &ahead->list[ahead->first];
    if (waypoint->time > time ||
        (waypoint->time == time && !inclusive && waypoint->kind != MWA_WAYPOINT_USEFUL)) {
        return NULL;
    }
    ahead->first++;
    return waypoint;
}

#endif
