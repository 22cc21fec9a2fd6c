/*
 * A run is made up at random, and followed by one struct mwa_delay, and in chapters by several that
 * are appended: what comes out has to be the same, also if it comes from other processes. It is a
 * list of works: of one rank that computes and enters and leaves regions, of two that exchange a
 * message, of a group that meets, and of all.
 */
#include "analyzer/analysis/delay/delay.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#define MOST_RANKS 80u
#define MOST_OPEN  3u
#define REGIONS    160u
#define MPI        12u /* of them, the first */
#define ALL_CALL   (MPI - 1)
#define SITES      40u
#define OFFSET     5000u

enum kind { WAYPOINT, BEGIN, END, WAIT, MEET };

/* What is told to an analysis. */
struct step {
    enum kind kind;
    uint32_t location;
    struct mwa_waypoint waypoint;
    struct mwa_exchange_call *call;
    struct mwa_delay_wait wait;
    struct mwa_collective *collective;
};

struct open_region {
    uint32_t region;
    uint64_t enter;
};

/* What a rank is in. */
struct place {
    struct open_region open[MOST_OPEN];
    uint32_t depth;
    uint64_t now;
};

/* A meeting of all, at which the run may be cut. */
struct cut {
    uint64_t first; /* of its steps */
    uint64_t end;
    struct place before[MOST_RANKS];
    struct place behind[MOST_RANKS];
};

/* What a run is like. */
struct shape {
    uint64_t seed;
    uint32_t ranks;
    uint32_t regions;
    uint32_t works;
    uint32_t comms;
    uint32_t between; /* so many works between meetings of all, about */
    uint64_t unit;    /* of all times */
};

static struct run {
    struct shape shape;
    struct mwa_trace trace;
    struct mwa_region regions[REGIONS];
    struct mwa_site sites[SITES];
    struct mwa_location locations[MOST_RANKS];
    struct place places[MOST_RANKS];
    uint64_t random;
    struct step *steps;
    uint64_t step_capacity;
    uint64_t step_count;
    struct cut *cuts;
    uint64_t cut_capacity;
    uint64_t cut_count;
    void **owned;
    uint64_t owned_capacity;
    uint64_t owned_count;
} run;

/* xorshift64* (Vigna). */
static uint64_t any(uint64_t count)
{
    run.random ^= run.random >> 12;
    run.random ^= run.random << 25;
    run.random ^= run.random >> 27;
    return (run.random * UINT64_C(0x2545f4914f6cdd1d) >> 20) % count;
}

static uint64_t ticks(uint64_t most)
{
    return any(most / run.shape.unit + 1) * run.shape.unit;
}

static void *own(size_t size)
{
    cr_assert(mwa_grow(&run.owned, &run.owned_capacity, run.owned_count + 1, sizeof *run.owned));
    run.owned[run.owned_count] = calloc(1, size);
    cr_assert_not_null(run.owned[run.owned_count]);
    return run.owned[run.owned_count++];
}

/* --- the run ------------------------------------------------------------------------------ */

static struct step *add(enum kind kind)
{
    struct step *step;

    cr_assert(mwa_grow(&run.steps, &run.step_capacity, run.step_count + 1, sizeof *run.steps));
    step = &run.steps[run.step_count++];
    step->kind = kind;
    return step;
}

static void pass(uint32_t rank, enum mwa_waypoint_kind kind, uint32_t region, uint64_t useful)
{
    struct step *step = add(WAYPOINT);

    step->location = rank;
    step->waypoint = (struct mwa_waypoint){ kind, region, run.places[rank].now, useful };
}

/* A rank computes, and enters or leaves regions. */
static void compute(uint32_t rank)
{
    struct place *place = &run.places[rank];

    place->now += ticks(2000);
    if (any(3) == 0 && place->depth < MOST_OPEN) {
        const uint32_t region = MPI + (uint32_t)any(run.shape.regions - MPI);

        pass(rank, MWA_WAYPOINT_ENTER, region, 0);
        place->open[place->depth++] = (struct open_region){ region, place->now };
        place->now += ticks(1000);
    }
    if (any(3) == 0 && place->depth > 0) {
        pass(rank, MWA_WAYPOINT_LEAVE, MWA_NONE, 0);
        place->depth--;
        place->now += ticks(1000);
    }
}

static struct mwa_exchange_call *enter(uint32_t rank, uint32_t region)
{
    struct mwa_exchange_call *call = own(sizeof *call);

