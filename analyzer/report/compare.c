/*
 * It takes the reports' JSON and not their results: an archive's results are gone
 * when the next one is read, and what is compared is by that what each report
 * says.
 */
#include "analyzer/report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/paths.h"
#include "analyzer/report/text.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/units.h"
#include "analyzer/table/values.h"

#define ROWS_MAX   8u
#define NAME_WIDTH 30

static double number_at(const json_t *report, const char *path)
{
    const json_t *value = mwa_json_at((json_t *)report, path);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void copy(json_t *to, const char *key, const json_t *report, const char *path)
{
    json_t *value = mwa_json_at((json_t *)report, path);

    json_object_set_new(to, key, value ? json_incref(value) : json_null());
}

static json_t *run_object(const json_t *report, const json_t *reference, bool weak)
{
    static const char *const factors[] = {
        "ranks",         "runtime_ns",   "parallel_efficiency",      "load_balance",
        "communication_efficiency", "serialisation_efficiency", "transfer_efficiency",
        "useful_total_ns"
    };
    const double growth = weak ? number_at(report, "pop.ranks") / number_at(reference, "pop.ranks")
                               : 1;
    const double speedup = number_at(reference, "pop.runtime_ns") /
                           number_at(report, "pop.runtime_ns") * growth;
    const double scaling = number_at(reference, "pop.useful_total_ns") /
                           number_at(report, "pop.useful_total_ns") * growth;
    json_t *run = json_object();
    char path[64];

    copy(run, "archive", report, "archive");
    copy(run, "program", report, "info.program");
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        snprintf(path, sizeof path, "pop.%s", factors[i]);
        copy(run, factors[i], report, path);
    }
    json_object_set_new(run, "speedup", mwa_json_ratio(speedup));
    json_object_set_new(run, "computation_scaling", mwa_json_ratio(scaling));
    json_object_set_new(run, "global_efficiency",
                        mwa_json_ratio(number_at(report, "pop.parallel_efficiency") * scaling));
    return run;
}

static const json_t *element_named(const json_t *list, const char *name)
{
    const json_t *element;
    size_t index;

    json_array_foreach(list, index, element) {
        const char *own = json_string_value(json_object_get(element, "name"));

        if (own && strcmp(own, name) == 0) {
            return element;
        }
    }
    return NULL;
}

/* Time per rank of the element with name in each report's list. */
static json_t *row_of(const json_t *reports, const char *list, const char *key, const char *name)
{
    json_t *row = json_object();
    json_t *times = json_array();
    double first = 0, change = 0;
    const json_t *report;
    size_t index;

    json_array_foreach(reports, index, report) {
        const json_t *element = element_named(mwa_json_at((json_t *)report, list), name);
        double ranks = number_at(report, "pop.ranks");
        double time = json_number_value(json_object_get(element, key));
        double each = ranks > 0 ? floor(time / ranks + 0.5) : 0;

        first = index == 0 ? each : first;
        change = fmax(change, fabs(each - first));
        json_array_append_new(times, mwa_json_number((uint64_t)each));
    }
    json_object_set_new(row, "name", mwa_json_text(name));
    json_object_set_new(row, "change_ns", mwa_json_number((uint64_t)change));
    json_object_set_new(row, "per_rank_ns", times);
    return row;
}

static int by_change(const void *one, const void *other)
{
    const json_t *a = *(json_t *const *)one;
    const json_t *b = *(json_t *const *)other;
    json_int_t first = json_integer_value(json_object_get(a, "change_ns"));
    json_int_t second = json_integer_value(json_object_get(b, "change_ns"));

    if (first != second) {
        return first < second ? 1 : -1;
    }
    return strcmp(json_string_value(json_object_get(a, "name")),
                  json_string_value(json_object_get(b, "name")));
}

/* The rows in order of their change; null without memory. */
static json_t *sorted(json_t *rows)
{
    size_t count = json_array_size(rows);
    json_t **order = calloc(count + 1, sizeof(json_t *));
    json_t *list = order ? json_array() : NULL;

    for (size_t i = 0; order && i < count; i++) {
        order[i] = json_array_get(rows, i);
    }
    if (list) {
        qsort(order, count, sizeof(json_t *), by_change);
    }
    for (size_t i = 0; list && i < count; i++) {
        json_array_append(list, order[i]);
    }
    free(order);
    json_decref(rows);
    return list;
}

