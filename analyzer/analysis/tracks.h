#ifndef MWA_ANALYSIS_TRACKS_H
#define MWA_ANALYSIS_TRACKS_H

#include "analyzer/analysis/analysis.h"

/*
 * Everything that has a value over time, as one kind of thing: values of metrics, and
 * levels that follow from the events:
 *
 *   outstanding requests           begun and neither complete nor cancelled, per rank
 *   bytes of outstanding sends     of non-blocking sends that are not complete, per rank and
 *                                  per communicator
 *   communicators alive            created and not freed, without the predefined ones, per rank
 *
 * A track is a list of samples, by time. Between two samples a level keeps its value.
 */

#define MWA_TRACK_REQUESTS "outstanding requests"
#define MWA_TRACK_BYTES    "bytes of outstanding sends"
#define MWA_TRACK_COMMS    "communicators alive"

/* Levels that need both ends of a message (analyzer/analysis/levels.h). */
#define MWA_TRACK_FLIGHT     "bytes in flight"
#define MWA_TRACK_UNEXPECTED "unexpected messages"

struct mwa_sample {
    uint64_t time;  /* ticks */
    double value;
    uint64_t bits;  /* of metrics */
    uint32_t call;  /* index of the region it was taken in, MWA_NONE: none */
    uint32_t flags; /* enum mw_metric_flags */
};

struct mwa_track {
    const char *name;
    uint32_t metric; /* index, MWA_NONE: from events */
    uint32_t value;  /* which of the metric's members */
    uint32_t rank;
    uint32_t comm;   /* index, MWA_NONE: of none */
    uint32_t object; /* window or open file, index; MWA_NONE: of none */
    const char *inexact; /* from events: why it may be wrong; null: it is right */
    struct mwa_sample *samples;
    uint64_t count, capacity;
};

/* Time in which a rank recorded nothing. */
struct mwa_gap {
    uint32_t rank;
    uint64_t from; /* ticks */
    uint64_t to;   /* UINT64_MAX: to the end */
};

struct mwa_tracks {
    struct mwa_track *list; /* by metric (those from events last, by name), comm, value, rank */
    uint64_t count;
    struct mwa_gap *gaps;
    uint64_t gap_count;
    uint64_t first; /* ticks of the first and last event of all */
    uint64_t last;
};

extern const struct mwa_analysis mwa_tracks_analysis; /* finishes into struct mwa_tracks */

/* Of metrics alone, so that memory does not grow with calls; first and last are theirs. */
extern const struct mwa_analysis mwa_metric_tracks_analysis;

/* The last sample at or before time; null if there is none. */
const struct mwa_sample *mwa_track_at(const struct mwa_track *track, uint64_t time);

void mwa_tracks_fini(struct mwa_tracks *tracks);

#endif
