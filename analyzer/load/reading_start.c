/*
 * Whether a place can be gone to is found out before anybody goes there: where one location can't,
 * all begin at the beginning. Who has read up to a place knows where that is in the file, so that
 * those that begin there read nothing of what is before.
 */
#include "analyzer/load/reading_start.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/load/each_location.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/model/needs.h"

#define BATCH_EVENTS 4096u
#define MARK_EVENTS  64u /* a mark is so many events before its place at most */

/* A location that is read up to its places, one after the other. */
struct approach {
    struct mwa_event_reader *reader;
    struct mwa_open_calls open;
    const struct mwa_quiet_place *place;
    bool is_main;  /* thread of its rank, where those meet */
    bool is_there; /* what should be behind the place is */
    bool has_more; /* than one collective operation of all in the first call */
    uint32_t inside; /* calls that are open there, that one included */
    struct mwa_location_start *start;
};

static bool is_outside(const struct mwa_open_calls *open)
{
    bool is_in = false;

    for (uint32_t i = 0; i < open->depth; i++) {
        is_in |= open->trace->regions[open->stack[i].region].kind != MWA_REGION_USER;
    }
    return !is_in && !open->is_through;
}

/* Keeps what is open. */
static bool keep_calls(struct mwa_location_start *start, const struct mwa_open_calls *open)
{
    start->calls = calloc(open->depth + 1u, sizeof *start->calls);
    if (start->calls && open->depth > 0) {
        memcpy(start->calls, open->stack, open->depth * sizeof *start->calls);
    }
    start->call_count = open->depth;
    return start->calls != NULL;
}

/* Whether more than waiting is told of a call: that it stands for several, or callbacks in it. */
static bool is_more(const struct mwa_region_data *call)
{
    return call->repeat > 1 || call->inside != UINT64_MAX;
}

/* The call that should be behind the place. */
static enum mw_status begin_first(struct approach *approach, const struct mwa_event *event)
{
    const uint64_t before = mwa_event_reader_count(approach->reader) - 1;

    approach->is_there =
        before == approach->place->events && event->kind == MWA_ENTER &&
        event->time == approach->place->time && is_outside(&approach->open) &&
        approach->open.trace->regions[event->of.call.region].kind != MWA_REGION_USER;
    approach->inside = 1;
    approach->has_more = is_more(&event->of.call) ||
                         mw_call_means(approach->open.trace->regions[event->of.call.region].call,
                                       MW_NEIGHBORS);
    approach->start->first.enter = event->time;
    return !approach->is_there                               ? MW_END
           : !keep_calls(approach->start, &approach->open) ? MW_ERROR_MEMORY
           : approach->is_main                               ? MW_OK
                                                             : MW_END;
}

/* What is in it. */
static enum mw_status follow_first(struct approach *approach, const struct mwa_event *event)
{
    struct mwa_first_call *first = &approach->start->first;

    switch (event->kind) {
    case MWA_ENTER:
        approach->inside++;
        approach->has_more = true;
        return MW_OK;
    case MWA_LEAVE:
        if (--approach->inside > 0) {
            return MW_OK;
        }
        first->leave = event->time;
        first->events = mwa_event_reader_count(approach->reader);
        first->all_meet &= !approach->has_more && !event->of.call.open &&
                           !is_more(&event->of.call);
        return MW_END;
    case MWA_COLLECTIVE_END:
        approach->has_more |= first->all_meet || !mwa_do_all_meet(&event->of.collective);
        first->all_meet = true;
        first->comm = event->of.collective.comm;
        first->operation = event->of.collective.operation;
        first->root = event->of.collective.root;
        return MW_OK;
    case MWA_COLLECTIVE_BEGIN:
    case MWA_METRIC:
    case MWA_RUNNING:
    case MWA_DISCONTINUITY:
        return MW_OK;
    default:
        approach->has_more = true;
        return MW_OK;
    }
}

static enum mw_status take_event(void *user, const struct mwa_event *event)
{
    struct approach *approach = user;
    const uint64_t count = mwa_event_reader_count(approach->reader);
    const uint64_t wanted = approach->place->events;
    enum mw_status status = MW_OK;
    enum mw_status taken;

