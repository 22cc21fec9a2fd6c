#ifndef MWA_ANALYSIS_TIME_RANK_RECORDS_H
#define MWA_ANALYSIS_TIME_RANK_RECORDS_H

#include "analyzer/analysis/analysis.h"

/*
 * Which ranks have a record at all, and which records end inside a call of MPI: what the profile
 * (profile.h) says of that, for who wants to know nothing else. Memory: a byte per rank.
 */
struct mwa_rank_records {
    bool *has_events; /* by rank, as many as the trace has */
    uint64_t open_calls; /* in which the record of a location ends */
};

void mwa_rank_records_fini(struct mwa_rank_records *records);

extern const struct mwa_analysis mwa_rank_records_analysis;

#endif
