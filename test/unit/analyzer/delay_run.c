#include "test/unit/analyzer/delay_run.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#define MPI      12u /* of the regions, the first */
#define ALL_CALL (MPI - 1)
#define OFFSET   5000u

/* xorshift64* (Vigna). */
static uint64_t any(struct delay_run *run, uint64_t count)
{
    run->random ^= run->random >> 12;
    run->random ^= run->random << 25;
    run->random ^= run->random >> 27;
    return (run->random * UINT64_C(0x2545f4914f6cdd1d) >> 20) % count;
}

static uint64_t ticks(struct delay_run *run, uint64_t most)
{
    return any(run, most / run->shape.unit + 1) * run->shape.unit;
}

static void *own(struct delay_run *run, size_t size)
{
    cr_assert(
        mwa_grow(&run->owned, &run->owned_capacity, run->owned_count + 1, sizeof *run->owned));
    run->owned[run->owned_count] = calloc(1, size);
    cr_assert_not_null(run->owned[run->owned_count]);
    return run->owned[run->owned_count++];
}

static struct delay_step *add(struct delay_run *run, enum delay_step_kind kind)
{
    struct delay_step *step;

    cr_assert(mwa_grow(&run->steps, &run->step_capacity, run->step_count + 1, sizeof *run->steps));
    step = &run->steps[run->step_count++];
    step->kind = kind;
    return step;
}

static void pass(struct delay_run *run, uint32_t rank, enum mwa_waypoint_kind kind, uint32_t region,
                 uint64_t useful)
{
    struct delay_step *step = add(run, STEP_WAYPOINT);

    step->location = rank;
    step->waypoint = (struct mwa_waypoint){ kind, region, run->places[rank].now, useful };
}

/* A rank computes, and enters or leaves regions. */
static void compute(struct delay_run *run, uint32_t rank)
{
    struct delay_place *place = &run->places[rank];

    place->now += ticks(run, 2000);
    if (any(run, 3) == 0 && place->depth < DELAY_OPEN) {
        const uint32_t region = MPI + (uint32_t)any(run, run->shape.regions - MPI);

        pass(run, rank, MWA_WAYPOINT_ENTER, region, 0);
        place->open[place->depth++] = (struct delay_region){ region, place->now };
        place->now += ticks(run, 1000);
    }
    if (any(run, 3) == 0 && place->depth > 0) {
        pass(run, rank, MWA_WAYPOINT_LEAVE, MWA_NONE, 0);
        place->depth--;
        place->now += ticks(run, 1000);
    }
}

static struct mwa_exchange_call *enter(struct delay_run *run, uint32_t rank, uint32_t region)
{
    struct mwa_exchange_call *call = own(run, sizeof *call);

    *call = (struct mwa_exchange_call){ .region = &run->regions[region],
                                        .site = (uint32_t)any(run, DELAY_SITES),
                                        .location = rank,
                                        .rank = rank,
                                        .enter = run->places[rank].now };
    add(run, STEP_BEGIN)->call = call;
    return call;
}

static void leave(struct delay_run *run, struct mwa_exchange_call *call, uint64_t time)
{
    call->leave = time;
    run->places[call->rank].now = time;
    if (any(run, 6) == 0) {
        pass(run, call->rank, MWA_WAYPOINT_USEFUL, MWA_NONE, ticks(run, call->leave - call->enter));
    }
    add(run, STEP_END)->call = call;
}

/* one waited for other to be entered, if it had to. */
static void wait_for(struct delay_run *run, const struct mwa_exchange_call *one,
                     const struct mwa_exchange_call *other, bool grouped)
{
    const uint64_t wait = other->enter - one->enter;

    if (other->enter > one->enter) {
        add(run, STEP_WAIT)->wait =
            (struct mwa_delay_wait){ .time = one->enter,
                                     .wait = wait,
                                     .selected = any(run, 4) ? wait : any(run, wait + 1),
                                     .rank = one->rank,
                                     .location = one->location,
                                     .cause = other->rank,
                                     .cause_site = other->site,
                                     .call = one->region,
                                     .grouped = grouped };
    }
}

/* Two ranks exchange a message: who comes first waits, the sender now and then. */
static void exchange(struct delay_run *run, uint32_t one, uint32_t other)
{
    struct mwa_exchange_call *send = enter(run, one, (uint32_t)any(run, 3));
    struct mwa_exchange_call *receive = enter(run, other, 3 + (uint32_t)any(run, 3));
    const bool is_synchronous = any(run, 2) == 0;
    uint64_t both = send->enter > receive->enter ? send->enter : receive->enter;

    leave(run, send, (is_synchronous ? both : send->enter) + ticks(run, 100));
    leave(run, receive, both + ticks(run, 100));
    wait_for(run, receive, send, false);
    if (is_synchronous) {
        wait_for(run, send, receive, false);
    }
}

