#include "test/unit/analyzer/told_run.h"

#include <criterion/criterion.h>
#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

#include "test/data/maker.h"

#define BYTES 100000u /* they are large: see told_requests */

static void make_definitions(const char *directory)
{
    struct maker *maker = maker_create(directory, TOLD_RANKS, 1);

    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        maker_init(maker_writer(maker, i, 0));
        maker_finalize(maker_writer(maker, i, 0), 200);
    }
    maker_finish(maker);
}

static uint32_t region_of(const struct told *told, const char *name)
{
    for (uint32_t i = 0; i < told->trace.region_count; i++) {
        if (strcmp(told->trace.regions[i].name, name) == 0) {
            return i;
        }
    }
    cr_assert_fail("%s", name);
    return MWA_NONE;
}

static void add(struct told *told, uint32_t rank, struct mwa_event event)
{
    struct told_events *events = &told->ranks[rank];

    event.location = told->trace.ranks[rank].master;
    cr_assert(mwa_grow(&events->list, &events->capacity, events->count + 1, sizeof event));
    events->list[events->count++] = event;
    events->at = event.time;
}

static void enter(struct told *told, uint32_t rank, uint64_t time, const char *name,
                  uint64_t inside)
{
    const uint32_t region = region_of(told, name);
    uint32_t site = 0;

    while (site < told->trace.site_count && told->trace.sites[site].region != region) {
        site++;
    }
    add(told, rank,
        (struct mwa_event){ .kind = MWA_ENTER,
                            .time = time,
                            .of.call = { .region = region,
                                         .site = site < told->trace.site_count ? site : MWA_NONE,
                                         .repeat = 1,
                                         .inside = inside } });
}

static void leave(struct told *told, uint32_t rank, uint64_t time, const char *name)
{
    add(told, rank,
        (struct mwa_event){ .kind = MWA_LEAVE,
                            .time = time,
                            .of.call = { .region = region_of(told, name),
                                         .site = MWA_NONE,
                                         .repeat = 1,
                                         .inside = UINT64_MAX } });
}

uint64_t told_some(struct told *told, uint64_t below)
{
    told->random ^= told->random << 13;
    told->random ^= told->random >> 7;
    told->random ^= told->random << 17;
    return told->random % below;
}

static uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

/* When the last rank is where it is. */
static uint64_t last_of(const struct told *told)
{
    uint64_t last = 0;

    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        last = later(last, told->ranks[i].at);
    }
    return last;
}

void told_begin(struct told *told, uint64_t seed)
{
    uint32_t probe;

    memset(told, 0, sizeof *told);
    told->random = seed * 0x9e3779b97f4a7c15u + 1;
    fixture_make(&told->fixture, make_definitions);
    cr_assert_eq(mwa_input_open(told->fixture.directory, &told->fixture.input,
                                &told->fixture.diagnostic),
                 MW_OK);
    told->trace = *mwa_input_trace(told->fixture.input);
    told->regions = calloc(told->trace.region_count, sizeof *told->regions);
    cr_assert_not_null(told->regions);
    memcpy(told->regions, told->trace.regions, told->trace.region_count * sizeof *told->regions);
    told->trace.regions = told->regions;
    probe = region_of(told, "MPI_Probe");
    told->regions[probe].kind = MWA_REGION_USER;
    told->regions[probe].call = MW_CALL_COUNT;
    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        enter(told, i, 10 * i, "MPI_Init", UINT64_MAX);
        leave(told, i, 100 + 10 * i, "MPI_Init");
    }
}

void told_end(struct told *told)
{
    const uint64_t last = last_of(told);

    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        enter(told, i, told->ranks[i].at, "MPI_Finalize", UINT64_MAX);
        leave(told, i, last + 10, "MPI_Finalize");
    }
}

void told_fini(struct told *told)
{
    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        free(told->ranks[i].list);
    }
    free(told->regions);
    fixture_close(&told->fixture);
}

