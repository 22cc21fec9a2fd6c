/* Of many ranks hosts and clusters are told before single ones: what they are like, and where. */
#include "analyzer/report/rank_groups_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/model/ranges.h"
#include "analyzer/report/extreme_ranks.h"
#include "analyzer/report/extremes.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/line.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

#define OF_EACH 3u

/* Of the report's line: */
#define LINE_CLUSTERS 3u
#define LINE_RANKS    12u /* bytes of a list of ranks */
#define HOST_BYTES    24u

static bool useful_of(const void *of, uint64_t index, double *value)
{
    *value = (double)((const struct mwa_rank_group *)of)[index].useful.average_ns;
    return true;
}

static bool mpi_of(const void *of, uint64_t index, double *value)
{
    const struct mwa_rank_group *group = &((const struct mwa_rank_group *)of)[index];

    *value = group->run_ns > 0 ? (double)group->mpi.total_ns / (double)group->run_ns : 0;
    return group->run_ns > 0;
}

bool *mwa_extreme_hosts(const struct mwa_results *results)
{
    const struct mwa_rank_groups *groups = &results->rank_groups;
    bool *is_extreme = groups->host_count > MWA_HOSTS_WITH_LINES
                           ? calloc(groups->host_count, sizeof *is_extreme)
                           : NULL;

    for (unsigned most = 0; is_extreme && most < 2; most++) {
        mwa_mark_extremes(groups->hosts, groups->host_count, useful_of, most, OF_EACH, is_extreme);
        mwa_mark_extremes(groups->hosts, groups->host_count, mpi_of, most, OF_EACH, is_extreme);
    }
    return is_extreme;
}

MWA_COUNT_BY(host_count, parent->results->rank_groups.host_count)

MWA_ROW_BY(host_at, &parent->results->rank_groups.hosts[index])

struct mwa_table mwa_extreme_hosts_table(void)
{
    struct mwa_table table = mwa_hosts_table;

    table.count = host_count;
    table.row = host_at;
    table.is_worth = mwa_is_flagged;
    return table;
}

void mwa_say_extreme_hosts(const struct mwa_results *results, const bool *is_extreme, FILE *out)
{
    mwa_say_left_out(is_extreme, results->rank_groups.host_count, OF_EACH,
                     "least and most useful on average and share of mpi", out);
}

static void put_hosts(const struct mwa_results *results, const struct mwa_screen *screen,
                      FILE *out)
{
    bool *is_extreme = screen->all_ranks ? NULL : mwa_extreme_hosts(results);
    const struct mwa_cell root = { .results = results,
                                   .row = is_extreme ? (const void *)is_extreme : results };
    const struct mwa_table table = is_extreme ? mwa_extreme_hosts_table() : mwa_hosts_table;

    mwa_table_text(&table, &root, UINT64_MAX, NULL, out);
    mwa_say_extreme_hosts(results, is_extreme, out);
    putc('\n', out);
    free(is_extreme);
}

/* The largest cluster that has fewer ranks than this one, or as many and a later first rank. */
static const struct mwa_rank_group *next_smaller(const struct mwa_rank_groups *groups,
                                                 const struct mwa_rank_group *than)
{
    const struct mwa_rank_group *next = NULL;

    for (uint64_t i = 0; i < groups->cluster_count; i++) {
        const struct mwa_rank_group *group = &groups->clusters[i];
        const bool is_behind = !than || group->rank_count < than->rank_count ||
                               (group->rank_count == than->rank_count &&
                                group->ranks[0] > than->ranks[0]);

        if (is_behind && (!next || group->rank_count > next->rank_count)) {
            next = group;
        }
    }
    return next;
}

static void add_cluster(const struct mwa_rank_group *group, const char *before,
                        struct mwa_line *line)
{
    char *ranks = mwa_ranges(group->ranks, group->rank_count, LINE_RANKS);

    mwa_line_add(line, "%s%" PRIu64 " (%s) %.1f%%", before, group->rank_count,
                 ranks ? ranks : "", 100 * group->shares[MWA_PART_USEFUL]);
    free(ranks);
}

/* Hosts by their ranks' average, the first of equal ones. */
static void add_hosts(const struct mwa_rank_groups *groups, struct mwa_line *line)
{
    const struct mwa_rank_group *least = groups->hosts, *most = groups->hosts;
    char text[2][MWA_UNITS_BYTES];
    char name[2][HOST_BYTES];

    for (uint64_t i = 1; i < groups->host_count; i++) {
        const struct mwa_rank_group *host = &groups->hosts[i];

        least = host->useful.average_ns < least->useful.average_ns ? host : least;
        most = host->useful.average_ns > most->useful.average_ns ? host : most;
    }
    mwa_line_add(line, "; hosts: %s (%s) to %s (%s) a rank",
                 mwa_time_text(least->useful.average_ns, text[0]),
                 mwa_clean(least->host, name[0], sizeof name[0]),
                 mwa_time_text(most->useful.average_ns, text[1]),
                 mwa_clean(most->host, name[1], sizeof name[1]));
}

void mwa_put_alike_line(const struct mwa_results *results, FILE *out)
{
    const struct mwa_rank_groups *groups = &results->rank_groups;
    struct mwa_line line = mwa_line_with("alike");
    const struct mwa_rank_group *group = next_smaller(groups, NULL);

    if (results->profile.rank_count <= MWA_RANKS_WITH_LINES || !group) {
        return;
    }
    mwa_line_add(&line, "%" PRIu64 " cluster%s of ranks", groups->cluster_count,
                 groups->cluster_count == 1 ? "" : "s");
    for (unsigned i = 0; i < LINE_CLUSTERS && group; i++) {
        add_cluster(group, i == 0 ? ", useful: " : ", ", &line);
        group = next_smaller(groups, group);
    }
    mwa_line_add(&line, "%s", group ? ", …" : "");
    if (groups->host_count > 1) {
        add_hosts(groups, &line);
    }
    mwa_line_put(&line, 2, out);
}

void mwa_text_rank_groups(const struct mwa_results *results, const struct mwa_screen *screen,
                          FILE *out)
{
    const struct mwa_cell root = { .results = results, .row = results };

    if (results->profile.rank_count <= MWA_RANKS_WITH_LINES) {
        return;
    }
    if (results->rank_groups.cluster_count > 0) {
        mwa_table_text(&mwa_clusters_table, &root,
                       screen->all_ranks ? UINT64_MAX : MWA_CLUSTERS_WITH_LINES,
                       "--all-ranks has all", out);
        putc('\n', out);
    }
    if (results->rank_groups.host_count > 1) {
        put_hosts(results, screen, out);
    }
}