/* A row for each name that occurs in any report's list. */
static json_t *rows_of(const json_t *reports, const char *list, const char *key)
{
    json_t *seen = json_object();
    json_t *rows = json_array();
    const json_t *report, *element;
    size_t index, position;

    json_array_foreach(reports, index, report) {
        json_array_foreach(mwa_json_at((json_t *)report, list), position, element) {
            const char *name = json_string_value(json_object_get(element, "name"));

            if (name && !json_object_get(seen, name)) {
                json_object_set_new(seen, name, json_true());
                json_array_append_new(rows, row_of(reports, list, key, name));
            }
        }
    }
    json_decref(seen);
    return sorted(rows);
}

json_t *mwa_json_compare(const json_t *reports, bool weak)
{
    json_t *object = json_object();
    json_t *runs = json_array();
    const json_t *report;
    size_t index;

    json_array_foreach(reports, index, report) {
        json_array_append_new(runs, run_object(report, json_array_get(reports, 0), weak));
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-compare/1"));
    json_object_set_new(object, "scaling", json_string(weak ? "weak" : "strong"));
    json_object_set_new(object, "runs", runs);
    json_object_set_new(object, "calls", rows_of(reports, "calls.calls", "time_ns"));
    json_object_set_new(object, "waits", rows_of(reports, "waits.patterns", "total_ns"));
    return object;
}

static void put_line(const char *name, const json_t *runs, const char *key, bool is_time,
                     FILE *out)
{
    const json_t *run;
    char text[MWA_UNITS_BYTES];
    size_t index;

    fprintf(out, "%-*s", NAME_WIDTH, name);
    json_array_foreach(runs, index, run) {
        const json_t *value = json_object_get(run, key);

        if (!json_is_number(value)) {
            fprintf(out, " %12s", "-");
        } else if (is_time) {
            fprintf(out, " %12s", mwa_time_text((uint64_t)json_integer_value(value), text));
        } else if (json_is_integer(value)) {
            fprintf(out, " %12" JSON_INTEGER_FORMAT, json_integer_value(value));
        } else {
            fprintf(out, " %12s", mwa_factor_text(json_real_value(value), text));
        }
    }
    putc('\n', out);
}

static void put_rows(const char *title, const json_t *rows, FILE *out)
{
    const json_t *row, *time;
    char text[MWA_UNITS_BYTES];
    size_t index, column;

    if (json_array_size(rows) == 0) {
        return;
    }
    fprintf(out, "\n%s\n", title);
    json_array_foreach(rows, index, row) {
        const char *name = json_string_value(json_object_get(row, "name"));
        int length = (int)strlen(name);

        if (index >= ROWS_MAX || json_integer_value(json_object_get(row, "change_ns")) == 0) {
            break;
        }
        fprintf(out, "  ");
        mwa_put_clean(name, out);
        fprintf(out, "%*s", length < NAME_WIDTH - 2 ? NAME_WIDTH - 2 - length : 0, "");
        json_array_foreach(json_object_get(row, "per_rank_ns"), column, time) {
            fprintf(out, " %12s", mwa_time_text((uint64_t)json_integer_value(time), text));
        }
        putc('\n', out);
    }
}

static void put_names(const json_t *runs, FILE *out)
{
    const json_t *run;
    size_t index;

    json_array_foreach(runs, index, run) {
        fprintf(out, "%c  ", (char)('A' + index % 26));
        mwa_put_clean(json_string_value(json_object_get(run, "archive")), out);
        putc('\n', out);
    }
    fprintf(out, "\n%-*s", NAME_WIDTH, "");
    json_array_foreach(runs, index, run) {
        fprintf(out, " %12c", (char)('A' + index % 26));
    }
    putc('\n', out);
}

void mwa_text_compare(const json_t *comparison, FILE *out)
{
    static const struct {
        const char *name;
        const char *key;
        bool is_time;
    } lines[] = { { "ranks", "ranks", false },
                  { "run", "runtime_ns", true },
                  { "useful, all ranks", "useful_total_ns", true },
                  { "speed-up", "speedup", false },
                  { "global efficiency", "global_efficiency", false },
                  { "  computation scaling", "computation_scaling", false },
                  { "  parallel efficiency", "parallel_efficiency", false },
                  { "    load balance", "load_balance", false },
                  { "    communication efficiency", "communication_efficiency", false },
                  { "      serialisation", "serialisation_efficiency", false },
                  { "      transfer", "transfer_efficiency", false } };
    const json_t *runs = json_object_get(comparison, "runs");

    put_names(runs, out);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        put_line(lines[i].name, runs, lines[i].key, lines[i].is_time, out);
    }
    put_rows("calls that changed most, time per rank", json_object_get(comparison, "calls"), out);
    put_rows("waits that changed most, time per rank", json_object_get(comparison, "waits"), out);
}