    *call = (struct mwa_exchange_call){ .region = &run.regions[region],
                                        .site = (uint32_t)any(SITES),
                                        .location = rank,
                                        .rank = rank,
                                        .enter = run.places[rank].now };
    add(BEGIN)->call = call;
    return call;
}

static void leave(struct mwa_exchange_call *call, uint64_t time)
{
    call->leave = time;
    run.places[call->rank].now = time;
    if (any(6) == 0) {
        pass(call->rank, MWA_WAYPOINT_USEFUL, MWA_NONE, ticks(call->leave - call->enter));
    }
    add(END)->call = call;
}

/* one waited for other to be entered, if it had to. */
static void wait_for(const struct mwa_exchange_call *one, const struct mwa_exchange_call *other,
                     bool grouped)
{
    const uint64_t wait = other->enter - one->enter;

    if (other->enter > one->enter) {
        add(WAIT)->wait = (struct mwa_delay_wait){ .time = one->enter,
                                                   .wait = wait,
                                                   .selected = any(4) ? wait : any(wait + 1),
                                                   .rank = one->rank,
                                                   .location = one->location,
                                                   .cause = other->rank,
                                                   .cause_site = other->site,
                                                   .call = one->region,
                                                   .grouped = grouped };
    }
}

/* Two ranks exchange a message: who comes first waits, the sender now and then. */
static void exchange(uint32_t one, uint32_t other)
{
    struct mwa_exchange_call *send = enter(one, (uint32_t)any(3));
    struct mwa_exchange_call *receive = enter(other, 3 + (uint32_t)any(3));
    const bool is_synchronous = any(2) == 0;
    uint64_t both = send->enter > receive->enter ? send->enter : receive->enter;

    leave(send, (is_synchronous ? both : send->enter) + ticks(100));
    leave(receive, both + ticks(100));
    wait_for(receive, send, false);
    if (is_synchronous) {
        wait_for(send, receive, false);
    }
}

static void meet(uint32_t comm, const uint32_t *ranks, uint32_t count)
{
    struct mwa_collective *collective = own(sizeof *collective);
    const uint32_t region = count < run.shape.ranks ? 6 + (uint32_t)any(3) : ALL_CALL;
    struct mwa_exchange_call *last = NULL;

    *collective = (struct mwa_collective){ .comm = comm, .count = count };
    collective->members = own(count * sizeof *collective->members);
    for (uint32_t i = 0; i < count; i++) {
        struct mwa_exchange_call *call = enter(ranks[i], region);

        collective->members[i] =
            (struct mwa_member){ .rank = ranks[i], .begin = call, .end = call };
        last = !last || call->enter > last->enter ? call : last;
    }
    for (uint32_t i = 0; i < count; i++) {
        leave(collective->members[i].end, last->enter + ticks(200));
    }
    for (uint32_t i = 0; i < count; i++) {
        wait_for(collective->members[i].begin, last, true);
    }
    add(MEET)->collective = collective;
}

/* A group of two or three ranks, which is that of its communicator. */
static void meet_some(void)
{
    const uint32_t comm = 2 + (uint32_t)any(run.shape.comms);
    const uint32_t count = 2 + comm % 2;
    uint32_t ranks[3];

    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = (comm / 2 + i * (1 + comm % 3 % (run.shape.ranks / 3))) % run.shape.ranks;
    }
    meet(comm, ranks, count);
}

static void meet_all(void)
{
    uint32_t ranks[MOST_RANKS];
    struct cut *cut;

    cr_assert(mwa_grow(&run.cuts, &run.cut_capacity, run.cut_count + 1, sizeof *run.cuts));
    cut = &run.cuts[run.cut_count++];
    cut->first = run.step_count;
    memcpy(cut->before, run.places, sizeof run.places);
    for (uint32_t i = 0; i < run.shape.ranks; i++) {
        ranks[i] = i;
    }
    meet((uint32_t)any(2), ranks, run.shape.ranks);
    memcpy(cut->behind, run.places, sizeof run.places);
    cut->end = run.step_count;
}

static void work(void)
{
    const uint32_t rank = (uint32_t)any(run.shape.ranks);

    switch (any(8)) {
    case 0:
    case 1:
    case 2:
    case 3:
        compute(rank);
        break;
    case 4:
    case 5:
    case 6:
        exchange(rank, (rank + 1 + (uint32_t)any(run.shape.ranks - 1)) % run.shape.ranks);
        break;
    default:
        meet_some();
    }
}

