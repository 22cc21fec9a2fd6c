/*
 * What is compared is by that what the tables of each run say; it is copied, since an archive's
 * results are gone when the next one is read.
 */
#include "analyzer/report/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/map.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"
#include "formats/base/order.h"

#define ROWS_MAX   8u
#define NAME_WIDTH 30

/* --- the tables --------------------------------------------------------------------------- */

#define RUN(member) MWA_IN(struct mwa_compared_run, member)

static const struct mwa_column run_columns[] = {
    { "archive", RUN(archive) },
    { "program", RUN(program) },
    { "ranks", RUN(pop.ranks) },
    { "runtime_ns", .unit = MWA_NS, RUN(pop.runtime_ns) },
    { "parallel_efficiency", .unit = MWA_RATIO, RUN(pop.parallel_efficiency) },
    { "load_balance", .unit = MWA_RATIO, RUN(pop.load_balance) },
    { "communication_efficiency", .unit = MWA_RATIO, RUN(pop.communication_efficiency) },
    { "serialisation_efficiency", .unit = MWA_RATIO, RUN(pop.serialisation_efficiency) },
    { "transfer_efficiency", .unit = MWA_RATIO, RUN(pop.transfer_efficiency) },
    { "useful_total_ns", .unit = MWA_NS, RUN(pop.useful_total_ns) },
    { "speedup", .unit = MWA_RATIO, RUN(speedup) },
    { "computation_scaling", .unit = MWA_RATIO, RUN(computation_scaling) },
    { "global_efficiency", .unit = MWA_RATIO, RUN(global_efficiency) },
    { "running_efficiency", .unit = MWA_RATIO, RUN(pop.running_efficiency) },
};

const struct mwa_table mwa_compare_table = {
    MWA_COLUMNS(run_columns), MWA_ROWS(struct mwa_comparison, runs, run_count)
};

static const struct mwa_table per_rank = {
    .shape = MWA_VALUES,
    MWA_COLUMNS(mwa_ns_column),
    MWA_ROWS(struct mwa_compared_time, per_rank_ns, run_count),
};

static const struct mwa_column time_columns[] = {
    { "name", MWA_IN(struct mwa_compared_time, name) },
    { "change_ns", .unit = MWA_NS, MWA_IN(struct mwa_compared_time, change_ns) },
    { "per_rank_ns", .table = &per_rank },
};

static const struct mwa_table calls = {
    MWA_COLUMNS(time_columns), MWA_ROWS(struct mwa_comparison, calls.list, calls.count)
};
static const struct mwa_table waits = {
    MWA_COLUMNS(time_columns), MWA_ROWS(struct mwa_comparison, waits.list, waits.count)
};

MWA_VALUE_OF(scaling, struct mwa_comparison, mwa_text(row->is_weak ? "weak" : "strong"))

static const struct mwa_column document[] = {
    { "scaling", MWA_BY(MWA_TEXT, scaling) },
    { "runs", .table = &mwa_compare_table },
    { "calls", .table = &calls },
    { "waits", .table = &waits },
};

const struct mwa_table mwa_compare_document = { .shape = MWA_ROW,
                                                .schema = "mpiwatch-compare/1",
                                                MWA_COLUMNS(document) };

/* --- runs --------------------------------------------------------------------------------- */

static const struct mwa_column *column_of(const struct mwa_table *table, const char *key)
{
    const struct mwa_column *column = table->columns;

    while (!column->key || strcmp(column->key, key) != 0) {
        column++;
    }
    return column;
}

/* The time of that name, added if need be; null: no memory. */
static struct mwa_compared_time *time_named(struct mwa_compared_times *times, const char *name,
                                            uint64_t run_count)
{
    struct mwa_compared_time *time;

    for (uint64_t i = 0; i < times->count; i++) {
        if (strcmp(times->list[i].name, name) == 0) {
            return &times->list[i];
        }
    }
    if (!mwa_grow(&times->list, &times->capacity, times->count + 1, sizeof *times->list)) {
        return NULL;
    }
    time = &times->list[times->count++];
    time->name = strdup(name);
    time->per_rank_ns = calloc(run_count, sizeof *time->per_rank_ns);
    time->run_count = run_count;
    return time->name && time->per_rank_ns ? time : NULL;
}

