#ifndef MWA_ANALYSIS_TIME_WRAPPER_CALLS_H
#define MWA_ANALYSIS_TIME_WRAPPER_CALLS_H

#include "analyzer/analysis/results.h"

/*
 * Calls of MPI by functions that are named as what they call (hypre_MPI_Waitall, my_mpi_send_) or
 * as another function of MPI, or that stand in headers of the system, as templates of libraries do.
 */
struct mwa_wrapper_calls {
    const char *function; /* the one that spends most in its calls; null: there is nothing to say */
    bool is_in_header;    /* that one is */
    uint64_t time_ns;     /* in such calls, of all threads, without MPI_Init and MPI_Finalize */
    uint64_t all_ns;      /* in all calls likewise (mwa_calls_time_ns) */
};

/*
 * What such functions call, where that is more than half of the time and nothing tells who calls
 * them: their lines are the same, whoever does. Of results with MWA_NEED_SITES and
 * MWA_NEED_PROFILE. Any thread.
 */
struct mwa_wrapper_calls mwa_wrapper_calls(const struct mwa_results *results);

#endif
