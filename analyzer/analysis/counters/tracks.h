#ifndef MWA_ANALYSIS_COUNTERS_TRACKS_H
#define MWA_ANALYSIS_COUNTERS_TRACKS_H

#include "analyzer/analysis/analysis.h"

/*
 * What has a value over time, of a rank: each value of a metric, with all its samples. Levels that
 * follow from the events are of the same kind, but found elsewhere
 * (analyzer/analysis/counters/levels.h).
 *
 * A track is a list of samples, by time; one of a variable that nobody has started has none. What
 * a value does between two of them is told by analyzer/analysis/counters/between.h.
 */

/* What an archive tells of the time since the sample before, if there were other values. */
struct mwa_sample_course {
    double mean_lower; /* the mean is not below */
    double mean_upper; /* nor above */
    double low;        /* the least and the greatest value that was read */
    double high;
    uint64_t unseen;   /* ticks of that time of which this is not told */
    bool is_of_sum;    /* of all elements: an element was between low, which is 0, and high */
};

struct mwa_sample {
    uint64_t time;  /* ticks */
    double value;
    uint64_t bits;  /* of metrics */
    uint32_t call;  /* index of the region it was taken in, MWA_NONE: none */
    uint32_t flags; /* enum mw_metric_flags */
    uint64_t held;  /* until so many ticks before it the value was as in the sample before … */
    bool has_held;  /* … if that is known */
    uint32_t course; /* 1 and the index of the track's; 0: none is known */
};

struct mwa_track {
    const char *name;
    uint32_t metric; /* index, MWA_NONE: from events */
    uint32_t value;  /* which of the metric's members */
    uint32_t rank;
    uint32_t comm;   /* index, MWA_NONE: of none */
    uint32_t object; /* window or open file, index; MWA_NONE: of none */
    uint32_t location; /* index: of another tool's metric, which each thread has of its own;
                          MWA_NONE: of the whole rank */
    enum mw_variable_class class; /* by what the values do (analyzer/analysis/counters/sums.h) */
    bool is_reclassified;         /* it is not the recorder's */
    uint64_t resets;              /* of the variable, as far as samples tell */
    uint64_t wraps;
    struct mwa_sample *samples;
    uint64_t count, capacity;
    uint64_t still_from; /* ticks, of one without samples: between which it could have had any; */
    uint64_t still_to;   /* UINT64_MAX: to the end */
    struct mwa_sample_course *courses;
    uint64_t course_count, course_capacity;
    bool is_followed; /* some sample tells of the time before it, or none can, since other calls
                         than those that are recorded change it */
};

/* Time in which a rank recorded nothing. */
struct mwa_gap {
    uint32_t rank;
    uint64_t from; /* ticks */
    uint64_t to;   /* UINT64_MAX: to the end */
};

struct mwa_tracks {
    struct mwa_track *list; /* of metrics: by metric, comm, object, value, rank */
    uint64_t count;
    struct mwa_gap *gaps;
    uint64_t gap_count;
    uint64_t first; /* ticks of the run of all ranks together (analyzer/analysis/time/profile.h) */
    uint64_t last;
    uint64_t first_end; /* ticks at which the first rank came to the end of its own */
};

extern const struct mwa_analysis mwa_tracks_analysis; /* finishes into struct mwa_tracks */

/* The last sample at or before time; null if there is none. */
const struct mwa_sample *mwa_track_at(const struct mwa_track *track, uint64_t time);

/* What a track is bound to: a communicator, a window, a file, a thread; null: it is the rank's. */
const char *mwa_track_bound(const struct mwa_trace *trace, const struct mwa_track *track);

/* Ticks of [from, to) in which the rank recorded nothing. */
uint64_t mwa_tracks_paused(const struct mwa_tracks *tracks, uint32_t rank, uint64_t from,
                           uint64_t to);

/* The type of a metric's values. */
static inline enum mw_metric_type mwa_track_type(const struct mwa_trace *trace,
                                                 const struct mwa_track *track)
{
    const struct mwa_metrics *metrics = &trace->metrics;

    return metrics->members[metrics->list[track->metric].members[track->value]].type;
}

/* Whether each sample in the archive is what came since the one before. */
static inline bool mwa_track_is_relative(const struct mwa_trace *trace,
                                         const struct mwa_track *track)
{
    const struct mwa_metrics *metrics = &trace->metrics;

    return metrics->members[metrics->list[track->metric].members[track->value]].is_relative;
}

void mwa_tracks_fini(struct mwa_tracks *tracks);

#endif
