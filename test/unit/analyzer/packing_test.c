#include "analyzer/team/packing.h"

#include <criterion/criterion.h>
#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/pass.h"
#include "analyzer/analysis/results.h"
#include "analyzer/analysis/time/cells.h"
#include "analyzer/analysis/time/location_activity.h"

/*
 * What the archives of team_test.c have not: calls at several places, values of variables, words on
 * communicators, requests that are outstanding, files, wildcards, regions inside of each other, a
 * stream whose rank is another process's. A location says it, and what its total has packed another
 * total takes in.
 */

#define STEP 100u

static uint32_t mpi_regions[] = { 0 };
static struct mwa_region regions[] = {
    { .name = "MPI_Isend", .group = "p2p", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_Isend },
    { .name = "MPI_File_write", .kind = MWA_REGION_MPI, .call = MW_CALL_MPI_File_write },
    { .name = "solve", .kind = MWA_REGION_USER },
    { .name = "step", .kind = MWA_REGION_USER }
};
enum { SEND, WRITE, SOLVE, INNER };
static struct mwa_site sites[] = {
    { .file = "a.c", .function = "", .line = 1, .frame = MWA_NONE },
    { .file = "a.c", .function = "", .line = 2, .frame = MWA_NONE, .place = 1 }
};
static struct mwa_metric_member member = {
    .name = "queue", .unit = "#", .type = MW_METRIC_DOUBLE, .since_last = true
};
static uint32_t members[] = { 0 };
static struct mwa_metric metric = {
    .count = 1, .members = members, .bind = "NO_OBJECT", .effective = MW_CLASS_LEVEL
};
static char *strings[] = { "first", "second" };
static uint32_t world[] = { 0, 1 };
static struct mwa_group group = { .count = 2, .ranks = world };
static struct mwa_comm comm = { .name = "c", .remote_group = MWA_NONE, .parent = MWA_NONE };
static struct mwa_rank ranks[] = { { .locations = 1 }, { .locations = 2 } };
static struct mwa_location locations[] = { { .rank = 0, .master = true },
                                           { .rank = 1, .master = true },
                                           { .rank = 1, .kind = MWA_LOCATION_STREAM } };
static struct mwa_other_location stream = { .rank = 1, .location = 2 };
static uint32_t index_of_others[] = { MWA_NONE, MWA_NONE, 0 };
static const struct mwa_other_locations others = {
    .all = &stream, .count = 1, .index_of = index_of_others, .rows = 1
};

static struct mwa_trace trace = { .clock_resolution = 1000000000,
                                  .incomplete = true,
                                  .regions = regions,
                                  .region_count = 4,
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
                                  .location_count = 3 };

static const struct mwa_window window = { 0, 3 * STEP, 2 };

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
    struct mwa_call call = { .region = &regions[SEND], .repeat = 1, .outermost = true };
    struct mwa_moment moment = { .trace = &trace,
                                 .location = &locations[1],
                                 .event = &event,
                                 .call = &call,
                                 .mpi = &regions[SEND],
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

/* An event of a location, as long as nothing more of it matters. */
static struct mwa_moment of_location(struct mwa_event *event)
{
    return (struct mwa_moment){ .trace = &trace,
                                .location = &locations[event->location],
                                .event = event,
                                .window = &window,
                                .other_locations = &others,
                                .site = MWA_NONE };
}

typedef void (*teller)(const struct mwa_analysis *analysis, void *partial);

/* Adds what a location says to total. */
static void take(const struct mwa_analysis *analysis, teller tells, uint32_t location, void *total)
{
    void *partial = mwa_partial_create(analysis, &trace);

    cr_assert_not_null(partial);
    tells(analysis, partial);
    if (analysis->end) {
        cr_assert_eq(analysis->end(partial, &locations[location], 3 * STEP), MW_OK);
    }
    cr_assert_eq(mwa_partial_merge(analysis, total, partial), MW_OK);
    mwa_partial_destroy(analysis, partial);
}

/* Takes what a process has packed, as another does, and as little of it as may come. */
static void *take_packed(const struct mwa_analysis *analysis, const void *packing)
{
    const struct mwa_moment about = { .trace = &trace,
                                      .window = &window,
                                      .other_locations = &others };
    void *taken = mwa_partial_create(analysis, &trace);
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;

    mwa_partial_pack(analysis, packing, &packed);
    cr_assert_not(packed.failed);
    for (size_t bytes = 0; bytes < packed.bytes; bytes++) {
        void *cut = mwa_partial_create(analysis, &trace);

        from = (struct mw_cursor){ packed.data, bytes };
        cr_expect_eq(mwa_partial_unpack(analysis, cut, &about, &from), MW_ERROR_FORMAT,
                     "%zu of %zu bytes", bytes, packed.bytes);
        mwa_partial_destroy(analysis, cut);
    }
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_partial_unpack(analysis, taken, &about, &from), MW_OK);
    cr_expect_eq(from.left, 0);
    mw_buffer_fini(&packed);
    return taken;
}

