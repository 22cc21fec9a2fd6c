/* Tables for the screen. */
#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/table/clean.h"
#include "analyzer/table/line.h"
#include "analyzer/table/table.h"

static bool is_shown(const struct mwa_column *column)
{
    return column->title && column->place != MWA_ON_PAGE;
}

/* Blanks that stand before what comes next on the line, if anything does. */
static void put_behind(unsigned *blanks, const char *text, FILE *out)
{
    if (text[0]) {
        fprintf(out, "%*s%s", (int)*blanks, "", text);
        *blanks = 0;
    }
}

/* Text on the left, all else on the right of width columns; longer text loses its middle. */
static void put_text(const struct mwa_column *column, const char *text, unsigned *blanks, FILE *out)
{
    char name[4 * MWA_VALUE_BYTES];
    struct mwa_line line = { .length = 0 };
    size_t columns;

    if (column->kind == MWA_TEXT) {
        mwa_clean(text, name, sizeof name);
        if (column->width > 0) {
            mwa_line_add_name(&line, name, column->width);
        }
        text = column->width > 0 ? line.text : name;
    }
    columns = mwa_line_columns(text);
    if (column->kind != MWA_TEXT && columns < column->width) {
        *blanks += column->width - (unsigned)columns;
    }
    put_behind(blanks, text, out);
    if (column->kind == MWA_TEXT && columns < column->width) {
        *blanks += column->width - (unsigned)columns;
    }
}

/* The values of a row, or the titles. */
static void put_row(const struct mwa_table *table, const struct mwa_cell *cell, FILE *out)
{
    unsigned blanks = 0;
    bool is_number = false; /* the one before */
    char text[MWA_VALUE_BYTES];

    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];

        if (is_shown(column)) {
            struct mwa_value value = cell ? mwa_value_of(column, cell) : mwa_nothing();

            blanks += is_number && column->kind == MWA_TEXT;
            put_text(column, cell ? mwa_value_text(column, &value, text) : column->title, &blanks,
                     out);
            free(value.owned);
            blanks++;
            is_number = column->kind != MWA_TEXT;
        }
    }
    putc('\n', out);
}

void mwa_table_text_header(const struct mwa_table *table, FILE *out)
{
    put_row(table, NULL, out);
}

void mwa_table_text(const struct mwa_table *table, const struct mwa_cell *parent, uint64_t most,
                    const char *where, FILE *out)
{
    uint64_t count = 0;
    struct mwa_cell *cells = mwa_ordered_rows(table, parent, &count);

    if (cells && count == 0 && table->none) {
        fprintf(out, "%s\n", table->none);
        free(cells);
        return;
    }
    put_row(table, NULL, out);
    for (uint64_t i = 0; i < count && i < most; i++) {
        put_row(table, &cells[i], out);
    }
    if (!cells) {
        fputs("no memory for the rows\n", out);
    }
    if (count > most) {
        fprintf(out, "and %" PRIu64 " more: %s\n", count - most, where);
    }
    if (table->note) {
        fprintf(out, "%s\n", table->note);
    }
    free(cells);
}
