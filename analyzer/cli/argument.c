/*
 * Values are checked where they are read, so that a command never sees a time that
 * overflows or a pattern too many.
 */
#include "analyzer/cli/argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/cli/command.h"
#include "analyzer/cli/memory.h"
#include "formats/base/option_value.h"

bool mwa_take_time(const struct mw_option *option, const char *value, void *member, char *expected)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } };
    char *end;
    double number = strtod(value, &end);

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (end != value && strcmp(end, units[i].unit) == 0 &&
            fabs(number * units[i].factor) < 9e18) {
            *(int64_t *)member = (int64_t)round(number * units[i].factor);
            return true;
        }
    }
    snprintf(expected, MW_EXPECTED_BYTES, "a number with s, ms, us or ns");
    return false;
}

bool mwa_take_length(const struct mw_option *option, const char *value, void *member,
                     char *expected)
{
    static const struct {
        const char *unit;
        double mm;
    } units[] = { { "mm", 1 }, { "cm", 10 }, { "in", 25.4 } };
    char *end;
    double number = strtod(value, &end);

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (end != value && strcmp(end, units[i].unit) == 0 && number * units[i].mm >= 40 &&
            number * units[i].mm <= 500) {
            *(double *)member = number * units[i].mm;
            return true;
        }
    }
    snprintf(expected, MW_EXPECTED_BYTES, "from 40mm to 500mm, such as 85mm, 18cm or 7in");
    return false;
}

bool mwa_take_memory(const struct mw_option *option, const char *value, void *member,
                     char *expected)
{
    snprintf(expected, MW_EXPECTED_BYTES, "a size from 16M on such as 512M or 4G");
    return mwa_memory_parse(value, member);
}

bool mwa_take_output(const struct mw_option *option, const char *value, void *member,
                     char *expected)
{
    return mw_take_text(option, strcmp(value, "-") == 0 ? NULL : value, member, expected);
}

bool mwa_take_comm(const struct mw_option *option, const char *value, void *member, char *expected)
{
    struct mwa_options *options = member;

    snprintf(expected, MW_EXPECTED_BYTES, "among the first %u, more are not taken",
             MWA_COMM_PATTERNS);
    if (options->comm_pattern_count == MWA_COMM_PATTERNS) {
        return false;
    }
    options->comm_patterns[options->comm_pattern_count++] = value;
    return true;
}

bool mwa_take_limit(const struct mw_option *option, const char *value, void *member, char *expected)
{
    struct mwa_options *options = member;

    options->limits[options->limit_count++] =
        (struct mwa_limit_option){ value, strcmp(option->name, "max") == 0 };
    return true;
}

bool mwa_take_baseline(const struct mw_option *option, const char *value, void *member,
                       char *expected)
{
    struct mwa_options *options = member;

    options->baselines[options->baseline_count++] = value;
    return true;
}

bool mwa_take_tolerance(const struct mw_option *option, const char *value, void *member,
                        char *expected)
{
    char *end;
    double percent = strtod(value, &end);

    snprintf(expected, MW_EXPECTED_BYTES, "a percentage such as 5%%");
    *(double *)member = percent / 100;
    return end != value && strcmp(end, "%") == 0 && percent >= 0 && percent <= 1e6;
}
