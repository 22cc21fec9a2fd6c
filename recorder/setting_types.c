/*
 * Reading and writing a type stand side by side, as what is written to the archive
 * and to --dry-run has to read back as the same value.
 */
#include "recorder/setting_types.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/clock.h"
#include "formats/table/calls.h"
#include "recorder/io_hints.h"
#include "recorder/sites/stacks.h"
#include "recorder/state/computing.h"
#include "recorder/variables/pvar_selection.h"
#include "recorder/variables/schedule.h"

#define HANG_LEAST 1000000000u /* ns */
#define KILL_WORD ":kill"
#define STACK_WORD "stack"
#define STACK_FRAMES 16u /* if their number is not said */

static bool read_path(const struct mwr_setting_type *type, const char *value, void *member)
{
    if (strlen(value) >= MWR_SETTING_PATH_BYTES) {
        return false;
    }
    memcpy(member, value, strlen(value) + 1);
    return true;
}

static void write_path(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    snprintf(text, size, "%s", (const char *)member);
}

static bool read_flag(const struct mwr_setting_type *type, const char *value, void *member)
{
    static const char *const words[] = {"0", "1", "no", "yes", "false", "true", "off", "on"};

    for (unsigned word = 0; word < sizeof words / sizeof words[0]; word++) {
        if (strcmp(value, words[word]) == 0) {
            *(bool *)member = word % 2 == 1;
            return true;
        }
    }
    return false;
}

static void write_flag(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    snprintf(text, size, "%d", *(const bool *)member);
}

/* Enumerations have the size of unsigned in every ABI that mpiwatch is built for. */
_Static_assert(sizeof(enum mw_archive_format) == sizeof(unsigned),
               "choices are stored as unsigned");
_Static_assert(sizeof(enum mw_source_paths) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum mw_site_form) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum mwr_clock_way) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum mwr_on_full) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum mwr_on_term) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum mwr_probe_mode) == sizeof(unsigned), "choices are stored as unsigned");
_Static_assert(sizeof(enum mwr_mpi) == sizeof(unsigned), "choices are stored as unsigned");

static bool read_choice(const struct mwr_setting_type *type, const char *value, void *member)
{
    for (unsigned word = 0; type->words[word]; word++) {
        if (strcmp(value, type->words[word]) == 0) {
            memcpy(member, &word, sizeof word);
            return true;
        }
    }
    return false;
}

static void write_choice(const struct mwr_setting_type *type, const void *member, char *text,
                         size_t size)
{
    unsigned word;

    memcpy(&word, member, sizeof word);
    snprintf(text, size, "%s", type->words[word]);
}

/* A whole number without a sign, from least to most. */
static bool read_number(const char *value, unsigned long least, unsigned long most, void *member)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);

    if (!isdigit((unsigned char)value[0]) || *end || number < least || number > most) {
        return false;
    }
    *(uint32_t *)member = (uint32_t)number;
    return true;
}

static void write_number(const struct mwr_setting_type *type, const void *member, char *text,
                         size_t size)
{
    snprintf(text, size, "%" PRIu32, *(const uint32_t *)member);
}

static bool read_level(const struct mwr_setting_type *type, const char *value, void *member)
{
    return read_number(value, 0, 9, member);
}

static bool read_time_unit(const struct mwr_setting_type *type, const char *value, void *member)
{
    const uint64_t unit = mw_clock_unit(value);

    if (unit == 0) {
        return false;
    }
    *(uint64_t *)member = unit;
    return true;
}

static void write_time_unit(const struct mwr_setting_type *type, const void *member, char *text,
                            size_t size)
{
    snprintf(text, size, "%" PRIu64 "ns", *(const uint64_t *)member);
}

static bool read_objects(const struct mwr_setting_type *type, const char *value, void *member)
{
    return read_number(value, 1, 100000, member);
}

static bool read_rate(const struct mwr_setting_type *type, const char *value, void *member)
{
    if (strcmp(value, "off") == 0) {
        *(uint32_t *)member = 0;
        return true;
    }
    return read_number(value, 1, MWR_COMPUTING_RATE_MOST, member);
}

