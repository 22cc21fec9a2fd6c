/*
 * A profile of a location that is read in parts is that of the whole: calls at places, samples
 * inside and outside of them, bytes, MPI_Init and MPI_Finalize at random, cut anywhere between
 * calls, each part packed and taken out again.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "analyzer/analysis/pass.h"
#include "analyzer/analysis/time/profile_partial.h"

#define EVENTS 60u
#define PARTS  5u
#define SITES  3u

enum { INIT, BARRIER, SEND, FINALIZE, REGIONS };
static uint32_t mpi_regions[] = { INIT, BARRIER, SEND, FINALIZE };
static struct mwa_region regions[] = {
    { .name = "MPI_Init", .kind = MWA_REGION_INIT, .mpi_index = 0 },
    { .name = "MPI_Barrier", .kind = MWA_REGION_MPI, .mpi_index = 1 },
    { .name = "MPI_Send", .kind = MWA_REGION_MPI, .mpi_index = 2 },
    { .name = "MPI_Finalize", .kind = MWA_REGION_FINALIZE, .mpi_index = 3 }
};
static struct mwa_site sites[SITES];
static struct mwa_rank ranks[] = { { .locations = 1 } };
static struct mwa_location locations[] = { { .rank = 0, .master = true } };
static struct mwa_trace trace = { .clock_resolution = 1000000000,
                                  .metrics = { .has_running = true },
                                  .regions = regions,
                                  .region_count = REGIONS,
                                  .mpi_regions = mpi_regions,
                                  .mpi_region_count = REGIONS,
                                  .has_sites = true,
                                  .sites = sites,
                                  .site_count = SITES,
                                  .ranks = ranks,
                                  .rank_count = 1,
                                  .locations = locations,
                                  .location_count = 1 };

static const struct mwa_analysis *analysis = &mwa_profile_analysis;
static uint64_t state;

/* xorshift64* (Vigna): less than most. */
static uint64_t below(uint64_t most)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % most;
}

/* The location as it is told, to the whole and to one part after the other. */
struct telling {
    void *whole;
    void *parts[PARTS];
    uint32_t at; /* the part that is told */
    uint64_t time;
    uint64_t entered;
    uint32_t region; /* that is open; REGIONS: none */
    uint32_t site;
};

static void tell(struct telling *telling, struct mwa_event *event, const struct mwa_call *call)
{
    struct mwa_moment moment = { .trace = &trace,
                                 .location = locations,
                                 .event = event,
                                 .call = call,
                                 .site = MWA_NONE };

    event->time = telling->time;
    if (telling->region < REGIONS) {
        moment.mpi = &regions[telling->region];
        moment.mpi_enter = telling->entered;
        moment.mpi_depth = 1;
        moment.site = telling->site;
    }
    cr_assert_eq(analysis->event(telling->whole, &moment), MW_OK);
    cr_assert_eq(analysis->event(telling->parts[telling->at], &moment), MW_OK);
}

static void enter(struct telling *telling, uint32_t region)
{
    struct mwa_event event = { .kind = MWA_ENTER };

    telling->region = region;
    telling->site = below(2) == 0 ? MWA_NONE : (uint32_t)below(SITES);
    telling->entered = telling->time;
    tell(telling, &event, NULL);
}

static void leave(struct telling *telling, bool open)
{
    struct mwa_event event = { .kind = MWA_LEAVE };
    const uint64_t spent = telling->time - telling->entered;
    const struct mwa_call call = { .region = &regions[telling->region],
                                   .site = telling->site,
                                   .enter = telling->entered,
                                   .leave = telling->time,
                                   .inclusive = spent,
                                   .exclusive = spent - below(spent / 4 + 1),
                                   .repeat = 1 + below(3),
                                   .outermost = true,
                                   .open = open };

    tell(telling, &event, &call);
    telling->region = REGIONS;
}

/* What can't be divided without a rest. */
static void sample(struct telling *telling)
{
    const uint64_t off = below(700);
    const uint64_t inside = below(900);
    const uint64_t values[MW_RUNNING_VALUES] = { [MW_RUNNING_STRETCH] = 100 + below(2000),
                                                 [MW_RUNNING_OUTSIDE] = off,
                                                 [MW_RUNNING_OUTSIDE_NO_CORE] = below(off + 1),
                                                 [MW_RUNNING_INSIDE] = inside,
                                                 [MW_RUNNING_INSIDE_NO_CORE] = below(inside + 1),
                                                 [MW_RUNNING_VOLUNTARY] = below(9),
                                                 [MW_RUNNING_RESIDENT] = below(4096),
                                                 [MW_RUNNING_THREADS] = below(5),
                                                 [MW_RUNNING_WRITTEN] = below(3) * below(9000),
                                                 [MW_RUNNING_WRITING] = below(900),
                                                 [MW_RUNNING_SYSTEM] = below(2) * below(900),
                                                 [MW_RUNNING_READ] = below(2) * below(9000),
                                                 [MW_RUNNING_READING] = below(900) };
    static const uint32_t counts[] = { MW_RUNNING_THREADS, MW_RUNNING_WRITTEN,
                                       MW_RUNNING_SYSTEM, MW_RUNNING_READ,
                                       MW_RUNNING_VALUES }; /* of five versions */
    struct mwa_event event = { .kind = MWA_RUNNING,
                               .of.metric = { .comm = MWA_NONE,
                                              .object = MWA_NONE,
                                              .count = counts[below(5)],
                                              .values = values } };

    tell(telling, &event, NULL);
}

