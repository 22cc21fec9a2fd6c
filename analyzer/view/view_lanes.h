#ifndef MWA_VIEW_VIEW_LANES_H
#define MWA_VIEW_VIEW_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/view/view_array.h"

/*
 * What is shown below the rows of ranks, on the same clock, beside series: lives of communicators,
 * marks. All of it lies in arrays, which may be larger than memory.
 */

/* A communicator's life. Times are ns, as mwa_trace_since_begin has them. */
struct mwa_view_life {
    int64_t created;
    int64_t freed;
    int64_t until; /* no life up to this one, itself included, lasts longer */
    uint32_t comm; /* index */
    bool has_created;
    bool has_freed;
};

enum mwa_view_mark_kind {
    MWA_VIEW_MARKER, /* of the program */
    MWA_VIEW_PAUSED, /* nothing was recorded, from … to */
    MWA_VIEW_LOST,   /* calls of the rank are lost; when is not known: to the end of its record */
    MWA_VIEW_CUT     /* the rank's record ends before it does */
};

struct mwa_view_mark {
    uint64_t from;  /* ticks */
    uint64_t to;
    uint64_t until; /* no mark up to this one, itself included, lasts longer */
    uint64_t text;  /* position in texts, of markers; else how many are lost */
    uint32_t kind;
    uint32_t rank;  /* MWA_NONE: of none */
};

enum mwa_view_off_kind {
    MWA_VIEW_OUTSIDE_NO_CORE, /* between calls of MPI: it could have run */
    MWA_VIEW_OUTSIDE_ASLEEP,  /* the same, and it could not */
    MWA_VIEW_INSIDE_NO_CORE,  /* in calls of MPI, likewise */
    MWA_VIEW_INSIDE_ASLEEP,
    MWA_VIEW_OFF_KINDS
};

/* A stretch in which a main thread was on no core at times. */
struct mwa_view_off_stretch {
    uint64_t from; /* ticks */
    uint64_t to;
    uint64_t ns[MWA_VIEW_OFF_KINDS]; /* of the location until to */
    uint32_t location;               /* index */
    uint32_t padding;
};

/* What was known of cores until a time. */
struct mwa_view_off {
    uint64_t ns[MWA_VIEW_OFF_KINDS];
    uint64_t run;     /* ticks, in the rank's run but for pauses … */
    uint64_t unknown; /* … of which nobody knows */
};

struct mwa_view_lanes {
    struct mwa_view_array lives; /* not created ones first, then by creation, then definition */
    struct mwa_view_array marks; /* by time */
    struct mwa_view_array texts; /* bytes; each ends with 0 */
    struct mwa_view_array off_core; /* stretches, by location, time */
    struct mwa_view_array sums;  /* of what ranks do together (view_running.h) */
};

static inline const struct mwa_view_life *mwa_view_life_at(const struct mwa_view_lanes *lanes,
                                                           uint64_t n)
{
    return mwa_view_array_at(&lanes->lives, n);
}

static inline const struct mwa_view_mark *mwa_view_mark_at(const struct mwa_view_lanes *lanes,
                                                           uint64_t n)
{
    return mwa_view_array_at(&lanes->marks, n);
}

#endif