static void meet(struct delay_run *run, uint32_t comm, const uint32_t *ranks, uint32_t count)
{
    struct mwa_collective *collective = own(run, sizeof *collective);
    const uint32_t region = count < run->shape.ranks ? 6 + (uint32_t)any(run, 3) : ALL_CALL;
    struct mwa_exchange_call *last = NULL;

    *collective = (struct mwa_collective){ .comm = comm, .count = count };
    collective->members = own(run, count * sizeof *collective->members);
    for (uint32_t i = 0; i < count; i++) {
        struct mwa_exchange_call *call = enter(run, ranks[i], region);

        collective->members[i] =
            (struct mwa_member){ .rank = ranks[i], .begin = call, .end = call };
        last = !last || call->enter > last->enter ? call : last;
    }
    for (uint32_t i = 0; i < count; i++) {
        leave(run, collective->members[i].end, last->enter + ticks(run, 200));
    }
    for (uint32_t i = 0; i < count; i++) {
        wait_for(run, collective->members[i].begin, last, true);
    }
    add(run, STEP_MEET)->collective = collective;
}

/* A group of two or three ranks, which is that of its communicator. */
static void meet_some(struct delay_run *run)
{
    const uint32_t comm = 2 + (uint32_t)any(run, run->shape.comms);
    const uint32_t count = 2 + comm % 2;
    uint32_t ranks[3];

    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = (comm / 2 + i * (1 + comm % 3 % (run->shape.ranks / 3))) % run->shape.ranks;
    }
    meet(run, comm, ranks, count);
}

static void meet_all(struct delay_run *run)
{
    uint32_t ranks[DELAY_RANKS];
    struct delay_cut *cut;

    cr_assert(mwa_grow(&run->cuts, &run->cut_capacity, run->cut_count + 1, sizeof *run->cuts));
    cut = &run->cuts[run->cut_count++];
    cut->first = run->step_count;
    memcpy(cut->before, run->places, sizeof run->places);
    for (uint32_t i = 0; i < run->shape.ranks; i++) {
        ranks[i] = i;
    }
    meet(run, (uint32_t)any(run, 2), ranks, run->shape.ranks);
    memcpy(cut->behind, run->places, sizeof run->places);
    cut->end = run->step_count;
}

static void work(struct delay_run *run)
{
    const uint32_t rank = (uint32_t)any(run, run->shape.ranks);

    switch (any(run, 8)) {
    case 0:
    case 1:
    case 2:
    case 3:
        compute(run, rank);
        break;
    case 4:
    case 5:
    case 6:
        exchange(run, rank,
                 (rank + 1 + (uint32_t)any(run, run->shape.ranks - 1)) % run->shape.ranks);
        break;
    default:
        meet_some(run);
    }
}

void delay_run_make(struct delay_run *run, struct delay_shape shape)
{
    *run = (struct delay_run){ .shape = shape, .random = shape.seed * 2 + 1 };
    for (uint32_t i = 0; i < DELAY_REGIONS; i++) {
        run->regions[i].kind = i < MPI ? MWA_REGION_MPI : MWA_REGION_USER;
    }
    for (uint32_t i = 0; i < DELAY_SITES; i++) {
        run->sites[i].place = i - i % 2;
    }
    for (uint32_t i = 0; i < shape.ranks; i++) {
        run->locations[i] = (struct mwa_location){ .rank = i, .master = true };
        run->places[i].now = OFFSET + ticks(run, 3000);
        pass(run, i, MWA_WAYPOINT_FIRST, MWA_NONE, 0);
    }
    run->trace = (struct mwa_trace){ .regions = run->regions,
                                     .region_count = shape.regions,
                                     .sites = run->sites,
                                     .site_count = DELAY_SITES,
                                     .locations = run->locations,
                                     .location_count = shape.ranks,
                                     .rank_count = shape.ranks,
                                     .clock_resolution = 1000000000,
                                     .clock_offset = OFFSET };
    for (uint32_t i = 0; i < shape.works; i++) {
        work(run);
        if (any(run, shape.between) == 0) {
            meet_all(run);
        }
    }
    for (uint32_t i = 0; i < shape.ranks; i++) {
        pass(run, i, MWA_WAYPOINT_LAST, MWA_NONE, 0);
    }
}

void delay_run_fini(struct delay_run *run)
{
    for (uint64_t i = 0; i < run->owned_count; i++) {
        free(run->owned[i]);
    }
    free(run->owned);
    free(run->steps);
    free(run->cuts);
}