static void write_rate(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    if (*(const uint32_t *)member == 0) {
        snprintf(text, size, "off");
    } else {
        write_number(type, member, text, size);
    }
}

/* The power of two that a suffix means: "" 0, "k" or "KiB" 10, … -1 when unknown. */
static int shift_of_suffix(const char *suffix)
{
    static const char letters[] = "kmgt";
    const char *letter;

    if (suffix[0] == '\0' || strcmp(suffix, "B") == 0) {
        return 0;
    }
    letter = strchr(letters, tolower((unsigned char)suffix[0]));
    suffix++;
    if (!letter || (suffix[0] && strcmp(suffix, "iB") != 0 && strcmp(suffix, "B") != 0)) {
        return -1;
    }
    return 10 * (int)(letter - letters + 1);
}

static bool read_size(const struct mwr_setting_type *type, const char *value, void *member)
{
    char *suffix;
    unsigned long long number;
    int shift;

    if (!isdigit((unsigned char)value[0])) {
        return false; /* strtoull would take "-1" and " 1" */
    }
    errno = 0;
    number = strtoull(value, &suffix, 10);
    shift = shift_of_suffix(suffix);
    if (errno || shift < 0 || number > UINT64_MAX >> shift) {
        return false;
    }
    *(uint64_t *)member = (uint64_t)number << shift;
    return true;
}

static void write_size(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    snprintf(text, size, "%" PRIu64, *(const uint64_t *)member);
}

static bool read_events(const struct mwr_setting_type *type, const char *value, void *member)
{
    const char *unknown;

    return mw_groups_parse(value, (uint32_t *)member, &unknown);
}

static void write_events(const struct mwr_setting_type *type, const void *member, char *text,
                         size_t size)
{
    uint32_t groups = *(const uint32_t *)member;
    size_t used = 0;

    text[0] = '\0';
    for (unsigned group = 0; group < MW_GROUP_COUNT && used < size; group++) {
        if (groups & 1u << group) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "",
                                     mw_group_name(group));
        }
    }
}

static void write_text(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    snprintf(text, size, "%s", (const char *)member);
}

static bool keep_text(const char *value, void *member)
{
    if (strlen(value) >= MWR_SETTING_TEXT_BYTES) {
        return false;
    }
    memcpy(member, value, strlen(value) + 1);
    return true;
}

static bool read_selection(const struct mwr_setting_type *type, const char *value, void *member)
{
    struct mwr_selection selection;

    return mwr_selection_parse(&selection, value, NULL) == MW_OK && keep_text(value, member);
}

/* Words and names, with commas between. */
static bool read_comms(const struct mwr_setting_type *type, const char *value, void *member)
{
    size_t length = strlen(value);

    return length > 0 && value[0] != ',' && value[length - 1] != ',' && !strstr(value, ",,") &&
           keep_text(value, member);
}

static bool read_schedule(const struct mwr_setting_type *type, const char *value, void *member)
{
    struct mwr_schedule schedule;

    return mwr_schedule_parse(&schedule, value) && keep_text(value, member);
}

static bool read_classes(const struct mwr_setting_type *type, const char *value, void *member)
{
    return mwr_class_overrides_are_valid(value) && keep_text(value, member);
}

static bool read_hints(const struct mwr_setting_type *type, const char *value, void *member)
{
    return mwr_io_hints_are_valid(value) && keep_text(value, member);
}

static bool read_duration(const struct mwr_setting_type *type, const char *value, void *member)
{
    return mwr_duration_parse(value, strlen(value), member);
}

static void write_duration(const struct mwr_setting_type *type, const void *member, char *text,
                           size_t size)
{
    mwr_duration_print(*(const uint64_t *)member, text, size);
}

static bool read_array(const struct mwr_setting_type *type, const char *value, void *member)
{
    return mwr_array_parse(member, value);
}

static void write_array(const struct mwr_setting_type *type, const void *member, char *text,
                        size_t size)
{
    mwr_array_print(*(const struct mwr_array *)member, text, size);
}

