#include "analyzer/cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/cli/print.h"
#include "analyzer/report/paths.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/values.h"

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
        if (strcmp(end, units[i].unit) == 0) {
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

static json_t *limits_json(const struct limit *limits, uint32_t count, bool passed)
{
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint32_t i = 0; i < count; i++) {
        json_t *limit = json_object();

        json_object_set_new(limit, "key", mwa_json_text(limits[i].key));
        json_object_set_new(limit, "bound", json_string(limits[i].is_max ? "max" : "min"));
        json_object_set_new(limit, "limit", mwa_json_ratio(limits[i].bound));
        json_object_set(limit, "value", limits[i].value);
        json_object_set_new(limit, "passed", json_boolean(limits[i].passed));
        json_array_append_new(list, limit);
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-check/1"));
    json_object_set_new(object, "passed", json_boolean(passed));
    json_object_set_new(object, "checks", list);
    return object;
}

static enum mw_status print_limits(const struct mwa_options *options, const struct limit *limits,
                                   FILE *out, struct mw_diagnostic *diagnostic)
{
    bool passed = true;
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < options->limit_count; i++) {
        passed &= limits[i].passed;
        if (!options->json) {
            put_limit(&limits[i], out);
        }
    }
    if (options->json) {
        status = mwa_print_json(limits_json(limits, options->limit_count, passed), out,
                                diagnostic);
    }
    return status == MW_OK && !passed ? MW_END : status;
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
