#include <criterion/criterion.h>

#include "analyzer/model/clusters.h"

/* Items have a share of time and a share of calls each. */
static void pair_of(const void *of, uint64_t index, double *shares)
{
    const double(*pairs)[2] = of;

    shares[0] = pairs[index][0];
    shares[1] = pairs[index][1];
}

static uint32_t find(const double (*pairs)[2], uint64_t count, uint32_t *cluster)
{
    const struct mwa_alike alike = { pairs, pair_of, count, 1, 1 };
    uint32_t found;

    cr_assert_eq(mwa_clusters_find(&alike, cluster, &found), MW_OK);
    return found;
}

Test(clusters, a_rank_is_near_the_leader_and_not_only_near_its_neighbour)
{
    /* Each is .04 from the one before: the third is .08 from the first, and leads; the fourth is
     * near the third. */
    const double pairs[][2] = { { .10, .5 }, { .14, .5 }, { .18, .5 }, { .22, .5 }, { .10, .5 } };
    const uint32_t expected[] = { 0, 0, 1, 1, 0 };
    uint32_t cluster[5];

    cr_assert_eq(find(pairs, 5, cluster), 2);
    cr_assert_arr_eq(cluster, expected, sizeof expected);
}

Test(clusters, time_may_be_a_twentieth_apart_and_calls_a_tenth)
{
    const double pairs[][2] = { { .5, .5 }, { .55, .6 }, { .5501, .6 }, { .55, .6001 } };
    const uint32_t expected[] = { 0, 0, 1, 1 };
    uint32_t cluster[4];

    cr_assert_eq(find(pairs, 4, cluster), 2);
    cr_assert_arr_eq(cluster, expected, sizeof expected);
}

Test(clusters, the_first_leader_of_several_that_are_near_has_the_rank)
{
    const double pairs[][2] = { { .50, 0 }, { .58, 0 }, { .54, 0 } };
    const uint32_t expected[] = { 0, 1, 0 };
    uint32_t cluster[3];

    cr_assert_eq(find(pairs, 3, cluster), 2);
    cr_assert_arr_eq(cluster, expected, sizeof expected);
}

Test(clusters, there_are_none_of_nothing)
{
    const double pairs[1][2] = { { 0, 0 } };
    uint32_t cluster[1];

    cr_assert_eq(find(pairs, 0, cluster), 0);
}

/* All are apart from all others. */
static void number_of(const void *of, uint64_t index, double *shares)
{
    shares[0] = (double)index;
}

Test(clusters, beyond_the_last_all_are_in_that)
{
    const struct mwa_alike alike = { NULL, number_of, MWA_CLUSTERS_MAX + 20, 1, 0 };
    uint32_t cluster[MWA_CLUSTERS_MAX + 20];
    uint32_t found;

    cr_assert_eq(mwa_clusters_find(&alike, cluster, &found), MW_OK);
    cr_assert_eq(found, MWA_CLUSTERS_MAX);
    for (uint32_t i = 0; i < MWA_CLUSTERS_MAX + 20; i++) {
        cr_assert_eq(cluster[i], i < MWA_CLUSTERS_MAX ? i : MWA_CLUSTERS_MAX - 1);
    }
}