static bool read_sites(const struct mwr_setting_type *type, const char *value, void *member)
{
    struct mwr_site_setting sites = {MWR_SITES_OFF, 0};

    if (strcmp(value, "auto") == 0) {
        sites = (struct mwr_site_setting){MWR_SITES_AUTO, MWR_STACK_FRAMES_MAX};
    } else if (strcmp(value, "line") == 0) {
        sites.way = MWR_SITES_LINE;
    } else if (strncmp(value, STACK_WORD, strlen(STACK_WORD)) == 0) {
        const char *frames = value + strlen(STACK_WORD);

        sites = (struct mwr_site_setting){MWR_SITES_STACK, STACK_FRAMES};
        if (*frames && (*frames != ':' ||
                        !read_number(frames + 1, 1, MWR_STACK_FRAMES_MAX, &sites.frames))) {
            return false;
        }
    } else if (strcmp(value, "off") != 0) {
        return false;
    }
    memcpy(member, &sites, sizeof sites);
    return true;
}

static void write_sites(const struct mwr_setting_type *type, const void *member, char *text,
                        size_t size)
{
    static const char *const words[] = {
        [MWR_SITES_OFF] = "off", [MWR_SITES_LINE] = "line", [MWR_SITES_AUTO] = "auto"};
    const struct mwr_site_setting *sites = member;

    if (sites->way == MWR_SITES_STACK) {
        snprintf(text, size, STACK_WORD ":%" PRIu32, sites->frames);
    } else {
        snprintf(text, size, "%s", words[sites->way]);
    }
}

/* TIME, TIME:kill, or off. */
static bool read_hang(const struct mwr_setting_type *type, const char *value, void *member)
{
    struct mwr_hang_setting hang;
    const size_t length = strcspn(value, ":");

    memset(&hang, 0, sizeof hang); /* what lies between members, too: all of it is sent */
    if (strcmp(value, "off") != 0) {
        hang.kills = strcmp(value + length, KILL_WORD) == 0;
        if (!mwr_duration_parse(value, length, &hang.after) || hang.after < HANG_LEAST ||
            (value[length] && !hang.kills) || (type == &mwr_stuck_type && !hang.kills)) {
            return false;
        }
    }
    memcpy(member, &hang, sizeof hang);
    return true;
}

static void write_hang(const struct mwr_setting_type *type, const void *member, char *text,
                       size_t size)
{
    const struct mwr_hang_setting *hang = member;
    char time[32];

    if (hang->after == 0) {
        snprintf(text, size, "off");
        return;
    }
    mwr_duration_print(hang->after, time, sizeof time);
    snprintf(text, size, "%s%s", time, hang->kills ? KILL_WORD : "");
}

static const char *const format_words[] = {
    [MW_ARCHIVE_ZIP] = "zip", [MW_ARCHIVE_DIRECTORY] = "directory", NULL};
static const char *const on_full_words[] = {
    [MWR_ON_FULL_STOP] = "stop", [MWR_ON_FULL_WRAP] = "wrap", NULL};
static const char *const on_term_words[] = {
    [MWR_ON_TERM_SAY] = "say", [MWR_ON_TERM_FINISH] = "finish", [MWR_ON_TERM_OFF] = "off", NULL};
static const char *const clock_words[] = {
    [MWR_CLOCK_AUTO] = "auto", [MWR_CLOCK_MONOTONIC] = "monotonic", NULL};
static const char *const paths_words[] = {[MW_PATHS_FULL] = "full",
                                          [MW_PATHS_RELATIVE] = "relative",
                                          [MW_PATHS_BASE] = "base",
                                          NULL};
static const char *const site_form_words[] = {
    [MW_SITES_REGION] = "region", [MW_SITES_ATTRIBUTE] = "attribute", NULL};
static const char *const probe_words[] = {
    [MWR_PROBE_AUTO] = "auto", [MWR_PROBE_FORK] = "fork", [MWR_PROBE_OFF] = "off", NULL};

