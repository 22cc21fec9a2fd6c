/*
 * One parser for the launcher, which refuses a wrong list before the job starts,
 * and for the recorder, which may get one from the environment.
 */
#include "recorder/variables/schedule.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DURATION_MAX (UINT64_C(1) << 62)

bool mwr_duration_parse(const char *text, size_t length, uint64_t *nanoseconds)
{
    static const struct {
        const char *name;
        uint64_t factor;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    uint64_t number = 0;
    size_t used = 0;

    for (; used < length && isdigit((unsigned char)text[used]); used++) {
        number = 10 * number + (uint64_t)(text[used] - '0');
        if (number > DURATION_MAX / 10) {
            return false;
        }
    }
    if (used == 0) {
        return false;
    }
    *nanoseconds = 0;
    if (used == length) {
        return number == 0; /* 0 of whatever unit */
    }
    for (unsigned i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strlen(units[i].name) == length - used &&
            strncmp(units[i].name, text + used, length - used) == 0) {
            *nanoseconds = number * units[i].factor;
            return number <= DURATION_MAX / units[i].factor;
        }
    }
    return false;
}

void mwr_duration_print(uint64_t nanoseconds, char *text, size_t size)
{
    static const struct {
        const char *name;
        uint64_t factor;
    } units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    unsigned unit = 0;

    while (nanoseconds % units[unit].factor != 0) {
        unit++;
    }
    snprintf(text, size, "%" PRIu64 "%s", nanoseconds / units[unit].factor, units[unit].name);
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* The length of word when text of length starts with it, else 0. */
static size_t after(const char *text, size_t length, const char *word)
{
    return strlen(word) < length && strncmp(text, word, strlen(word)) == 0 ? strlen(word) : 0;
}

static bool read_count(const char *text, size_t length, uint64_t *count)
{
    *count = 0;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i]) || *count > UINT32_MAX) {
            return false;
        }
        *count = 10 * *count + (uint64_t)(text[i] - '0');
    }
    return *count > 0;
}

static bool read_when(struct mwr_schedule *schedule, const char *text, size_t length)
{
    size_t skip;

    if (is_word(text, length, "exit")) {
        return schedule->at_exit = true;
    }
    if (is_word(text, length, "enter")) {
        return schedule->at_enter = true;
    }
    if (is_word(text, length, "both")) {
        return schedule->at_enter = schedule->at_exit = true;
    }
    if (is_word(text, length, "phase")) {
        return schedule->at_phase = true;
    }
    if (is_word(text, length, "comm")) {
        return schedule->at_object = true;
    }
    if (is_word(text, length, "user")) {
        return schedule->at_user = true;
    }
    if ((skip = after(text, length, "calls=")) > 0) {
        return read_count(text + skip, length - skip, &schedule->calls);
    }
    if ((skip = after(text, length, "interval=")) > 0) {
        return mwr_duration_parse(text + skip, length - skip, &schedule->interval) &&
               schedule->interval > 0;
    }
    if ((skip = after(text, length, "thread=")) > 0) {
        return mwr_duration_parse(text + skip, length - skip, &schedule->thread) &&
               schedule->thread >= 10000;
    }
    return false;
}

bool mwr_schedule_parse(struct mwr_schedule *schedule, const char *text)
{
    memset(schedule, 0, sizeof *schedule);
    while (*text) {
        size_t length = strcspn(text, ",");

        if (!read_when(schedule, text, length)) {
            return false;
        }
        text += length + (text[length] == ',');
    }
    return schedule->at_exit || schedule->at_enter || schedule->at_phase ||
           schedule->at_object || schedule->at_user || schedule->calls || schedule->interval ||
           schedule->thread;
}

static const char *const array_words[] = {[MWR_ARRAY_STATISTICS] = "stats",
                                          [MWR_ARRAY_SUM] = "sum",
                                          [MWR_ARRAY_FULL] = "full"};

/* "sum,max,nonzero" and the like: the statistics, of which all are written or only the sum. */
static bool is_statistics(const char *text)
{
    static const char *const words[] = {"sum", "max", "argmax", "nonzero"};
    bool is_known = true;

    while (*text && is_known) {
        size_t length = strcspn(text, ",");

        is_known = false;
        for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
            is_known |= is_word(text, length, words[i]);
        }
        text += length;
        if (*text == ',') {
            text++;
            is_known &= *text != '\0';
        }
    }
    return is_known;
}

bool mwr_array_parse(struct mwr_array *array, const char *text)
{
    size_t skip = after(text, strlen(text), "top:");
    uint64_t top;

    if (skip > 0) {
        if (!read_count(text + skip, strlen(text + skip), &top) || top > MWR_ARRAY_TOP_MOST) {
            return false;
        }
        *array = (struct mwr_array){MWR_ARRAY_TOP, (uint32_t)top};
        return true;
    }
    for (unsigned kind = 0; kind < sizeof array_words / sizeof array_words[0]; kind++) {
        if (strcmp(array_words[kind], text) == 0) {
            *array = (struct mwr_array){(enum mwr_array_kind)kind, 0};
            return true;
        }
    }
    *array = (struct mwr_array){MWR_ARRAY_STATISTICS, 0};
    return after(text, strlen(text), "sum,") > 0 && is_statistics(text);
}

void mwr_array_print(struct mwr_array array, char *text, size_t size)
{
    if (array.kind == MWR_ARRAY_TOP) {
        snprintf(text, size, "top:%" PRIu32, array.top);
    } else {
        snprintf(text, size, "%s", array_words[array.kind]);
    }
}
