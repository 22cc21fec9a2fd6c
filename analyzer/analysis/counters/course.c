/* A cell is whole after each step: what stays of it follows from the samples that it had. */
#include "analyzer/analysis/counters/course.h"

#include <stdlib.h>

#include "analyzer/model/map.h"
#include "analyzer/team/packing.h"

#define SEEN_MOST 3u /* samples that can stay of a cell */

/* Keeps of samples first to end - 1 the greatest, the least and the last; returns how many. */
static uint64_t keep_extremes(const struct mwa_course_sample *samples, uint64_t first,
                              uint64_t end, struct mwa_course_sample *to)
{
    uint64_t most = first;
    uint64_t least = first;
    uint64_t kept = 0;

    for (uint64_t i = first; i < end; i++) {
        most = samples[i].value > samples[most].value ? i : most;
        least = samples[i].value < samples[least].value ? i : least;
    }
    for (uint64_t i = first; i < end; i++) {
        if (i == most || i == least || i + 1 == end) {
            to[kept++] = samples[i];
        }
    }
    return kept;
}

static uint8_t both(uint8_t seen, uint8_t more)
{
    return (uint8_t)(seen + more < SEEN_MOST ? seen + more : SEEN_MOST);
}

static bool is_in_cell(const struct mwa_course *course, uint64_t one, uint64_t other)
{
    return course->samples[one].time >> course->shift ==
           course->samples[other].time >> course->shift;
}

/* The position behind the cell that begins at first, of so many. */
static uint64_t end_of_cell(const struct mwa_course *course, uint64_t first)
{
    uint64_t end = first + 1;

    while (end < course->count && course->seen[end] == 0) {
        end++;
    }
    return end;
}

/*
 * Samples from at on, seen of a cell, go into the last one, or are one behind it. They have been
 * moved to the end.
 */
static void take_cell(struct mwa_course *course, uint64_t at, uint8_t seen)
{
    uint64_t first = course->last_cell;

    if (at > 0 && is_in_cell(course, first, at)) {
        course->weight -= course->seen[first];
        seen = both(course->seen[first], seen);
    } else {
        first = at;
    }
    course->count = first + keep_extremes(course->samples, first, course->count,
                                          course->samples + first);
    for (uint64_t i = first; i < course->count; i++) {
        course->seen[i] = 0;
    }
    course->seen[first] = seen;
    course->last_cell = first;
    course->weight += seen;
}

/* Doubles the cells. What stays is moved to the front, where it was read already. */
static void thin(struct mwa_course *course)
{
    const uint64_t count = course->count;
    const struct mwa_course before = *course;
    uint64_t end;

    course->shift++;
    course->count = course->weight = course->last_cell = 0;
    for (uint64_t first = 0; first < count; first = end) {
        const uint64_t at = course->count;
        const uint8_t seen = before.seen[first];

        end = end_of_cell(&before, first);
        for (uint64_t i = first; i < end; i++) {
            course->samples[course->count++] = before.samples[i];
        }
        take_cell(course, at, seen);
    }
}

/* Appends a cell's samples, which are of one cell of course, too. */
static enum mw_status add_cell(struct mwa_course *course, const struct mwa_course_sample *samples,
                               uint64_t count, uint8_t seen, double by)
{
    const uint64_t at = course->count;
    const uint64_t all = at + count;

    if (!mwa_grow(&course->samples, &course->capacity, all, sizeof *samples) ||
        !mwa_grow(&course->seen, &course->seen_capacity, all, sizeof *course->seen)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        course->samples[course->count] = samples[i];
        course->samples[course->count++].value += by;
    }
    take_cell(course, at, seen);
    while (course->weight > (course->most ? course->most : MWA_COURSE_SAMPLES)) {
        thin(course);
    }
    return MW_OK;
}

enum mw_status mwa_course_add(struct mwa_course *course, uint64_t time, double value)
{
    const struct mwa_course_sample sample = { .time = time, .value = value };

    return add_cell(course, &sample, 1, 1, 0);
}

enum mw_status mwa_course_append(struct mwa_course *course, const struct mwa_course *later,
                                 double by)
{
    enum mw_status status = MW_OK;
    uint64_t end;

    while (later->shift > course->shift) {
        thin(course);
    }
    for (uint64_t first = 0; first < later->count && status == MW_OK; first = end) {
        end = end_of_cell(later, first);
        status = add_cell(course, &later->samples[first], end - first, later->seen[first], by);
    }
    return status;
}

/* --- for another process ---------------------------------------------------------------------- */

struct plain_sample {
    uint64_t time;
    double value;
    uint64_t seen;
};

void mwa_course_pack(const struct mwa_course *course, struct mw_buffer *to)
{
    mw_buffer_u32(to, course->shift);
    mw_buffer_u64(to, course->count); /* as mwa_pack_array has it */
    for (uint64_t i = 0; i < course->count; i++) {
        const struct plain_sample plain = { course->samples[i].time, course->samples[i].value,
                                            course->seen[i] };

        mw_buffer_append(to, &plain, sizeof plain);
    }
}

/* Whether cells, samples and what was seen of them are as a course has them. */
static bool is_whole(struct mwa_course *course)
{
    for (uint64_t i = 0; i < course->count; i++) {
        const bool begins = i == 0 || !is_in_cell(course, i - 1, i);

        if (begins != (course->seen[i] > 0) || course->seen[i] > SEEN_MOST ||
            (i > 0 && course->samples[i].time < course->samples[i - 1].time)) {
            return false;
        }
        course->last_cell = begins ? i : course->last_cell;
        course->weight += course->seen[i];
    }
    return true;
}

static enum mw_status make_samples(struct mwa_course *course, const struct plain_sample *plain,
                                   uint64_t count)
{
    if (!mwa_grow(&course->samples, &course->capacity, count, sizeof *course->samples) ||
        !mwa_grow(&course->seen, &course->seen_capacity, count, sizeof *course->seen)) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        course->samples[i] = (struct mwa_course_sample){ .time = plain[i].time,
                                                         .value = plain[i].value };
        course->seen[i] = plain[i].seen <= SEEN_MOST ? (uint8_t)plain[i].seen : UINT8_MAX;
    }
    course->count = count;
    return is_whole(course) ? MW_OK : MW_ERROR_FORMAT;
}

enum mw_status mwa_course_unpack(struct mwa_course *course, struct mw_cursor *from)
{
    struct plain_sample *plain = NULL;
    uint64_t count;
    char shift[4];
    enum mw_status status;

    if (!mw_cursor_take(from, shift, sizeof shift) || mw_get_u32(shift) >= 64) {
        return MW_ERROR_FORMAT;
    }
    course->shift = mw_get_u32(shift);
    status = mwa_unpack_array(from, &plain, &count, sizeof *plain);
    if (status == MW_OK) {
        status = make_samples(course, plain, count);
        free(plain);
    }
    return status;
}

void mwa_course_fini(struct mwa_course *course)
{
    free(course->samples);
    free(course->seen);
    *course = (struct mwa_course){ 0 };
}
