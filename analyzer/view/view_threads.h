#ifndef MWA_VIEW_VIEW_THREADS_H
#define MWA_VIEW_VIEW_THREADS_H

#include "analyzer/analysis/pass.h"
#include "analyzer/view/view_store.h"

/*
 * What locations that are no main threads did, threads and streams of accelerators: stretches of
 * time by the states of analyzer/analysis/time/location_activity.h, as that tells them, with sums
 * by which those of any part of the run are found at once.
 */

struct mwa_view_threads {
    struct mwa_view_store *store;
    struct mwa_activity *activities; /* by location */
    struct mw_diagnostic *diagnostic;
    uint32_t location; /* whose moment is taken */
    enum mw_status status;
};

/* \return MW_OK; MW_ERROR_MEMORY. mwa_view_threads_fini is due in any case. */
enum mw_status mwa_view_threads_begin(struct mwa_view_threads *threads,
                                      struct mwa_view_store *store,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Takes the next moment of a location (index). \return MW_OK; MW_ERROR_MEMORY, and as
 * mwa_view_array_add. */
enum mw_status mwa_view_threads_take(struct mwa_view_threads *threads, uint32_t location,
                                     const struct mwa_moment *moment) MW_MUST_CHECK;

/* All moments were taken, and the last ones of locations are known. \return the same. */
enum mw_status mwa_view_threads_end(struct mwa_view_threads *threads) MW_MUST_CHECK;
void mwa_view_threads_fini(struct mwa_view_threads *threads);

/* What a row had done until a time: sums, to be subtracted from each other. */
struct mwa_view_row_done {
    uint64_t ticks[MWA_LOCATION_STATES];
    uint64_t recorded; /* ticks of its rank's main thread */
};

/* Of the location (index) of a row, a main thread's, too: of that as view_states.h has it. Any
 * thread, once all is there. */
struct mwa_view_row_done mwa_view_row_done_at(const struct mwa_view_store *store,
                                              uint32_t location, uint64_t time);

/*
 * What it did between two times, ticks by state, exactly as
 * analyzer/analysis/time/location_states.h and rank_states.h have it of a bin. Any thread.
 */
void mwa_view_row_between(const struct mwa_view_store *store, uint32_t location,
                          const struct mwa_view_row_done *before,
                          const struct mwa_view_row_done *after,
                          uint64_t ticks[MWA_LOCATION_STATES]);

#endif
