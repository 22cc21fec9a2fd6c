#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/merge/merge.h"
#include "formats/spool/record.h"
#include "test/unit/formats/maker.h"

static struct maker maker;
static struct mw_merged merged;
static struct mw_diagnostic diagnostic;

static void set_up(void)
{
    maker_init(&maker);
}

static void tear_down(void)
{
    mw_merged_fini(&merged);
    maker_fini(&maker);
}

TestSuite(merge, .init = set_up, .fini = tear_down);

static const struct mw_uid world = {10, 1};

/* A communicator of a process, with members if it is rank 0 of it. */
static struct mw_definition comm(uint32_t number, uint64_t uid, struct mw_uid parent,
                                 unsigned call, uint32_t sequence, uint32_t rank,
                                 const uint32_t *members, uint32_t size)
{
    return (struct mw_definition){
        .kind = MW_DEFINE_COMM,
        .of.comm = {.comm = number,
                    .uid = {uid, uid},
                    .parent = parent,
                    .call = call,
                    .sequence = sequence,
                    .rank = rank,
                    .size = size,
                    .leader = members[0],
                    .created = 100 * number,
                    .member_count = rank == 0 ? size : 0,
                    .members = rank == 0 ? members : NULL},
    };
}

static struct mw_uid uid_of(uint64_t value)
{
    return (struct mw_uid){value, value};
}

static void define_world(struct mw_definition_writer *writer, uint32_t rank, uint32_t size)
{
    struct mw_definition definition = {
        .kind = MW_DEFINE_COMM,
        .of.comm = {.uid = world,
                    .call = MW_CALL_COUNT,
                    .flags = MW_COMM_PREDEFINED,
                    .rank = rank,
                    .size = size},
    };

    maker_define(writer, &definition);
    definition.of.comm.comm = MW_COMM_SELF;
    definition.of.comm.uid = (struct mw_uid){20, rank};
    definition.of.comm.rank = 0;
    definition.of.comm.size = 1;
    maker_define(writer, &definition);
}

static void define_name(struct mw_definition_writer *writer, uint32_t number, uint32_t source,
                        const char *name)
{
    struct mw_definition definition = {
        .kind = MW_DEFINE_COMM_NAME,
        .of.comm_name = {.comm = number, .source = source, .time = 5, .name = name},
    };

    maker_define(writer, &definition);
}

/* Merges the ranks of the list, of a world of size. */
static void merge(const uint32_t *ranks, uint32_t count, uint32_t size)
{
    cr_assert_eq(mw_merged_init(&merged, size, &diagnostic), MW_OK);
    for (uint32_t i = 0; i < count; i++) {
        struct mw_location_stats stats = {.rank = ranks[i], .open_call = MW_CALL_COUNT};
        struct mw_merge_part part = {.rank = ranks[i],
                                     .where = "definitions",
                                     .locations = &stats,
                                     .location_count = 1};
        static char image[1 << 16];
        char name[32];
        FILE *stream;

        snprintf(name, sizeof name, "r%u/definitions", ranks[i]);
        stream = fopen(maker_path(&maker, name), "r");
        part.image = image;
        part.image_bytes = fread(part.image, 1, sizeof image, stream);
        fclose(stream);
        cr_assert_eq(mw_merge_add(&merged, &part, &diagnostic), MW_OK, "%s", diagnostic.what);
        memset(image, 'x', sizeof image); /* nothing that was merged is there */
    }
    cr_assert_eq(mw_merge_finish(&merged, &diagnostic), MW_OK);
}

/*
 * Four ranks: a split of the world into evens and odds, a dup of the evens, and a dup of
 * the world. Ranks number them as they meet them.
 */