static void send(struct telling *telling)
{
    struct mwa_event event = { .kind = MWA_SEND,
                               .of.message = { .comm = MWA_NONE, .bytes = below(1000) } };

    tell(telling, &event, NULL);
}

/* The same bytes, but that whether there are any events is neither so nor not. */
static void refuse_others(struct mw_buffer *packed)
{
    void *taken = mwa_partial_create(analysis, &trace);
    struct mw_cursor from = { packed->data, packed->bytes };

    packed->data[offsetof(struct mwa_profile_facts, events)] = 2;
    cr_expect_eq(analysis->parts->unpack(taken, &from), MW_ERROR_FORMAT);
    mwa_partial_destroy(analysis, taken);
}

/* Packs the part that was told, takes it out again, and goes on with an empty one. */
static void cut(struct telling *telling)
{
    void **part = &telling->parts[telling->at];
    void *taken = mwa_partial_create(analysis, &trace);
    struct mw_buffer packed = { 0 };
    struct mw_cursor from;

    analysis->parts->pack(*part, &packed);
    cr_assert_not(packed.failed);
    from = (struct mw_cursor){ packed.data, packed.bytes - 1 };
    cr_expect_eq(analysis->parts->unpack(taken, &from), MW_ERROR_FORMAT);
    mwa_partial_destroy(analysis, taken);
    taken = mwa_partial_create(analysis, &trace);
    from = (struct mw_cursor){ packed.data, packed.bytes };
    cr_assert_eq(analysis->parts->unpack(taken, &from), MW_OK);
    cr_expect_eq(from.left, 0);
    refuse_others(&packed);
    mw_buffer_fini(&packed);
    mwa_partial_destroy(analysis, *part);
    *part = taken;
    telling->at++;
}

/* Inside of a call, or between calls; MPI_Init and MPI_Finalize are rare. */
static void go_on(struct telling *telling)
{
    const uint64_t what = below(10);

    telling->time += 1 + below(400);
    if (what < 3) {
        sample(telling);
    } else if (telling->region < REGIONS && what < 5) {
        send(telling);
    } else if (telling->region < REGIONS) {
        leave(telling, false);
    } else if (what < 9) {
        enter(telling, below(2) == 0 ? BARRIER : SEND);
    } else {
        enter(telling, below(3) == 0 ? FINALIZE : INIT);
    }
}

static struct mwa_profile finish(void *partial, uint64_t last)
{
    void *total = mwa_partial_create(analysis, &trace);
    struct mwa_profile profile;

    cr_assert_eq(analysis->end(partial, locations, last), MW_OK);
    cr_assert_eq(analysis->merge(total, partial), MW_OK);
    cr_assert_eq(analysis->finish(total, &profile), MW_OK);
    mwa_partial_destroy(analysis, total);
    mwa_partial_destroy(analysis, partial);
    return profile;
}

static void expect_same(struct mwa_profile *one, struct mwa_profile *other, uint64_t seed)
{
    const struct mwa_rank_row *a = one->ranks, *b = other->ranks;

    cr_assert_eq(one->call_count, other->call_count);
    cr_expect_eq(memcmp(one->calls, other->calls, one->call_count * sizeof *one->calls), 0,
                 "calls of seed %llu", (unsigned long long)seed);
    cr_expect_eq(a->has_events, b->has_events);
    cr_expect_eq(a->begin_ns, b->begin_ns);
    cr_expect_eq(a->run_ns, b->run_ns, "run of seed %llu", (unsigned long long)seed);
    cr_expect_eq(a->mpi_ns, b->mpi_ns, "MPI of seed %llu", (unsigned long long)seed);
    cr_expect_eq(memcmp(a->state_ns, b->state_ns, sizeof a->state_ns), 0);
    cr_expect_eq(a->bytes_sent, b->bytes_sent);
    cr_expect_eq(memcmp(&a->running, &b->running, sizeof a->running), 0,
                 "samples of seed %llu", (unsigned long long)seed);
    cr_expect_eq(one->mpi_calls, other->mpi_calls);
    cr_expect_eq(one->open_calls, other->open_calls);
    cr_expect_eq(one->first_ticks, other->first_ticks);
    cr_expect_eq(one->last_ticks, other->last_ticks);
    mwa_profile_fini(one);
    mwa_profile_fini(other);
}

static void tell_at_random(uint64_t seed)
{
    struct telling telling = { .whole = mwa_partial_create(analysis, &trace), .region = REGIONS };
    struct mwa_profile whole, of_parts;

    state = seed;
    for (uint32_t i = 0; i < PARTS; i++) {
        telling.parts[i] = mwa_partial_create(analysis, &trace);
    }
    for (uint32_t i = 0; i < EVENTS; i++) {
        go_on(&telling);
        if (telling.region == REGIONS && telling.at + 1 < PARTS && below(8) == 0) {
            cut(&telling);
        }
    }
    if (telling.region < REGIONS) {
        leave(&telling, true);
    }
    for (uint32_t i = 1; i < PARTS; i++) {
        if (i <= telling.at) {
            cr_assert_eq(analysis->parts->append(telling.parts[0], telling.parts[i]), MW_OK);
        }
        mwa_partial_destroy(analysis, telling.parts[i]);
    }
    whole = finish(telling.whole, telling.time);
    of_parts = finish(telling.parts[0], telling.time);
    expect_same(&whole, &of_parts, seed);
}

Test(profile_parts, are_the_whole_wherever_it_is_cut)
{
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        tell_at_random(seed);
    }
}
