/*
 * The engine is given what an archive would give it, a main thread for each rank that there will
 * be, and further threads. What it can't find here, waits for communicators that are made, stays
 * unknown: calls that may wait for these never count as told.
 */
#include "analyzer/live/live_waits.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/waits/waits.h"

struct location {
    uint64_t waited;                /* ns, in all */
    uint64_t told;                  /* ns in calls of which it is known whether they waited */
    uint64_t times[MWA_LIVE_LOOKS]; /* of the looks, as in struct mwa_live_thread … */
    uint64_t between[MWA_LIVE_LOOKS]; /* … waited since the look before */
    uint64_t ahead;                 /* waited since the latest one */
    uint32_t look_count;
    uint64_t last; /* time of the latest event */
};

struct mwa_live_waits {
    struct mwa_trace trace; /* the caller's, but for locations and ranks */
    struct location *locations;
    uint32_t *first_extra; /* by rank: the location of its thread 1 */
    struct mwa_exchange *exchange;
    void *ledger;          /* mwa_waits_analysis's */
    bool is_over;
    struct mw_clock_point *clock; /* of this host; null: it is rank 0's */
    size_t clock_count;
    struct mwa_live_across *across; /* null: all ranks are here */
};

/* --- what waits are of ---------------------------------------------- */

/* Of the part of a wait from … to that lies before a look. */
static void spread(struct location *at, uint64_t from, uint64_t to)
{
    const uint32_t count = at->look_count < MWA_LIVE_LOOKS ? at->look_count : MWA_LIVE_LOOKS;

    for (uint32_t i = 0; i < count && to > from; i++) {
        const uint32_t slot = (at->look_count - 1 - i) % MWA_LIVE_LOOKS;
        const uint64_t time = at->times[slot];

        if (to > time) {
            const uint64_t begin = from > time ? from : time;
            const uint32_t after = (slot + 1) % MWA_LIVE_LOOKS;

            *(i == 0 ? &at->ahead : &at->between[after]) += to - begin;
            to = begin;
        }
    }
}

/* Whether all waits in it are found: not those for communicators to be made, nor those in windows
 * if others look at some of the ranks, who tell nothing of them. */
static bool is_found(const struct mwa_live_waits *waits, const struct mwa_region *region)
{
    return region && !mw_call_means(region->call, MW_MAKES_COMM) &&
           !(waits->across && mw_call_group(region->call) == MW_GROUP_RMA);
}

static enum mw_status take_wait(void *user, unsigned pattern, const struct mwa_wait *wait)
{
    struct mwa_live_waits *waits = user;
    struct location *at = &waits->locations[wait->location];

    /* Also in MPI_Wait those for communicators to be made are found by who was read first. */
    if (pattern == MWA_WAIT_COMM_CREATE || !is_found(waits, wait->call)) {
        return MW_OK;
    }
    at->waited += wait->wait;
    spread(at, wait->time, wait->time + wait->wait);
    return MW_OK;
}

/* Polls that found nothing are one call that lasts longer than they did: see take. */
static void settle(void *user, struct mwa_exchange_call *call)
{
    struct mwa_live_waits *waits = user;

    if (is_found(waits, call->region) && !call->unresolved &&
        !mw_call_means(call->region->call, MW_TESTS)) {
        waits->locations[call->location].told += call->leave - call->enter;
    }
}

/* --- beginning and end ---------------------------------------------- */

static bool make_locations(struct mwa_live_waits *waits, const uint32_t *extra)
{
    struct mwa_trace *trace = &waits->trace;
    const uint64_t ranks = trace->rank_count;
    uint64_t count = ranks;

    for (uint64_t i = 0; i < ranks; i++) {
        count += extra[i];
    }
    trace->locations = calloc(count + 1, sizeof *trace->locations);
    trace->ranks = calloc(ranks + 1, sizeof *trace->ranks);
    waits->locations = calloc(count + 1, sizeof *waits->locations);
    waits->first_extra = calloc(ranks + 1, sizeof *waits->first_extra);
    if (!trace->locations || !trace->ranks || !waits->locations || !waits->first_extra) {
        return false;
    }
    trace->location_count = ranks;
    for (uint32_t i = 0; i < ranks; i++) {
        trace->ranks[i] = (struct mwa_rank){
            .host = "", .master = i, .pid = -1, .locations = 1 + extra[i]};
        trace->locations[i] = (struct mwa_location){.name = "", .rank = i, .master = true};
        waits->first_extra[i] = (uint32_t)trace->location_count;
        for (uint32_t k = 0; k < extra[i]; k++) {
            trace->locations[trace->location_count++] =
                (struct mwa_location){.name = "", .rank = i};
        }
    }
    return true;
}

