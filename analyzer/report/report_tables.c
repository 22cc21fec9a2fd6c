/* Two lists side by side on the first screen, laid out by hand; the values are those of tables. */
#include "analyzer/report/report_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/report/command_of.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/line.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"

#define ROWS_MAX      6u
#define ROWS_MIN      4u
#define TITLE_COLUMNS 18u
#define NAME_COLUMNS  22u

/* A row on the left: a pattern that counts, or both wrong orders together. */
struct wait_line {
    const char *title;
    uint64_t total;
    uint32_t rank; /* that waits most */
    uint64_t rank_ns;
};

static struct wait_line line_of(const struct mwa_waits *waits, enum mwa_wait_pattern pattern)
{
    const struct mwa_wait_row *row = &waits->rows[pattern];
    uint32_t rank = mwa_waits_most(row->rank_ns, waits->rank_count);

    return (struct wait_line){ .title = mwa_wait_title(pattern),
                               .total = row->total_ns,
                               .rank = rank,
                               .rank_ns = rank == MWA_NONE ? 0 : row->rank_ns[rank] };
}

/* Late senders that were in the wrong order, whoever sent. */
static struct wait_line wrong_order(const struct mwa_waits *waits)
{
    struct wait_line same = line_of(waits, MWA_WAIT_WRONG_ORDER_SAME);
    struct wait_line other = line_of(waits, MWA_WAIT_WRONG_ORDER_DIFFERENT);
    struct wait_line both = other.rank_ns > same.rank_ns ? other : same;

    both.title = " wrong order";
    both.total = same.total + other.total;
    return both;
}

/* The pattern with the most time of those not in done. */
static enum mwa_wait_pattern next_pattern(const struct mwa_waits *waits, uint64_t done)
{
    enum mwa_wait_pattern best = MWA_WAIT_PATTERNS;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        bool counts = mwa_wait_role(i) == MWA_WAIT_COUNTS && !(done & UINT64_C(1) << i);

        if (counts && waits->rows[i].total_ns >
                          (best == MWA_WAIT_PATTERNS ? 0 : waits->rows[best].total_ns)) {
            best = i;
        }
    }
    return best;
}

/* Fills at most so many rows of lines, by time, wrong order below late sender; how many. */
static uint32_t choose_waits(const struct mwa_results *results, struct wait_line *lines,
                             uint32_t rows)
{
    const struct mwa_waits *waits = &results->waits;
    uint64_t done = 0;
    uint32_t count = 0;

    while (mwa_has(results, MWA_NEED_WAITS) && count < rows) {
        enum mwa_wait_pattern pattern = next_pattern(waits, done);

        if (pattern == MWA_WAIT_PATTERNS) {
            break;
        }
        done |= UINT64_C(1) << pattern;
        lines[count++] = line_of(waits, pattern);
        if (pattern == MWA_WAIT_LATE_SENDER && wrong_order(waits).total > 0 && count < rows) {
            lines[count++] = wrong_order(waits);
        }
    }
    return count;
}

static struct mwa_value share_of_run(const struct mwa_cell *cell)
{
    struct mwa_run_summary run;

    mwa_summarize_run(&cell->results->profile, &run);
    return mwa_share(((const struct wait_line *)cell->row)->total, run.run_ns);
}

static const struct mwa_column wait_columns[] = {
    { NULL, "time", 8, MWA_NS, MWA_IN(struct wait_line, total) },
    { NULL, "of run", 6, MWA_SHARE, MWA_BY(MWA_REAL, share_of_run) },
};

/* Adds a cell: what people see of a row in a column, on the right of so many columns; blank without
 * a row. */
static void add_value(struct mwa_line *line, const struct mwa_column *column, int width,
                      const struct mwa_cell *cell)
{
    struct mwa_value value = cell->row ? mwa_value_of(column, cell) : mwa_nothing();
    char text[MWA_VALUE_BYTES];

    mwa_line_add(line, MWA_ROW_CELL " %*s", width,
                 cell->row ? mwa_value_text(column, &value, text) : "");
    free(value.owned);
}

/* Adds a cell: a name on the left of so many columns. */
static void add_name(struct mwa_line *line, const char *before, const char *name, size_t columns)
{
    struct mwa_line shown = { .length = 0 };
    char clean[MWA_VALUE_BYTES];

    mwa_line_add_name(&shown, mwa_clean(name, clean, sizeof clean), columns);
    mwa_line_pad(&shown, columns);
    mwa_line_add(line, MWA_ROW_CELL "%s%s", before, shown.text);
}

/* wait: null for none. */
static void add_wait(struct mwa_line *line, const struct mwa_results *results,
                     const struct wait_line *wait)
{
    const struct mwa_cell cell = { .results = results, .row = wait };
    char rank[16] = "";
    char time[MWA_UNITS_BYTES] = "";

    if (wait && wait->rank != MWA_NONE) {
        snprintf(rank, sizeof rank, "%" PRIu32, wait->rank);
    }
    add_name(line, " ", wait ? wait->title : "", TITLE_COLUMNS);
    for (size_t i = 0; i < sizeof wait_columns / sizeof wait_columns[0]; i++) {
        add_value(line, &wait_columns[i], (int)wait_columns[i].width, &cell);
    }
    mwa_line_add(line, MWA_ROW_CELL " %6s %8s", wait && !*rank ? "-" : rank,
                 wait ? mwa_time_text(wait->rank_ns, time) : "");
}

