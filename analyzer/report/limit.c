/*
 * What a number is, a time or a ratio, is known to the column that says it: so a limit can't mean
 * ns where it says percent.
 */
#include "analyzer/report/limit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/paths.h"
#include "analyzer/table/line.h"
#include "analyzer/table/tables.h"

/* --- reading ------------------------------------------------------------------------------ */

/* "0.8", "110%", "20 ms", "7", "4.1MB". */
static bool parse_number(const char *text, struct mwa_limit *limit)
{
    static const struct {
        const char *name;
        double factor;
        enum mwa_unit unit;
    } units[] = { { "", 1, MWA_PLAIN },      { "%", 0.01, MWA_SHARE }, { "ns", 1, MWA_NS },
                  { "us", 1e3, MWA_NS },     { "ms", 1e6, MWA_NS },    { "s", 1e9, MWA_NS },
                  { "B", 1, MWA_BYTES },     { "kB", 1e3, MWA_BYTES }, { "MB", 1e6, MWA_BYTES },
                  { "GB", 1e9, MWA_BYTES } };
    char *end;

    errno = 0;
    limit->number = strtod(text, &end);
    if (end == text || errno || !isfinite(limit->number)) {
        return false;
    }
    end += strspn(end, " \t");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].name) == 0) {
            limit->number *= units[i].factor;
            limit->unit = units[i].unit;
            return true;
        }
    }
    return false;
}

enum mw_status mwa_limit_parse(const char *text, bool is_max, struct mwa_limit *limit,
                               struct mw_diagnostic *diagnostic)
{
    const char *equals = strrchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const char *number = equals ? equals + 1 + strspn(equals + 1, " \t") : NULL;

    *limit = (struct mwa_limit){ .is_max = is_max,
                                 .sort = equals ? MWA_LIMIT_NUMBER : MWA_LIMIT_BASELINE };
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    if (length == 0 || length >= MWA_KEY_BYTES ||
        (number && (strlen(number) >= sizeof limit->given || !parse_number(number, limit)))) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "--%s needs KEY=NUMBER, such as pop.parallel_efficiency=0.8, "
                       "waits.share=10%% or pop.runtime_ns=1.5s, not \"%s\"",
                       is_max ? "max" : "min", text);
    }
    memcpy(limit->key, text, length);
    snprintf(limit->given, sizeof limit->given, "%s", number ? number : "");
    return MW_OK;
}

enum mw_status mwa_limit_init(struct mwa_limit *limit, uint64_t archives)
{
    limit->values = calloc(archives, sizeof *limit->values);
    return limit->values ? MW_OK : MW_ERROR_MEMORY;
}

void mwa_limit_fini(struct mwa_limit *limit)
{
    free(limit->values);
}

/* --- looking up --------------------------------------------------------------------------- */

static enum mwa_unit unit_of(const struct mwa_limit *limit)
{
    return limit->column ? limit->column->unit : MWA_PLAIN;
}

static bool is_of_one(const struct mwa_limit *limit)
{
    return unit_of(limit) == MWA_SHARE || unit_of(limit) == MWA_RATIO;
}

/* What kind of number the key is, against what the limit takes it for. */
static enum mw_status check_unit(struct mwa_limit *limit, struct mw_diagnostic *diagnostic)
{
    static const char *const names[] = { [MWA_PLAIN] = "a number without a unit",
                                         [MWA_COUNT] = "a count",
                                         [MWA_NS] = "a time (s, ms, us, ns)",
                                         [MWA_BYTES] = "a number of bytes (B, kB, MB, GB)",
                                         [MWA_SHARE] = "a share (%)",
                                         [MWA_RATIO] = "a ratio" };

    if (limit->sort == MWA_LIMIT_NUMBER && limit->unit == MWA_SHARE && !is_of_one(limit)) {
        limit->sort = MWA_LIMIT_PERCENT;
    }
    if ((limit->unit == MWA_NS || limit->unit == MWA_BYTES) && limit->unit != unit_of(limit)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "\"%s\" is %s, and can't be limited by %s", limit->key,
                       names[unit_of(limit)], limit->given);
    }
    return MW_OK;
}

/* Says what else there is. */
static enum mw_status miss(const struct mwa_limit *limit, json_t *report,
                           struct mw_diagnostic *diagnostic)
{
    char near[MWA_NEAR_BYTES];

    mwa_near_paths(report, limit->key, near);
    return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                   "there is no number \"%.60s\" in the report%s%s%s; check --keys lists all%s",
                   limit->key, near[0] ? " (there is " : "", near, near[0] ? ")" : "",
                   near[0] ? "" : ", such as pop.parallel_efficiency, pop.runtime_ns and "
                                  "waits.share");
}

enum mw_status mwa_limit_look_up(struct mwa_limit *limit, json_t *report, uint64_t archive,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_found found = mwa_find(report, &mwa_report_document, limit->key);

    limit->column = found.column;
    limit->values[archive] = NAN;
    if (found.is_absent && found.column->unit != MWA_PLAIN) {
        limit->values[archive] = 0;
    } else if (json_is_number(found.value)) {
        limit->values[archive] = json_number_value(found.value);
    } else if (!found.is_absent && !json_is_null(found.value)) {
        return miss(limit, report, diagnostic);
    }
    return check_unit(limit, diagnostic);
}

/* --- judging ------------------------------------------------------------------------------ */