/* --- what happens ----------------------------------------------------------------------------- */

void told_compute(struct told *told, uint32_t rank, uint64_t ticks)
{
    told->ranks[rank].at += ticks;
}

void told_enter(struct told *told, uint32_t rank, bool is_other)
{
    enter(told, rank, told->ranks[rank].at, is_other ? "MPI_Probe" : "solve", UINT64_MAX);
    told->ranks[rank].open++;
}

void told_leave(struct told *told, uint32_t rank)
{
    struct told_events *events = &told->ranks[rank];
    uint64_t at = events->count, closed = 0;
    const struct mwa_region *region;

    if (events->open == 0) {
        return;
    }
    for (;;) { /* backwards to the innermost that is open */
        const struct mwa_event *event = &events->list[--at];

        if (event->kind == MWA_LEAVE) {
            closed++;
        } else if (event->kind == MWA_ENTER && closed-- == 0) {
            break;
        }
    }
    region = &told->trace.regions[events->list[at].of.call.region];
    leave(told, rank, events->at, region->name);
    events->open--;
}

void told_poll(struct told *told, uint32_t rank, uint64_t ticks)
{
    const uint64_t at = told->ranks[rank].at;

    enter(told, rank, at, "MPI_Test", ticks / 2);
    leave(told, rank, at + ticks, "MPI_Test");
}

static struct mwa_event message(enum mwa_event_kind kind, uint64_t time, uint32_t peer,
                                uint64_t request)
{
    return (struct mwa_event){ .kind = kind,
                               .time = time,
                               .request = request,
                               .of.message = { .comm = 0, .peer = peer, .bytes = BYTES + peer } };
}

void told_message(struct told *told, uint32_t from, uint32_t to, bool is_synchronous)
{
    const uint64_t sent = told->ranks[from].at, posted = told->ranks[to].at;

    enter(told, from, sent, "MPI_Send", UINT64_MAX);
    add(told, from, message(MWA_SEND, sent, to, 0));
    leave(told, from, (is_synchronous ? later(sent, posted) : sent) + 10, "MPI_Send");
    enter(told, to, posted, "MPI_Recv", UINT64_MAX);
    add(told, to, message(MWA_RECV, later(sent, posted) + 20, from, 0));
    leave(told, to, later(sent, posted) + 20, "MPI_Recv");
}

static void wait(struct told *told, uint32_t rank, uint64_t until, const struct mwa_event *event)
{
    struct mwa_event ended = *event;

    ended.time = later(told->ranks[rank].at, until) + 10;
    enter(told, rank, told->ranks[rank].at, "MPI_Wait", UINT64_MAX);
    add(told, rank, ended);
    leave(told, rank, ended.time, "MPI_Wait");
}

void told_requests(struct told *told, uint32_t from, uint32_t to, bool is_synchronous,
                   uint64_t ticks)
{
    const uint64_t sent = told->ranks[from].at, posted = told->ranks[to].at;
    const uint64_t send = ++told->request, receive = ++told->request;
    const struct mwa_event complete = { .kind = MWA_ISEND_COMPLETE, .request = send };
    const struct mwa_event received = message(MWA_IRECV, 0, from, receive);
    uint64_t both;

    enter(told, from, sent, "MPI_Isend", UINT64_MAX);
    add(told, from, message(MWA_ISEND, sent, to, send));
    leave(told, from, sent + 10, "MPI_Isend");
    enter(told, to, posted, "MPI_Irecv", UINT64_MAX);
    add(told, to,
        (struct mwa_event){ .kind = MWA_IRECV_POST, .time = posted, .request = receive });
    leave(told, to, posted + 10, "MPI_Irecv");
    told_compute(told, from, ticks);
    told_compute(told, to, ticks / 2);
    both = later(told->ranks[from].at, told->ranks[to].at);
    wait(told, from, is_synchronous ? both : 0, &complete);
    wait(told, to, is_synchronous ? both : sent, &received);
}

