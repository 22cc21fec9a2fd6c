#ifndef MWA_MODEL_METRIC_H
#define MWA_MODEL_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/map.h"
#include "formats/spool/definition.h"
#include "formats/spool/record.h"

/*
 * OTF2's metrics, and what mpiwatch.json adds for the MPI's own variables. Part of
 * struct mwa_trace. MWA_NONE stands for no index.
 */

/* One value of a sample. */
struct mwa_metric_member {
    uint32_t id;
    const char *name; /* never null */
    const char *unit;
    enum mw_metric_type type;
    enum mw_variable_class class; /* by its OTF2 mode */
    bool is_relative; /* each value is what came since the one before */
    bool since_last;  /* of a level: each value is of the time since the one before */
    double factor;    /* values are in so many units: base to its exponent; 0: it is 1 */
    double divisor;   /* the same of an exponent below 0 */
};

struct mwa_metric {
    uint32_t id;
    uint32_t count;    /* of members */
    uint32_t *members; /* indices */
    enum mw_variable_class declared;
    enum mw_variable_class effective; /* by the recorder */
    uint32_t bits;        /* sums are modulo 2^bits */
    const char *bind;     /* "NO_OBJECT", "MPI_COMM" … never null */
    bool is_statistic;    /* members are sum, max, argmax, nonzero */
    bool is_top;          /* members are the greatest element, its index, the next one … */
    bool read_resets;
    bool is_rebuilt;      /* values of a sum go on over resets and wraps */
    uint32_t first;       /* element of the first member */
    const char *categories; /* of MPI_T, with ", " between; null: none, or not told */
    const char *items;    /* of a STATE: "0=idle;1=busy"; never null */
    bool is_foreign;      /* not in mpiwatch.json: each value has a class of its own,
                             those above are its first member's */
    bool has_instances;   /* it is only what instances are of */
    const char *scope;    /* of an instance: what its values are of; else null */
};

/*
 * Whether flags (enum mw_metric_flags) are of a sample of a variable that nobody has started, of
 * which there is nothing to be seen.
 */
static inline bool mwa_metric_is_still(uint32_t flags)
{
    return flags & (MW_SAMPLE_BASELINE | MW_SAMPLE_END) && flags & MW_SAMPLE_STOP &&
           !(flags & MW_SAMPLE_START);
}

/* A window or an open file. */
struct mwa_metric_object {
    bool is_file;
    uint32_t id;      /* of OTF2's RmaWin or IoHandle */
    const char *name; /* never null */
    uint32_t comm;    /* that it was made on, index; MWA_NONE: not known */
    uint32_t file;    /* id of OTF2's IoFile that is open there; MWA_NONE: not known, or a window */
    bool is_foreign;  /* not MPI's: memory of a GPU, a file of POSIX … */
};

/* A control variable that is worth a word. */
struct mwa_cvar {
    const char *name;  /* never null */
    const char *value; /* never null; of all elements, with blanks between */
    const char *scope; /* "LOCAL", "ALL_EQ" …; never null */
    uint32_t rank;     /* that has another value than the others; MWA_NONE: the job's value */
};

/* What was subtracted from the values of a sum's element. */
struct mwa_baseline {
    uint32_t metric; /* index */
    uint32_t rank;
    uint32_t comm;   /* index, or MWA_NONE */
    uint32_t object; /* the same */
    uint32_t element;
    uint64_t bits;
    uint64_t doubt; /* bits of what of it may belong to the sum; of its metric's type */
    uint64_t next;  /* 1 and the index of another one of the same variable with a doubt; 0: none */
};

/* Of the recorder itself, in MPI_Init before sums of variables began; the most of any rank. */
struct mwa_own_traffic {
    uint64_t calls; /* 0: not told */
    uint64_t sent;  /* bytes */
    uint64_t received;
};