const struct mwr_setting_type mwr_path_type = {
    read_path, write_path, "a path of less than 4096 bytes", NULL};
const struct mwr_setting_type mwr_list_type = {
    read_path, write_path, "a list of less than 4096 bytes", NULL};
const struct mwr_setting_type mwr_flag_type = {
    read_flag, write_flag, "0 or 1 (no or yes)", NULL};
const struct mwr_setting_type mwr_level_type = {
    read_level, write_number, "a level from 0 to 9", NULL};
const struct mwr_setting_type mwr_size_type = {
    read_size, write_size, "a size such as 512M or 2G", NULL};
const struct mwr_setting_type mwr_events_type = {
    read_events, write_events,
    "a list of p2p, coll, comm, topo, rma, io, env, type, attr, err, info, group, conv, tool, "
    "all, default",
    NULL};
const struct mwr_setting_type mwr_format_type = {
    read_choice, write_choice, "zip or directory", format_words};
const struct mwr_setting_type mwr_on_full_type = {
    read_choice, write_choice, "stop or wrap", on_full_words};
const struct mwr_setting_type mwr_on_term_type = {
    read_choice, write_choice, "say, finish or off", on_term_words};
const struct mwr_setting_type mwr_clock_type = {
    read_choice, write_choice, "auto or monotonic", clock_words};
const struct mwr_setting_type mwr_sites_type = {
    read_sites, write_sites, "auto, line, off, stack or stack:N, N from 1 to 64", NULL};
const struct mwr_setting_type mwr_paths_type = {
    read_choice, write_choice, "full, relative or base", paths_words};
const struct mwr_setting_type mwr_site_form_type = {
    read_choice, write_choice, "region or attribute", site_form_words};
const struct mwr_setting_type mwr_time_unit_type = {
    read_time_unit, write_time_unit, "1ns, 2ns, 4ns, 8ns, 16ns, 32ns or 64ns", NULL};
const struct mwr_setting_type mwr_probe_type = {
    read_choice, write_choice, "auto, fork or off", probe_words};
const struct mwr_setting_type mwr_mpi_type = {
    read_choice, write_choice, "auto, openmpi, mpich or abi", mwr_mpi_words};

const struct mwr_setting_type mwr_selection_type = {
    read_selection, write_text,
    "a selection such as \"default; class:COUNTER; !mpool*\" (see mpiwatch-record(1))", NULL};
const struct mwr_setting_type mwr_comms_type = {
    read_comms, write_text, "a list of world, registered, all, and names with *", NULL};
const struct mwr_setting_type mwr_schedule_type = {
    read_schedule, write_text,
    "a list of exit, enter, both, calls=N, interval=TIME, thread=TIME, phase, comm, user", NULL};
const struct mwr_setting_type mwr_classes_type = {
    read_classes, write_text, "a list of NAME*=CLASS or NAME*=CLASS,read_resets", NULL};
const struct mwr_setting_type mwr_hints_type = {
    read_hints, write_text,
    "a list of KEY=VALUE, with ; between (35 and 255 bytes at most, as every MPI takes them; "
    "*_buffer_size from 1 to 1G bytes)",
    NULL};
const struct mwr_setting_type mwr_duration_type = {
    read_duration, write_duration, "a time such as 250us or 1ms", NULL};
const struct mwr_setting_type mwr_hang_type = {
    read_hang, write_hang, "a time from 1s on, such as 60s or 60s:kill, or off", NULL};
const struct mwr_setting_type mwr_stuck_type = {
    read_hang, write_hang, "a time from 1s on and \":kill\", such as 300s:kill, or off", NULL};
const struct mwr_setting_type mwr_objects_type = {
    read_objects, write_number, "a number from 1 to 100000", NULL};
const struct mwr_setting_type mwr_rate_type = {
    read_rate, write_rate, "a number from 1 to 1000, or off", NULL};
const struct mwr_setting_type mwr_array_type = {
    read_array, write_array, "stats, sum, full or top:N, N from 1 to 127", NULL};
