/* Rows that a partial result has by a key: added, merged, and handed on to another process. */
#include "analyzer/analysis/keyed_rows.h"

#include <stdlib.h>

#include <criterion/criterion.h>

#include "analyzer/analysis/analysis.h"
#include "analyzer/analysis/comms/comm_activity.h"
#include "analyzer/analysis/messages/wildcards.h"
#include "analyzer/analysis/time/site_profile.h"
#include "analyzer/team/packing.h"

struct row {
    uint32_t region;
    uint64_t count;
};

struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index;
    struct row *list;
};

static struct mwa_key key_of(const void *row)
{
    return (struct mwa_key){ ((const struct row *)row)->region, 0 };
}

static void add(void *to, const void *row)
{
    ((struct row *)to)->count += ((const struct row *)row)->count;
}

static bool is_known(const struct mwa_trace *trace, const void *row)
{
    return ((const struct row *)row)->region < trace->region_count;
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(list),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

static const struct mwa_analysis analysis = { .size = sizeof(struct partial), .rows = &rows };
static const struct mwa_trace trace = { .region_count = 8 };
static const struct mwa_moment about = { .trace = &trace };

static struct partial *partial_of(uint32_t from, uint32_t to)
{
    struct partial *partial = mwa_partial_create(&analysis, &trace);

    cr_assert_not_null(partial);
    for (uint32_t region = from; region < to; region++) {
        cr_assert_eq(mwa_rows_add(&rows, partial, &(struct row){ region, region + 1 }), MW_OK);
    }
    return partial;
}

Test(keyed_rows, are_summed_up_by_their_keys)
{
    struct partial *one = partial_of(0, 5);
    struct partial *other = partial_of(3, 8);
    struct row *copy;

    cr_assert_eq(mwa_partial_merge(&analysis, one, other), MW_OK);
    cr_assert_eq(one->index.count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        cr_expect_eq(one->list[i].region, i);
        cr_expect_eq(one->list[i].count, i == 3 || i == 4 ? 2 * (i + 1) : i + 1);
    }
    cr_expect_eq(other->list[0].count, 4); /* as it was */
    copy = mwa_rows_copy(&rows, one);
    mwa_partial_destroy(&analysis, one);
    cr_expect_eq(copy[4].count, 10);
    free(copy);
    mwa_partial_destroy(&analysis, other);
}

Test(keyed_rows, may_be_none)
{
    struct partial *none = partial_of(0, 0);
    struct partial *taken = partial_of(0, 0);
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;
    void *copy = mwa_rows_copy(&rows, none);

    mwa_partial_pack(&analysis, none, &packed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_partial_unpack(&analysis, taken, &about, &from), MW_OK);
    cr_assert_eq(mwa_partial_merge(&analysis, none, taken), MW_OK);
    cr_expect_eq(none->index.count, 0);
    cr_expect_not_null(copy);
    free(copy);
    mw_buffer_fini(&packed);
    mwa_partial_destroy(&analysis, taken);
    mwa_partial_destroy(&analysis, none);
}

/* Another process has rows of regions 0 to count - 1, of which this archive has eight. */
Test(keyed_rows, of_what_is_not_there_are_refused)
{
    for (uint32_t count = 8; count <= 9; count++) {
        struct partial *theirs = partial_of(0, count);
        struct partial *taken = partial_of(0, 0);
        struct mw_buffer packed = { 0 };
        struct mw_cursor from;

        cr_expect(mwa_partial_may_travel(&analysis));
        mwa_partial_pack(&analysis, theirs, &packed);
        from = (struct mw_cursor){ packed.data, packed.bytes };
        cr_expect_eq(mwa_partial_unpack(&analysis, taken, &about, &from),
                     count == 8 ? MW_OK : MW_ERROR_FORMAT, "%u regions", count);
        cr_expect_eq(from.left, 0);
        mw_buffer_fini(&packed);
        mwa_partial_destroy(&analysis, taken);
        mwa_partial_destroy(&analysis, theirs);
    }
}

/* --- of analyses ------------------------------------------------------------------------------ */

/* A run of two ranks with three communicators and sites, in bins of which there are four. */
#define BINS 4u
static const struct mwa_window window = { .to = 100, .bins = BINS };
static const struct mwa_trace small = { .rank_count = 2, .comm_count = 3, .site_count = 3 };
static const struct mwa_moment of_small = { .trace = &small, .window = &window };

/* What is said of one row that another process has sent, and nothing but zeros behind it. */
static enum mw_status taken(const struct mwa_analysis *by, const void *row, size_t bytes)
{
    static const char zeros[256];
    void *partial = mwa_partial_create(by, &small);
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;
    enum mw_status status;

    mwa_pack_array(&packed, row, 1, bytes);
    mw_buffer_append(&packed, zeros, sizeof zeros);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    status = mwa_partial_unpack(by, partial, &of_small, &from);
    mw_buffer_fini(&packed);
    mwa_partial_destroy(by, partial);
    return status;
}

static enum mw_status taken_cell(uint32_t comm, uint32_t bin)
{
    const struct mwa_comm_cell cell = { .comm = comm, .bin = bin };

    return taken(&mwa_comm_activity_analysis, &cell, sizeof cell);
}

Test(keyed_rows, of_bins_that_are_not_there_are_refused)
{
    cr_expect_eq(taken_cell(2, BINS - 1), MW_OK);
    cr_expect_eq(taken_cell(2, BINS), MW_ERROR_FORMAT);
    cr_expect_eq(taken_cell(3, 0), MW_ERROR_FORMAT);
}

static enum mw_status taken_site(uint32_t site, uint32_t place)
{
    const struct mwa_site_row row = { .site = site, .place = place };

    return taken(&mwa_sites_analysis, &row, sizeof row);
}

Test(keyed_rows, of_places_that_are_not_there_are_refused)
{
    cr_expect_eq(taken_site(2, 2), MW_OK);
    cr_expect_eq(taken_site(2, 3), MW_ERROR_FORMAT);
    cr_expect_eq(taken_site(3, 2), MW_ERROR_FORMAT);
}

static enum mw_status taken_wildcards(uint32_t on_comm, uint32_t index)
{
    const struct {
        uint32_t on_comm;
        uint32_t index;
        struct mwa_wildcard_count count;
    } row = { .on_comm = on_comm, .index = index };

    return taken(&mwa_wildcards_analysis, &row, sizeof row);
}

Test(keyed_rows, of_receives_by_nobody_are_refused)
{
    cr_expect_eq(taken_wildcards(0, 1), MW_OK);
    cr_expect_eq(taken_wildcards(0, 2), MW_ERROR_FORMAT);
    cr_expect_eq(taken_wildcards(1, 2), MW_OK);
    cr_expect_eq(taken_wildcards(1, 3), MW_ERROR_FORMAT);
}
