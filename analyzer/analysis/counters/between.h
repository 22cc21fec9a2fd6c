#ifndef MWA_ANALYSIS_COUNTERS_BETWEEN_H
#define MWA_ANALYSIS_COUNTERS_BETWEEN_H

#include "analyzer/analysis/counters/tracks.h"

/*
 * What is known of a value between two samples of its track: it was that of the first one until
 * since; from then to the second one its mean was from mean_lower to mean_upper, and it was never
 * seen below low or above high.
 *
 * By what archives of mpiwatch say of the time before a sample (formats/ARCHIVE.md). Where they say
 * nothing, a sum was between its two values, and of a level nothing is known.
 */
struct mwa_between {
    bool is_known; /* else the bounds are those of the two samples, which is no knowledge */
    uint64_t since; /* ticks */
    double mean_lower;
    double mean_upper;
    double low;
    double high;
    bool is_read; /* low and high were read of this value itself */
    uint64_t unseen; /* ticks of which none of this is told */
};

/* Between sample and the next one, which there has to be. */
struct mwa_between mwa_track_between(const struct mwa_track *track, uint64_t sample, bool is_sum);

/* Whether it was observed at all: no samples in between were lost, and nobody had stopped it. */
bool mwa_track_is_observed(const struct mwa_track *track, uint64_t sample);

/* One end of where a value was; sample: the one that has it, null if none has. */
struct mwa_bound {
    double value;
    const struct mwa_sample *sample;
};

/* Where a value was from the sample before to this one, both included. */
struct mwa_bounds {
    bool is_known;
    struct mwa_bound lower;
    struct mwa_bound upper;
};

/*
 * That of a sample of the track: not known of the first one, where it was not observed, and of
 * levels where the rank's recording paused.
 */
struct mwa_bounds mwa_track_bounds(const struct mwa_tracks *tracks, const struct mwa_track *track,
                                   uint64_t sample, bool is_sum);

#endif
