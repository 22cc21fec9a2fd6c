#ifndef MWA_ANALYSIS_TIME_RANK_GROUPS_H
#define MWA_ANALYSIS_TIME_RANK_GROUPS_H

#include "analyzer/analysis/time/profile.h"

/*
 * Ranks put together: by host, and by what they are like (analyzer/model/clusters.h), so that the
 * numbers of a hundred thousand can be read. Ranks without events are in none.
 *
 * What a rank is like are parts of its run: useful, outside of MPI on no core, and in MPI point to
 * point, collective, in I/O and in other calls, as analyzer/analysis/time/timeline.h tells them
 * apart; and the share that each function has in its calls of MPI, on all its threads. Whether it
 * waits is no part of that: it would take following all ranks together.
 */

enum mwa_part_of_run {
    MWA_PART_USEFUL,
    MWA_PART_OFF_CORE,
    MWA_PART_P2P,
    MWA_PART_COLLECTIVE,
    MWA_PART_IO,
    MWA_PART_OTHER,
    MWA_PARTS_OF_RUN
};

/* Who has least and most of a time, the lowest of several; and the sum. */
struct mwa_group_time {
    uint64_t total_ns;
    uint64_t min_ns;
    uint64_t average_ns; /* rounded down */
    uint64_t max_ns;
    uint32_t rank_min;
    uint32_t rank_max;
};

struct mwa_rank_group {
    const char *host;      /* of a host; of a cluster null */
    const uint32_t *ranks; /* in their order, */
    uint64_t rank_count;   /* at least one */
    uint64_t run_ns;       /* of all together */
    struct mwa_group_time useful;
    struct mwa_group_time mpi;
    double shares[MWA_PARTS_OF_RUN]; /* of a cluster: means of its ranks' */
    uint64_t *called; /* of a cluster: times by row of the profile's calls; of a host null */
};

struct mwa_rank_groups {
    struct mwa_rank_group *hosts; /* by their first ranks, as are */
    uint64_t host_count;
    struct mwa_rank_group *clusters; /* none where communicators are selected */
    uint64_t cluster_count;
    uint32_t *ranks[2]; /* of hosts, of clusters */
    uint64_t *called;
};

/*
 * Makes both of what profile says; names are those of trace. is_selected: communicators are.
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_rank_groups_fini is due in any case.
 */
enum mw_status mwa_rank_groups_make(const struct mwa_trace *trace,
                                    const struct mwa_profile *profile, bool is_selected,
                                    struct mwa_rank_groups *groups) MW_MUST_CHECK;
void mwa_rank_groups_fini(struct mwa_rank_groups *groups);

#endif
