#include "analyzer/table/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* value, in steps of 1000, with three digits or so. */
static const char *scaled(uint64_t value, const char *const *units, unsigned last, char *text)
{
    double rest = (double)value;
    unsigned unit = 0;

    while (rest >= 999.5 && unit < last) {
        rest /= 1000;
        unit++;
    }
    if (unit == 0) {
        snprintf(text, MWA_UNITS_BYTES, "%" PRIu64 "%s%s", value, units[0][0] ? " " : "",
                 units[0]);
    } else {
        snprintf(text, MWA_UNITS_BYTES, "%.*f %s", rest < 9.995 ? 2 : rest < 99.95 ? 1 : 0, rest,
                 units[unit]);
    }
    return text;
}

const char *mwa_time_text(uint64_t ns, char *text)
{
    static const char *const units[] = { "ns", "us", "ms", "s" };

    return scaled(ns, units, 3, text);
}

const char *mwa_moment_text(int64_t ns, char *text)
{
    char size[MWA_UNITS_BYTES];

    if (ns >= 0) {
        return mwa_time_text((uint64_t)ns, text);
    }
    mwa_time_text(0 - (uint64_t)ns, size);
    snprintf(text, MWA_UNITS_BYTES, "-%.*s", MWA_UNITS_BYTES - 2, size);
    return text;
}

const char *mwa_bytes_text(uint64_t bytes, char *text)
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };

    return scaled(bytes, units, 6, text);
}

const char *mwa_count_text(uint64_t count, char *text)
{
    static const char *const units[] = { "", "k", "M", "G", "T" };

    return scaled(count, units, 4, text);
}

const char *mwa_number_text(uint64_t count, char *text)
{
    if (count >= 10000) {
        return mwa_count_text(count, text);
    }
    snprintf(text, MWA_UNITS_BYTES, "%" PRIu64, count);
    return text;
}

const char *mwa_times_text(uint64_t count, char *text)
{
    char number[MWA_UNITS_BYTES];

    if (count == 1) {
        snprintf(text, MWA_UNITS_BYTES, "once");
    } else {
        snprintf(text, MWA_UNITS_BYTES, "%.*s times", MWA_UNITS_BYTES - 7,
                 mwa_number_text(count, number));
    }
    return text;
}

const char *mwa_share_text(uint64_t part, uint64_t whole, char *text)
{
    if (whole == 0) {
        snprintf(text, MWA_UNITS_BYTES, "-");
    } else {
        snprintf(text, MWA_UNITS_BYTES, "%.1f%%", 100.0 * (double)part / (double)whole);
    }
    return text;
}

const char *mwa_change_text(double from, double to, char *text)
{
    const double times = to / from;
    const double change = 100 * (times - 1);

    if (from == to) {
        snprintf(text, MWA_UNITS_BYTES, "0%%");
    } else if (!isfinite(change)) {
        snprintf(text, MWA_UNITS_BYTES, from == 0 ? "new" : "-");
    } else if (times >= 100) {
        snprintf(text, MWA_UNITS_BYTES, "x %.0f", times);
    } else {
        snprintf(text, MWA_UNITS_BYTES, "%+.*f%%", fabs(change) < 9.95 ? 1 : 0, change);
    }
    return text;
}
