#ifndef MWA_ANALYSIS_TIME_LIBRARY_CALLS_H
#define MWA_ANALYSIS_TIME_LIBRARY_CALLS_H

#include "analyzer/analysis/results.h"

/* Calls of MPI that are made by a library, and not by the program that called that: HDF5's, say. */
struct mwa_library_calls {
    const char *library; /* its file's name; null: there is nothing to say */
    uint64_t time_ns;    /* in these calls, of all threads, without MPI_Init and MPI_Finalize */
    uint64_t all_ns;     /* in all calls likewise (mwa_calls_time_ns) */
};

/*
 * The library that makes calls with more than half of the time, where that hides who is to blame:
 * the program's own lines are known where it calls MPI itself, and no stacks are told. Of results
 * with MWA_NEED_SITES and MWA_NEED_PROFILE. Any thread.
 */
struct mwa_library_calls mwa_library_calls(const struct mwa_results *results);

#endif
