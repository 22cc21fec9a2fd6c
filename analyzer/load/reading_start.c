/*
 * Whether a place can be gone to is found out before anybody goes there: where one location can't,
 * all begin at the beginning.
 */
#include "analyzer/load/reading_start.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/otf2_input.h"
#include "analyzer/model/needs.h"

#define BATCH_EVENTS 4096u

/* A location that is read up to its place. */
struct approach {
    const struct mwa_event_reader *reader;
    const struct mwa_quiet_place *place;
    struct mwa_open_calls open;
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
                                                             : MW_OK;
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

    if (mwa_event_reader_count(approach->reader) <= approach->place->events) {
        return mwa_open_calls_take(&approach->open, event);
    }
    return approach->is_there ? follow_first(approach, event) : begin_first(approach, event);
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

static bool find_location(struct mwa_input *input, const struct mwa_block_states *states,
                          uint32_t location, const struct mwa_quiet_place *place,
                          struct mwa_location_start *start)
{
    struct approach approach = { .place = place,
                                 .open.trace = mwa_input_trace(input),
                                 .start = start };
    const struct mwa_open_call *calls = NULL;
    const struct mwa_block_entry *entry =
        mwa_block_states_at(states, location, place->events, &calls);
    struct mwa_event_reader *reader = NULL;
    enum mw_status status = mwa_event_reader_open(input, location, &reader, NULL);

    *start = (struct mwa_location_start){ .is_there = true,
                                          .has_entry = entry != NULL,
                                          .entry = entry ? *entry : (struct mwa_block_entry){ 0 },
                                          .events = place->events };
    approach.reader = reader;
    if (status == MW_OK && entry) {
        status = mwa_event_reader_seek(reader, entry, NULL);
    }
    if (status == MW_OK && entry &&
        !mwa_open_calls_begin(&approach.open, calls, entry->calls, entry->is_through == 1)) {
        status = MW_ERROR_MEMORY;
    }
    while (status == MW_OK) {
        status = mwa_event_reader_read(reader, BATCH_EVENTS, take_event, &approach, NULL);
    }
    mwa_event_reader_close(reader);
    mwa_open_calls_fini(&approach.open);
    return approach.is_there && start->calls && keep_requests(start, states, location, place);
}

struct mwa_reading_start *mwa_reading_start_at(struct mwa_input *input,
                                               const struct mwa_block_states *states,
                                               uint64_t number)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_reading_start *start = calloc(1, sizeof *start);
    bool is_sound;

    if (!start) {
        return NULL;
    }
    start->location_count = trace->location_count;
    start->locations = calloc(trace->location_count + 1, sizeof *start->locations);
    is_sound = start->locations != NULL;
    for (uint32_t i = 0; is_sound && i < trace->location_count; i++) {
        const struct mwa_quiet_place *place = mwa_block_states_quiet(states, i, number);

        is_sound = !place || find_location(input, states, i, place, &start->locations[i]);
    }
    if (!is_sound) {
        mwa_files_log(mwa_input_files(input))->fault = (struct mw_diagnostic){ .status = MW_OK };
        mwa_reading_start_free(start);
        return NULL;
    }
    return start;
}

struct mwa_reading_start *mwa_reading_start_find(struct mwa_input *input,
                                                 const struct mwa_block_states *states,
                                                 uint64_t time)
{
    const uint64_t count = states ? mwa_block_states_quiet_before(states, time) : 0;

    return count > 0 ? mwa_reading_start_at(input, states, count - 1) : NULL;
}

void mwa_reading_start_free(struct mwa_reading_start *start)
{
    for (uint64_t i = 0; start && start->locations && i < start->location_count; i++) {
        free(start->locations[i].calls);
        free(start->locations[i].carried);
    }
    if (start) {
        free(start->locations);
    }
    free(start);
}
