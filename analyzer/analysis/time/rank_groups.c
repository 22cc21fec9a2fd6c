/* Hosts and clusters are numbers that ranks have: what a group sums up is the same of both. */
#include "analyzer/analysis/time/rank_groups.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model/clusters.h"
#include "formats/base/order.h"

/* --- which group a rank is in --------------------------------------------------------------- */

/* A rank that has events. */
struct member {
    const char *host;
    uint32_t rank;
    uint32_t group;
};

static int by_host(const void *one, const void *other)
{
    const struct member *a = one, *b = other;

    return strcmp(a->host, b->host) ?: mw_order(a->rank, b->rank);
}

/* Ranks of the same group beside each other, in their order. */
static int by_group(const void *one, const void *other)
{
    const struct member *a = one, *b = other;

    return mw_order(a->group, b->group) ?: mw_order(a->rank, b->rank);
}

/* Numbers hosts by their first ranks; how many. Members come by group, and by rank in it. */
static uint32_t find_hosts(struct member *members, uint64_t count)
{
    uint32_t hosts = 0;
    uint32_t last = MWA_NONE;

    qsort(members, count, sizeof *members, by_host);
    for (uint64_t i = 0; i < count; i++) { /* the first rank stands for its host, */
        bool is_first = i == 0 || strcmp(members[i].host, members[i - 1].host) != 0;

        last = is_first ? members[i].rank : last;
        members[i].group = last;
    }
    qsort(members, count, sizeof *members, by_group);
    last = MWA_NONE;
    for (uint64_t i = 0; i < count; i++) { /* and becomes a number */
        hosts += members[i].group != last;
        last = members[i].group;
        members[i].group = hosts - 1;
    }
    return hosts;
}

/* What clusters are made of. */
struct profiles {
    const struct mwa_profile *profile;
    const struct member *members;
};

static void parts_of(const struct mwa_rank_row *row, double *shares)
{
    const uint64_t parts[MWA_PARTS_OF_RUN] = {
        [MWA_PART_USEFUL] = row->useful_ns,
        [MWA_PART_OFF_CORE] = row->outside_ns - row->useful_ns,
        [MWA_PART_P2P] = row->state_ns[MWA_STATE_P2P],
        [MWA_PART_COLLECTIVE] = row->state_ns[MWA_STATE_COLLECTIVE],
        [MWA_PART_IO] = row->state_ns[MWA_STATE_IO],
        [MWA_PART_OTHER] = row->state_ns[MWA_STATE_OTHER],
    };

    for (unsigned i = 0; i < MWA_PARTS_OF_RUN; i++) {
        shares[i] = row->run_ns > 0 ? (double)parts[i] / (double)row->run_ns : 0;
    }
}

static void shares_of(const void *of, uint64_t index, double *shares)
{
    const struct profiles *profiles = of;
    const struct mwa_profile *profile = profiles->profile;
    const struct mwa_rank_row *row = &profile->ranks[profiles->members[index].rank];
    const uint64_t *called = &profile->called[row->rank * profile->call_count];
    uint64_t all = 0;

    parts_of(row, shares);
    for (uint64_t i = 0; i < profile->call_count; i++) {
        all += called[i];
    }
    for (uint64_t i = 0; i < profile->call_count; i++) {
        shares[MWA_PARTS_OF_RUN + i] = all > 0 ? (double)called[i] / (double)all : 0;
    }
}

static enum mw_status find_clusters(const struct mwa_profile *profile, struct member *members,
                                    uint64_t count, uint32_t *clusters)
{
    const struct profiles profiles = { profile, members };
    const struct mwa_alike alike = { .of = &profiles,
                                     .shares_of = shares_of,
                                     .count = count,
                                     .times = MWA_PARTS_OF_RUN,
                                     .calls = (uint32_t)profile->call_count };
    uint32_t *cluster = calloc(count + 1, sizeof *cluster);
    enum mw_status status = cluster ? mwa_clusters_find(&alike, cluster, clusters)
                                    : MW_ERROR_MEMORY;

    for (uint64_t i = 0; status == MW_OK && i < count; i++) {
        members[i].group = cluster[i];
    }
    free(cluster);
    qsort(members, count, sizeof *members, by_group);
    return status;
}

/* --- what a group has ----------------------------------------------------------------------- */