struct mwa_live_waits *mwa_live_waits_create(const struct mwa_trace *trace, const uint32_t *extra)
{
    struct mwa_live_waits *waits = calloc(1, sizeof *waits);
    const struct mwa_scope scope = {MWA_ALL_OF_IT, .told = take_wait, .told_user = waits};
    struct mwa_exchange_listener listeners[] = {mwa_waits_analysis.listener, {.settled = settle}};
    bool is_made;

    if (!waits) {
        return NULL;
    }
    waits->trace = *trace;
    waits->trace.locations = NULL;
    waits->trace.ranks = NULL;
    is_made = make_locations(waits, extra) &&
              mwa_waits_analysis.create(&waits->trace, 0, &scope, &waits->ledger) == MW_OK;
    listeners[0].user = waits->ledger;
    listeners[1].user = waits;
    if (!is_made || mwa_exchange_create(&waits->trace, NULL, listeners, 2, &waits->exchange,
                                        NULL) != MW_OK) {
        mwa_live_waits_destroy(waits);
        return NULL;
    }
    return waits;
}

void mwa_live_waits_destroy(struct mwa_live_waits *waits)
{
    if (!waits) {
        return;
    }
    mwa_exchange_destroy(waits->exchange);
    mwa_waits_analysis.destroy(waits->ledger);
    free(waits->trace.locations);
    free(waits->trace.ranks);
    free(waits->locations);
    free(waits->first_extra);
    free(waits->clock);
    free(waits);
}

uint32_t mwa_live_waits_location(const struct mwa_live_waits *waits, uint32_t rank,
                                 uint32_t thread)
{
    if (rank >= waits->trace.rank_count || thread >= waits->trace.ranks[rank].locations) {
        return MWA_NONE;
    }
    return thread == 0 ? rank : waits->first_extra[rank] + thread - 1;
}

void mwa_live_waits_refresh(struct mwa_live_waits *waits, const struct mwa_trace *trace)
{
    const struct mwa_trace own = waits->trace;

    waits->trace = *trace;
    waits->trace.locations = own.locations;
    waits->trace.location_count = own.location_count;
    waits->trace.ranks = own.ranks;
}

/* --- clocks ---------------------------------------------- */

bool mwa_live_waits_clock(struct mwa_live_waits *waits, const struct mw_clock_point *points,
                          size_t count)
{
    struct mw_clock_point *copy = malloc((count + 1) * sizeof *copy);

    if (!copy) {
        return false;
    }
    if (count > 0) {
        memcpy(copy, points, count * sizeof *copy);
    }
    free(waits->clock);
    waits->clock = copy;
    waits->clock_count = count;
    return true;
}

uint64_t mwa_live_waits_clock_missed(const struct mwa_live_waits *waits,
                                     const struct mw_clock_point *points, size_t count)
{
    return mw_clock_missed(waits->clock, waits->clock_count, points, count);
}

static uint64_t corrected(const struct mwa_live_waits *waits, uint64_t time)
{
    return waits->clock_count > 0 ? mw_clock_correct(waits->clock, waits->clock_count, time) : time;
}

/* Clocks are known better after each comparison, and no time comes before one that was told. */
static uint64_t rising(struct location *at, uint64_t time)
{
    at->last = time > at->last && time <= MW_TIME_MAX ? time : at->last;
    return at->last;
}

void mwa_live_waits_share(struct mwa_live_waits *waits, struct mwa_live_across *across)
{
    waits->across = across;
}

/* --- events ---------------------------------------------- */

void mwa_live_waits_look(struct mwa_live_waits *waits, uint32_t location,
                         const struct mwa_live_thread *thread)
{
    struct location *at = &waits->locations[location];

    if (thread->look_count < at->look_count) {
        at->look_count = 0; /* it is watched anew, as other ranks came */
    }
    while (at->look_count < thread->look_count) {
        const uint32_t slot = at->look_count++ % MWA_LIVE_LOOKS;

        at->times[slot] = corrected(waits, thread->looks[slot].time);
        at->between[slot] = at->ahead;
        at->ahead = 0;
    }
}

