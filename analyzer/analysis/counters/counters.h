#ifndef MWA_ANALYSIS_COUNTERS_COUNTERS_H
#define MWA_ANALYSIS_COUNTERS_COUNTERS_H

#include "analyzer/analysis/counters/totals.h"

/*
 * What became of each variable: one row per value of a metric, rank and communicator.
 *
 * Sums (COUNTER, AGGREGATE, TIMER) count what came since the recorder bound the variable, or the
 * program first named it; the program's own (bound to PROGRAM) may go down: their total is their
 * last value. The mean is weighted by time. The run of all ranks together, from the first end of an
 * MPI_Init to the last beginning of an MPI_Finalize, has MWA_SPARKLINE_CELLS windows; what a sum
 * gains between two samples is shared by time among those in which it can have gained it.
 *
 * What is not known for sure is an interval, by what the archive tells of the time between
 * samples (analyzer/analysis/counters/between.h): the mean, the rates in windows, how long a
 * state was held. The number that stands for it lies in between, of levels in the middle. Of time
 * of which the archive tells nothing the mean is without, and it is not observed; where it tells
 * nothing of a level at all, each sample is taken to hold until the next, and there is no
 * interval.
 *
 * Totals are intervals where the recorder's own messages may be in them, or the record ends before
 * the variable does (analyzer/analysis/counters/totals.h).
 *
 * A TIMER in seconds can't gain more than the time that passed, for each of the rank's threads; a
 * step that does counts as implausible, in the total too, but is in no window. What lies between
 * two samples of which some in between were lost, or between a stop and the next start, is not
 * observed: a sum has what it gained, a level's mean is without it. Of a variable that nobody
 * started nothing is known: its values are NAN.
 */

#define MWA_SPARKLINE_CELLS 24u
#define MWA_STATES_LISTED  16u

struct mwa_counter_row {
    const struct mwa_track *track;
    enum mw_variable_class declared;
    enum mw_variable_class effective;
    bool reclassified; /* effective is by what the values do */
    const char *bind;
    const char *unit;
    double total;  /* sums: what came; others: the last value */
    uint64_t total_exact; /* of sums of integers: total, exactly */
    bool is_exact;        /* total_exact is to be used */
    struct mwa_total lower; /* of sums: total at least … */
    struct mwa_total upper; /* … and at most, unless the end is open */
    bool is_open;         /* it went on behind the last sample, and nothing tells how */
    bool is_observed;     /* it ran at all */
    double first;
    double last;
    double min;
    double max;
    /* Null where it is no sample's: */
    const struct mwa_sample *least;    /* with min */
    const struct mwa_sample *greatest; /* with max, of what is no sum */
    double mean; /* of the values over time */
    bool is_of_sum;  /* what is told of the time between samples is of the sum of all elements */
    bool has_bounds; /* of the mean, and of states: */
    double mean_lower;
    double mean_upper;
    double rate; /* of sums, per second from the first to the last sample */
    double rate_min; /* the same in the emptiest and in the fullest window */
    double rate_max;
    double rate_min_lower; /* the emptiest and the fullest window's rate at least, at most */
    double rate_min_upper;
    double rate_max_lower;
    double rate_max_upper;
    double coverage; /* share of the run in which it was seen */
    uint64_t samples;
    uint64_t resets;
    uint64_t wraps;
    uint64_t implausible; /* steps of a timer that are longer than the time they took */
    uint64_t unobserved_ns; /* paused, stopped, never started, or samples were lost */
    uint32_t state_count; /* of a STATE: values that it had, at most MWA_STATES_LISTED, */
    double states[MWA_STATES_LISTED]; /* in order of time, */
    uint64_t state_ticks[MWA_STATES_LISTED]; /* and for how long: as samples say, */
    uint64_t state_ticks_lower[MWA_STATES_LISTED]; /* for sure, */
    uint64_t state_ticks_upper[MWA_STATES_LISTED]; /* and at most */
    double cells[MWA_SPARKLINE_CELLS]; /* by window: greatest of a level, rate of a sum per s,
                                          or number of events */
    double cells_lower[MWA_SPARKLINE_CELLS]; /* the same at least … */
    double cells_upper[MWA_SPARKLINE_CELLS]; /* … and at most; of levels NAN: not known */
};

struct mwa_counters {
    struct mwa_counter_row *rows; /* in the tracks' order */
    uint64_t count;
    uint64_t window_ns; /* length of a window */
};

/*
 * Computes the rows; tracks must live as long as they. MW_OK, MW_ERROR_MEMORY;
 * mwa_counters_fini is due in any case.
 */
enum mw_status mwa_counters_make(const struct mwa_trace *trace, const struct mwa_tracks *tracks,
                                 struct mwa_counters *counters) MW_MUST_CHECK;
void mwa_counters_fini(struct mwa_counters *counters);

#endif
