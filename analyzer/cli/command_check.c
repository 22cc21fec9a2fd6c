#include "analyzer/cli/command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/cli/print.h"
#include "analyzer/report/paths.h"
#include "analyzer/table/tables.h"

#define KEY_BYTES 512u

/* A limit of the command line, taken apart. */
struct limit {
    char key[KEY_BYTES];
    const char *bound_text;
    double bound;
    json_t *value; /* borrowed of the report */
    bool is_max;
    bool passed;
};

/* "0.8", "10%", "20ms" (ns), "7". */
static bool parse_bound(const char *text, double *bound)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = { { "", 1 },     { "%", 0.01 }, { "ns", 1 },
                  { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
    char *end;

    errno = 0;
    *bound = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof units[0] && end != text && !errno; i++) {
        if (strcmp(end, units[i].unit) == 0 && isfinite(*bound)) {
            *bound *= units[i].factor;
            return true;
        }
    }
    return false;
}

static enum mw_status parse_limit(const struct mwa_limit *given, struct limit *limit,
                                  struct mw_diagnostic *diagnostic)
{
    const char *equals = strrchr(given->text, '=');

    *limit = (struct limit){ .is_max = given->is_max };
    if (!equals || equals == given->text || (size_t)(equals - given->text) >= KEY_BYTES ||
        !parse_bound(equals + 1, &limit->bound)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "--%s needs KEY=NUMBER, such as pop.parallel_efficiency=0.8 or "
                       "waits.share=10%%, not \"%s\"",
                       given->is_max ? "max" : "min", given->text);
    }
    memcpy(limit->key, given->text, (size_t)(equals - given->text));
    limit->bound_text = equals + 1;
    return MW_OK;
}

/* Looks the key up; all keys there are go to standard error if it is none. */
static enum mw_status look_up(json_t *report, struct limit *limit,
                              struct mw_diagnostic *diagnostic)
{
    limit->value = mwa_json_at(report, limit->key);
    if (!limit->value || !(json_is_number(limit->value) || json_is_null(limit->value))) {
        fprintf(stderr, "mpiwatch-analyze: the keys of this archive are\n");
        mwa_put_paths(report, 2, stderr);
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "there is no number \"%s\" in the report; its keys are listed above",
                       limit->key);
    }
    limit->passed = json_is_number(limit->value) &&
                    (limit->is_max ? json_number_value(limit->value) <= limit->bound
                                   : json_number_value(limit->value) >= limit->bound);
    return MW_OK;
}

static void put_limit(const struct limit *limit, FILE *out)
{
    fprintf(out, "%-6s %s ", limit->passed ? "ok" : "BREACH", limit->key);
    if (json_is_integer(limit->value)) {
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(limit->value));
    } else if (json_is_real(limit->value)) {
        fprintf(out, "%.6g", json_real_value(limit->value));
    } else {
        fprintf(out, "is not known");
    }
    fprintf(out, ", %s %s\n", limit->is_max ? "at most" : "at least", limit->bound_text);
}

/* --- as JSON ------------------------------------------------------------------------------ */

/* The row that is all of it. */
struct said {
    struct limit *limits;
    uint64_t count;
    bool passed;
};

MWA_VALUE_OF(key, struct limit, mwa_text(row->key))
MWA_VALUE_OF(which, struct limit, mwa_text(row->is_max ? "max" : "min"))
MWA_VALUE_OF(value, struct limit,
             json_is_real(row->value)      ? mwa_real(json_real_value(row->value))
             : json_is_integer(row->value) ? mwa_number((uint64_t)json_integer_value(row->value))
                                           : mwa_nothing())

static const struct mwa_column limit_columns[] = {
    { "key", MWA_BY(MWA_TEXT, key) },
    { "bound", MWA_BY(MWA_TEXT, which) },
    { "limit", MWA_IN(struct limit, bound) },
    { "value", MWA_BY(MWA_REAL, value) },
    { "passed", MWA_IN(struct limit, passed) },
};

static const struct mwa_table checks = { MWA_COLUMNS(limit_columns),
                                         MWA_ROWS(struct said, limits, count) };

static const struct mwa_column document[] = { { "passed", MWA_IN(struct said, passed) },
                                              { "checks", .table = &checks } };

const struct mwa_table mwa_check_document = { .shape = MWA_ROW,
                                              .schema = "mpiwatch-check/1",
                                              MWA_COLUMNS(document) };

/* ------------------------------------------------------------------------------------------ */

static enum mw_status print_limits(const struct mwa_options *options, struct limit *limits,
                                   FILE *out, struct mw_diagnostic *diagnostic)
{
    struct said said = { limits, options->limit_count, true };
    const struct mwa_cell cell = { .row = &said };
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < options->limit_count; i++) {
        said.passed &= limits[i].passed;
        if (!options->json) {
            put_limit(&limits[i], out);
        }
    }
    if (options->json) {
        status = mwa_print_json(mwa_table_json(&mwa_check_document, &cell), out, diagnostic);
    }
    return status == MW_OK && !said.passed ? MW_END : status;
}

enum mw_status mwa_run_check(struct mwa_input *input, const struct mwa_options *options,
                             FILE *out, struct mw_diagnostic *diagnostic)
{
    struct limit *limits = calloc(options->limit_count + 1, sizeof *limits);
    struct mwa_results results = { 0 };
    json_t *report = NULL;
    enum mw_status status = MW_OK;

    if (!limits) {
        return mw_no_memory(diagnostic, NULL, "for the limits");
    }
    for (uint32_t i = 0; i < options->limit_count && status == MW_OK; i++) {
        status = parse_limit(&options->limits[i], &limits[i], diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_collect(input, options->archive,
                             MWA_NEED_REPORT_JSON, NULL, &results,
                             diagnostic);
    }
    if (status == MW_OK) {
        report = mwa_document_json(&mwa_report_document, &results);
    }
    for (uint32_t i = 0; i < options->limit_count && status == MW_OK; i++) {
        status = look_up(report, &limits[i], diagnostic);
    }
    if (status == MW_OK) {
        status = print_limits(options, limits, out, diagnostic);
    }
    json_decref(report);
    mwa_results_fini(&results);
    free(limits);
    return status;
}