    if (count > wanted) {
        status = approach->is_there ? follow_first(approach, event) : begin_first(approach, event);
    } else if (count + MARK_EVENTS > wanted && approach->start->mark.place.events == 0) {
        approach->start->mark = mwa_event_reader_mark(approach->reader);
    }
    taken = mwa_open_calls_take(&approach->open, event);
    return taken == MW_OK ? status : taken;
}

static enum mw_status take_call(void *user, const struct mwa_event *event)
{
    return mwa_open_calls_take(user, event);
}

/*
 * Goes on until a mark can be made. Of what is before it those alone look at all of it who follow
 * the run there.
 */
static enum mw_status pass_over(struct approach *approach)
{
    const uint64_t wanted = approach->place->events;
    enum mw_status status = MW_OK;
    uint64_t count;

    while (status == MW_OK &&
           (count = mwa_event_reader_count(approach->reader)) + MARK_EVENTS < wanted) {
        const uint64_t left = wanted - MARK_EVENTS - count;

        status = mwa_event_reader_read_calls(approach->reader,
                                             left < BATCH_EVENTS ? left : BATCH_EVENTS, take_call,
                                             &approach->open, NULL);
    }
    return status;
}

/* Keeps the requests that are open at place. */
static bool keep_requests(struct mwa_location_start *start, const struct mwa_block_states *states,
                          uint32_t location, const struct mwa_quiet_place *place)
{
    uint64_t count, kept = 0;
    const struct mwa_carried_request *list = mwa_block_states_carried(states, location, &count);

    for (uint64_t i = 0; i < count; i++) {
        kept += mwa_is_carried_over(&list[i], place->events);
    }
    start->resting = place->resting;
    start->carried = kept > 0 ? calloc(kept, sizeof *start->carried) : NULL;
    for (uint64_t i = 0; start->carried && i < count; i++) {
        if (mwa_is_carried_over(&list[i], place->events)) {
            start->carried[start->carried_count++] = list[i];
        }
    }
    return start->carried_count == kept;
}

/* Goes to the block before the place, unless what is read next is behind its beginning already. */
static enum mw_status come_near(struct approach *approach, const struct mwa_block_states *states,
                                uint32_t location)
{
    const struct mwa_open_call *calls = NULL;
    const struct mwa_block_entry *entry =
        mwa_block_states_at(states, location, approach->place->events, &calls);
    enum mw_status status = MW_OK;

    if (entry && entry->events > mwa_event_reader_count(approach->reader)) {
        status = mwa_event_reader_seek(approach->reader, entry, NULL);
        if (status == MW_OK && !mwa_open_calls_begin(&approach->open, calls, entry->calls,
                                                     entry->is_through == 1)) {
            status = MW_ERROR_MEMORY;
        }
    }
    return status;
}

/* False: start's place can't be gone to, and the approach has ended. */
static bool find_place(struct approach *approach, const struct mwa_block_states *states,
                       uint32_t location, struct mwa_location_start *start)
{
    enum mw_status status;

    *start = (struct mwa_location_start){ .is_there = true,
                                          .has_first = approach->is_main,
                                          .events = approach->place->events,
                                          .left = approach->place->left };
    start->first.events = approach->is_main ? 0 : start->events;
    approach->start = start;
    approach->is_there = false;
    status = mwa_event_reader_count(approach->reader) <= approach->place->events
                 ? come_near(approach, states, location)
                 : MW_END;
    if (status == MW_OK) {
        status = pass_over(approach);
    }
    while (status == MW_OK) {
        status = mwa_event_reader_read(approach->reader, BATCH_EVENTS, take_event, approach, NULL);
    }
    if (status == MW_END && !approach->is_main && !approach->is_there &&
        mwa_event_reader_count(approach->reader) == start->events) { /* there is nothing behind */
        approach->is_there = keep_calls(start, &approach->open);
    }
    return approach->is_there && start->calls &&
           keep_requests(start, states, location, approach->place);
}

/* The same place once more. False without memory. */
static bool find_again(struct mwa_location_start *start, const struct mwa_location_start *last)
{
    const struct mwa_open_calls open = { .stack = last->calls, .depth = last->call_count };

    *start = *last;
    start->carried = calloc(last->carried_count + 1, sizeof *start->carried);
    if (start->carried && last->carried_count > 0) {
        memcpy(start->carried, last->carried, last->carried_count * sizeof *start->carried);
    }
    return keep_calls(start, &open) && start->carried;
}

