#ifndef MWA_ANALYSIS_TIME_FILE_TIMES_H
#define MWA_ANALYSIS_TIME_FILE_TIMES_H

#include "analyzer/analysis/analysis.h"

/*
 * Time in outermost MPI calls of the group "io", by the rank, the place of the call, and the file
 * that it is made on: of a call that says of none (opening, deleting) it is not known.
 */

struct mwa_file_time {
    uint32_t rank;   /* MWA_NONE: of none */
    uint32_t site;   /* index */
    uint32_t object; /* the open file, index; MWA_NONE: not known */
    uint64_t count;
    uint64_t time_ns;
};

struct mwa_file_times {
    struct mwa_file_time *rows; /* in no order */
    uint64_t count;
};

extern const struct mwa_analysis mwa_file_times_analysis; /* finishes into struct mwa_file_times */

void mwa_file_times_fini(struct mwa_file_times *times);

#endif
