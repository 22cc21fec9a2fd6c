#ifndef MWA_ANALYSIS_TIME_OFF_CORE_H
#define MWA_ANALYSIS_TIME_OFF_CORE_H

#include "analyzer/analysis/time/profile.h"

/* When a main thread was on no core, as far as samples of it tell (enum mw_running_value). */

/* Of one thread. Plain data; all zero: nothing is told. */
struct mwa_off_core_sums {
    uint64_t values[MW_RUNNING_VALUES]; /* ns; the greatest of MW_RUNNING_RESIDENT */
    bool is_told;
    bool tells_threads; /* MW_RUNNING_THREADS is known */
    uint32_t before;    /* the site before which most of it was outside of MPI; MWA_NONE: none … */
    uint64_t before_ns; /* … and how much */
    uint32_t asleep_before; /* the same of what it could not have run */
    uint64_t asleep_before_ns;
};

/* Outside of MPI, before calls at a site; ns. */
struct mwa_off_core_stretch {
    uint64_t off;
    uint64_t asleep; /* of it: it could not have run */
};

/*
 * While its events are read. All zero is empty. For one thread.
 *
 * What was without a core inside of calls since the sample before is shared out to functions: to
 * the call in which the sample lies, and to those that ended since, as long as each was in the
 * stretch that the sample tells of (formats/ARCHIVE.md: it is not seen in which of many calls it
 * was).
 */
struct mwa_off_core {
    struct mwa_off_core_sums sums;
    struct mwa_off_core_stretch pending; /* before the call that is entered next */
    struct mwa_off_core_stretch *before; /* per site; null: none */
    uint64_t *spent;   /* per mpi_index: in calls that ended since the last sample; ticks … */
    double *no_core;   /* … and without a core inside of such calls, ns; null: nothing is told */
    uint64_t spent_in_all;
    uint64_t sampled; /* when the last sample was; ticks */
};

/* A call of MPI ends, of which the samples are to tell. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_off_core_leave(struct mwa_off_core *off, const struct mwa_trace *trace,
                                  const struct mwa_call *call) MW_MUST_CHECK;

/* Takes a sample in (MWA_RUNNING). MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_off_core_take(struct mwa_off_core *off,
                                 const struct mwa_moment *moment) MW_MUST_CHECK;

/* A call is entered at site, an index or MWA_NONE: what is pending came before it. */
static inline void mwa_off_core_enter(struct mwa_off_core *off, uint32_t site)
{
    if (off->pending.off > 0 && site != MWA_NONE) {
        off->before[site].off += off->pending.off;
        off->before[site].asleep += off->pending.asleep;
        off->pending = (struct mwa_off_core_stretch){ 0 };
    }
}

/* Of it, in all calls of a function, an mpi_index, ns: before mwa_off_core_end. */
uint64_t mwa_off_core_in(const struct mwa_off_core *off, uint32_t mpi_index);

/* There are no more samples: sums are whole. */
void mwa_off_core_end(struct mwa_off_core *off, const struct mwa_trace *trace);
void mwa_off_core_fini(struct mwa_off_core *off);

/* Puts it into the row of its rank, whose times are there: none of it is longer than what it is
 * part of. */
void mwa_off_core_tell(const struct mwa_off_core_sums *sums, struct mwa_rank_row *row);

#endif
