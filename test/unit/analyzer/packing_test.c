#include "analyzer/analysis/packing.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/pass.h"
#include "analyzer/analysis/results.h"

/*
 * What the archives of team_test.c have not: calls at several places, values of variables, words on
 * communicators, requests that are outstanding. A location says it, and what its total has packed
 * another total takes in.
 */

#define STEP 100u

static uint32_t mpi_regions[] = { 0 };
static struct mwa_region region = {
    .name = "MPI_Isend", .group = "p2p", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Isend
};
static struct mwa_site sites[] = {
    { .file = "a.c", .function = "", .line = 1, .frame = MWA_NONE },
    { .file = "a.c", .function = "", .line = 2, .frame = MWA_NONE, .place = 1 }
};
static struct mwa_metric_member member = { .name = "queue", .unit = "#" };
static uint32_t members[] = { 0 };
static struct mwa_metric metric = { .count = 1, .members = members, .bind = "NO_OBJECT" };
static char *strings[] = { "first", "second" };
static uint32_t world[] = { 0, 1 };
static struct mwa_group group = { .count = 2, .ranks = world };
static struct mwa_comm comm = { .name = "c", .remote_group = MWA_NONE, .parent = MWA_NONE };
static struct mwa_rank ranks[2];
static struct mwa_location locations[] = { { .rank = 0, .master = true },
                                           { .rank = 1, .master = true } };

static struct mwa_trace trace = { .clock_resolution = 1000000000,
                                  .incomplete = true,
                                  .regions = &region,
                                  .region_count = 1,
                                  .mpi_regions = mpi_regions,
                                  .mpi_region_count = 1,
                                  .has_sites = true,
                                  .sites = sites,
                                  .site_count = 2,
                                  .metrics = { .members = &member,
                                               .member_count = 1,
                                               .list = &metric,
                                               .count = 1 },
                                  .strings = strings,
                                  .string_count = 2,
                                  .groups = &group,
                                  .group_count = 1,
                                  .comms = &comm,
                                  .comm_count = 1,
                                  .ranks = ranks,
                                  .rank_count = 2,
                                  .locations = locations,
                                  .location_count = 2 };

static void offer(const struct mwa_analysis *analysis, void *partial,
                  const struct mwa_moment *moment)
{
    if (analysis->kinds & MWA_KIND(moment->event->kind)) {
        cr_assert_eq(analysis->event(partial, moment), MW_OK);
    }
}

/* Rank 1, which calls MPI_Isend twice, 30 ticks at the first place and 70 at the second. */
static void tell(const struct mwa_analysis *analysis, void *partial)
{
    const uint64_t values[] = { 0x4008000000000000 };
    struct mwa_event event = { .kind = MWA_LEAVE, .location = 1, .time = STEP };
    struct mwa_call call = { .region = &region, .repeat = 1, .outermost = true };
    struct mwa_moment moment = { .trace = &trace,
                                 .location = &locations[1],
                                 .event = &event,
                                 .call = &call,
                                 .mpi = &region,
                                 .mpi_depth = 1 };

    for (uint32_t site = 0; site < 2; site++) {
        moment.site = site;
        call.site = site;
        call.exclusive = call.inclusive = site == 0 ? 30 : 70;
        call.leave = event.time = STEP * (site + 1);
        call.enter = call.leave - call.inclusive;
        offer(analysis, partial, &moment);
    }
    moment.call = NULL;
    event.kind = MWA_METRIC;
    event.of.metric = (struct mwa_metric_data){
        .comm = MWA_NONE, .object = MWA_NONE, .count = 1, .values = values
    };
    offer(analysis, partial, &moment);
    event.kind = MWA_MEASUREMENT;
    event.of.on = false;
    offer(analysis, partial, &moment);
    event.kind = MWA_REGISTERED;
    event.of.mark = (struct mwa_mark_data){ .comm = 0, .text = strings[1] };
    offer(analysis, partial, &moment);
    event.kind = MWA_UNREGISTERED;
    event.time += 5;
    offer(analysis, partial, &moment);
    event.kind = MWA_ISEND;
    event.request = 17;
    event.of.message = (struct mwa_message_data){ .comm = 0, .peer = 0, .tag = 3, .bytes = 8 };
    offer(analysis, partial, &moment);
}

/* Finishes what a process hands on that has read rank 1, as another takes it. */
static void hand_on(const struct mwa_analysis *analysis, void *result)
{
    const struct mwa_moment about = { .trace = &trace };
    void *all[4];
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;

    for (unsigned i = 0; i < 4; i++) {
        all[i] = mwa_partial_create(analysis, &trace);
        cr_assert_not_null(all[i]);
    }
    tell(analysis, all[0]);
    if (analysis->end) {
        cr_assert_eq(analysis->end(all[0], &locations[1], 3 * STEP), MW_OK);
    }
    cr_assert_eq(analysis->merge(all[1], all[0]), MW_OK);
    analysis->pack(all[1], &packed);
    cr_assert_not(packed.failed);
    for (size_t bytes = 0; bytes < packed.bytes; bytes++) {
        void *cut = mwa_partial_create(analysis, &trace);

        from = (struct mw_cursor){ packed.data, bytes };
        cr_expect_eq(analysis->unpack(cut, &about, &from), MW_ERROR_FORMAT, "%zu of %zu bytes",
                     bytes, packed.bytes);
        mwa_partial_destroy(analysis, cut);
    }
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(analysis->unpack(all[2], &about, &from), MW_OK);
    cr_expect_eq(from.left, 0);
    mw_buffer_fini(&packed);
    cr_assert_eq(analysis->merge(all[3], all[2]), MW_OK);
    for (unsigned i = 0; i < 3; i++) {
        mwa_partial_destroy(analysis, all[i]);
    }
    cr_assert_eq(analysis->finish(all[3], result), MW_OK);
    mwa_partial_destroy(analysis, all[3]);
}

