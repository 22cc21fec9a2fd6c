#ifndef MWA_ANALYSIS_MESSAGES_CALL_ERRORS_H
#define MWA_ANALYSIS_MESSAGES_CALL_ERRORS_H

#include "analyzer/analysis/analysis.h"

/*
 * Calls of MPI that returned an error (of programs that live with them: MPI_ERRORS_RETURN), by
 * their place in the program and the error's class. Only mpiwatch's archives tell (attribute
 * mpiwatch.error). And those in which one ended their rank, if it has one thread and the MPI told
 * the recorder so, as Open MPI does.
 */

struct mwa_call_error {
    uint32_t place;       /* a site that stands for it, index */
    uint32_t error_class; /* a number of the MPI's: mwa_error_class_name */
    uint32_t rank;        /* that had it first, the lowest of several; MWA_NONE: of no rank */
    uint32_t ranks;       /* so many had it */
    bool is_fatal;        /* the call never returned */
    uint64_t count;
    uint64_t first;       /* ticks: when the first call returned, or that was entered */
};

struct mwa_call_errors {
    struct mwa_call_error *list; /* the most frequent first */
    uint64_t count;
    uint64_t total; /* calls */
};

extern const struct mwa_analysis mwa_call_errors_analysis; /* into struct mwa_call_errors */

void mwa_call_errors_fini(struct mwa_call_errors *errors);

#endif
