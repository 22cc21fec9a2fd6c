/* Tables for the screen. */
#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/line.h"
#include "analyzer/table/table.h"

static bool is_shown(const struct mwa_column *column)
{
    return column->title && column->place != MWA_ON_PAGE;
}

/* Text on the left, all else on the right of width columns; longer text loses its middle. */
static void put_text(const struct mwa_column *column, const char *text, FILE *out)
{
    char name[4 * MWA_VALUE_BYTES];
    struct mwa_line line = { .length = 0 };
    size_t columns;
    int blanks;

    if (column->is_uncut) {
        mwa_put_clean(text, out);
        return;
    }
    if (column->kind == MWA_TEXT) {
        mwa_clean(text, name, sizeof name);
        if (column->width > 0) {
            mwa_line_add_name(&line, name, column->width);
        }
        text = column->width > 0 ? line.text : name;
    }
    columns = mwa_line_columns(text);
    blanks = columns < column->width ? (int)(column->width - columns) : 0;
    if (column->kind == MWA_TEXT) {
        fprintf(out, "%s%*s", text, blanks, "");
    } else {
        fprintf(out, "%*s%s", blanks, "", text);
    }
}

/* The values of a row, or the titles. */
static void put_row(const struct mwa_table *table, const struct mwa_cell *cell, FILE *out)
{
    bool is_number = false; /* the one before */
    char text[MWA_VALUE_BYTES];

    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];
        const bool is_text = column->kind == MWA_TEXT;

        if (is_shown(column)) {
            struct mwa_value value = cell ? mwa_value_of(column, cell) : mwa_nothing();

            fputs(cell                 ? MWA_ROW_CELL
                  : column->is_uncut ? MWA_CELL_UNCUT
                                     : MWA_CELL,
                  out);
            if (!cell && !column->is_uncut) {
                putc((is_text ? 'A' : '0') + (int)column->aside, out);
            }
            fputs(is_number && is_text ? " " : "", out);
            put_text(column, cell ? mwa_value_text(column, &value, text) : column->title, out);
            putc(' ', out);
            free(value.owned);
            is_number = !is_text;
        }
    }
    putc('\n', out);
}

void mwa_table_text_header(const struct mwa_table *table, FILE *out)
{
    put_row(table, NULL, out);
}

/* A list's rows, of which count stand above already, below the titles; how many. */
static uint64_t put_list(const struct mwa_table *table, const struct mwa_cell *parent,
                         uint64_t count, uint64_t most, FILE *out)
{
    uint64_t own = 0;
    struct mwa_cell *cells = mwa_ordered_rows(table, parent, &own);

    for (uint64_t i = 0; i < own && count + i < most; i++) {
        if (count + i == 0) {
            put_row(table, NULL, out);
        }
        put_row(table, &cells[i], out);
    }
    if (!cells) {
        fputs("no memory for the rows\n", out);
    }
    free(cells);
    return own;
}

/* The lists in all rows of the table above it, one behind the other; how many rows. */
static uint64_t put_lists(const struct mwa_table *table, const struct mwa_cell *root,
                          uint64_t most, FILE *out)
{
    uint64_t lists = 0;
    uint64_t count = 0;
    struct mwa_cell *above = mwa_ordered_rows(table->above, root, &lists);

    for (uint64_t i = 0; i < lists; i++) {
        count += put_list(table, &above[i], count, most, out);
    }
    if (!above) {
        fputs("no memory for the rows\n", out);
    }
    free(above);
    return count;
}

void mwa_table_text(const struct mwa_table *table, const struct mwa_cell *parent, uint64_t most,
                    const char *where, FILE *out)
{
    uint64_t count = table->above ? put_lists(table, parent, most, out)
                                  : put_list(table, parent, 0, most, out);

    if (count == 0 && table->none) {
        fprintf(out, "%s\n", table->none);
        return;
    }
    if (count == 0 || most == 0) {
        put_row(table, NULL, out);
    }
    if (count > most) {
        fprintf(out, "and %" PRIu64 " more: %s\n", count - most, where);
    }
    if (table->note) {
        fprintf(out, "%s\n", table->note);
    }
}