static double bound_of(struct mwa_limit *limit, double tolerance)
{
    const double mean = limit->baselines.mean;
    const double tolerated = fabs(mean) * tolerance;

    if (limit->sort == MWA_LIMIT_NUMBER) {
        return limit->number;
    }
    if (limit->sort == MWA_LIMIT_PERCENT) {
        return mean * limit->number;
    }
    limit->is_noise = limit->baselines.noise > tolerated;
    return limit->is_max ? mean + fmax(tolerated, limit->baselines.noise)
                         : mean - fmax(tolerated, limit->baselines.noise);
}

enum mw_status mwa_limit_judge(struct mwa_limit *limit, uint64_t archives, double tolerance,
                               struct mw_diagnostic *diagnostic)
{
    const double value = limit->values[archives - 1];

    if (limit->sort != MWA_LIMIT_NUMBER && archives < 2) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       limit->sort == MWA_LIMIT_PERCENT
                           ? "\"%s=%s\" is a part of what a baseline has: name one with --baseline"
                           : "\"%s%s\" is held against a baseline: name one with --baseline, or a "
                             "number",
                       limit->key, limit->given);
    }
    limit->baselines = mwa_spread_of(limit->values, archives - 1);
    limit->bound = bound_of(limit, tolerance);
    limit->is_baseline_unknown = !isnan(value) && isnan(limit->bound);
    if (isnan(value) || isnan(limit->bound)) {
        limit->unknown = limit->column && limit->column->unknown ? limit->column->unknown
                                                                 : "the archive does not say";
    }
    limit->passed = limit->is_max ? value <= limit->bound : value >= limit->bound;
    return MW_OK;
}

/* --- in words ----------------------------------------------------------------------------- */

#define WORDS 64u

/* A number of the key's unit; is_exact: with all digits. */
static const char *words(const struct mwa_limit *limit, double number, bool is_exact, char *text)
{
    static const char *const units[] = { [MWA_NS] = " ns", [MWA_BYTES] = " B", [MWA_RATIO] = "" };
    const enum mwa_unit unit = unit_of(limit);
    struct mwa_value value = mwa_number((uint64_t)fabs(round(fmin(number, 9e18))));
    char short_text[MWA_VALUE_BYTES];

    if (unit == MWA_SHARE) {
        snprintf(text, WORDS, "%.*g%%", is_exact ? 15 : 4, 100 * number);
    } else if ((unit != MWA_NS && unit != MWA_BYTES) || is_exact || number < 0) {
        snprintf(text, WORDS, "%.*g%s", is_exact || unit != MWA_RATIO ? 15 : 4, number,
                 unit < sizeof units / sizeof units[0] && units[unit] ? units[unit] : "");
    } else {
        snprintf(text, WORDS, "%s", mwa_value_text(limit->column, &value, short_text));
    }
    return text;
}

/* Where the bound comes from. */
static void add_origin(const struct mwa_limit *limit, uint64_t archives, double tolerance,
                       struct mwa_line *line)
{
    const char *whose = archives > 2 ? "the baselines'" : "the baseline's";
    char mean[WORDS], deviation[WORDS];

    words(limit, limit->baselines.mean, false, mean);
    if (limit->sort == MWA_LIMIT_PERCENT) {
        mwa_line_add(line, ": %s of %s %s", limit->given, whose, mean);
    } else if (limit->sort == MWA_LIMIT_BASELINE && limit->is_noise) {
        mwa_line_add(line,
                     ": what a run like the %" PRIu64 " baselines may have (mean %s, standard "
                     "deviation %s)",
                     limit->baselines.count, mean,
                     words(limit, limit->baselines.deviation, false, deviation));
    } else if (limit->sort == MWA_LIMIT_BASELINE) {
        mwa_line_add(line, ": %g%% %s %s %s", 100 * tolerance, limit->is_max ? "above" : "below",
                     whose, mean);
    }
}

static void add_change(const struct mwa_limit *limit, double value, struct mwa_line *line)
{
    const double change = 100 * (value / limit->baselines.mean - 1);

    if (limit->baselines.count > 0 && isfinite(change) && value != limit->baselines.mean) {
        mwa_line_add(line, " (%+.*f%%)", fabs(change) < 9.95 ? 1 : 0, change);
    }
}

const char *mwa_limit_text(const struct mwa_limit *limit, uint64_t archives, double tolerance,
                           char *text)
{
    const double value = limit->values[archives - 1];
    struct mwa_line line = { .length = 0 };
    char has[WORDS], bound[WORDS];
    bool is_exact;

    mwa_line_add(&line, "%s ", limit->key);
    if (limit->is_baseline_unknown) {
        mwa_line_add(&line, "%s, but of a baseline it is not known: %s",
                     words(limit, value, false, has), limit->unknown);
    } else if (limit->unknown) {
        mwa_line_add(&line, "is not known: %s", limit->unknown);
    } else {
        words(limit, value, false, has);
        words(limit, limit->bound, false, bound);
        is_exact = strcmp(has, bound) == 0 && value != limit->bound;
        mwa_line_add(&line, "%s", words(limit, value, is_exact, has));
        add_change(limit, value, &line);
        mwa_line_add(&line, ", %s %s", limit->is_max ? "at most" : "at least",
                     words(limit, limit->bound, is_exact, bound));
        add_origin(limit, archives, tolerance, &line);
    }
    snprintf(text, MWA_LIMIT_BYTES, "%.*s", MWA_LIMIT_BYTES - 1, line.text);
    return text;
}
