/*
 * Limits are read where the kernel keeps them and not asked of a library, since the recorder has
 * none; a group's limit is also that of all groups below it.
 */
#include "recorder/state/cores.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CORES_MAX 16384

void mwr_cores_read(const char *path, char *text, size_t size)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = descriptor >= 0 ? read(descriptor, text, size - 1) : -1;

    text[got > 0 ? got : 0] = '\0';
    if (descriptor >= 0) {
        close(descriptor);
    }
}

/* Appends "first-last", or the one that both are; false: it does not fit. */
static int append(char *text, size_t size, int first, int last)
{
    size_t length = strlen(text);
    const char *comma = length > 0 ? "," : "";
    int put = first == last ? snprintf(text + length, size - length, "%s%d", comma, first)
                            : snprintf(text + length, size - length, "%s%d-%d", comma, first,
                                       last);

    if (put < 0 || (size_t)put >= size - length) {
        text[length] = '\0';
        return 0;
    }
    return 1;
}

void mwr_cores_allowed(char *text, size_t size)
{
    const size_t bytes = CPU_ALLOC_SIZE(CORES_MAX);
    cpu_set_t *set = CPU_ALLOC(CORES_MAX);
    int first = -1;

    text[0] = '\0';
    if (!set || sched_getaffinity(0, bytes, set) != 0) {
        CPU_FREE(set);
        return;
    }
    for (int core = 0; core <= CORES_MAX; core++) {
        int is_in = core < CORES_MAX && CPU_ISSET_S((size_t)core, bytes, set);

        if (is_in && first < 0) {
            first = core;
        } else if (!is_in && first >= 0) {
            if (!append(text, size, first, core - 1)) {
                break;
            }
            first = -1;
        }
    }
    CPU_FREE(set);
}

/* What the first line with this key says, up to the end of that line; "": there is none. */
static const char *said_of(const char *about, const char *key, int *length)
{
    const char *line = strstr(about, key);

    line = line ? strchr(line, ':') : NULL;
    line = line ? line + 1 + strspn(line + 1, " \t") : "";
    *length = (int)strcspn(line, "\n");
    return line;
}

/* On AArch64 the kernel tells no names, but who made the core, and which of theirs it is. */
void mwr_cores_model_in(const char *about, char *text, size_t size)
{
    int length;
    int part_length;
    const char *said = said_of(about, "model name", &length);
    const char *part = said_of(about, "CPU part", &part_length);

    if (length == 0 && part_length > 0) {
        said = said_of(about, "CPU implementer", &length);
        snprintf(text, size, "implementer %.*s, part %.*s", length, said, part_length, part);
    } else {
        snprintf(text, size, "%.*s", length, said);
    }
}

void mwr_cores_model(char *text, size_t size)
{
    char about[4096];

    mwr_cores_read("/proc/cpuinfo", about, sizeof about);
    mwr_cores_model_in(about, text, size);
}

/* --- control groups ------------------------------------------------------------------- */

static int64_t number_of(const char *text)
{
    return *text == '-' || (*text >= '0' && *text <= '9') ? strtoll(text, NULL, 10) : -1;
}

/* Thousandths of a core: quota microseconds in each period of so many; 0: no limit. */
static uint64_t limit_by(int64_t quota, int64_t period)
{
    return quota > 0 && period > 0 ? (uint64_t)quota * 1000 / (uint64_t)period : 0;
}

static uint64_t limit_of_version_2(const char *directory)
{
    char path[4352];
    char text[64];
    const char *blank;

    snprintf(path, sizeof path, "%s/cpu.max", directory);
    mwr_cores_read(path, text, sizeof text);
    blank = strchr(text, ' ');
    return limit_by(number_of(text), blank ? number_of(blank + 1) : -1);
}

static uint64_t limit_of_version_1(const char *directory)
{
    char path[4352];
    char quota[32];
    char period[32];

    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory);
    mwr_cores_read(path, quota, sizeof quota);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
    mwr_cores_read(path, period, sizeof period);
    return limit_by(number_of(quota), number_of(period));
}

/* The least of a group at path below the mount, and of those above it; shortens path to it. */
static uint64_t least_limit(const char *mount, uint64_t (*limit_of)(const char *), char *path)
{
    uint64_t least = 0;
    size_t where = strlen(path);
    size_t length = where;

    while (1) {
        char directory[4300];
        uint64_t limit;

        snprintf(directory, sizeof directory, "%s%.*s", mount, (int)length, path);
        limit = limit_of(directory);
        if (limit > 0 && (least == 0 || limit < least)) {
            least = limit;
            where = length;
        }
        if (length == 0) {
            break;
        }
        do {
            length--;
        } while (length > 0 && path[length] != '/');
    }
    path[where] = '\0';
    return least;
}

/* Whether a list with commas has the word. */
static int has_word(const char *list, size_t length, const char *word)
{
    const size_t bytes = strlen(word);
    size_t at = 0;

    while (at < length) {
        size_t end = at;

        while (end < length && list[end] != ',') {
            end++;
        }
        if (end - at == bytes && memcmp(list + at, word, bytes) == 0) {
            return 1;
        }
        at = end + 1;
    }
    return 0;
}

/* The limit by a line "NUMBER:CONTROLLERS:PATH"; path gets the group. */
static uint64_t limit_by_line(const char *root, const char *line, size_t length, char *path,
                              size_t size)
{
    const char *controllers = memchr(line, ':', length);
    const char *name = controllers ? memchr(controllers + 1, ':',
                                            length - (size_t)(controllers + 1 - line))
                                   : NULL;
    char mount[4096];
    size_t bytes;

    if (!name) {
        return 0;
    }
    controllers++;
    bytes = (size_t)(name - controllers);
    snprintf(path, size, "%.*s", (int)(line + length - name - 1), name + 1);
    if (strcmp(path, "/") == 0) {
        path[0] = '\0';
    }
    if (bytes == 0) {
        return least_limit(root, limit_of_version_2, path);
    }
    if (!has_word(controllers, bytes, "cpu")) {
        return 0;
    }
    snprintf(mount, sizeof mount, "%s/%.*s", root, (int)bytes, controllers);
    return least_limit(mount, limit_of_version_1, path);
}

uint64_t mwr_cores_limit(const char *root, const char *groups, char *path, size_t size)
{
    uint64_t least = 0;

    path[0] = '\0';
    for (const char *line = groups; *line;) {
        size_t length = strcspn(line, "\n");
        char group[2048];
        uint64_t limit = limit_by_line(root, line, length, group, sizeof group);

        if (limit > 0 && (least == 0 || limit < least)) {
            least = limit;
            snprintf(path, size, "%s", *group ? group : "/");
        }
        line += length + (line[length] == '\n');
    }
    return least;
}
