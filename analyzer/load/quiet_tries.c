/* What a place is worth is known in the end only: until then memory is bounded by keeping fewer. */
#include "analyzer/load/quiet_tries.h"

#include <stdlib.h>

#include "analyzer/model/needs.h"
#include "formats/base/order.h"

#define CARRIED_EACH 4u /* requests that are kept for each place that may be, and of one all */

/* --- of one location -------------------------------------------------------------------------- */

/* The first place from which on so many events, and more, are before it; the count: none. */
static uint64_t first_behind(const struct mwa_quiet_tries *tries, uint64_t events)
{
    uint64_t low = 0, high = tries->count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (tries->list[middle].place.events <= events) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Forgets requests that are open at none of the places any more. */
static void forget_requests(struct mwa_quiet_tries *tries)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < tries->carried_count; i++) {
        const struct mwa_carried_request *one = &tries->carried[i];
        const uint64_t at = first_behind(tries, one->begin);

        if (at < tries->count && mwa_is_carried_over(one, tries->list[at].place.events)) {
            tries->carried[kept++] = *one;
        }
    }
    tries->carried_count = kept;
}

/* Keeps one of two of those that are kept. */
static void thin_out(struct mwa_quiet_tries *tries)
{
    uint64_t kept = 0;

    tries->stride *= 2;
    for (uint64_t i = 0; i < tries->count; i++) {
        if (tries->list[i].number % tries->stride == 0) {
            tries->list[kept++] = tries->list[i];
        }
    }
    tries->count = kept;
    forget_requests(tries);
}

static bool can_be_thinned(const struct mwa_quiet_tries *tries)
{
    return tries->stride < UINT64_MAX / 2;
}

bool mwa_quiet_tries_add(struct mwa_quiet_tries *tries, const struct mwa_quiet_try *one)
{
    tries->stride = tries->stride > 0 ? tries->stride : 1;
    while (tries->count >= tries->most && can_be_thinned(tries)) {
        thin_out(tries);
    }
    if (one->number % tries->stride != 0) {
        return true;
    }
    if (!mwa_grow(&tries->list, &tries->capacity, tries->count + 1, sizeof *tries->list)) {
        return false;
    }
    tries->list[tries->count++] = *one;
    return true;
}

bool mwa_quiet_tries_carry(struct mwa_quiet_tries *tries,
                           const struct mwa_carried_request *ended)
{
    if (tries->count == 0 || ended->begin >= tries->list[tries->count - 1].place.events) {
        return true;
    }
    if (!mwa_grow(&tries->carried, &tries->carried_capacity, tries->carried_count + 1,
                  sizeof *tries->carried)) {
        return false;
    }
    tries->carried[tries->carried_count++] = *ended;
    while (tries->carried_count > CARRIED_EACH * tries->most + MWA_QUIET_CARRIED_MOST &&
           can_be_thinned(tries)) {
        thin_out(tries);
    }
    return true;
}

void mwa_quiet_tries_give(struct mwa_quiet_tries *tries, uint64_t time)
{
    for (uint64_t i = tries->count; i-- > 0 && time < tries->list[i].gives_at;) {
        tries->list[i].gives_at = time;
    }
}

void mwa_quiet_tries_take_back(struct mwa_quiet_tries *tries, uint64_t events)
{
    tries->count = first_behind(tries, events);
}

/* Adds 1 to a sum from place number from on, up to before number to. */
static void count_between(uint64_t *steps, uint64_t from, uint64_t to)
{
    steps[from]++;
    steps[to]--;
}

/* What is open where of requests that end, and of those that never do: as steps of sums. */
static void count_open(const struct mwa_quiet_tries *tries,
                       const struct mwa_quiet_requests *open, uint64_t *carried,
                       uint64_t *resting)
{
    const struct mwa_open_request *one;

    for (uint64_t i = 0; i < tries->carried_count; i++) {
        count_between(carried, first_behind(tries, tries->carried[i].begin),
                      first_behind(tries, tries->carried[i].end));
    }
    for (uint64_t at = 0; (one = mwa_quiet_requests_next(open, &at)) != NULL;) {
        count_between(resting, first_behind(tries, one->what.begin), tries->count);
    }
}

/* For qsort. */
static int by_beginning(const void *one, const void *other)
{
    const struct mwa_carried_request *a = one, *b = other;

    return mw_order(a->begin, b->begin);
}

bool mwa_quiet_tries_end(struct mwa_quiet_tries *tries, const struct mwa_quiet_requests *open)
{
    uint64_t *carried = calloc(2 * (tries->count + 1), sizeof *carried);
    uint64_t *resting = carried ? carried + tries->count + 1 : NULL;
    uint64_t kept = 0, open_there = 0, resting_there = 0;

    if (!carried) {
        return false;
    }
    count_open(tries, open, carried, resting);
    for (uint64_t i = 0; i < tries->count; i++) {
        open_there += carried[i];
        resting_there += resting[i];
        if (open_there <= MWA_QUIET_CARRIED_MOST) {
            tries->list[kept] = tries->list[i];
            tries->list[kept++].place.resting = resting_there;
        }
    }
    tries->count = kept;
    free(carried);
    forget_requests(tries);
    if (tries->carried_count > 0) {
        qsort(tries->carried, tries->carried_count, sizeof *tries->carried, by_beginning);
    }
    return true;
}

