#ifndef MWA_MODEL_WAYPOINT_H
#define MWA_MODEL_WAYPOINT_H

#include <stdint.h>

/*
 * What happens in a location beside what the exchange engine (analyzer/exchange/exchange.h)
 * tells, for those who follow both; in the order of time.
 */

enum mwa_waypoint_kind {
    MWA_WAYPOINT_FIRST,  /* its first event */
    MWA_WAYPOINT_ENTER,  /* a region of kind MWA_REGION_USER */
    MWA_WAYPOINT_LEAVE,  /* the innermost of these */
    MWA_WAYPOINT_USEFUL, /* of an outermost MPI call that is left: ticks in it that were useful */
    MWA_WAYPOINT_LAST    /* its last event */
};

struct mwa_waypoint {
    enum mwa_waypoint_kind kind;
    uint32_t region; /* of MWA_WAYPOINT_ENTER: index */
    uint64_t time;
    uint64_t ticks; /* of MWA_WAYPOINT_USEFUL */
};

#endif