static void make_four(void)
{
    static const uint32_t evens[] = {0, 2};
    static const uint32_t odds[] = {1, 3};
    static const uint32_t all[] = {0, 1, 2, 3};

    for (uint32_t rank = 0; rank < 4; rank++) {
        struct mw_definition_writer *writer = maker_definitions(&maker, rank, 4);
        bool even = rank % 2 == 0;
        struct mw_definition split = comm(2, even ? 100 : 101, world, MW_CALL_MPI_Comm_split, 1,
                                          rank / 2, even ? evens : odds, 2);
        struct mw_definition dup =
            comm(3, 200, uid_of(100), MW_CALL_MPI_Comm_dup, 1, rank / 2, evens, 2);
        struct mw_definition last =
            comm(even ? 4 : 3, 300, world, MW_CALL_MPI_Comm_dup, 2, rank, all, 4);

        define_world(writer, rank, 4);
        maker_define(writer, &split);
        if (even) {
            maker_define(writer, &dup);
        }
        maker_define(writer, &last);
        if (rank == 2) {
            define_name(writer, 3, MW_NAME_MPI, "first");
            define_name(writer, 3, MW_NAME_MPI, "second");
            define_name(writer, 4, MW_NAME_MPI, "plain");
            define_name(writer, 4, MW_NAME_REGISTERED, "registered");
        }
        if (rank == 3) {
            define_name(writer, 3, MW_NAME_MPI, "plain");
            define_name(writer, 3, MW_NAME_MPI, "too late");
        }
        mw_definition_writer_destroy(writer);
    }
}

static const uint32_t four[] = {0, 1, 2, 3};

/* The id of a rank's communicator. */
static uint32_t comm_of(uint32_t rank, uint32_t number)
{
    return mw_merged_comm_of(&merged.ranks[rank], number);
}

Test(merge, makes_one_communicator_of_what_its_members_tell)
{
    make_four();
    merge(four, 4, 4);
    cr_assert_eq(merged.comm_count, 6u); /* world, self, two halves, a dup of one, a dup */
    cr_assert_eq(comm_of(0, 2), comm_of(2, 2));
    cr_assert_eq(comm_of(1, 2), comm_of(3, 2));
    cr_assert_neq(comm_of(0, 2), comm_of(1, 2));
    cr_assert_eq(comm_of(0, 4), comm_of(1, 3));
    for (uint32_t id = 2; id < merged.comm_count; id++) {
        cr_assert_lt(merged.comms[id].parent, id, "parents come first");
        cr_assert_not(merged.comms[id].contradicted);
    }
    cr_assert_eq(merged.comms[comm_of(0, 3)].parent, comm_of(0, 2));
}

Test(merge, shares_groups_that_are_equal)
{
    make_four();
    merge(four, 4, 4);
    cr_assert_eq(merged.group_count, 3u); /* all, evens, odds */
    cr_assert_eq(merged.comms[comm_of(0, 4)].sides[0].group,
                 merged.comms[MW_COMM_WORLD].sides[0].group);
    cr_assert_eq(merged.comms[comm_of(0, 2)].sides[0].group,
                 merged.comms[comm_of(0, 3)].sides[0].group);
}

Test(merge, prefers_registered_names_to_set_ones_and_these_to_its_own)
{
    make_four();
    merge(four, 4, 4);
    cr_assert_str_eq(merged.comms[comm_of(0, 4)].name, "registered");
    cr_assert_str_eq(merged.comms[comm_of(0, 3)].name, "second");
    cr_assert_str_eq(merged.comms[comm_of(0, 2)].name, "MPI_COMM_WORLD/split#1.0");
    cr_assert_str_eq(merged.comms[comm_of(1, 2)].name, "MPI_COMM_WORLD/split#1.1");
    cr_assert_str_eq(merged.comms[comm_of(0, 3)].default_name,
                     "MPI_COMM_WORLD/split#1.0/dup#1");
    cr_assert_str_eq(merged.comms[comm_of(0, 4)].default_name,
                     "MPI_COMM_WORLD/dup#2");
    cr_assert_str_eq(merged.comms[MW_COMM_SELF].name, "MPI_COMM_SELF");
}

Test(merge, keeps_each_name_once_and_says_who_gave_it)
{
    make_four();
    merge(four, 4, 4);
    cr_assert_eq(merged.name_count, 5u); /* "plain" of rank 3 was known from rank 2 */
    cr_assert_str_eq(merged.names[4].name, "too late");
    cr_assert_eq(merged.names[4].rank, 3u);
}