static void take_time(struct mwa_group_time *time, uint64_t ns, uint32_t rank, bool is_first)
{
    time->total_ns += ns;
    if (is_first || ns < time->min_ns) {
        time->min_ns = ns;
        time->rank_min = rank;
    }
    if (is_first || ns > time->max_ns) {
        time->max_ns = ns;
        time->rank_max = rank;
    }
}

static void sum_up(const struct mwa_profile *profile, struct mwa_rank_group *group)
{
    for (uint64_t i = 0; i < group->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[group->ranks[i]];
        double shares[MWA_PARTS_OF_RUN];

        group->run_ns += row->run_ns;
        take_time(&group->useful, row->useful_ns, row->rank, i == 0);
        take_time(&group->mpi, row->mpi_ns, row->rank, i == 0);
        parts_of(row, shares);
        for (unsigned k = 0; k < MWA_PARTS_OF_RUN; k++) {
            group->shares[k] += shares[k] / (double)group->rank_count;
        }
        for (uint64_t k = 0; group->called && k < profile->call_count; k++) {
            group->called[k] += profile->called[row->rank * profile->call_count + k];
        }
    }
    group->useful.average_ns = group->useful.total_ns / group->rank_count;
    group->mpi.average_ns = group->mpi.total_ns / group->rank_count;
}

/*
 * The groups of members, which stand beside each other; their ranks go to ranks. called: room for
 * the calls of clusters; null: they are hosts. Null: no memory.
 */
static struct mwa_rank_group *make_groups(const struct mwa_profile *profile,
                                          const struct member *members, uint64_t count,
                                          uint64_t group_count, uint32_t *ranks, uint64_t *called)
{
    struct mwa_rank_group *groups = calloc(group_count + 1, sizeof *groups);

    for (uint64_t i = 0; groups && i < count; i++) {
        struct mwa_rank_group *group = &groups[members[i].group];

        ranks[i] = members[i].rank;
        if (group->rank_count++ == 0) {
            group->ranks = &ranks[i];
            group->host = called ? NULL : members[i].host;
            group->called = called ? &called[members[i].group * profile->call_count] : NULL;
        }
    }
    for (uint64_t i = 0; groups && i < group_count; i++) {
        sum_up(profile, &groups[i]);
    }
    return groups;
}

static enum mw_status make_clusters(const struct mwa_profile *profile, struct member *members,
                                    uint64_t count, struct mwa_rank_groups *groups)
{
    uint32_t clusters = 0;
    enum mw_status status = find_clusters(profile, members, count, &clusters);

    if (status != MW_OK) {
        return status;
    }
    groups->called = calloc(clusters * profile->call_count + 1, sizeof *groups->called);
    groups->clusters = groups->called ? make_groups(profile, members, count, clusters,
                                                    groups->ranks[1], groups->called)
                                      : NULL;
    groups->cluster_count = groups->clusters ? clusters : 0;
    return groups->clusters ? MW_OK : MW_ERROR_MEMORY;
}

enum mw_status mwa_rank_groups_make(const struct mwa_trace *trace,
                                    const struct mwa_profile *profile, bool is_selected,
                                    struct mwa_rank_groups *groups)
{
    struct member *members = calloc(profile->rank_count + 1, sizeof *members);
    uint64_t count = 0;
    enum mw_status status = MW_ERROR_MEMORY;

    *groups = (struct mwa_rank_groups){ 0 };
    groups->ranks[0] = calloc(profile->rank_count + 1, sizeof(uint32_t));
    groups->ranks[1] = calloc(profile->rank_count + 1, sizeof(uint32_t));
    if (!members || !groups->ranks[0] || !groups->ranks[1]) {
        goto out;
    }
    for (uint32_t i = 0; i < profile->rank_count; i++) {
        if (profile->ranks[i].has_events) {
            members[count++] = (struct member){ trace->ranks[i].host, i, 0 };
        }
    }
    status = is_selected ? MW_OK : make_clusters(profile, members, count, groups);
    if (status == MW_OK) {
        groups->host_count = find_hosts(members, count);
        groups->hosts = make_groups(profile, members, count, groups->host_count, groups->ranks[0],
                                    NULL);
        status = groups->hosts ? MW_OK : MW_ERROR_MEMORY;
    }
out:
    free(members);
    return status;
}

void mwa_rank_groups_fini(struct mwa_rank_groups *groups)
{
    free(groups->hosts);
    free(groups->clusters);
    free(groups->called);
    free(groups->ranks[0]);
    free(groups->ranks[1]);
    *groups = (struct mwa_rank_groups){ 0 };
}