static void make(struct shape shape)
{
    run = (struct run){ .shape = shape, .random = shape.seed * 2 + 1 };
    for (uint32_t i = 0; i < REGIONS; i++) {
        run.regions[i].kind = i < MPI ? MWA_REGION_MPI : MWA_REGION_USER;
    }
    for (uint32_t i = 0; i < SITES; i++) {
        run.sites[i].place = i - i % 2;
    }
    for (uint32_t i = 0; i < shape.ranks; i++) {
        run.locations[i] = (struct mwa_location){ .rank = i, .master = true };
        run.places[i].now = OFFSET + ticks(3000);
        pass(i, MWA_WAYPOINT_FIRST, MWA_NONE, 0);
    }
    run.trace = (struct mwa_trace){ .regions = run.regions,
                                    .region_count = shape.regions,
                                    .sites = run.sites,
                                    .site_count = SITES,
                                    .locations = run.locations,
                                    .location_count = shape.ranks,
                                    .rank_count = shape.ranks,
                                    .clock_resolution = 1000000000,
                                    .clock_offset = OFFSET };
    for (uint32_t i = 0; i < shape.works; i++) {
        work();
        if (any(shape.between) == 0) {
            meet_all();
        }
    }
    for (uint32_t i = 0; i < shape.ranks; i++) {
        pass(i, MWA_WAYPOINT_LAST, MWA_NONE, 0);
    }
}

static void forget(void)
{
    for (uint64_t i = 0; i < run.owned_count; i++) {
        free(run.owned[i]);
    }
    free(run.owned);
    free(run.steps);
    free(run.cuts);
}

/* --- who follows it ----------------------------------------------------------------------- */

static void tell(struct mwa_delay *delay, const struct step *step, bool opens)
{
    struct mwa_delay_wait wait = step->wait;
    enum mw_status status = MW_OK;

    switch (step->kind) {
    case WAYPOINT:
        status = mwa_delay_waypoint(delay, step->location, &step->waypoint);
        break;
    case BEGIN:
        status = mwa_delay_begin(delay, step->call);
        break;
    case END:
        status = mwa_delay_end(delay, step->call);
        break;
    case WAIT:
        wait.before_chapter = opens;
        status = mwa_delay_take(delay, &wait);
        break;
    case MEET:
        status = mwa_delay_meet(delay, step->collective);
        break;
    }
    cr_assert_eq(status, MW_OK);
}

static void tell_waypoint(struct mwa_delay *delay, uint32_t rank, enum mwa_waypoint_kind kind,
                          uint32_t region, uint64_t time)
{
    const struct mwa_waypoint waypoint = { kind, region, time, 0 };

    cr_assert_eq(mwa_delay_waypoint(delay, rank, &waypoint), MW_OK);
}

/* The regions that are open where a chapter begins. */
static void open_regions(struct mwa_delay *delay, const struct cut *cut)
{
    for (uint32_t i = 0; i < run.shape.ranks; i++) {
        const struct place *place = &cut->before[i];

        tell_waypoint(delay, i, MWA_WAYPOINT_FIRST, MWA_NONE,
                      place->depth > 0 ? place->open[0].enter : place->now);
        for (uint32_t j = 0; j < place->depth; j++) {
            tell_waypoint(delay, i, MWA_WAYPOINT_ENTER, place->open[j].region,
                          place->open[j].enter);
        }
    }
}

/* And where it ends. */
static void close_regions(struct mwa_delay *delay, const struct cut *cut)
{
    for (uint32_t i = 0; i < run.shape.ranks; i++) {
        const struct place *place = &cut->behind[i];

        for (uint32_t j = 0; j < place->depth; j++) {
            tell_waypoint(delay, i, MWA_WAYPOINT_LEAVE, MWA_NONE, place->now);
        }
        tell_waypoint(delay, i, MWA_WAYPOINT_LAST, MWA_NONE, place->now);
    }
}

/* What lies between two cuts, each null: the run's beginning, its end. A round is so many steps. */
static struct mwa_delay *follow(const struct cut *from, const struct cut *to, uint64_t round)
{
    const uint64_t first = from ? from->first : 0;
    const uint64_t end = to ? to->end : run.step_count;
    struct mwa_delay *delay = mwa_delay_create(&run.trace);

    cr_assert_not_null(delay);
    if (from) {
        open_regions(delay, from);
    }
    for (uint64_t i = first; i < end; i++) {
        tell(delay, &run.steps[i], from && i < from->end);
        if ((i - first) % round == round - 1) {
            cr_assert_eq(mwa_delay_round(delay), MW_OK);
        }
    }
    if (to) {
        close_regions(delay, to);
    }
    return delay;
}

static bool is_from_others; /* what is appended */
static size_t most_bytes;   /* that came from there */

