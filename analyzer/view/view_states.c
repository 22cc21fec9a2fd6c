#include "analyzer/view/view_states.h"

#include "analyzer/model/bins.h"

static uint64_t overlap(uint64_t from, uint64_t to, uint64_t begin, uint64_t end)
{
    from = from > begin ? from : begin;
    to = to < end ? to : end;
    return from < to ? to - from : 0;
}

/* How much of a call's waits lies between two times, at most all that there is of it. */
static uint64_t waited(const struct mwa_view_store *store, const struct mwa_view_call *call,
                       uint64_t from, uint64_t to, uint64_t most)
{
    uint64_t sum = 0;

    for (uint32_t at = call->waits; at != MWA_NONE && sum < most;) {
        const struct mwa_view_wait *wait = mwa_view_wait_at(store, at);

        sum += overlap(from, to, wait->from, wait->to);
        at = wait->next;
    }
    return sum < most ? sum : most;
}

/* Adds what of an outermost call of MPI lies between from and to, both in it. */
static void add_call(const struct mwa_view_store *store, const struct mwa_view_location *location,
                     const struct mwa_view_call *call, uint64_t from, uint64_t to,
                     struct mwa_view_block *sums)
{
    const uint64_t length = call->leave - call->enter;
    const uint64_t inside = mwa_view_polls_of(store, call).inside;
    uint64_t ticks, waiting;

    if (from >= to) {
        return;
    }
    ticks = mwa_ticks_share(inside < length ? inside : length, call->enter, call->leave, from, to);
    waiting = waited(store, call, from, to, ticks);
    sums->ticks[mwa_view_state_of(store, call)] += ticks - waiting;
    sums->ticks[MWA_STATE_WAITING] += waiting;
    if (call->leave > location->run_from) {
        sums->ticks[MWA_STATE_USEFUL] +=
            mwa_ticks_share(inside < length ? length - inside : 0, call->enter, call->leave, from,
                            to);
    }
    sums->covered += overlap(from, to, location->run_from, location->run_to);
}

/* One more call is entered, or time has come: what is open until then is added. */
static void come_to(const struct mwa_view_store *store, const struct mwa_view_location *location,
                    struct mwa_view_block *sums, uint64_t *since, uint64_t time)
{
    const struct mwa_view_call *call;

    if (sums->covering == MWA_NONE) {
        return;
    }
    call = mwa_view_call_at(store, sums->covering);
    if (time < call->leave) {
        add_call(store, location, call, *since, time, sums);
        *since = time;
        return;
    }
    add_call(store, location, call, *since, call->leave, sums);
    sums->covering = MWA_NONE;
}

/* The next call of a location is entered. */
static void pass_call(const struct mwa_view_store *store, const struct mwa_view_location *location,
                      uint32_t number, struct mwa_view_block *sums, uint64_t *since)
{
    const struct mwa_view_call *call = mwa_view_call_at(store, number);

    if (call->is_outermost) {
        come_to(store, location, sums, since, call->enter);
        sums->covering = number;
        *since = call->enter;
    }
}

void mwa_view_states_make(struct mwa_view_store *store)
{
    for (uint64_t i = 0; i < store->trace->location_count; i++) {
        const struct mwa_view_location *location = &store->locations[i];
        struct mwa_view_block sums = { .covering = MWA_NONE };
        uint64_t since = 0;

        for (uint64_t n = 0; n < location->call_count; n++) {
            const uint32_t number = mwa_view_nth(location, n);

            if (n % MWA_VIEW_BLOCK == 0) {
                come_to(store, location, &sums, &since, mwa_view_call_at(store, number)->enter);
                *(struct mwa_view_block *)mwa_view_array_at(&store->blocks,
                                                            number / MWA_VIEW_BLOCK) = sums;
            }
            pass_call(store, location, number, &sums, &since);
        }
    }
}

uint64_t mwa_view_run_until(const struct mwa_view_location *location, uint64_t time)
{
    const uint64_t to = time < location->run_to ? time : location->run_to;
    uint64_t sum = overlap(location->run_from, to, 0, UINT64_MAX);

    for (uint64_t i = 0; i < location->pause_count && location->pauses[i].from < to; i++) {
        sum -= overlap(location->run_from, to, location->pauses[i].from, location->pauses[i].to);
    }
    return sum;
}

void mwa_view_cursor_init(struct mwa_view_cursor *cursor, const struct mwa_view_store *store,
                          uint32_t location)
{
    *cursor = (struct mwa_view_cursor){ .store = store,
                                        .location = &store->locations[location],
                                        .sums.covering = MWA_NONE };
}

static uint64_t enter_of(const struct mwa_view_cursor *cursor, uint64_t n)
{
    return mwa_view_call_at(cursor->store, mwa_view_nth(cursor->location, n))->enter;
}

/* The last block from low on that begins at time or before; low does. It is near by, as a rule. */
static uint64_t block_at(const struct mwa_view_cursor *cursor, uint64_t low, uint64_t time)
{
    const uint64_t calls = cursor->location->call_count;
    const uint64_t count = (calls + MWA_VIEW_BLOCK - 1) / MWA_VIEW_BLOCK;
    uint64_t step = 1, high = low + 1;

    while (high < count && enter_of(cursor, high * MWA_VIEW_BLOCK) <= time) {
        low = high;
        step *= 2;
        high += step;
    }
    high = high < count ? high : count;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;

        if (enter_of(cursor, middle * MWA_VIEW_BLOCK) <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Goes on to the last block that begins until time, if that is another one. */
static void pass_blocks(struct mwa_view_cursor *cursor, uint64_t time)
{
    const uint64_t here = cursor->entered > 0 ? (cursor->entered - 1) / MWA_VIEW_BLOCK : 0;
    const uint64_t block = block_at(cursor, here, time);
    uint32_t number;

    if (block == here) {
        return;
    }
    number = mwa_view_nth(cursor->location, block * MWA_VIEW_BLOCK);
    cursor->sums = *(const struct mwa_view_block *)mwa_view_array_at(&cursor->store->blocks,
                                                                     number / MWA_VIEW_BLOCK);
    cursor->since = enter_of(cursor, block * MWA_VIEW_BLOCK);
    cursor->entered = block * MWA_VIEW_BLOCK;
}

struct mwa_view_done mwa_view_cursor_go(struct mwa_view_cursor *cursor, uint64_t time)
{
    const struct mwa_view_location *location = cursor->location;
    struct mwa_view_block sums;
    struct mwa_view_done done;
    uint64_t since, outside;

    if (cursor->entered < location->call_count && enter_of(cursor, cursor->entered) <= time) {
        pass_blocks(cursor, time);
    }
    while (cursor->entered < location->call_count && enter_of(cursor, cursor->entered) <= time) {
        pass_call(cursor->store, location, mwa_view_nth(location, cursor->entered++),
                  &cursor->sums, &cursor->since);
    }
    sums = cursor->sums; /* a call that is open counts as a whole when it has ended */
    since = cursor->since;
    come_to(cursor->store, location, &sums, &since, time);
    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        done.ticks[state] = sums.ticks[state];
    }
    outside = mwa_view_run_until(location, time);
    done.ticks[MWA_STATE_USEFUL] += outside > sums.covered ? outside - sums.covered : 0;
    return done;
}

struct mwa_view_done mwa_view_done_at(const struct mwa_view_store *store, uint32_t location,
                                      uint64_t time)
{
    struct mwa_view_cursor cursor;

    mwa_view_cursor_init(&cursor, store, location);
    return mwa_view_cursor_go(&cursor, time);
}
