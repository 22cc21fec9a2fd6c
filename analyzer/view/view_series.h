#ifndef MWA_VIEW_VIEW_SERIES_H
#define MWA_VIEW_VIEW_SERIES_H

#include "analyzer/model/trace.h"
#include "analyzer/view/view_array.h"

/*
 * What has a value over time: steps, by time, and above each MWA_VIEW_FAN of them a node that has
 * the least and the greatest of all, above as many nodes the next one. So what a value did between
 * any two times is known after some hundred looks, however many steps lie between.
 */

#define MWA_VIEW_FAN 64u

enum mwa_view_series_kind {
    MWA_VIEW_VARIABLE, /* group: the variable, counted from 0; one for each rank */
    MWA_VIEW_ALIVE,    /* communicators that are alive */
    MWA_VIEW_FLIGHT    /* bytes in flight; group: 0 all, else the communicator's index and 1 */
};

enum mwa_view_step_flags {
    MWA_VIEW_KNOWN = 1,  /* where the value was since the step before was observed */
    MWA_VIEW_UNSEEN = 2, /* nobody looked meanwhile: stopped, or steps are lost */
    MWA_VIEW_SHARP = 4   /* it stayed as it was: a step is all that there is */
};

/* A value from time on. Between the step before and this one it was from low to high. */
struct mwa_view_step {
    uint64_t time;  /* ticks */
    uint64_t since; /* until then it was that of the step before */
    double value;
    double low;
    double high;
    uint32_t flags;
    uint32_t padding;
};

/* A step of what is known at all times: it stays as it is until the next one. */
struct mwa_view_point {
    uint64_t time;
    double value;
};

struct mwa_view_node {
    double low;
    double high;
    uint64_t flags; /* of any step below it */
};

struct mwa_view_series {
    uint64_t first; /* step, or of what is no variable, point */
    uint64_t count;
    uint64_t nodes; /* the first one of the lowest level; those of the next one are behind it */
    uint32_t kind;
    uint32_t group;
    uint32_t rank;     /* MWA_NONE: all of them */
    uint32_t comm;     /* index, or MWA_NONE; the others as struct mwa_track has them */
    uint32_t metric;
    uint32_t value;
    uint32_t object;
    uint32_t location;
    uint32_t class;
    uint32_t padding;
};

/* What a value did in a stretch of time. */
struct mwa_view_range {
    double low;
    double high;
    double last;    /* at its end, as the last step says */
    uint32_t flags; /* of the steps that end in it or behind it */
    bool is_empty;  /* nothing is known of it: no step was taken before its end, or later */
};

struct mwa_view_series_list {
    struct mwa_view_array list;  /* by kind, group, rank */
    struct mwa_view_array steps; /* of variables */
    struct mwa_view_array points; /* of the others */
    struct mwa_view_array nodes;
};

/* Appends the nodes of a series whose steps are there. \return as mwa_view_array_add. */
enum mw_status mwa_view_series_close(struct mwa_view_series_list *list, uint64_t series,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

static inline struct mwa_view_series *mwa_view_series_at(const struct mwa_view_series_list *list,
                                                         uint64_t index)
{
    return mwa_view_array_at(&list->list, index);
}

static inline struct mwa_view_point *mwa_view_point_at(const struct mwa_view_series_list *list,
                                                       const struct mwa_view_series *series,
                                                       uint64_t n)
{
    return mwa_view_array_at(&list->points, series->first + n);
}

/* When a step is. */
static inline uint64_t mwa_view_time_at(const struct mwa_view_series_list *list,
                                        const struct mwa_view_series *series, uint64_t n)
{
    const struct mwa_view_array *steps = &list->steps;

    return series->kind != MWA_VIEW_VARIABLE
               ? mwa_view_point_at(list, series, n)->time
               : ((const struct mwa_view_step *)mwa_view_array_at(steps, series->first + n))->time;
}

/* Step n of a series, whose first one is 0. */
struct mwa_view_step mwa_view_step_at(const struct mwa_view_series_list *list,
                                      const struct mwa_view_series *series, uint64_t n);

/* How many series are before those of kind, group and rank. */
uint64_t mwa_view_series_before(const struct mwa_view_series_list *list, uint32_t kind,
                                uint32_t group, uint32_t rank);

/* How many steps of a series are at time or before. */
uint64_t mwa_view_steps_until(const struct mwa_view_series_list *list,
                              const struct mwa_view_series *series, uint64_t time);

/* What the value did from one time to another, both included; of variables behind the last step
 * nothing is known. Takes some hundred looks at steps and nodes. Any thread. */
struct mwa_view_range mwa_view_series_range(const struct mwa_view_series_list *list,
                                            const struct mwa_view_series *series, uint64_t from,
                                            uint64_t to);

#endif
