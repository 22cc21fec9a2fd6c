/*
 * Where to cut follows from the archive and how many parts are wanted. Of the places around each
 * cut the first one is taken that will do: mostly all will, or none.
 */
#include "analyzer/load/chapters.h"

#include <stdlib.h>

#define TRIED 8u /* places for a cut */

/* Events of all locations before a quiet place. */
static uint64_t events_before(const struct mwa_block_states *states, uint64_t locations,
                              uint64_t number)
{
    uint64_t events = 0;

    for (uint32_t i = 0; i < locations; i++) {
        const struct mwa_quiet_place *place = mwa_block_states_quiet(states, i, number);

        events += place ? place->events : 0;
    }
    return events;
}

/* The first place of count from `from` on that has so many events before it. */
static uint64_t find_place(const struct mwa_block_states *states, uint64_t locations,
                           uint64_t from, uint64_t count, uint64_t events)
{
    uint64_t low = from, high = count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (events_before(states, locations, middle) < events) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_same_operation(const struct mwa_first_call *one, const struct mwa_first_call *other)
{
    return one->comm == other->comm && one->operation == other->operation &&
           one->root == other->root;
}

/* Whether every rank's main thread goes through start's call: one operation, in which all meet. */
static bool is_seam(const struct mwa_trace *trace, const struct mwa_reading_start *start)
{
    const struct mwa_first_call *of_all = NULL;
    uint64_t last_enter = 0, first_leave = UINT64_MAX;

    for (uint64_t i = 0; i < trace->location_count; i++) {
        const struct mwa_location_start *location = &start->locations[i];
        const struct mwa_first_call *first = &location->first;
        const bool is_main = mwa_is_main_thread(trace, (uint32_t)i);

        of_all = is_main && !of_all ? first : of_all;
        if (is_main && (!location->is_there || !first->all_meet ||
                        !is_same_operation(first, of_all))) {
            return false;
        }
        if (is_main) {
            last_enter = first->enter > last_enter ? first->enter : last_enter;
            first_leave = first->leave < first_leave ? first->leave : first_leave;
        }
    }
    return last_enter <= first_leave;
}

/* Makes start null if it can't be where a chapter begins. */
static void keep_seam(const struct mwa_input *input, const struct mwa_block_states *states,
                      struct mwa_reading_start **start)
{
    if (*start && mwa_block_states_lulls(states) == 0 && !is_seam(mwa_input_trace(input), *start)) {
        mwa_reading_start_free(*start);
        *start = NULL;
    }
}

/* Tries other places than number, which is none, before end. */
static struct mwa_reading_start *try_others(struct mwa_input *input,
                                            const struct mwa_block_states *states, uint64_t number,
                                            uint64_t end)
{
    const uint64_t last = end - number < TRIED ? end : number + TRIED;
    struct mwa_reading_start *start = NULL;

    while (!start && ++number < last) {
        mwa_reading_starts_at(input, states, &number, 1, NULL, &start);
        keep_seam(input, states, &start);
    }
    return start;
}

/* Where count cuts are looked for first: ascending. \return how many. */
static uint32_t choose_numbers(const struct mwa_trace *trace, const struct mwa_block_states *states,
                               uint64_t places, uint32_t most, uint64_t *numbers)
{
    const uint64_t events = mwa_defined_events(trace);
    uint64_t next = 0;
    uint32_t count = 0;

    for (uint32_t i = 1; i < most && next < places; i++) {
        const uint64_t number = find_place(states, trace->location_count, next, places,
                                           events / most * i);

        if (number < places) {
            numbers[count++] = number;
        }
        next = number + 1;
    }
    return count;
}

/* Fills chapters, of most at most, whose starts has room for that. */
static void find_starts(struct mwa_input *input, const struct mwa_block_states *states,
                        uint64_t places, uint32_t most, uint64_t *numbers,
                        const struct mwa_starts_finder *finder, struct mwa_chapters *chapters)
{
    const uint32_t count =
        choose_numbers(mwa_input_trace(input), states, places, most, numbers);
    uint32_t found = 0;

    if (count > 0 && finder) {
        finder->find(finder->user, numbers, count, chapters->starts);
    } else if (count > 0) {
        mwa_reading_starts_at(input, states, numbers, count, NULL, chapters->starts);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct mwa_reading_start *start = chapters->starts[i];

        keep_seam(input, states, &start);
        if (!start) {
            start = try_others(input, states, numbers[i], i + 1 < count ? numbers[i + 1] : places);
        }
        if (start) {
            chapters->starts[found++] = start;
        }
    }
    chapters->count = found + 1;
}

struct mwa_chapters *mwa_chapters_find(struct mwa_input *input,
                                       const struct mwa_block_states *states, uint32_t most,
                                       const struct mwa_starts_finder *finder)
{
    const uint64_t lulls = states ? mwa_block_states_lulls(states) : 0;
    const uint64_t places =
        lulls > 0 || !states ? lulls : mwa_block_states_quiet_before(states, UINT64_MAX);
    const bool can_be = places > 0 && most > 1 && !mwa_input_trace(input)->begins_late &&
                        mwa_input_can_begin_late(input);
    struct mwa_chapters *chapters = can_be ? calloc(1, sizeof *chapters) : NULL;
    uint64_t *numbers = can_be ? calloc(most, sizeof *numbers) : NULL;

    if (chapters && numbers) {
        chapters->starts = calloc(most, sizeof(struct mwa_reading_start *));
    }
    if (chapters && chapters->starts) {
        chapters->at_lulls = lulls > 0;
        find_starts(input, states, places, most, numbers, finder, chapters);
    }
    free(numbers);
    if (chapters && chapters->count < 2) {
        mwa_chapters_free(chapters);
        return NULL;
    }
    return chapters;
}

void mwa_chapters_free(struct mwa_chapters *chapters)
{
    for (uint32_t i = 0; chapters && i + 1 < chapters->count; i++) {
        mwa_reading_start_free(chapters->starts[i]);
    }
    if (chapters) {
        free(chapters->starts);
    }
    free(chapters);
}
