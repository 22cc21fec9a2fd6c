#ifndef MWA_ANALYSIS_EFFICIENCY_CRITICAL_PATH_H
#define MWA_ANALYSIS_EFFICIENCY_CRITICAL_PATH_H

#include "analyzer/analysis/efficiency/ideal_replay.h"
#include "analyzer/analysis/time/profile.h"
#include "analyzer/analysis/time/regions.h"

/*
 * The critical path (Scalasca's CriticalPath.pattern): from the run that ends last backwards;
 * where the rank waited, the path goes on at the rank that it waited for, at the moment
 * when that began what was waited for. Its length is the time from the beginning of the run
 * in which it begins to the end; making what lies on it shorter makes the run shorter.
 *
 * Hops are made in the call that completes a receive (to the send that began last of those
 * it receives, if that was after the call's own enter) and in collectives (to the rank that
 * entered last of those that it waits for, see dependence.h, or of all where nobody left before,
 * mwa_awaited_last, or to the call that who gives was held for, mwa_awaited_return), in the call
 * that completes a send (to the receive that was posted last of those of its sends, between its
 * enter and its leave), or that completes an end of a message which waited for the other rank to
 * call MPI (to the call of that, mwa_awaited_progress), as far as it is seen to wait for these
 * (mwa_is_seen_to_wait); of several, to what came last. The time
 * behind a hop is the call's: the transfer.
 *
 * It is computed forwards, all ranks' paths at once, by analyzer/analysis/efficiency/ideal_replay.h
 * in memory bounded by ranks and messages in flight (path_tree.h), so that a profile of the path is
 * known in the end, and not each of its segments.
 */

struct mwa_path_row {
    const char *name;      /* the trace's; in no region "useful", or "outside MPI" where it is told
                            * that ranks were off their cores there */
    const struct mwa_region *region; /* null: in none */
    bool is_mpi;
    uint64_t path_ns;      /* on the path */
    uint64_t average_ns;   /* of all ranks, exclusive, rounded down */
    uint64_t imbalance_ns; /* max(0, path - average): Scalasca's critical-path imbalance */
};

struct mwa_critical_path {
    bool known;        /* false: no run, see note */
    const char *note;  /* what limits it, static; null: nothing */
    uint64_t length_ns;
    uint64_t hops;
    uint32_t end_rank; /* whose run ends last */
    struct mwa_path_row *rows; /* by time on the path, then name */
    uint64_t row_count;
    uint64_t *per_rank_ns; /* time of the path on each rank */
    uint64_t rank_count;
};

/*
 * What the replay's path is made of. note, static, says what limits it; null: nothing.
 *
 * \return MW_OK, MW_ERROR_MEMORY; mwa_critical_path_fini is due in any case.
 */
enum mw_status mwa_critical_path_make(const struct mwa_trace *trace,
                                      const struct mwa_profile *profile,
                                      const struct mwa_regions *regions,
                                      const struct mwa_replay_result *replay, const char *note,
                                      struct mwa_critical_path *path) MW_MUST_CHECK;
void mwa_critical_path_fini(struct mwa_critical_path *path);

#endif