static enum mw_status take(struct mwa_live_waits *waits, uint32_t location,
                           const struct mwa_moment *moment, uint64_t time)
{
    const struct mwa_event *event = moment->event;
    struct mwa_event own = *event;
    enum mw_status status;

    own.location = location;
    own.time = time;
    own.hint = NULL; /* it does not live as long as the engine keeps the event */
    switch (event->kind) {
    case MWA_ENTER:
        status = mwa_exchange_enter(waits->exchange, location, moment->mpi, NULL, MWA_NONE, time);
        return status == MW_OK && event->of.call.found.is_told
                   ? mwa_exchange_found(waits->exchange, location, time, &event->of.call.found)
                   : status;
    case MWA_LEAVE:
        if (mw_call_means(moment->mpi->call, MW_TESTS)) {
            waits->locations[location].told += moment->call->inclusive;
        }
        status = mwa_exchange_leave(waits->exchange, location, time, moment->call->open);
        return status == MW_OK ? mwa_exchange_advance(waits->exchange, location, time) : status;
    case MWA_MEASUREMENT:
        return MW_OK;
    case MWA_ONESIDED:
    case MWA_WINDOW_COLLECTIVE:
        if (waits->across ||
            (event->kind == MWA_ONESIDED && event->of.onesided.window == MWA_NONE)) {
            return MW_OK;
        }
        return mwa_exchange_event(waits->exchange, &own);
    default:
        return mwa_exchange_event(waits->exchange, &own);
    }
}

enum mw_status mwa_live_waits_take(struct mwa_live_waits *waits, uint32_t location,
                                   const struct mwa_moment *moment)
{
    const struct mwa_event *event = moment->event;
    const uint64_t time =
        rising(&waits->locations[location], corrected(waits, event->time));
    const uint32_t rank = waits->trace.locations[location].rank;
    enum mw_status status = MW_OK;

    if (waits->across) {
        const uint32_t thread =
            location == rank ? 0 : location - waits->first_extra[rank] + 1;

        status = mwa_live_across_take(waits->across, rank, thread, event, moment, time);
    }
    return status == MW_OK ? take(waits, location, moment, time) : status;
}

enum mw_status mwa_live_waits_hear(struct mwa_live_waits *waits, uint32_t location,
                                   const struct mwa_moment *moment)
{
    return waits->is_over ? MW_OK
                          : take(waits, location, moment,
                                 rising(&waits->locations[location], moment->event->time));
}

enum mw_status mwa_live_waits_through(struct mwa_live_waits *waits, uint32_t location,
                                      uint64_t time)
{
    return waits->is_over ? MW_OK
                          : mwa_exchange_advance(waits->exchange, location,
                                                 rising(&waits->locations[location], time));
}

void mwa_live_waits_tell_through(struct mwa_live_waits *waits, uint32_t location, uint32_t thread,
                                 uint64_t time)
{
    mwa_live_across_through(waits->across, waits->trace.locations[location].rank, thread,
                            rising(&waits->locations[location], corrected(waits, time)));
}

enum mw_status mwa_live_waits_round(struct mwa_live_waits *waits, bool is_over)
{
    struct mwa_matching_result matching = {0};
    struct mwa_exchange_result result;
    enum mw_status status = MW_OK;

    if (waits->is_over) {
        return MW_OK;
    }
    for (uint32_t i = 0; is_over && status == MW_OK && i < waits->trace.location_count; i++) {
        /* Who is not heard of any more may be in the middle of a call. */
        status = mwa_exchange_leave(waits->exchange, i, waits->locations[i].last, true);
        if (status == MW_OK) {
            status = mwa_exchange_advance(waits->exchange, i, UINT64_MAX);
        }
    }
    if (status == MW_OK) {
        status = mwa_exchange_round(waits->exchange);
    }
    if (status == MW_OK && is_over) {
        status = mwa_exchange_finish(waits->exchange, &matching, &result);
        mwa_matching_result_fini(&matching);
        waits->is_over = true;
    }
    return status;
}

bool mwa_live_waits_are_over(const struct mwa_live_waits *waits)
{
    return waits->is_over;
}

void mwa_live_waits_tell(const struct mwa_live_waits *waits, uint32_t location,
                         struct mwa_live_thread *thread)
{
    const struct location *at = &waits->locations[location];

    thread->has_waits = true;
    thread->waited = at->waited;
    thread->told = at->told;
    for (unsigned i = 0; i < MWA_LIVE_LOOKS; i++) {
        thread->looks[i].waited = at->between[i];
    }
}