Test(merge, knows_what_can_be_known_without_the_leader)
{
    const uint32_t survivors[] = {1, 3};

    make_four();
    merge(survivors, 2, 4);
    const struct mw_merged_comm *dup = &merged.comms[comm_of(1, 3)];

    cr_assert_eq(dup->sides[0].members.size, 4u);
    cr_assert_eq(dup->sides[0].members.known, 3u); /* 1 and 3 say so, 0 is the leader they name */
    cr_assert_eq(mw_members_at(&dup->sides[0].members, 2), MW_MERGED_NONE);
    cr_assert_eq(mw_members_at(&dup->sides[0].members, 0), 0u);
    cr_assert_not(dup->contradicted);
}

Test(merge, numbers_peers_of_an_inter_communicator_in_two_groups)
{
    static const uint32_t evens[] = {0, 2};
    static const uint32_t odds[] = {1, 3};

    for (uint32_t rank = 0; rank < 4; rank++) {
        struct mw_definition_writer *writer = maker_definitions(&maker, rank, 4);
        bool even = rank % 2 == 0;
        struct mw_definition inter =
            comm(2, 400, uid_of(even ? 100 : 101), MW_CALL_MPI_Intercomm_create, 1, rank / 2,
                 even ? evens : odds, 2);

        inter.of.comm.flags = MW_COMM_INTER;
        inter.of.comm.remote_size = 2;
        inter.of.comm.local_group = uid_of(even ? 7 : 8);
        inter.of.comm.remote_group = uid_of(even ? 8 : 7);
        maker_define(writer, &inter);
        mw_definition_writer_destroy(writer);
    }
    merge(four, 4, 4);
    cr_assert_eq(merged.comm_count, 3u);
    cr_assert_eq(merged.comms[2].side_count, 2u);
    for (uint32_t i = 0; i < 2; i++) {
        cr_assert_eq(mw_members_at(&merged.comms[2].sides[0].members, i), evens[i]);
        cr_assert_eq(mw_members_at(&merged.comms[2].sides[1].members, i), odds[i]);
    }
    cr_assert_not(merged.comms[2].contradicted);
    cr_assert(merged.comms[2].two_parents);
}

Test(merge, tells_when_processes_contradict_each_other)
{
    static const uint32_t pair[] = {0, 1};

    for (uint32_t rank = 0; rank < 2; rank++) {
        struct mw_definition_writer *writer = maker_definitions(&maker, rank, 2);
        struct mw_definition wrong =
            comm(2, 500, world, MW_CALL_MPI_Comm_dup, 1, 0, pair, 2); /* both are rank 0 */

        maker_define(writer, &wrong);
        mw_definition_writer_destroy(writer);
    }
    merge(four, 2, 2);
    cr_assert(merged.comms[2].contradicted);
}

static void define_sources(struct mw_definition_writer *writer, uint32_t number, uint32_t comm,
                           const uint32_t *ranks, uint32_t count)
{
    struct mw_definition definition = {
        .kind = MW_DEFINE_SOURCES,
        .of.sources = {.sources = number, .comm = comm, .count = count, .ranks = ranks},
    };

    maker_define(writer, &definition);
}

/* The world ranks of a rank's set, of which there are count. */
static const uint32_t *sources_of(uint32_t rank, uint32_t number, uint32_t count)
{
    static uint32_t ranks[16];
    uint32_t group = merged.ranks[rank].sources.groups[number];

    cr_assert_lt(group, merged.group_count);
    cr_assert_eq(merged.groups[group]->size, count);
    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = mw_members_at(merged.groups[group], i);
    }
    return ranks;
}

/*
 * Three ranks and a communicator of all in the opposite order, whose members rank 2 tells. Of it
 * rank 0 has the sets {0, 1}, ranks 2 and 1 of the world, and {}; rank 1 the same two of the world,
 * told by their ranks in it, one of a communicator that nobody defined, and one with a rank that
 * there is not.
 */