void mwa_quiet_tries_fini(struct mwa_quiet_tries *tries)
{
    free(tries->list);
    free(tries->carried);
    mwa_quiet_channels_fini(&tries->channels);
    *tries = (struct mwa_quiet_tries){ .most = 0 };
}

/* --- all locations ---------------------------------------------------------------------------- */

/* What all locations have of a place. */
struct together {
    uint64_t balance;
    uint64_t locations;
    uint64_t order;      /* among those that are quiet */
    uint64_t first_enter, last_enter; /* ticks, of main threads */
    uint64_t first_met, last_met;
    uint64_t first_act; /* of other threads, behind it */
    uint64_t last_rooted, first_give; /* of operations with a root: of those right before it; of a
                                         lull, of all behind it in which one may wait */
    bool is_lull;
    bool has_locks;
    bool is_overtaken; /* perhaps: what is received behind it was posted before what is received
                          before it */
    bool is_held;
    bool receives, sends;
};

/* Who has calls: how many; 0 where of several of a rank one ends requests of another. */
static uint64_t count_callers(const struct mwa_quiet_tries *tries, const struct mwa_trace *trace)
{
    uint64_t count = 0;
    bool has_several = false, has_others = false;

    for (uint64_t i = 0; i < trace->location_count; i++) {
        count += tries[i].has_calls;
        has_several |= tries[i].has_calls && !mwa_is_main_thread(trace, (uint32_t)i);
        has_others |= tries[i].has_others;
    }
    return has_several && has_others ? 0 : count;
}

static bool is_of_lull(const struct mwa_quiet_try *one)
{
    return one->comm == MWA_NONE;
}

static struct mwa_key key_of(const struct mwa_quiet_try *one)
{
    return (struct mwa_key){ one->comm, one->number };
}

static void add(struct together *place, const struct mwa_quiet_try *one, bool is_main)
{
    const uint64_t first_met = place->locations == 0 || one->met < place->first_met
                                   ? one->met
                                   : place->first_met;

    place->first_act = place->locations == 0 || one->acts_at < place->first_act
                            ? one->acts_at
                            : place->first_act;
    place->first_give = place->locations == 0 || one->gives_at < place->first_give
                            ? one->gives_at
                            : place->first_give;
    place->last_rooted = one->rooted_at > place->last_rooted ? one->rooted_at
                                                             : place->last_rooted;
    place->balance += one->balance;
    place->locations++;
    place->last_enter = is_main && one->place.time > place->last_enter ? one->place.time
                                                                       : place->last_enter;
    place->first_enter = place->locations == 1 || one->place.time < place->first_enter
                             ? one->place.time
                             : place->first_enter;
    place->first_met = first_met;
    place->last_met = one->met > place->last_met ? one->met : place->last_met;
    place->is_lull |= is_of_lull(one);
    place->has_locks |= one->has_locks;
    place->is_held |= one->is_held;
    place->receives |= one->receives;
    place->sends |= one->sends;
}

static bool find_shared(const struct mwa_quiet_tries *tries, const struct mwa_trace *trace,
                        struct mwa_shared_channels *shared)
{
    bool has_room = true;

    for (uint32_t i = 0; i < trace->location_count && has_room; i++) {
        has_room = mwa_shared_channels_join(shared, i, trace->locations[i].rank,
                                            &tries[i].channels);
    }
    return has_room;
}

/* Of requests that are open at places and get a message on a channel of several threads: those
 * places are of no use. */
static void mark_shared(struct mwa_quiet_tries *tries, const struct mwa_trace *trace,
                        uint32_t rank, const struct mwa_shared_channels *shared)
{
    for (uint64_t i = 0; i < tries->carried_count; i++) {
        const struct mwa_carried_request *open = &tries->carried[i];

        if (open->ended_by != MWA_IRECV ||
            !mwa_shared_channels_have(
                shared, rank,
                mwa_quiet_channel(mwa_trace_peer(trace, open->comm, rank, open->peer), rank,
                                  open->comm, open->tag))) {
            continue;
        }
        for (uint64_t k = first_behind(tries, open->begin);
             k < tries->count && mwa_is_carried_over(open, tries->list[k].place.events); k++) {
            tries->list[k].receives_on = MWA_QUIET_ANY_CHANNEL;
        }
    }
}

/*
 * Sends that no MPI keeps, and those of other threads, whose meetings are not counted, lead back
 * across a place where they are open (mwa_awaited_progress); at a lull, where nobody has met, all
 * do. A receive that is open at a lull does so if its sender blocks before others are at theirs.
 */