/* Takes the times of the run out of a table, of each name the first. */
static enum mw_status add_times(struct mwa_compared_times *times, const struct mwa_table *table,
                                const char *key, const struct mwa_results *results,
                                const struct mwa_comparison *comparison)
{
    const struct mwa_cell root = { .results = results, .row = results };
    const double ranks = results->pop.run.ranks;
    struct mwa_cell cell;

    for (uint64_t at = 0; mwa_next_row(table, &root, &at, &cell);) {
        const struct mwa_value name = mwa_value_of(column_of(table, "name"), &cell);
        const struct mwa_value value = mwa_value_of(column_of(table, key), &cell);
        struct mwa_compared_time *time = time_named(times, name.text, comparison->run_count);
        uint64_t *ns = time ? &time->per_rank_ns[comparison->added] : NULL;

        if (!ns) {
            return MW_ERROR_MEMORY;
        }
        *ns = *ns > 0 || ranks == 0 ? *ns : (uint64_t)floor((double)value.number / ranks + 0.5);
    }
    return MW_OK;
}

enum mw_status mwa_comparison_init(struct mwa_comparison *comparison, uint64_t run_count,
                                   bool is_weak)
{
    *comparison = (struct mwa_comparison){ .is_weak = is_weak, .run_count = run_count };
    comparison->runs = calloc(run_count, sizeof *comparison->runs);
    return comparison->runs ? MW_OK : MW_ERROR_MEMORY;
}

enum mw_status mwa_comparison_add(struct mwa_comparison *comparison, const char *archive,
                                  const struct mwa_results *results)
{
    const struct mwa_pop_factors *pop = &results->pop.run;
    const struct mwa_pop_factors *first = comparison->added ? &comparison->runs[0].pop : pop;
    const double growth = comparison->is_weak ? (double)pop->ranks / (double)first->ranks : 1;
    const double scaling = (double)first->useful_total_ns / (double)pop->useful_total_ns * growth;
    const char *program = results->trace->program;
    struct mwa_compared_run *run = &comparison->runs[comparison->added];
    enum mw_status status;

    *run = (struct mwa_compared_run){
        .archive = archive,
        .program = program ? strdup(program) : NULL,
        .pop = *pop,
        .speedup = (double)first->runtime_ns / (double)pop->runtime_ns * growth,
        .computation_scaling = scaling,
        .global_efficiency = pop->parallel_efficiency * scaling
    };
    status = program && !run->program ? MW_ERROR_MEMORY : MW_OK;
    if (status == MW_OK) {
        status = add_times(&comparison->calls, &mwa_calls_table, "time_ns", results, comparison);
    }
    if (status == MW_OK) {
        status = add_times(&comparison->waits, &mwa_patterns_table, "total_ns", results,
                           comparison);
    }
    comparison->added++;
    return status;
}

static int by_change(const void *one, const void *other)
{
    const struct mwa_compared_time *a = one, *b = other;

    return mw_order(b->change_ns, a->change_ns) ?: strcmp(a->name, b->name);
}

static void sort(struct mwa_compared_times *times)
{
    for (uint64_t i = 0; i < times->count; i++) {
        struct mwa_compared_time *time = &times->list[i];

        for (uint64_t k = 1; k < time->run_count; k++) {
            const uint64_t first = time->per_rank_ns[0], each = time->per_rank_ns[k];
            const uint64_t change = each > first ? each - first : first - each;

            time->change_ns = change > time->change_ns ? change : time->change_ns;
        }
    }
    if (times->count > 0) {
        qsort(times->list, times->count, sizeof *times->list, by_change);
    }
}

void mwa_comparison_sort(struct mwa_comparison *comparison)
{
    sort(&comparison->calls);
    sort(&comparison->waits);
}

