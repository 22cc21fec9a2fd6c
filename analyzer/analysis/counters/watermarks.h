#ifndef MWA_ANALYSIS_COUNTERS_WATERMARKS_H
#define MWA_ANALYSIS_COUNTERS_WATERMARKS_H

#include "analyzer/analysis/counters/counters.h"
#include "analyzer/analysis/counters/course.h"
#include "analyzer/analysis/counters/tracks.h"

/*
 * The highest and the lowest value in a window of time, per rank and communicator, and
 * of all ranks together. Sums and states have no watermark and are left out.
 *
 * A level's is the extreme of the value held into the window and the samples in it. Of
 * a variable that was sampled this is a bound only: the level may have gone further between
 * two samples, how far is not known. Of a level that follows from the events it is exact,
 * unless the rank's record has losses or pauses.
 *
 * A library's own watermark (HIGHWATERMARK, LOWWATERMARK) that has risen in the window
 * tells the window's peak exactly; if it has not, the peak lies between the highest sample
 * that belongs to the window, of which there is none, and the mark. Open MPI looks at the
 * value of what it declares a mark only when it is read: a bound like that of samples. Of a
 * mark that reading sets back each sample is of the time since the one before: exact, unless
 * a greater one lies across an edge of the window.
 *
 * Where the same thing has both a level and a mark (analyzer/analysis/counters/mark_pairs.h), each
 * says more about the other: the level's samples are a lower bound, the mark an upper one.
 *
 * Across ranks: the peak of the sum of all ranks' values at one time, and the sum of the
 * peaks, which is never less.
 */

struct mwa_mark {
    double value; /* the highest or lowest that was seen */
    uint64_t time; /* ticks */
    uint32_t call; /* index of the region, MWA_NONE: none */
    bool exact;
    bool has_lower; /* the truth is not below lower */
    bool has_upper; /* nor above upper */
    double lower;
    double upper;
    const char *why; /* it is not exact: a sentence; else "" */
};

struct mwa_watermark_row {
    const struct mwa_track *track;
    enum mw_variable_class class; /* by what its values do; MW_CLASS_LEVEL of those from events */
    struct mwa_mark high;
    struct mwa_mark low;
    const char *relation; /* to others of the same thing: a sentence; null: there is none */
};

struct mwa_watermark_sum {
    const struct mwa_track *track; /* of the lowest rank */
    uint32_t ranks;
    double peak_of_sum;
    uint64_t peak_time;
    double sum_of_peaks;
};

/* A level that would follow from events, of which the archive tells too little. */
struct mwa_level_unknown {
    const char *name;
    const char *why;
};

#define MWA_LEVELS_UNKNOWN 8u

struct mwa_watermarks {
    struct mwa_watermark_row *rows; /* of metrics in the tracks' order, then of levels */
    uint64_t count;
    struct mwa_watermark_sum *sums; /* of values that several ranks have */
    uint64_t sum_count;
    struct mwa_track *levels; /* from events, in their rows' order, without samples; */
    struct mwa_course *courses; /* of each its course, empty if none is kept */
    uint64_t level_count;
    struct mwa_level_unknown unknown[MWA_LEVELS_UNKNOWN];
    uint64_t unknown_count;
};

/*
 * Computes those of metrics for [from, to], ticks; counters are those of tracks, which must live
 * as long as the result. Levels are appended by mwa_level_marks_append. MW_OK, MW_ERROR_MEMORY;
 * mwa_watermarks_fini is due in any case.
 */
enum mw_status mwa_watermarks_make(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                                   const struct mwa_counters *counters, uint64_t from, uint64_t to,
                                   struct mwa_watermarks *watermarks) MW_MUST_CHECK;

/* Says of a mark that its value is the truth; that it is a bound, of a high mark the lower one. */
void mwa_mark_make_exact(struct mwa_mark *mark);
void mwa_mark_make_bound(struct mwa_mark *mark, bool is_high, const char *why);

void mwa_watermarks_fini(struct mwa_watermarks *watermarks);

#endif