/* The column that the table of calls has with this title. */
static const struct mwa_column *call_column(const char *title)
{
    const struct mwa_column *column = mwa_calls_table.columns;

    while (!column->title || strcmp(column->title, title) != 0) {
        column++; /* it has all that are asked for below */
    }
    return column;
}

/* row: null for none. */
static void add_call(struct mwa_line *line, const struct mwa_results *results,
                     const struct mwa_call_row *row)
{
    const struct mwa_cell cell = { .results = results, .row = row };

    add_name(line, "  ", row ? row->region->name : "", NAME_COLUMNS);
    add_value(line, call_column("count"), 7, &cell);
    add_value(line, call_column("time"), 8, &cell);
    add_value(line, call_column("share"), 6, &cell);
}

/* A call with all its columns. */
static void add_wide_call(struct mwa_line *line, const struct mwa_results *results,
                          const struct mwa_call_row *row)
{
    const struct mwa_cell cell = { .results = results, .row = row };
    char text[MWA_UNITS_BYTES];
    char worst[MWA_UNITS_BYTES + 16];

    snprintf(worst, sizeof worst, "%s (%" PRIu32 ")", mwa_time_text(row->rank_max_ns, text),
             row->rank_max);
    add_name(line, "  ", row->region->name, 26);
    add_value(line, call_column("count"), 9, &cell);
    add_value(line, call_column("time"), 9, &cell);
    add_value(line, call_column("share"), 7, &cell);
    add_value(line, call_column("rank least"), 10, &cell);
    mwa_line_add(line, MWA_ROW_CELL " %18s", worst);
    add_value(line, call_column("sent"), 10, &cell);
}

/* Calls but MPI_Init and MPI_Finalize, which are not in the run: at most so many of them to be
 * shown, and how many there are. */
static uint32_t choose_calls(const struct mwa_profile *profile, const struct mwa_call_row **rows,
                             uint32_t most, uint64_t *all)
{
    uint32_t count = 0;

    *all = 0;
    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].region->kind == MWA_REGION_MPI) {
            if (count < most) {
                rows[count++] = &profile->calls[i];
            }
            ++*all;
        }
    }
    return count;
}

static void put_heading(bool narrow, FILE *out)
{
    if (narrow) {
        fprintf(out,
                MWA_CELL "A%-19s" MWA_CELL "0 %8s" MWA_CELL "0 %6s" MWA_CELL "2 %15s"
                MWA_CELL "A  %-22s" MWA_CELL "3 %7s" MWA_CELL "0 %8s" MWA_CELL "0 %6s\n",
                "wait states", "time", "of run", "rank with most", "calls", "count", "time",
                "of mpi");
    } else {
        fprintf(out,
                MWA_CELL "A%-28s" MWA_CELL "0 %9s" MWA_CELL "0 %9s" MWA_CELL "0 %7s"
                MWA_CELL "3 %10s" MWA_CELL "1 %18s" MWA_CELL "2 %10s\n",
                "calls", "count", "time", "of mpi", "rank min", "rank max (rank)", "sent");
    }
}

/* The command to be copied is not broken, however long the file's name is. */
static void put_more(const struct mwa_results *results, uint64_t more, FILE *out)
{
    char *command = mwa_command_of("calls", results->path);

    fprintf(out, MWA_WHOLE "  and %" PRIu64 " more: %s\n", more, command ? command : "calls");
    free(command);
}

unsigned mwa_report_tables(const struct mwa_results *results, unsigned lines, FILE *out)
{
    const struct mwa_call_row *calls[ROWS_MAX];
    struct wait_line waits[ROWS_MAX];
    struct mwa_line line = { .length = 0 };
    uint64_t all;
    /* A heading, and what is more. */
    uint32_t rows = lines >= ROWS_MAX + 2 ? ROWS_MAX : lines > ROWS_MIN + 2 ? lines - 2 : ROWS_MIN;
    uint32_t wait_count;
    uint32_t call_count;
    unsigned put = 1;

    wait_count = choose_waits(results, waits, rows);
    call_count = choose_calls(&results->profile, calls, rows, &all);
    put_heading(wait_count > 0, out);
    for (uint32_t i = 0; i < wait_count || i < call_count; i++, put++) {
        if (wait_count > 0) {
            add_wait(&line, results, i < wait_count ? &waits[i] : NULL);
            add_call(&line, results, i < call_count ? calls[i] : NULL);
        } else {
            add_wide_call(&line, results, calls[i]);
        }
        fprintf(out, "%s\n", line.text);
        line = (struct mwa_line){ .length = 0 };
    }
    if (call_count == 0) {
        mwa_line_add(&line, "  %s",
                     results->profile.call_count > 0
                         ? "none between MPI_Init and MPI_Finalize of those that were recorded"
                         : "no MPI call was recorded");
        mwa_line_put(&line, 1, out);
        put++;
    }
    if (all > call_count) {
        put_more(results, all - call_count, out);
        put++;
    }
    return put;
}