/* The places that are looked for. */
struct search {
    const struct mwa_block_states *states;
    const uint64_t *numbers;
    uint32_t count;
    bool are_lulls;
    const bool *share; /* a flag for each location; null: all */
    struct mwa_reading_start **starts;
    atomic_bool *are_missed;           /* of each */
};

/* Goes through the places of one location; from the first on that can't be gone to all are missed.
 * Never fails. */
static enum mw_status visit(void *user, uint32_t worker, struct mwa_input *input,
                            uint32_t location, struct mw_diagnostic *diagnostic)
{
    const struct search *search = user;
    struct approach approach = { .open.trace = mwa_input_trace(input),
                                 .is_main = !search->are_lulls &&
                                            mwa_is_main_thread(mwa_input_trace(input),
                                                               location) };
    bool is_found;

    if ((search->share && !search->share[location]) ||
        !mwa_block_states_quiet(search->states, location, search->numbers[0])) {
        return MW_OK;
    }
    is_found = mwa_event_reader_open(input, location, &approach.reader, NULL) == MW_OK;
    for (uint32_t i = 0; i < search->count; i++) {
        struct mwa_location_start *start = &search->starts[i]->locations[location];
        const struct mwa_quiet_place *last = approach.place;

        approach.place = mwa_block_states_quiet(search->states, location, search->numbers[i]);
        is_found = is_found &&
                   (last && last->events == approach.place->events
                        ? find_again(start, &search->starts[i - 1]->locations[location])
                        : find_place(&approach, search->states, location, start));
        if (!is_found) {
            atomic_store(&search->are_missed[i], true);
        }
    }
    mwa_event_reader_close(approach.reader);
    mwa_open_calls_fini(&approach.open);
    mwa_files_log(mwa_input_files(input))->fault = (struct mw_diagnostic){ .status = MW_OK };
    return MW_OK;
}

static struct mwa_reading_start *make_start(uint64_t location_count)
{
    struct mwa_reading_start *start = calloc(1, sizeof *start);

    if (start) {
        start->location_count = location_count;
        start->locations = calloc(location_count + 1, sizeof *start->locations);
    }
    if (start && !start->locations) {
        free(start);
        start = NULL;
    }
    return start;
}

void mwa_reading_starts_at(struct mwa_input *input, const struct mwa_block_states *states,
                           const uint64_t *numbers, uint32_t count, const bool *share,
                           struct mwa_reading_start **starts)
{
    struct search search = { .states = states,
                             .numbers = numbers,
                             .count = count,
                             .are_lulls = mwa_block_states_lulls(states) > 0,
                             .share = share,
                             .starts = starts,
                             .are_missed = calloc(count + 1u, sizeof *search.are_missed) };
    bool is_made = search.are_missed != NULL;

    for (uint32_t i = 0; i < count; i++) {
        starts[i] = make_start(mwa_input_trace(input)->location_count);
        is_made &= starts[i] != NULL;
        if (starts[i]) {
            starts[i]->is_lull = search.are_lulls;
        }
    }
    if (is_made) {
        is_made = mwa_each_location(input, mwa_threads_worth_it(input), visit, &search, NULL) ==
                  MW_OK;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_made || atomic_load(&search.are_missed[i])) {
            mwa_reading_start_free(starts[i]);
            starts[i] = NULL;
        }
    }
    free(search.are_missed);
}

struct mwa_reading_start *mwa_reading_start_find(struct mwa_input *input,
                                                 const struct mwa_block_states *states,
                                                 uint64_t time)
{
    const uint64_t count = states ? mwa_block_states_quiet_before(states, time) : 0;
    const uint64_t last = count - 1;
    struct mwa_reading_start *start = NULL;

    if (count > 0) {
        mwa_reading_starts_at(input, states, &last, 1, NULL, &start);
    }
    return start;
}

void mwa_location_start_fini(struct mwa_location_start *start)
{
    free(start->calls);
    free(start->carried);
    *start = (struct mwa_location_start){ .is_there = false };
}

void mwa_reading_start_free(struct mwa_reading_start *start)
{
    for (uint64_t i = 0; start && start->locations && i < start->location_count; i++) {
        mwa_location_start_fini(&start->locations[i]);
    }
    if (start) {
        free(start->locations);
    }
    free(start);
}