static void mark_open(struct mwa_quiet_tries *tries, bool is_main)
{
    for (uint64_t i = 0; i < tries->carried_count; i++) {
        const struct mwa_carried_request *open = &tries->carried[i];
        const bool is_kept = is_main && !mwa_are_kept_nowhere(open->bytes);

        for (uint64_t k = first_behind(tries, open->begin);
             k < tries->count && mwa_is_carried_over(open, tries->list[k].place.events); k++) {
            struct mwa_quiet_try *one = &tries->list[k];

            one->is_held |= open->kind == MWA_ISEND && (!is_kept || is_of_lull(one));
            one->receives |= open->ended_by == MWA_IRECV && is_of_lull(one);
        }
    }
}

static bool add_up(struct mwa_quiet_tries *tries, const struct mwa_trace *trace,
                   const struct mwa_shared_channels *shared, struct mwa_index *index,
                   struct together **places)
{
    for (uint32_t i = 0; i < trace->location_count; i++) {
        const uint32_t rank = trace->locations[i].rank;

        mark_shared(&tries[i], trace, rank, shared);
        mark_open(&tries[i], mwa_is_main_thread(trace, i));
        for (uint64_t k = 0; k < tries[i].count; k++) {
            const uint64_t open = tries[i].list[k].receives_on;
            uint64_t at =
                mwa_index_of(index, key_of(&tries[i].list[k]), places, sizeof **places);

            if (at == MWA_MAP_ABSENT) {
                return false;
            }
            add(&(*places)[at], &tries[i].list[k], mwa_is_main_thread(trace, i));
            (*places)[at].is_overtaken |=
                open != 0 && mwa_shared_channels_have(shared, rank, open);
        }
    }
    return true;
}

/* What of all locations decides. */
struct whole {
    uint64_t callers;
    bool has_exclusive; /* locks */
};

static struct whole look_at_all(const struct mwa_quiet_tries *tries,
                                const struct mwa_trace *trace)
{
    struct whole whole = { .callers = count_callers(tries, trace) };

    for (uint64_t i = 0; i < trace->location_count; i++) {
        whole.has_exclusive |= tries[i].has_exclusive;
    }
    return whole;
}

/* Whether nobody behind the place asked for a lock before who holds it had unlocked it: all meet,
 * or nobody is in a call of MPI. */
static bool are_locks_apart(const struct together *place)
{
    return !place->has_locks && (place->is_lull ? place->last_met <= place->first_enter
                                                : place->last_enter <= place->first_met);
}

/* Whether nobody has waited behind a lull for another to come to MPI with an operation before it
 * (mwa_awaited_return): who may have waited came when all had entered theirs. */
static bool leads_nobody_back(const struct together *place)
{
    return !place->is_lull || place->last_rooted <= place->first_give;
}

static bool is_quiet(const struct together *place, const struct whole *whole)
{
    return place->locations == whole->callers && place->balance == 0 &&
           place->first_act > place->last_enter && !place->is_overtaken && !place->is_held &&
           !(place->receives && place->sends) && leads_nobody_back(place) &&
           (!whole->has_exclusive || are_locks_apart(place));
}

/* Keeps of a location what is quiet; false: its order is not that of others. */
static bool keep_quiet(struct mwa_quiet_tries *tries, const struct whole *whole,
                       const struct mwa_index *index, struct together *places, bool is_first)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < tries->count; i++) {
        struct together *place =
            &places[mwa_map_get(&index->positions, key_of(&tries->list[i]))];

        if (!is_quiet(place, whole)) {
            continue;
        }
        if (is_first) {
            place->order = kept;
        } else if (place->order != kept) {
            return false;
        }
        tries->list[kept++] = tries->list[i];
    }
    tries->count = kept;
    return true;
}

bool mwa_quiet_tries_agree(struct mwa_quiet_tries *tries, const struct mwa_trace *trace)
{
    const struct whole whole = look_at_all(tries, trace);
    struct mwa_index index = { .count = 0 };
    struct mwa_shared_channels shared = { .by = { .count = 0 } };
    struct together *places = NULL;
    bool has_room = find_shared(tries, trace, &shared) &&
                    add_up(tries, trace, &shared, &index, &places);
    bool is_first = true, agree = whole.callers > 0;

    for (uint64_t i = 0; has_room && agree && i < trace->location_count; i++) {
        if (tries[i].has_calls) {
            agree = keep_quiet(&tries[i], &whole, &index, places, is_first);
            is_first = false;
        }
    }
    for (uint64_t i = 0; i < trace->location_count; i++) {
        tries[i].count = agree ? tries[i].count : 0;
        forget_requests(&tries[i]);
    }
    free(places);
    mwa_index_fini(&index);
    mwa_shared_channels_fini(&shared);
    return has_room;
}