/* What a process that has read the stream (own; null: nothing) makes of it and of what another
 * hands on, which has read rank 1's main thread (tells). */
static void hand_on_to(const struct mwa_analysis *analysis, teller own, teller tells, void *result)
{
    void *total = mwa_partial_create(analysis, &trace);
    void *packing = mwa_partial_create(analysis, &trace);
    void *taken;

    take(analysis, tells, 1, packing);
    taken = take_packed(analysis, packing);
    if (own) {
        take(analysis, own, 2, total);
    }
    cr_assert_eq(mwa_partial_merge(analysis, total, taken), MW_OK);
    cr_assert_eq(analysis->finish(total, result), MW_OK);
    mwa_partial_destroy(analysis, taken);
    mwa_partial_destroy(analysis, packing);
    mwa_partial_destroy(analysis, total);
}

static void hand_on(const struct mwa_analysis *analysis, void *result)
{
    hand_on_to(analysis, NULL, tell, result);
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
    cr_assert_eq(tracks.list[0].course_count, 1);
    cr_expect_eq(tracks.list[0].courses[0].high, 3);
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

Test(packing, hands_on_the_highest_values)
{
    struct mwa_peaks peaks;

    hand_on(&mwa_peaks_analysis, &peaks);
    cr_expect(peaks.list[0].has_samples);
    cr_expect_eq(peaks.list[0].value, 3);
    cr_expect_eq(peaks.list[0].rank, 1);
    mwa_peaks_fini(&peaks);
}

/* That threads ran is not known of a part of the run. */
static void tell_part(const struct mwa_analysis *analysis, void *partial)
{
    struct mwa_event event = { .kind = MWA_MEASUREMENT, .location = 1, .of.on = true };
    struct mwa_moment moment = of_location(&event);

    moment.is_cut = true;
    offer(analysis, partial, &moment);
}

Test(packing, hands_on_that_only_a_part_is_read)
{
    struct mwa_profile profile;

    trace.metrics.has_running = true;
    hand_on(&mwa_profile_analysis, &profile);
    cr_expect(profile.ranks[1].running.is_known);
    mwa_profile_fini(&profile);
    hand_on_to(&mwa_profile_analysis, NULL, tell_part, &profile);
    cr_expect_not(profile.ranks[1].running.is_known);
    mwa_profile_fini(&profile);
}

/* Requests that a thread ends and another has begun. */
static void tell_beginnings(const struct mwa_analysis *analysis, void *partial)
{
    struct mwa_event event = { .kind = MWA_IRECV_POST, .location = 2, .request = 4 };
    struct mwa_moment moment = of_location(&event);

    offer(analysis, partial, &moment);
}

static void tell_ends(const struct mwa_analysis *analysis, void *partial)
{
    struct mwa_event event = { .kind = MWA_IRECV, .location = 1, .request = 4 };
    struct mwa_moment moment = of_location(&event);

    offer(analysis, partial, &moment);
    event.kind = MWA_COLLECTIVE_POST;
    event.request = 5;
    moment.mpi = &regions[SEND];
    moment.site = 1;
    offer(analysis, partial, &moment);
}

Test(packing, hands_on_requests_that_another_thread_has_begun)
{
    struct mwa_unfinished unfinished;

    hand_on_to(&mwa_unfinished_analysis, tell_beginnings, tell_ends, &unfinished);
    cr_expect_eq(unfinished.count, 1);
    cr_expect_eq(unfinished.rank, 1);
    cr_expect_eq(unfinished.site, 1);
}

static void tell_wildcards(const struct mwa_analysis *analysis, void *partial)
{
    struct mwa_event event = { .kind = MWA_RECV,
                               .location = 1,
                               .of.message = { .comm = 0, .wildcards = MW_WILDCARD_TAG } };
    struct mwa_event probe = { .kind = MWA_ENTER, .location = 1 };
    struct mwa_moment moment = of_location(&event);

    offer(analysis, partial, &moment);
    moment = of_location(&probe);
    for (uint16_t wildcards = 0; wildcards <= (MW_WILDCARD_SOURCE | MW_WILDCARD_TAG);
         wildcards++) {
        probe.of.call.found = (struct mwa_found_data){ .is_told = 1, .wildcards = wildcards };
        offer(analysis, partial, &moment);
    }
}

Test(packing, hands_on_wildcards)
{
    struct mwa_wildcards wildcards;

    hand_on_to(&mwa_wildcards_analysis, NULL, tell_wildcards, &wildcards);
    cr_expect_eq(wildcards.total.receives, 1);
    cr_expect_eq(wildcards.total.any_tag, 1);
    cr_expect_eq(wildcards.ranks[1].any_tag, 1);
    cr_expect_eq(wildcards.comms[0].any, 1);
    cr_expect_eq(wildcards.total.any_source, 0, "of receives");
    cr_expect_eq(wildcards.total.probes, 2);
    cr_expect_eq(wildcards.ranks[1].probes, 2);
    cr_expect_eq(wildcards.comms[0].probes, 0);
    mwa_wildcards_fini(&wildcards);
}

static void tell_what_is_done_together(const struct mwa_analysis *analysis, void *partial)
{
    struct mwa_event event = { .kind = MWA_COLLECTIVE_END, .location = 1 };
    struct mwa_moment moment = of_location(&event);

    offer(analysis, partial, &moment);
    event.kind = MWA_ONESIDED;
    event.of.onesided = (struct mwa_onesided_data){
        .step = MWA_STEP_LOCK, .comm = 0, .window = 6, .target = 0, .exclusive = true
    };
    offer(analysis, partial, &moment);
}

Test(packing, hands_on_collectives_and_locks)
{
    struct mwa_hang_states states;

    hand_on_to(&mwa_hang_states_analysis, NULL, tell_what_is_done_together, &states);
    cr_expect_eq(mwa_hang_count(&states, 1, MWA_HANG_COLLECTIVES, 0), 1);
    cr_expect_eq(mwa_hang_steps(&states, MWA_HANG_LOCKS, 6, 1, 0), 1);
    mwa_hang_states_fini(&states);
}

static void tell_file(const struct mwa_analysis *analysis, void *partial)
{
    struct mwa_event event = { .kind = MWA_OBJECT, .location = 1, .object = 9 };
    const struct mwa_call call = { .region = &regions[WRITE],
                                   .repeat = 1,
                                   .inclusive = 40,
                                   .outermost = true };
    struct mwa_moment moment = of_location(&event);

    offer(analysis, partial, &moment);
    event.kind = MWA_LEAVE;
    moment.call = &call;
    offer(analysis, partial, &moment);
}

Test(packing, hands_on_times_of_files)
{
    struct mwa_file_times times;

    trace.metrics.object_count = 10;
    hand_on_to(&mwa_file_times_analysis, NULL, tell_file, &times);
    cr_assert_eq(times.count, 1);
    cr_expect_eq(times.rows[0].object, 9);
    cr_expect_eq(times.rows[0].time_ns, 40);
    mwa_file_times_fini(&times);
}

/* Two windows are made at one place, and one of them is freed at another. */
static void tell_windows(const struct mwa_analysis *analysis, void *partial)
{
    static const struct {
        uint32_t operation;
        uint32_t window;
    } steps[] = { { OTF2_COLLECTIVE_OP_CREATE_HANDLE, 7 },
                  { OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE, 8 },
                  { OTF2_COLLECTIVE_OP_DESTROY_HANDLE, 7 },
                  { OTF2_COLLECTIVE_OP_DESTROY_HANDLE, 6 } };

    for (uint32_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct mwa_event event = { .kind = MWA_WINDOW_COLLECTIVE,
                                   .location = 1,
                                   .of.collective = { .operation = steps[i].operation,
                                                      .root = steps[i].window } };
        const struct mwa_call call = { .region = &regions[SEND],
                                       .site = i < 2,
                                       .repeat = 1,
                                       .inclusive = 10 * (i + 1),
                                       .outermost = true };
        struct mwa_moment moment = of_location(&event);

        offer(analysis, partial, &moment);
        event.kind = MWA_LEAVE;
        moment.call = &call;
        offer(analysis, partial, &moment);
    }
}

Test(packing, hands_on_windows_that_are_made_and_freed)
{
    struct mwa_remade remade;

    hand_on_to(&mwa_remade_analysis, NULL, tell_windows, &remade);
    cr_assert_eq(remade.count, 1);
    cr_expect_eq(remade.rows[0].place, 1);
    cr_expect_eq(remade.rows[0].freed, 0);
    cr_expect_eq(remade.rows[0].kind, MWA_REMADE_WINDOWS);
    cr_expect_eq(remade.rows[0].made, 2);
    cr_expect_eq(remade.rows[0].at_once, 2);
    cr_expect_eq(remade.rows[0].make_ns, 30);
    cr_expect_eq(remade.rows[0].free_ns, 30);
    mwa_remade_fini(&remade);
}

/* A call in a region of the program, and one in a region inside of that. */
static void tell_paths(const struct mwa_analysis *analysis, void *partial)
{
    struct mwa_event event = { .location = 1 };
    const struct mwa_call call = { .region = &regions[SEND],
                                   .repeat = 1,
                                   .inclusive = 10,
                                   .exclusive = 10,
                                   .outermost = true };
    struct mwa_moment moment = of_location(&event);

    for (uint32_t region = SOLVE; region <= INNER; region++) {
        event.kind = MWA_ENTER;
        event.of.call.region = region;
        moment.call = NULL;
        offer(analysis, partial, &moment);
        event.kind = MWA_LEAVE;
        event.of.call.region = SEND;
        moment.call = &call;
        offer(analysis, partial, &moment);
    }
}

Test(packing, hands_on_what_regions_calls_are_in)
{
    struct mwa_path_profile profile;

    hand_on_to(&mwa_paths_analysis, NULL, tell_paths, &profile);
    cr_assert_eq(profile.count, 2);
    cr_expect_eq(profile.rows[0].path->region, &regions[SOLVE]);
    cr_expect_null(profile.rows[0].path->outer);
    cr_expect_eq(profile.rows[1].path->region, &regions[INNER]);
    cr_expect_eq(profile.rows[1].path->outer, profile.rows[0].path);
    cr_expect_eq(profile.rows[1].time_ns, 10);
    mwa_path_profile_fini(&profile);
}

/* A stream that is busy for a moment, and the main thread that says how long its rank ran. */
static void tell_stream(const struct mwa_analysis *analysis, void *partial)
{
    struct mwa_event event = { .kind = MWA_COPY, .location = 2, .time = 2 * STEP, .of.on = true };
    struct mwa_moment moment = of_location(&event);

    offer(analysis, partial, &moment);
}

static void tell_main(const struct mwa_analysis *analysis, void *partial)
{
    struct mwa_event event = { .kind = MWA_MEASUREMENT, .location = 1, .of.on = true };
    struct mwa_moment moment = of_location(&event);

    offer(analysis, partial, &moment);
}

Test(packing, hands_on_how_long_the_rank_of_a_stream_ran)
{
    struct mwa_location_profile profile;
    struct mwa_location_states states;

    hand_on_to(&mwa_location_profile_analysis, tell_stream, tell_main, &profile);
    cr_expect_eq(profile.times[0].ns[MWA_LOCATION_TRANSFER], STEP);
    cr_expect_eq(profile.times[0].ns[MWA_LOCATION_IDLE], 2 * STEP);
    mwa_location_profile_fini(&profile);
    hand_on_to(&mwa_location_states_analysis, tell_stream, tell_main, &states);
    cr_expect_eq(mwa_location_states_at(&states, 0, 0)[MWA_LOCATION_IDLE], 3 * STEP / 2);
    cr_expect_eq(mwa_location_states_at(&states, 0, 1)[MWA_LOCATION_IDLE], STEP / 2);
    mwa_location_states_fini(&states);
}

/* Of more ticks in a cell than 32 bits have. */
Test(packing, hands_on_both_halves_of_cells)
{
    struct mwa_cells cells = { 0 };
    struct mwa_cells taken = { 0 };
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;

    cr_assert_eq(mwa_cells_add(&cells, 3, 0x500000007), MW_OK);
    mwa_cells_pack(&cells, &packed);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(mwa_cells_unpack(&taken, &from), MW_OK);
    cr_expect_eq(mwa_cells_at(&taken, 3), 0x500000007);
    mw_buffer_fini(&packed);
    mwa_cells_fini(&cells);
    mwa_cells_fini(&taken);
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