static struct mw_buffer pack(struct mwa_delay *delay)
{
    struct mw_buffer packed = { .data = NULL };

    mwa_delay_pack(delay, &packed);
    cr_assert_not(packed.failed);
    mwa_delay_destroy(delay);
    return packed;
}

static struct mwa_delay *travelled(struct mwa_delay *delay)
{
    struct mw_buffer packed = pack(delay);
    struct mw_cursor from = { packed.data, packed.bytes };
    struct mwa_delay *taken = mwa_delay_create(&run.trace);

    cr_assert_not_null(taken);
    cr_assert_eq(mwa_delay_unpack(taken, &from), MW_OK);
    cr_expect_eq(from.left, 0);
    most_bytes = packed.bytes > most_bytes ? packed.bytes : most_bytes;
    mw_buffer_fini(&packed);
    return taken;
}

static void append(struct mwa_delay *delay, struct mwa_delay *later)
{
    later = is_from_others ? travelled(later) : later;
    cr_assert_eq(mwa_delay_append(delay, later), MW_OK);
    mwa_delay_destroy(later);
}

/* Follows the run in chapters of so many meetings of all. */
static struct mwa_delay *follow_chapters(uint64_t meetings, uint64_t round)
{
    struct mwa_delay *delay = follow(NULL, &run.cuts[meetings - 1], round);
    uint64_t at = meetings - 1;

    for (; at + meetings < run.cut_count; at += meetings) {
        append(delay, follow(&run.cuts[at], &run.cuts[at + meetings], round));
    }
    append(delay, follow(&run.cuts[at], NULL, round));
    return delay;
}

/* --- what comes out ----------------------------------------------------------------------- */

static struct mwa_delays finish(struct mwa_delay *delay)
{
    struct mwa_delays delays;

    cr_assert_eq(mwa_delay_finish(delay, &delays), MW_OK);
    mwa_delay_destroy(delay);
    return delays;
}

static void expect_same_cells(const struct mwa_delay_cell *one, const struct mwa_delay_cell *other,
                              uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        cr_assert_eq(one[i].rank, other[i].rank, "cell %lu", (unsigned long)i);
        cr_assert_eq(one[i].region, other[i].region, "cell %lu", (unsigned long)i);
        cr_assert_eq(one[i].short_ns, other[i].short_ns, "cell %lu", (unsigned long)i);
        cr_assert_eq(one[i].long_ns, other[i].long_ns, "cell %lu", (unsigned long)i);
        cr_assert_eq(one[i].before, other[i].before, "cell %lu", (unsigned long)i);
    }
}

static void expect_same(const struct mwa_delays *one, const struct mwa_delays *other)
{
    cr_assert_eq(one->short_ns, other->short_ns, "short-term: %lu, %lu",
                 (unsigned long)one->short_ns, (unsigned long)other->short_ns);
    cr_assert_eq(one->long_ns, other->long_ns, "long-term: %lu, %lu",
                 (unsigned long)one->long_ns, (unsigned long)other->long_ns);
    cr_assert_eq(one->unexplained_ns, other->unexplained_ns);
    cr_assert_eq(one->indirect_ns, other->indirect_ns);
    cr_assert_eq(one->rank_count, other->rank_count);
    for (uint64_t i = 0; i < one->rank_count; i++) {
        cr_assert_eq(one->rank_short_ns[i], other->rank_short_ns[i]);
        cr_assert_eq(one->rank_long_ns[i], other->rank_long_ns[i]);
    }
    cr_assert_eq(one->cell_count, other->cell_count);
    cr_assert_eq(one->place_count, other->place_count);
    expect_same_cells(one->cells, other->cells, one->cell_count);
    expect_same_cells(one->places, other->places, one->place_count);
}

static void expect_the_same_in_chapters(struct shape shape, uint64_t meetings)
{
    struct mwa_delays whole, chapters;

    make(shape);
    cr_assert_gt(run.cut_count, meetings);
    whole = finish(follow(NULL, NULL, 1000));
    cr_expect_gt(whole.short_ns, 0);
    cr_expect_gt(whole.long_ns, 0, "waits lead to waits");
    for (unsigned way = 0; way < 2; way++) {
        is_from_others = way == 1;
        chapters = finish(follow_chapters(meetings, 300));
        expect_same(&whole, &chapters);
        mwa_delays_fini(&chapters);
    }
    mwa_delays_fini(&whole);
    forget();
}

