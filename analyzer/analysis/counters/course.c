#include "analyzer/analysis/counters/course.h"

/* Keeps of samples first to end - 1 the greatest, the least and the last; returns how many. */
static uint64_t keep_extremes(const struct mwa_sample *samples, uint64_t first, uint64_t end,
                              struct mwa_sample *to)
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

static bool is_in_cell(const struct mwa_course *course, uint64_t one, uint64_t other)
{
    return course->samples[one].time >> course->shift ==
           course->samples[other].time >> course->shift;
}

/* Doubles the cells. What stays is moved to the front, where it was read already. */
static void thin(struct mwa_course *course)
{
    uint64_t kept = 0;
    uint64_t end;

    course->shift++;
    for (uint64_t first = 0; first < course->count; first = end) {
        for (end = first + 1; end < course->count && is_in_cell(course, first, end);) {
            end++;
        }
        course->last_cell = kept;
        kept += keep_extremes(course->samples, first, end, course->samples + kept);
    }
    course->count = kept;
}

enum mw_status mwa_course_add(struct mwa_course *course, const struct mwa_sample *sample)
{
    while (course->count == (course->most ? course->most : MWA_COURSE_SAMPLES)) {
        thin(course);
    }
    if (!mwa_grow(&course->samples, &course->capacity, course->count + 1, sizeof *sample)) {
        return MW_ERROR_MEMORY;
    }
    course->samples[course->count++] = *sample;
    if (!is_in_cell(course, course->last_cell, course->count - 1)) {
        course->last_cell = course->count - 1;
    } else if (course->count - course->last_cell > 3) {
        course->count = course->last_cell +
                        keep_extremes(course->samples, course->last_cell, course->count,
                                      course->samples + course->last_cell);
    }
    return MW_OK;
}
