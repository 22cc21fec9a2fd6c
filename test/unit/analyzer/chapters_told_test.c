#include "analyzer/analysis/chapters_told.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "test/unit/analyzer/travel.h"

/* Chapters that were found, and what of them gets to another process. */

#define LOCATIONS 3u
#define REGIONS   4u

static struct mwa_location locations[LOCATIONS];
static const struct mwa_site sites[REGIONS] = { { 0 }, { .region = 1 }, { .region = 2 },
                                                { .region = 3 } };
static struct mwa_region regions[REGIONS];
static const struct mwa_trace trace = { .locations = locations, .location_count = LOCATIONS,
                                        .sites = (struct mwa_site *)sites, .site_count = REGIONS,
                                        .regions = regions, .region_count = REGIONS };

static struct mwa_reading_start *make_start(uint64_t number)
{
    struct mwa_reading_start *start = calloc(1, sizeof *start);

    start->location_count = LOCATIONS;
    start->locations = calloc(LOCATIONS, sizeof *start->locations);
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        struct mwa_location_start *location = &start->locations[i];

        location->is_there = i != 1;
        location->events = 100 * number + i;
        location->mark = (struct mwa_record_mark){ .block = number, .place.offset = 8,
                                                   .place.big_endian = true, .last_time = 5 };
        location->first = (struct mwa_first_call){ .enter = 7, .leave = 9, .events = 4,
                                                   .all_meet = true, .comm = MWA_NONE };
        location->call_count = i;
        location->calls = calloc(i + 1, sizeof *location->calls);
        for (uint32_t k = 0; k < i; k++) {
            location->calls[k] = (struct mwa_open_call){ .repeat = 1, .region = i + k,
                                                         .site = i + k };
        }
        location->carried_count = i;
        location->carried = calloc(i + 1, sizeof *location->carried);
        for (uint32_t k = 0; k < i; k++) {
            location->carried[k] = (struct mwa_carried_request){
                .begin = k, .end = k + 50, .comm = MWA_NONE, .region = i, .site = MWA_NONE,
                .kind = MWA_IRECV_POST, .ended_by = MWA_CANCELLED
            };
        }
    }
    return start;
}

static struct mwa_chapters *make_chapters(uint32_t count)
{
    struct mwa_chapters *chapters = calloc(1, sizeof *chapters);

    chapters->count = count;
    chapters->starts = calloc(count, sizeof(struct mwa_reading_start *));
    for (uint32_t i = 0; i + 1 < count; i++) {
        chapters->starts[i] = make_start(i + 1);
    }
    return chapters;
}

static void expect_same(const struct mwa_reading_start *got, const struct mwa_reading_start *want)
{
    cr_assert_eq(got->location_count, want->location_count);
    for (uint32_t i = 0; i < LOCATIONS; i++) {
        const struct mwa_location_start *one = &got->locations[i], *other = &want->locations[i];

        cr_expect_eq(one->is_there, other->is_there);
        cr_expect_eq(one->events, other->events);
        cr_expect_eq(one->mark.block, other->mark.block);
        cr_expect_eq(one->mark.place.offset, other->mark.place.offset);
        cr_expect_eq(one->mark.place.big_endian, other->mark.place.big_endian);
        cr_expect_eq(one->mark.last_time, other->mark.last_time);
        cr_expect_eq(one->first.leave, other->first.leave);
        cr_expect_eq(one->first.all_meet, other->first.all_meet);
        cr_assert_eq(one->call_count, other->call_count);
        cr_expect_eq(memcmp(one->calls, other->calls, one->call_count * sizeof *one->calls), 0);
        cr_assert_eq(one->carried_count, other->carried_count);
        cr_expect_eq(memcmp(one->carried, other->carried,
                            one->carried_count * sizeof *one->carried),
                     0);
    }
}

Test(chapters_told, arrive_as_they_were_found)
{
    struct mwa_chapters *found = make_chapters(3);
    struct mwa_chapters *told = NULL;
    struct mw_buffer bytes = { 0 };
    struct mw_cursor from;

    mwa_chapters_pack(found, &bytes);
    from = (struct mw_cursor){ bytes.data, bytes.bytes };
    cr_assert_eq(mwa_chapters_unpack(&trace, &told, &from), MW_OK);
    cr_expect_eq(from.left, 0);
    cr_assert_eq(told->count, 3);
    expect_same(told->starts[0], found->starts[0]);
    expect_same(told->starts[1], found->starts[1]);
    mwa_chapters_free(told);
    mwa_chapters_free(found);
    mw_buffer_fini(&bytes);
}

Test(chapters_told, may_be_none)
{
    struct mwa_chapters *told = NULL;
    struct mw_buffer bytes = { 0 };
    struct mw_cursor from;

    mwa_chapters_pack(NULL, &bytes);
    from = (struct mw_cursor){ bytes.data, bytes.bytes };
    cr_expect_eq(mwa_chapters_unpack(&trace, &told, &from), MW_OK);
    cr_expect_null(told);
    mw_buffer_fini(&bytes);
}

static enum mw_status take(void *user, struct mw_cursor *from)
{
    struct mwa_chapters *told = NULL;
    enum mw_status status = mwa_chapters_unpack(&trace, &told, from);

    mwa_chapters_free(told);
    return status;
}

Test(chapters_told, are_refused_where_they_are_cut_short)
{
    struct mwa_chapters *found = make_chapters(3);
    struct mw_buffer bytes = { 0 };

    mwa_chapters_pack(found, &bytes);
    travel_try(&bytes, 4000, take, NULL);
    mwa_chapters_free(found);
    mw_buffer_fini(&bytes);
}

/* Whether told chapters whose first location that has calls has these are taken in. */
static enum mw_status tell(const struct mwa_trace *theirs, uint32_t region, uint32_t site,
                           uint32_t of_request)
{
    struct mwa_chapters *found = make_chapters(2);
    struct mwa_chapters *told = NULL;
    struct mw_buffer bytes = { 0 };
    struct mw_cursor from;
    enum mw_status status;

    found->starts[0]->locations[1].calls[0].region = region;
    found->starts[0]->locations[1].calls[0].site = site;
    found->starts[0]->locations[1].carried[0].region = of_request;
    mwa_chapters_pack(found, &bytes);
    from = (struct mw_cursor){ bytes.data, bytes.bytes };
    status = mwa_chapters_unpack(theirs, &told, &from);
    mwa_chapters_free(told);
    mwa_chapters_free(found);
    mw_buffer_fini(&bytes);
    return status;
}

Test(chapters_told, are_of_the_archive_that_was_opened)
{
    struct mwa_trace other = trace;

    cr_expect_eq(tell(&trace, 1, 1, MWA_NONE), MW_OK);
    cr_expect_eq(tell(&trace, 1, 2, MWA_NONE), MW_ERROR_FORMAT, "a site of another region");
    cr_expect_eq(tell(&trace, 4, 4, MWA_NONE), MW_ERROR_FORMAT, "there is no such region");
    cr_expect_eq(tell(&trace, 1, 1, 4), MW_ERROR_FORMAT, "nor for a request");
    other.location_count = LOCATIONS + 1;
    cr_expect_eq(tell(&other, 1, 1, MWA_NONE), MW_ERROR_FORMAT, "there is one location less");
    other.location_count = LOCATIONS - 1;
    cr_expect_eq(tell(&other, 1, 1, MWA_NONE), MW_ERROR_FORMAT, "there is one more");
}
