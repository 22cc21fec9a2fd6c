/* Ranks put together: a row for each host, and one for each cluster of ranks that are alike. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/results.h"
#include "analyzer/model/ranges.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"
#include "formats/base/order.h"

#define SHOWN_RANKS 16u /* bytes of a list of ranks for people */

static const struct mwa_rank_group *group_of(const struct mwa_cell *cell)
{
    return cell->row;
}

MWA_VALUE(ranks, mwa_owned_text(mwa_ranges(group_of(cell)->ranks, group_of(cell)->rank_count, 0)))
MWA_VALUE(some_ranks, mwa_owned_text(mwa_ranges(group_of(cell)->ranks, group_of(cell)->rank_count,
          SHOWN_RANKS)))
MWA_VALUE_OF(mpi_share, struct mwa_rank_group, mwa_share(row->mpi.total_ns, row->run_ns))

/* Waiting takes following all ranks together: the page has it, ranks does without. */
static struct mwa_value waiting_share(const struct mwa_cell *cell)
{
    const struct mwa_rank_group *group = cell->row;
    uint64_t ns = 0;

    if (!mwa_has(cell->results, MWA_NEED_WAITS)) {
        return mwa_nothing();
    }
    for (uint64_t i = 0; i < group->rank_count; i++) {
        ns += mwa_waits_run_ns(&cell->results->waits, group->ranks[i]);
    }
    return mwa_share(ns, group->run_ns);
}

#define GROUP(member) MWA_IN(struct mwa_rank_group, member)
#define WHICH                                                                                      \
    { "rank_count", "ranks", 6, MWA_PLAIN, GROUP(rank_count) },                                    \
        { "ranks", MWA_BY(MWA_TEXT, ranks) },                                                      \
    {                                                                                              \
        NULL, "which", 16, MWA_PLAIN, MWA_BY(MWA_TEXT, some_ranks), .aside = 3                     \
    }
#define TIMES                                                                                      \
    { "run_ns", .unit = MWA_NS, GROUP(run_ns) },                                                   \
        { "useful_total_ns", .unit = MWA_NS, GROUP(useful.total_ns) },                             \
        { "useful_average_ns", "useful", 8, MWA_NS, GROUP(useful.average_ns) },                    \
        { "useful_min_ns", "least", 8, MWA_NS, GROUP(useful.min_ns), .aside = 5 },                 \
        { "useful_rank_min", "rank", 6, MWA_PLAIN, GROUP(useful.rank_min), .aside = 6 },           \
        { "useful_max_ns", "most", 8, MWA_NS, GROUP(useful.max_ns), .aside = 2 },                  \
        { "useful_rank_max", "rank", 6, MWA_PLAIN, GROUP(useful.rank_max), .aside = 4 },           \
        { NULL, "mpi", 6, MWA_SHARE, MWA_BY(MWA_REAL, mpi_share) },                                \
        { NULL, "waiting", 7, MWA_SHARE, MWA_BY(MWA_REAL, waiting_share), .place = MWA_ON_PAGE },  \
        { "mpi_total_ns", .unit = MWA_NS, GROUP(mpi.total_ns) },                                   \
        { "mpi_average_ns", .unit = MWA_NS, GROUP(mpi.average_ns) },                               \
        { "mpi_min_ns", .unit = MWA_NS, GROUP(mpi.min_ns) },                                       \
        { "mpi_rank_min", GROUP(mpi.rank_min) },                                                   \
        { "mpi_max_ns", .unit = MWA_NS, GROUP(mpi.max_ns) },                                       \
    {                                                                                              \
        "mpi_rank_max", GROUP(mpi.rank_max)                                                        \
    }

static const struct mwa_column host_columns[] = {
    { "host", "host", 16, MWA_PLAIN, GROUP(host) },
    WHICH,
    TIMES,
};

const struct mwa_table mwa_hosts_table = {
    MWA_COLUMNS(host_columns),
    MWA_ROWS(struct mwa_results, rank_groups.hosts, rank_groups.host_count),
    .note = "hosts: useful is of a rank on average, at least, at most; mpi is of the run of all "
            "ranks there",
};

/* --- clusters ------------------------------------------------------------------------------- */

MWA_COUNT_BY(call_count, parent->results->profile.call_count)

static const void *call_at(const struct mwa_cell *parent, uint64_t index)
{
    return group_of(parent)->called[index] > 0 ? &parent->results->profile.calls[index] : NULL;
}

MWA_VALUE(call_name, mwa_text(((const struct mwa_call_row *)cell->row)->region->name))
MWA_VALUE(call_times, mwa_number(group_of(cell->parent)->called[cell->index]))

static const struct mwa_column called_columns[] = {
    { "name", MWA_BY(MWA_TEXT, call_name) },
    { "count", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, call_times) },
};
static const struct mwa_table called_table = {
    MWA_COLUMNS(called_columns), .count = call_count, .row = call_at
};

/* "MPI_Iprobe 81.0%": its share of the calls; the first by name of those called as often. */
static struct mwa_value called_most(const struct mwa_cell *cell)
{
    const struct mwa_profile *profile = &cell->results->profile;
    const uint64_t *times = group_of(cell)->called;
    uint64_t most = 0, all = 0;
    char share[MWA_UNITS_BYTES];
    char *text = NULL;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        all += times[i];
        if (times[i] > times[most] ||
            (times[i] == times[most] && strcmp(profile->calls[i].region->name,
                                               profile->calls[most].region->name) < 0)) {
            most = i;
        }
    }
    if (all == 0 || asprintf(&text, "%s %s", profile->calls[most].region->name,
                             mwa_share_text(times[most], all, share)) < 0) {
        return mwa_nothing();
    }
    return mwa_owned_text(text);
}

MWA_VALUE(number, mwa_number(cell->index + 1))
MWA_WHETHER(has_clusters, !cell->results->selected_comms)

#define PART(part) .unit = MWA_SHARE, GROUP(shares[part])

static const struct mwa_column cluster_columns[] = {
    { "cluster", "cluster", 7, MWA_PLAIN, MWA_BY(MWA_NUMBER, number) },
    WHICH,
    { "useful_share", "useful", 6, PART(MWA_PART_USEFUL) },
    { "off_core_share", PART(MWA_PART_OFF_CORE) },
    { "p2p_share", "p2p", 6, PART(MWA_PART_P2P) },
    { "collective_share", "coll", 6, PART(MWA_PART_COLLECTIVE) },
    { "io_share", "I/O", 6, PART(MWA_PART_IO), .aside = 8 },
    { "other_share", "other", 6, PART(MWA_PART_OTHER), .aside = 7 },
    { NULL, "waiting", 7, MWA_SHARE, MWA_BY(MWA_REAL, waiting_share), .place = MWA_ON_PAGE },
    { "called", .table = &called_table },
    { "called_most", "called most", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, called_most),
      .unknown = "it calls nothing that is recorded" },
};

static int larger_first(const void *one, const void *other)
{
    const struct mwa_rank_group *a = one, *b = other;

    return mw_order(b->rank_count, a->rank_count) ?: mw_order(a->ranks[0], b->ranks[0]);
}

const struct mwa_table mwa_clusters_table = {
    MWA_COLUMNS(cluster_columns),
    MWA_ROWS(struct mwa_results, rank_groups.clusters, rank_groups.cluster_count),
    .is_known = has_clusters,
    .unknown = "communicators are selected",
    .order = larger_first,
    .note = "clusters: ranks whose shares of the run are alike (mpiwatch-analyses(7)), means of "
            "theirs; p2p, coll, I/O and other are in MPI",
};