Test(packing, hands_on_calls_by_place)
{
    struct mwa_site_profile profile;

    hand_on(&mwa_sites_analysis, &profile);
    cr_assert_eq(profile.place_count, 2);
    cr_expect_eq(profile.places[0].sum.site, 1);
    cr_expect_eq(profile.places[0].sum.time_ns, 70);
    cr_expect_eq(profile.places[1].sum.time_ns, 30);
    mwa_site_profile_fini(&profile);
}

Test(packing, hands_on_time_and_bytes_of_ranks)
{
    struct mwa_profile profile;

    hand_on(&mwa_profile_analysis, &profile);
    cr_assert_eq(profile.call_count, 1);
    cr_expect_eq(profile.calls[0].count, 2);
    cr_expect_eq(profile.calls[0].min_ns, 30);
    cr_expect_eq(profile.calls[0].rank_max_ns, 100);
    cr_expect_eq(profile.calls[0].rank_max, 1);
    cr_expect_not(profile.ranks[0].has_events);
    cr_expect_eq(profile.ranks[1].mpi_ns, 100);
    cr_expect_eq(profile.first_ticks, STEP);
    cr_expect_eq(profile.last_ticks, 3 * STEP);
    mwa_profile_fini(&profile);
}

Test(packing, hands_on_values_of_variables_and_gaps)
{
    struct mwa_tracks tracks;

    hand_on(&mwa_tracks_analysis, &tracks);
    cr_assert_eq(tracks.count, 1);
    cr_expect_str_eq(tracks.list[0].name, "queue");
    cr_assert_eq(tracks.list[0].count, 1);
    cr_expect_eq(tracks.list[0].rank, 1);
    cr_expect_eq(tracks.list[0].samples[0].bits, 0x4008000000000000);
    cr_expect_eq(tracks.list[0].samples[0].time, 2 * STEP);
    cr_assert_eq(tracks.gap_count, 1);
    cr_expect_eq(tracks.gaps[0].from, 2 * STEP);
    mwa_tracks_fini(&tracks);
}

Test(packing, hands_on_words_on_communicators)
{
    struct mwa_comms comms = { 0 };

    hand_on(&mwa_comms_analysis, &comms);
    cr_expect_eq(comms.mpi_ns, 100);
    cr_assert_eq(comms.registration_count, 1);
    cr_expect_eq(comms.registrations[0].name, strings[1]);
    cr_expect_eq(comms.registrations[0].rank, 1);
    cr_expect_eq(comms.registrations[0].to_ns - comms.registrations[0].from_ns, 5);
    cr_expect_eq(comms.rows[0].messages, 1);
    mwa_comms_fini(&comms);
}

Test(packing, hands_on_what_is_outstanding)
{
    struct mwa_hang_states states;

    hand_on(&mwa_hang_states_analysis, &states);
    cr_assert_eq(states.request_count, 1);
    cr_expect_eq(states.requests[0].id, 17);
    cr_expect_eq(states.requests[0].rank, 1);
    cr_expect(mwa_hang_is_there(&states.requests[0]));
    cr_assert_eq(states.message_count, 1);
    cr_expect_eq(states.messages[0].to, 0);
    cr_expect_eq(states.messages[0].tag, 3);
    cr_expect_eq(states.messages[0].count, 1);
    cr_expect_eq(states.ranks[0].where, MWA_HANG_UNKNOWN);
    cr_expect_eq(states.ranks[1].where, MWA_HANG_OUTSIDE);
    mwa_hang_states_fini(&states);
}

/* Bytes of nothing, too few, and a count that promises more than there is. */
Test(packing, believes_no_bytes_that_are_cut_short)
{
    uint64_t count = 1;
    uint32_t *elements = NULL;
    struct mw_buffer packed = { 0 };
    struct mw_cursor from = { NULL, 0 };

    cr_expect_eq(mwa_unpack_array(&from, &elements, &count, 4), MW_ERROR_FORMAT);
    cr_expect_eq(count, 0);
    mwa_pack_array(&packed, (const uint32_t[]){ 1, 2, 3 }, 3, 4);
    from = (struct mw_cursor){ packed.data, packed.bytes - 1 };
    cr_expect_eq(mwa_unpack_array(&from, &elements, &count, 4), MW_ERROR_FORMAT);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_expect_eq(mwa_unpack_array(&from, &elements, &count, 4), MW_OK);
    cr_expect_eq(count, 3);
    cr_expect_eq(elements[2], 3);
    cr_expect_eq(from.left, 0);
    free(elements);
    memset(packed.data, 0xff, 8);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_expect_eq(mwa_unpack_array(&from, &elements, &count, 4), MW_ERROR_FORMAT);
    mw_buffer_fini(&packed);
}
