#include "analyzer/analysis/clocks/host_offsets.h"

#include <criterion/criterion.h>
#include <otf2/otf2.h>

/* Hosts 0 to 4 have a rank each. */
static uint32_t hosts[] = { 0, 1, 2, 3, 4 };
static struct mwa_happened_before rules = { .hosts = hosts, .host_count = 5 };

static void take(struct mwa_host_offsets *offsets, uint32_t from, uint32_t to, uint64_t sent,
                 uint64_t known)
{
    cr_assert(mwa_host_offsets_take(offsets, from, to, sent, known));
}

/* What is found of the hosts: by how much each is behind, and whether any is. */
static void expect_behind(const struct mwa_host_offsets *offsets, const uint64_t expected[5])
{
    uint64_t behind[5];
    uint64_t sum = 0;
    bool are_off;

    cr_assert_eq(mwa_host_offsets_find(offsets, behind, &are_off), MW_OK);
    for (unsigned i = 0; i < 5; i++) {
        cr_expect_eq(behind[i], expected[i], "host %u is behind by %lu", i,
                     (unsigned long)behind[i]);
        sum += expected[i];
    }
    cr_expect_eq(are_off, sum > 0);
}

/*
 * The clock of host 1 is ahead of host 0's by 1000, and that of host 2 by 700 more; messages take
 * 10 there and 30 back. Hosts 3 and 4 know only each other, and agree as far as can be seen.
 */
Test(host_offsets, come_of_the_least_times_of_both_ways)
{
    struct mwa_host_offsets offsets = { .rules = &rules };

    take(&offsets, 0, 1, 100, 1150); /* slow */
    take(&offsets, 0, 1, 200, 1210);
    take(&offsets, 1, 0, 1300, 330);
    take(&offsets, 2, 1, 2000, 1330);
    take(&offsets, 1, 2, 2000, 2710);
    take(&offsets, 3, 4, 50, 60);
    take(&offsets, 4, 3, 50, 51);
    /* (1010 + 970) / 2 and (710 + 670) / 2: off by half of what one way takes longer. */
    expect_behind(&offsets, (const uint64_t[]){ 990 + 690, 690, 0, 0, 0 });
    mwa_host_offsets_fini(&offsets);
}

/* Both ways are too short: clocks ran apart. One way alone tells nothing; nor does one host. */
Test(host_offsets, are_none_where_no_offset_would_do)
{
    struct mwa_host_offsets offsets = { .rules = &rules };

    take(&offsets, 0, 1, 1000, 900);
    take(&offsets, 1, 0, 2000, 1700);
    take(&offsets, 2, 3, 1000, 10);
    take(&offsets, 4, 4, 1000, 10);
    expect_behind(&offsets, (const uint64_t[]){ 0, 0, 0, 0, 0 });
    mwa_host_offsets_fini(&offsets);
}

/* Of three hosts two pairs are known well, and the third is not, which would say 700. */
Test(host_offsets, come_of_the_pairs_that_are_known_best)
{
    struct mwa_host_offsets offsets = { .rules = &rules };

    take(&offsets, 0, 1, 0, 110);
    take(&offsets, 1, 0, 100, 10);
    take(&offsets, 1, 2, 0, 220);
    take(&offsets, 2, 1, 200, 20);
    take(&offsets, 0, 2, 0, 1200);
    take(&offsets, 2, 0, 300, 100);
    expect_behind(&offsets, (const uint64_t[]){ 100 + 200, 200, 0, 0, 0 });
    mwa_host_offsets_fini(&offsets);
}

/* Host 1 is ahead of host 0 by 1000, and both send to host 2, which tells nobody anything: it is
 * moved with host 0, from which it receives in order, and so is 3, which sends to host 2. */
Test(host_offsets, move_those_along_of_which_one_way_is_known)
{
    struct mwa_host_offsets offsets = { .rules = &rules };

    take(&offsets, 0, 1, 100, 1110);
    take(&offsets, 1, 0, 1100, 110);
    take(&offsets, 1, 2, 1100, 130);
    take(&offsets, 0, 2, 100, 900);
    take(&offsets, 3, 2, 100, 150);
    expect_behind(&offsets, (const uint64_t[]){ 1000, 0, 1000, 1000, 0 });
    mwa_host_offsets_fini(&offsets);
}

/* The members of an operation on hosts 0 to 2, by clocks that are 1000 and 3000 ahead: they come at
 * 0, 10 and 20 of each step in turn, and leave 5 after the last. */
static void meet(struct mwa_host_offsets *offsets, uint32_t operation, uint32_t root)
{
    static const uint64_t ahead[] = { 0, 1000, 3000 };

    for (uint64_t step = 0; step < 3; step++) {
        struct mwa_exchange_call calls[3];
        struct mwa_member members[3];
        struct mwa_collective collective = { .kind = MWA_GROUP_COLLECTIVE,
                                             .operation = operation,
                                             .root = root,
                                             .count = 3,
                                             .members = members };

        for (uint32_t i = 0; i < 3; i++) {
            const uint64_t begin = 100 * step + ahead[i];

            calls[i] = (struct mwa_exchange_call){ .rank = i,
                                                   .enter = begin + 10 * ((i + step) % 3),
                                                   .leave = begin + 25 };
            members[i] = (struct mwa_member){ .collective = &collective,
                                              .rank = i,
                                              .begin = &calls[i],
                                              .end = &calls[i],
                                              .bytes_sent = 8,
                                              .bytes_received = 8 };
        }
        cr_assert(mwa_host_offsets_take_all(offsets, &collective));
    }
}

Test(host_offsets, come_of_operations_in_which_all_wait_for_all)
{
    struct mwa_host_offsets offsets = { .rules = &rules };

    meet(&offsets, OTF2_COLLECTIVE_OP_ALLREDUCE, MWA_NONE);
    expect_behind(&offsets, (const uint64_t[]){ 3000, 2000, 0, 0, 0 });
    mwa_host_offsets_fini(&offsets);
}

/* A root that waits for all tells one direction, another root the other one, of these two hosts.
 * Host 0 is moved with host 1, which it took less time to. */
Test(host_offsets, come_of_roots_that_wait_for_each_other)
{
    struct mwa_host_offsets offsets = { .rules = &rules };

    meet(&offsets, OTF2_COLLECTIVE_OP_REDUCE, 1);
    meet(&offsets, OTF2_COLLECTIVE_OP_BCAST, 0);
    expect_behind(&offsets, (const uint64_t[]){ 0, 0, 0, 0, 0 });
    meet(&offsets, OTF2_COLLECTIVE_OP_REDUCE, 2);
    expect_behind(&offsets, (const uint64_t[]){ 2000, 2000, 0, 0, 0 });
    mwa_host_offsets_fini(&offsets);
}

/* Each clock is behind the next one's by as much as can be told: no sum of these is beyond that. */
Test(host_offsets, are_as_large_as_can_be_told_at_most)
{
    const uint64_t most = UINT64_C(1) << 61;
    struct mwa_host_offsets offsets = { .rules = &rules };

    for (uint32_t i = 0; i < 4; i++) {
        take(&offsets, i, i + 1, 10, 3 * most + 10);
        take(&offsets, i + 1, i, 3 * most, 0);
    }
    expect_behind(&offsets, (const uint64_t[]){ most, 0, 0, 0, 0 });
    mwa_host_offsets_fini(&offsets);
}