struct mwa_metrics {
    struct mwa_metric_member *members;
    uint64_t member_count, member_capacity;
    struct mwa_metric *list;
    uint64_t count, capacity;
    bool has_running; /* whether threads ran is recorded: samples of classes that list has not */
    struct mwa_baseline *baselines;
    uint64_t baseline_count, baseline_capacity;
    struct mwa_map by_doubt; /* variables with a doubt: 1 and the index of their last */
    struct mwa_metric_object *objects;
    uint64_t object_count, object_capacity;
    struct mwa_map by_member;
    struct mwa_map by_id;
    struct mwa_map by_object;
    const char *note;     /* what the recorder had to say, or null */
    struct mwa_own_traffic own_traffic;
    uint64_t recorded;    /* variables of the MPI that there are metrics of */
    struct mwa_cvar *cvars; /* those that the environment sets, and values that differ */
    uint64_t listed_cvars, cvar_capacity;
    uint64_t cvar_count;  /* control variables kept */
    uint64_t cvars_set;   /* of these, the environment sets */
    uint64_t cvars_differ; /* of these, differ between ranks */
};

void mwa_metrics_fini(struct mwa_metrics *metrics);

/* The index of OTF2's metric class or instance, MWA_NONE if there is none. */
uint32_t mwa_metric_index(const struct mwa_metrics *metrics, uint32_t id);

/* Whether OTF2's metric class is one of MW_RUNNING_METRIC (enum mw_running_value); there are
 * several where ranks describe it differently, as of damaged spools. */
bool mwa_metric_is_running(const struct mwa_metrics *metrics, uint32_t id);

/* Adds a member, or a class of members by their ids; false without memory. */
bool mwa_metrics_add_member(struct mwa_metrics *metrics, const struct mwa_metric_member *member);
bool mwa_metrics_add_class(struct mwa_metrics *metrics, uint32_t id, const uint32_t *members,
                           uint32_t count);

/*
 * Adds an instance of the class with OTF2's id class: a metric of its own, of scope. One of a class
 * that there is not is left out. False without memory.
 */
bool mwa_metrics_add_instance(struct mwa_metrics *metrics, uint32_t id, uint32_t class,
                              const char *scope);

/* What one of a metric's values is by definition: another tool's may each be of another kind. */
static inline enum mw_variable_class mwa_metric_class(const struct mwa_metrics *metrics,
                                                      const struct mwa_metric *metric,
                                                      uint32_t value)
{
    return metric->is_foreign ? metrics->members[metric->members[value]].class : metric->effective;
}

/* A member's value, which an event has as bits of some type, by its type and in its unit. */
uint64_t mwa_metric_bits(const struct mwa_metric_member *member, enum mw_metric_type type,
                         uint64_t bits);

/* Whether a metric's value is the index of an element, and no value of the variable. */
static inline bool mwa_metric_is_place(const struct mwa_metric *metric, uint32_t value)
{
    return (metric->is_statistic && value == 2) || (metric->is_top && value % 2 == 1);
}

/*
 * What a STATE calls a value: *length bytes in the metric's items; null if it has no word for it.
 */
const char *mwa_metric_item(const struct mwa_metric *metric, int64_t value, size_t *length);

/*
 * What a picture calls one of a metric's values: its name, and of a STATE what its values mean, in
 * size bytes. Of what happened to a sum's variable (enum mw_discontinuity): "NAME was reset".
 */
void mwa_metric_label(const struct mwa_metrics *metrics, const struct mwa_metric *metric,
                      uint32_t value, char *text, size_t size);
void mwa_metric_discontinuity(const struct mwa_metrics *metrics, const struct mwa_metric *metric,
                              uint32_t what, char *text, size_t size);

/* What the bits of a sample, as the event has them, are worth. */
double mwa_metric_value(enum mw_metric_type type, uint64_t bits);

/* Adds a baseline; false without memory. */
bool mwa_metrics_add_baseline(struct mwa_metrics *metrics, const struct mwa_baseline *baseline);

/*
 * The first baseline with a doubt, of all elements of a variable in one metric; the others are
 * behind it by next. Null: there is none.
 */
const struct mwa_baseline *mwa_metric_doubt(const struct mwa_metrics *metrics, uint32_t metric,
                                            uint32_t rank, uint32_t comm, uint32_t object);

/* Adds a window or an open file; false without memory. */
bool mwa_metrics_add_object(struct mwa_metrics *metrics, const struct mwa_metric_object *object);

/* Its index by OTF2's id, MWA_NONE if there is none. */
uint32_t mwa_metric_object_index(const struct mwa_metrics *metrics, bool is_file, uint32_t id);

#endif