static void fini(struct mwa_compared_times *times)
{
    for (uint64_t i = 0; i < times->count; i++) {
        free(times->list[i].name);
        free(times->list[i].per_rank_ns);
    }
    free(times->list);
}

void mwa_comparison_fini(struct mwa_comparison *comparison)
{
    for (uint64_t i = 0; i < comparison->added; i++) {
        free(comparison->runs[i].program);
    }
    free(comparison->runs);
    fini(&comparison->calls);
    fini(&comparison->waits);
}

/* --- as text ------------------------------------------------------------------------------ */

static void put_line(const char *name, const struct mwa_comparison *comparison, const char *key,
                     FILE *out)
{
    const struct mwa_column *column = column_of(&mwa_compare_table, key);
    const struct mwa_cell root = { .row = comparison };
    struct mwa_cell cell;
    char text[MWA_VALUE_BYTES];

    fprintf(out, "%-*s", NAME_WIDTH, name);
    for (uint64_t at = 0; mwa_next_row(&mwa_compare_table, &root, &at, &cell);) {
        const struct mwa_value value = mwa_value_of(column, &cell);

        fprintf(out, " %12s", mwa_value_text(column, &value, text));
    }
    putc('\n', out);
}

static void put_times(const char *title, const struct mwa_compared_times *times, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    if (times->count == 0) {
        return;
    }
    fprintf(out, "\n%s\n", title);
    for (uint64_t i = 0; i < times->count && i < ROWS_MAX && times->list[i].change_ns > 0; i++) {
        const struct mwa_compared_time *time = &times->list[i];
        int length = (int)strlen(time->name);

        fprintf(out, "  ");
        mwa_put_clean(time->name, out);
        fprintf(out, "%*s", length < NAME_WIDTH - 2 ? NAME_WIDTH - 2 - length : 0, "");
        for (uint64_t k = 0; k < time->run_count; k++) {
            fprintf(out, " %12s", mwa_time_text(time->per_rank_ns[k], text));
        }
        putc('\n', out);
    }
}

static void put_names(const struct mwa_comparison *comparison, FILE *out)
{
    for (uint64_t i = 0; i < comparison->run_count; i++) {
        fprintf(out, "%c  ", (char)('A' + i % 26));
        mwa_put_clean(comparison->runs[i].archive, out);
        putc('\n', out);
    }
    fprintf(out, "\n%-*s", NAME_WIDTH, "");
    for (uint64_t i = 0; i < comparison->run_count; i++) {
        fprintf(out, " %12c", (char)('A' + i % 26));
    }
    putc('\n', out);
}

/* Whether any archive tells when ranks were on a core. */
static bool knows_running(const struct mwa_comparison *comparison)
{
    bool knows = false;

    for (uint64_t i = 0; i < comparison->run_count; i++) {
        knows |= comparison->runs[i].pop.is_on_core;
    }
    return knows;
}

void mwa_text_compare(const struct mwa_comparison *comparison, FILE *out)
{
    static const struct {
        const char *name;
        const char *key;
    } lines[] = { { "ranks", "ranks" },
                  { "run", "runtime_ns" },
                  { "useful, all ranks", "useful_total_ns" },
                  { "speed-up", "speedup" },
                  { "global efficiency", "global_efficiency" },
                  { "  computation scaling", "computation_scaling" },
                  { "  parallel efficiency", "parallel_efficiency" },
                  { "    running (on a core)", "running_efficiency" },
                  { "    load balance", "load_balance" },
                  { "    communication efficiency", "communication_efficiency" },
                  { "      serialisation", "serialisation_efficiency" },
                  { "      transfer", "transfer_efficiency" } };

    put_names(comparison, out);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strcmp(lines[i].key, "running_efficiency") == 0 && !knows_running(comparison)) {
            continue;
        }
        put_line(lines[i].name, comparison, lines[i].key, out);
    }
    put_times("calls that changed most, time per rank", &comparison->calls, out);
    put_times("waits that changed most, time per rank", &comparison->waits, out);
}
