/*
 * Whether a place can be gone to is found out before anybody goes there: where one location can't,
 * all begin at the beginning.
 */
#include "analyzer/load/reading_start.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/otf2_input.h"

#define BATCH_EVENTS 4096u

/* A location that is read up to its place. */
struct approach {
    const struct mwa_event_reader *reader;
    const struct mwa_quiet_place *place;
    struct mwa_open_calls open;
    bool is_there; /* what should be behind the place is */
};

static bool is_outside(const struct mwa_open_calls *open)
{
    bool is_in = false;

    for (uint32_t i = 0; i < open->depth; i++) {
        is_in |= open->trace->regions[open->stack[i].region].kind != MWA_REGION_USER;
    }
    return !is_in && !open->is_through;
}

static enum mw_status take_event(void *user, const struct mwa_event *event)
{
    struct approach *approach = user;
    const uint64_t before = mwa_event_reader_count(approach->reader) - 1;

    if (before < approach->place->events) {
        return mwa_open_calls_take(&approach->open, event);
    }
    approach->is_there =
        before == approach->place->events && event->kind == MWA_ENTER &&
        event->time == approach->place->time && is_outside(&approach->open) &&
        approach->open.trace->regions[event->of.call.region].kind != MWA_REGION_USER;
    return MW_END;
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

static bool find_location(struct mwa_input *input, const struct mwa_block_states *states,
                          uint32_t location, const struct mwa_quiet_place *place,
                          struct mwa_location_start *start)
{
    struct approach approach = { .place = place, .open.trace = mwa_input_trace(input) };
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
    approach.is_there = approach.is_there && keep_calls(start, &approach.open);
    mwa_event_reader_close(reader);
    mwa_open_calls_fini(&approach.open);
    return approach.is_there;
}

struct mwa_reading_start *mwa_reading_start_find(struct mwa_input *input,
                                                 const struct mwa_block_states *states,
                                                 uint64_t time)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    const uint64_t count = states ? mwa_block_states_quiet_before(states, time) : 0;
    struct mwa_reading_start *start = count > 0 ? calloc(1, sizeof *start) : NULL;
    bool is_sound;

    if (!start) {
        return NULL;
    }
    start->location_count = trace->location_count;
    start->locations = calloc(trace->location_count + 1, sizeof *start->locations);
    is_sound = start->locations != NULL;
    for (uint32_t i = 0; is_sound && i < trace->location_count; i++) {
        const struct mwa_quiet_place *place = mwa_block_states_quiet(states, i, count - 1);

        is_sound = !place || find_location(input, states, i, place, &start->locations[i]);
    }
    if (!is_sound) {
        mwa_files_log(mwa_input_files(input))->fault = (struct mw_diagnostic){ .status = MW_OK };
        mwa_reading_start_free(start);
        return NULL;
    }
    return start;
}

void mwa_reading_start_free(struct mwa_reading_start *start)
{
    for (uint64_t i = 0; start && start->locations && i < start->location_count; i++) {
        free(start->locations[i].calls);
    }
    if (start) {
        free(start->locations);
    }
    free(start);
}