Test(delay_chapters, of_a_run_add_up_to_what_one_finds_that_follows_it_all)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        expect_the_same_in_chapters((struct shape){ .seed = seed,
                                                    .ranks = 3 + (uint32_t)seed % 6,
                                                    .regions = 40,
                                                    .works = 1500,
                                                    .comms = 20,
                                                    .between = 40,
                                                    .unit = 1 },
                                    1 + seed % 7);
    }
}

Test(delay_chapters, may_begin_where_much_happens_at_the_same_time)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        expect_the_same_in_chapters((struct shape){ .seed = seed,
                                                    .ranks = 3 + (uint32_t)seed % 3,
                                                    .regions = 20,
                                                    .works = 600,
                                                    .comms = 5,
                                                    .between = 5 + (uint32_t)seed % 20,
                                                    .unit = 50 << seed % 3 },
                                    1 + seed % 3);
    }
}

Test(delay_chapters, are_as_one_of_more_ranks_and_activities_than_are_remembered)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        expect_the_same_in_chapters((struct shape){ .seed = seed,
                                                    .ranks = MOST_RANKS,
                                                    .regions = REGIONS,
                                                    .works = 8000,
                                                    .comms = 200,
                                                    .between = 1500,
                                                    .unit = 1 },
                                    1);
    }
}

Test(delay_chapters, may_be_longer_than_the_queue_and_the_log_in_memory)
{
    expect_the_same_in_chapters((struct shape){ .seed = 1,
                                                .ranks = 6,
                                                .regions = 100,
                                                .works = 80000,
                                                .comms = 12,
                                                .between = 200,
                                                .unit = 1 },
                                190);
    cr_expect_gt(most_bytes, 5 << 18, "%zu, of which a part was in a file", most_bytes);
}

Test(delay_chapters, are_appended_in_their_order_however_they_are_put_together)
{
    struct mwa_delays whole, chapters;
    struct mwa_delay *first, *middle;

    make((struct shape){ .seed = 7,
                         .ranks = 5,
                         .regions = 40,
                         .works = 3000,
                         .comms = 20,
                         .between = 100,
                         .unit = 1 });
    cr_assert_gt(run.cut_count, 12);
    whole = finish(follow(NULL, NULL, 500));
    for (unsigned way = 0; way < 2; way++) {
        is_from_others = way == 1;
        first = follow(NULL, &run.cuts[5], 500);
        middle = follow(&run.cuts[5], &run.cuts[8], 500);
        append(middle, follow(&run.cuts[8], &run.cuts[9], 500));
        append(middle, follow(&run.cuts[9], NULL, 500));
        append(first, middle);
        chapters = finish(first);
        expect_same(&whole, &chapters);
        mwa_delays_fini(&chapters);
    }
    mwa_delays_fini(&whole);
    forget();
}

/* --- bytes that are others -------------------------------------------------------------------- */

/* Takes what may be anything, and goes on with what was taken. */
static enum mw_status use(const char *data, size_t bytes)
{
    struct mw_cursor from = { data, bytes };
    struct mwa_delay *taken = mwa_delay_create(&run.trace), *all = mwa_delay_create(&run.trace);
    enum mw_status status = mwa_delay_unpack(taken, &from);
    struct mwa_delays delays;

    if (status == MW_OK) {
        cr_assert_eq(mwa_delay_append(all, taken), MW_OK);
        cr_assert_eq(mwa_delay_finish(all, &delays), MW_OK);
        mwa_delays_fini(&delays);
    }
    mwa_delay_destroy(taken);
    mwa_delay_destroy(all);
    return status;
}

/* Of two chapters; so many regions that some have no number of their own, or fewer. */
static void distrust(uint32_t regions)
{
    struct mw_buffer packed;
    struct mwa_delay *delay;

    make((struct shape){ .seed = 5,
                         .ranks = 3,
                         .regions = regions,
                         .works = 100,
                         .comms = 5,
                         .between = 20,
                         .unit = 1 });
    delay = follow(NULL, &run.cuts[0], 100);
    append(delay, follow(&run.cuts[0], &run.cuts[1], 100));
    packed = pack(delay);
    for (size_t bytes = 0; bytes < packed.bytes; bytes++) {
        cr_expect_eq(use(packed.data, bytes), MW_ERROR_FORMAT, "%zu of %zu", bytes, packed.bytes);
    }
    for (size_t at = 0; at < packed.bytes; at++) {
        const char was = packed.data[at];

        packed.data[at] = (char)any(256);
        (void)use(packed.data, packed.bytes);
        packed.data[at] = was;
    }
    mw_buffer_fini(&packed);
    forget();
}

Test(delay_chapters, are_not_believed_if_their_bytes_can_not_be)
{
    distrust(40);
    distrust(REGIONS);
}
