/* Who reads only the first line has read what matters; the tables show where it comes from. */
#include "analyzer/report/compare_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/compare_words.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/line.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

#define ROWS_MAX   8u
#define NAME_WIDTH 30
#define INDENT     2

/* Lines that begin with a word: of a list of sentences. */
static void put_sentences(const char *word, const struct mwa_table *table,
                          const struct mwa_comparison *comparison, FILE *out)
{
    const struct mwa_cell root = { .row = comparison };
    struct mwa_cell cell;

    for (uint64_t at = 0; mwa_next_row(table, &root, &at, &cell);) {
        struct mwa_value value = mwa_value_of(&table->columns[0], &cell);
        struct mwa_line line = mwa_line_with(word);

        mwa_line_add(&line, "%s", value.text ? value.text : "no memory");
        mwa_line_put(&line, 6, out);
        free(value.owned);
    }
}

static const char *name_of(const struct mwa_compared_time *time)
{
    return time->title ? time->title : time->name;
}

static bool is_shown(const struct mwa_compared_times *times, uint64_t index)
{
    return index < times->count && index < ROWS_MAX && times->list[index].change_ns > 0;
}

/* Of the column of names, which is one for all lists, so that numbers stand below each other. */
static int name_width(const struct mwa_comparison *comparison)
{
    const struct mwa_compared_times *lists[] = { &comparison->calls, &comparison->lines,
                                                 &comparison->waits };
    size_t width = NAME_WIDTH;

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (uint64_t k = 0; is_shown(lists[i], k); k++) {
            const size_t length = INDENT + strlen(name_of(&lists[i]->list[k]));

            width = length > width ? length : width;
        }
    }
    return (int)width;
}

static void put_names(const struct mwa_comparison *comparison, int width, FILE *out)
{
    char name[MWA_RUN_NAME_BYTES];

    for (uint64_t i = 0; i < comparison->run_count; i++) {
        fprintf(out, "%-*s", MWA_LINE_INDENT, mwa_run_name(i, name));
        mwa_put_clean(comparison->runs[i].archive, out);
        putc('\n', out);
    }
    fprintf(out, "\n" MWA_CELL "A%-*s", width, "");
    for (uint64_t i = 0; i < comparison->run_count; i++) {
        fprintf(out, MWA_CELL "%c %12s", (char)('0' + (i < 9 ? i : 9)), mwa_run_name(i, name));
    }
    fprintf(out, "%s\n", comparison->run_count == 2 ? MWA_CELL "0   change" : "");
}

/* Of two runs: by how much the second is more. */
static void put_change(const struct mwa_comparison *comparison, double from, double to, FILE *out)
{
    char change[MWA_UNITS_BYTES];

    if (comparison->run_count == 2) {
        fprintf(out, MWA_ROW_CELL " %8s", mwa_change_text(from, to, change));
    }
}

static const struct mwa_column *column_of(const struct mwa_table *table, const char *key)
{
    const struct mwa_column *column = table->columns;

    while (!column->key || strcmp(column->key, key) != 0) {
        column++;
    }
    return column;
}

static void put_line(const char *name, const struct mwa_comparison *comparison, const char *key,
                     int width, FILE *out)
{
    const struct mwa_column *column = column_of(&mwa_compare_table, key);
    const struct mwa_cell root = { .row = comparison };
    double numbers[2] = { NAN, NAN };
    char text[MWA_VALUE_BYTES];
    struct mwa_cell cell;

    fprintf(out, MWA_ROW_CELL "%-*s", width, name);
    for (uint64_t at = 0; mwa_next_row(&mwa_compare_table, &root, &at, &cell);) {
        const struct mwa_value value = mwa_value_of(column, &cell);

        numbers[cell.index > 0] = value.kind == MWA_NUMBER ? (double)value.number
                                  : value.kind == MWA_REAL ? value.real
                                                           : NAN;
        fprintf(out, MWA_ROW_CELL " %12s", mwa_value_text(column, &value, text));
    }
    put_change(comparison, numbers[0], numbers[1], out);
    putc('\n', out);
}

static void put_times(const char *title, const struct mwa_compared_times *times,
                      const struct mwa_comparison *comparison, int width, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    if (times->count == 0 || times->list[0].change_ns == 0) {
        return;
    }
    fprintf(out, "\n%s\n", title);
    for (uint64_t i = 0; is_shown(times, i); i++) {
        const struct mwa_compared_time *time = &times->list[i];
        const char *name = name_of(time);

        fprintf(out, MWA_ROW_CELL "%*s", INDENT, "");
        mwa_put_clean(name, out);
        fprintf(out, "%*s", width - INDENT - (int)strlen(name), "");
        for (uint64_t k = 0; k < time->run_count; k++) {
            fprintf(out, MWA_ROW_CELL " %12s", mwa_time_text(time->per_rank_ns[k], text));
        }
        put_change(comparison, (double)time->per_rank_ns[0],
                   time->run_count > 1 ? (double)time->per_rank_ns[1] : 0, out);
        putc('\n', out);
    }
}

/* The runs by their ranks, and where the efficiency goes first. */
static void put_study(const struct mwa_comparison *comparison, FILE *out)
{
    const struct mwa_fallen fallen = mwa_comparison_fallen(comparison);
    const struct mwa_cell root = { .row = comparison };

    if (!mwa_comparison_scales(comparison)) {
        return;
    }
    fprintf(out, "\n%s scaling, against A; global = on core x balance x serialisation x transfer x "
                 "computation\n",
            comparison->is_weak ? "weak" : "strong");
    mwa_table_text(&mwa_compare_table, &root, UINT64_MAX, NULL, out);
    if (fallen.has_fallen) {
        fprintf(out, "%s falls first: %.2f with %" PRIu32 " ranks, %.0f%% of what it is in A\n",
                fallen.factor, fallen.value, fallen.ranks, 100 * fallen.of_reference);
    } else if (fallen.factor) {
        fprintf(out, "no factor falls below %.0f%% of what it is in A; lowest is %s with %.2f, "
                     "%.0f%%, at %" PRIu32 " ranks\n",
                100 * MWA_FALLEN, fallen.factor, fallen.value, 100 * fallen.of_reference,
                fallen.ranks);
    }
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

    const int width = name_width(comparison);

    put_sentences("verdict", &mwa_compare_sentences, comparison, out);
    put_sentences("warning", &mwa_compare_differences, comparison, out);
    put_names(comparison, width, out);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strcmp(lines[i].key, "running_efficiency") != 0 || knows_running(comparison)) {
            put_line(lines[i].name, comparison, lines[i].key, width, out);
        }
    }
    put_times("calls that changed most, time per rank", &comparison->calls, comparison, width,
              out);
    if (comparison->knows_lines) {
        put_times("lines whose calls changed most, time per rank", &comparison->lines, comparison,
                  width, out);
    }
    put_times("waits that changed most, time per rank", &comparison->waits, comparison, width,
              out);
    put_study(comparison, out);
}
