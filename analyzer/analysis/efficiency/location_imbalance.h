#ifndef MWA_ANALYSIS_EFFICIENCY_LOCATION_IMBALANCE_H
#define MWA_ANALYSIS_EFFICIENCY_LOCATION_IMBALANCE_H

#include "analyzer/analysis/efficiency/imbalance.h"
#include "analyzer/analysis/time/location_profile.h"

/*
 * How evenly locations of a type share the regions that others than main threads visit: as
 * imbalance.h does for ranks, with t_l of each location l that visits it. Main threads are
 * among the threads: they are a part of each team. And how much of their time the other threads of
 * each rank, and its streams, are busy (Scalasca's idle threads).
 */

struct mwa_location_imbalance_row {
    enum mwa_location_kind type;
    struct mwa_imbalance_row row; /* rank_min, rank_max: indices of locations; no per_rank_ns */
};

/* The locations of a rank of one type, without its main thread. */
struct mwa_location_group {
    uint32_t rank;
    enum mwa_location_kind type;
    uint64_t locations;
    uint64_t ns[MWA_LOCATION_STATES];
    uint64_t total_ns; /* of all states */
    uint64_t slept_ns; /* of useful, as in location_profile.h */
    bool tells_idle;   /* by one of them at least */
};

struct mwa_location_imbalance {
    struct mwa_location_imbalance_row *rows; /* by overload and name */
    uint64_t count;
    struct mwa_location_group *groups; /* by rank and type */
    uint64_t group_count;
};

/*
 * Makes the rows; names are those of trace.
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_location_imbalance_fini is due in any case.
 */
enum mw_status mwa_location_imbalance_make(const struct mwa_trace *trace,
                                           const struct mwa_other_locations *others,
                                           const struct mwa_location_profile *profile,
                                           const struct mwa_regions *regions,
                                           struct mwa_location_imbalance *imbalance) MW_MUST_CHECK;
void mwa_location_imbalance_fini(struct mwa_location_imbalance *imbalance);

#endif
