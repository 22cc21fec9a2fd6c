#ifndef MWA_ANALYSIS_COUNTERS_LEVEL_MARKS_H
#define MWA_ANALYSIS_COUNTERS_LEVEL_MARKS_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/counters/course.h"
#include "analyzer/analysis/counters/watermarks.h"
#include "analyzer/exchange/matching.h"

/*
 * Levels of ranks and communicators, each with its extremes in a window so far, and sums of
 * ranks with theirs, fed with changes in the order of time. Not thread-safe.
 */

/* In the order of their rows. */
enum mwa_level_kind {
    MWA_LEVEL_REQUESTS,
    MWA_LEVEL_SENDS,
    MWA_LEVEL_COMMS,
    MWA_LEVEL_FLIGHT,
    MWA_LEVEL_UNEXPECTED,
    MWA_LEVEL_KINDS
};

struct mwa_level_options {
    uint64_t from; /* the window, ticks */
    uint64_t to;
    bool keeps_courses; /* for pictures: up to MWA_COURSE_SAMPLES samples of each */
    mwa_level_visit visit; /* takes each change of the window and before it; null: nobody does */
    void *user;
};

#define MWA_LEVEL_OF_MESSAGE (UINT64_C(1) << 63) /* an order: that is a message's, by its number */

struct mwa_level_change {
    uint64_t time; /* ticks */
    uint64_t order; /* of changes of the same time; two that have the same are of one message */
    double by;
    uint32_t series; /* mwa_level_marks_series */
    uint32_t call;  /* index of the region, MWA_NONE: none */
};

/* A level of a rank, or of a rank on a communicator. */
struct mwa_level_series {
    enum mwa_level_kind kind;
    uint32_t rank;
    uint32_t comm;  /* index, MWA_NONE: of the whole rank */
    uint32_t total; /* series of the whole rank; MWA_NONE: it is that */
    uint32_t sum;   /* of all ranks */
    bool is_remote; /* some messages have their other end on another host */
    double value;
    bool has_changes; /* in the window or before it */
    bool is_held;     /* one of these before it, or at its beginning */
    struct mwa_level_change pending; /* the value after all changes of a time is one value */
    bool is_pending;
    struct mwa_level_change first; /* of messages: all changes of the first time, as pending */
    bool has_first;
    struct mwa_mark high;
    struct mwa_mark low;
    struct mwa_course course;
};

struct mwa_level_sum {
    enum mwa_level_kind kind;
    uint32_t comm;
    double value;
    uint64_t time; /* of the latest change */
    uint64_t first_time; /* of the first one, if has_first */
    bool has_first;
    bool is_pending;
    double peak;
    uint64_t peak_time; /* 0: none yet */
};

struct mwa_level_marks {
    const struct mwa_trace *trace;
    struct mwa_level_options options;
    struct mwa_level_series *series;
    uint64_t series_count, series_capacity;
    struct mwa_level_sum *sums;
    uint64_t sum_count, sum_capacity;
    struct mwa_map series_index;
    struct mwa_map sum_index;
};

void mwa_level_marks_init(struct mwa_level_marks *marks, const struct mwa_trace *trace,
                          const struct mwa_level_options *options);
void mwa_level_marks_fini(struct mwa_level_marks *marks);

/*
 * The number of the series, which is made with that of the whole rank if it is new; MWA_NONE
 * without memory.
 */
uint32_t mwa_level_marks_series(struct mwa_level_marks *marks, enum mwa_level_kind kind,
                                uint32_t rank, uint32_t comm);

/*
 * Takes a change, at the time of the one before or later, in for its series and its rank. MW_OK,
 * MW_ERROR_MEMORY; what visit returned.
 */
enum mw_status mwa_level_marks_take(struct mwa_level_marks *marks,
                                    const struct mwa_level_change *change) MW_MUST_CHECK;

/*
 * Goes on with the changes that later was fed with, none of which is before one of marks', but for
 * options.visit, of which there must be none: levels of later count from 0 on. later stays as it
 * is. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_level_marks_go_on(struct mwa_level_marks *marks,
                                     const struct mwa_level_marks *later) MW_MUST_CHECK;

/*
 * After the last change: appends rows and sums, and moves courses there. MW_OK,
 * MW_ERROR_MEMORY, watermarks then being as they were or with some of them.
 */
enum mw_status mwa_level_marks_append(struct mwa_level_marks *marks,
                                      const struct mwa_matching_result *matching,
                                      struct mwa_watermarks *watermarks) MW_MUST_CHECK;

#endif