/* The part of rank in a collective, of which it leaves at time. */
static void take_part(struct told *told, uint32_t rank, uint64_t time, const char *name,
                      const struct mwa_collective_data *data)
{
    enter(told, rank, told->ranks[rank].at, name, UINT64_MAX);
    add(told, rank,
        (struct mwa_event){ .kind = MWA_COLLECTIVE_END, .time = time, .of.collective = *data });
    leave(told, rank, time, name);
}

void told_rooted(struct told *told, uint32_t root, bool is_from_root)
{
    const uint64_t of_root = told->ranks[root].at, last = last_of(told);

    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        const bool gives = is_from_root == (i == root);
        const struct mwa_collective_data data = {
            .comm = 0,
            .operation = is_from_root ? OTF2_COLLECTIVE_OP_BCAST : OTF2_COLLECTIVE_OP_REDUCE,
            .root = root,
            .bytes_sent = gives ? 8 : 0,
            .bytes_received = gives ? 0 : 8
        };
        const uint64_t until = gives ? 0 : is_from_root ? of_root : last;

        take_part(told, i, later(told->ranks[i].at, until) + 20,
                  is_from_root ? "MPI_Bcast" : "MPI_Reduce", &data);
    }
}

void told_meet(struct told *told, bool is_barrier, bool at_once)
{
    const uint64_t last = last_of(told);

    cr_assert_lt(told->meetings, TOLD_MEETINGS);
    for (uint32_t i = 0; i < TOLD_RANKS; i++) {
        const struct mwa_collective_data data = {
            .comm = 0,
            .operation = is_barrier ? OTF2_COLLECTIVE_OP_BARRIER : OTF2_COLLECTIVE_OP_ALLREDUCE,
            .root = OTF2_UNDEFINED_UINT32,
            .bytes_sent = is_barrier ? 0 : 8,
            .bytes_received = is_barrier ? 0 : 8
        };

        told->ranks[i].meetings[told->meetings] = told->ranks[i].count;
        take_part(told, i, last + (at_once ? 0 : 10 + 10 * told_some(told, 4)),
                  is_barrier ? "MPI_Barrier" : "MPI_Allreduce", &data);
    }
    told->meetings++;
}

static void do_something(struct told *told)
{
    const uint32_t rank = (uint32_t)told_some(told, TOLD_RANKS);
    const uint32_t other = (rank + 1 + (uint32_t)told_some(told, TOLD_RANKS - 1)) % TOLD_RANKS;
    const uint64_t ticks = 10 + 10 * told_some(told, 12);

    switch (told_some(told, 10)) {
    case 0:
    case 1:
    case 2:
        told_compute(told, rank, rank == 4 ? 0 : ticks);
        break;
    case 3:
        if (told->ranks[rank].open < 6) {
            told_enter(told, rank, told_some(told, 2));
        }
        break;
    case 4:
        told_leave(told, rank);
        break;
    case 5:
        told_poll(told, rank, ticks);
        break;
    case 6:
    case 7:
        told_message(told, rank, other, told_some(told, 2));
        break;
    case 8:
        told_requests(told, rank, other, told_some(told, 2), rank == 4 ? 0 : ticks);
        break;
    default:
        told_rooted(told, rank, told_some(told, 2));
        break;
    }
}

void told_make(struct told *told, uint64_t seed)
{
    told_begin(told, seed);
    for (uint32_t meeting = 0; meeting <= TOLD_MEETINGS; meeting++) {
        uint64_t last;

        for (uint64_t i = told_some(told, 40); i > 0; i--) {
            do_something(told);
        }
        last = last_of(told);
        for (uint32_t i = 0; meeting % 3 == 1 && i < TOLD_RANKS; i++) { /* some come together */
            told->ranks[i].at = told_some(told, 2) ? last : told->ranks[i].at;
        }
        if (meeting < TOLD_MEETINGS) {
            told_meet(told, told_some(told, 2), told_some(told, 4) == 0);
        }
    }
    told_end(told);
}