Test(merge, makes_sets_of_sources_groups_of_the_world)
{
    static const uint32_t backwards[] = {2, 1, 0};
    static const uint32_t first_two[] = {0, 1}, last_two[] = {1, 2}, beyond[] = {0, 3};

    for (uint32_t rank = 0; rank < 3; rank++) {
        struct mw_definition_writer *writer = maker_definitions(&maker, rank, 3);
        struct mw_definition split =
            comm(2, 100, world, MW_CALL_MPI_Comm_split, 1, 2 - rank, backwards, 3);

        define_world(writer, rank, 3);
        maker_define(writer, &split);
        if (rank == 0) {
            define_sources(writer, 0, 2, first_two, 2);
            define_sources(writer, 1, 2, NULL, 0);
        }
        if (rank == 1) {
            define_sources(writer, 0, MW_COMM_WORLD, last_two, 2);
            define_sources(writer, 1, 7, first_two, 2);
            define_sources(writer, 2, 2, beyond, 2);
        }
        maker_end(writer, 1000);
    }
    merge((const uint32_t[]){0, 1, 2}, 3, 3);
    cr_assert_eq(merged.ranks[0].sources.count, 2u);
    cr_assert_arr_eq(sources_of(0, 0, 2), last_two, sizeof last_two);
    sources_of(0, 1, 0);
    cr_assert_eq(merged.ranks[1].sources.count, 3u);
    cr_expect_eq(sources_of(1, 0, 2), sources_of(0, 0, 2), "equal ones are shared");
    cr_expect_eq(merged.ranks[1].sources.groups[1], MW_MERGED_NONE);
    cr_expect_eq(merged.ranks[1].sources.groups[2], MW_MERGED_NONE);
    cr_expect_eq(merged.ranks[2].sources.count, 0u);
    /* The world, the split, these two. */
    cr_expect_eq(merged.group_count, 4u);
}

/* What the members of a group are told as, and in which order. */
static void check_members(const uint32_t *told, const uint32_t *order, uint32_t size,
                          struct mw_members *members)
{
    bool agrees;

    *members = (struct mw_members){.size = size};
    for (uint32_t i = 0; i < size; i++) {
        cr_assert(mw_members_set(members, order[i], told[order[i]], &agrees));
        cr_assert(agrees);
        cr_assert_eq(mw_members_at(members, order[i]), told[order[i]]);
        if (told[order[i]] != MW_MEMBER_UNKNOWN) {
            cr_assert(mw_members_set(members, order[i], told[order[i]] + 1, &agrees));
            cr_assert_not(agrees, "somebody else is there");
        }
    }
    cr_assert(mw_members_settle(members));
    for (uint32_t i = 0; i < size; i++) {
        cr_assert_eq(mw_members_at(members, i), told[i]);
    }
}

Test(merge, has_the_same_members_in_whatever_order_they_come)
{
    enum { SIZE = 40, SHAPES = 6 };
    uint32_t told[SIZE], order[SIZE];
    struct mw_members one, other;

    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        for (uint32_t i = 0; i < SIZE; i++) {
            const uint32_t shapes[SHAPES] = {i,
                                             7 + 16 * i,
                                             SIZE - 1 - i,
                                             i / 10 * 100 + i % 10,
                                             i * i * 7919 % 1009,
                                             i % 9 == 4 ? MW_MEMBER_UNKNOWN : i};

            told[i] = shapes[shape];
            order[i] = i;
        }
        check_members(told, order, SIZE, &one);
        cr_assert_eq(one.list != NULL, shape == 4, "what has no runs is a list, shape %u", shape);
        for (uint32_t i = 0; i < SIZE; i++) {
            order[i] = i * 27 % SIZE; /* each once */
        }
        check_members(told, order, SIZE, &other);
        cr_assert(mw_members_equal(&one, &other), "shape %u", shape);
        cr_assert_eq(mw_members_hash(&one), mw_members_hash(&other), "shape %u", shape);
        other.size--;
        cr_assert_not(mw_members_equal(&one, &other));
        mw_members_fini(&one);
        mw_members_fini(&other);
    }
}
