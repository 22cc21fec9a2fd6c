/* The line says what the object of JSON does, in the same order: both are made from one table. */
#include "analyzer/cli/event_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/table/clean.h"
#include "analyzer/table/tables.h"

#define DIGITS 21 /* of a number, and its sign */

/* Numbers are most of what there is to print, and printf takes several times as long. */
static void put_number(struct mwa_value value, unsigned width, FILE *out)
{
    char text[DIGITS];
    char *at = text + sizeof text;
    uint64_t left = value.number;

    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value.is_negative) {
        *--at = '-';
    }
    for (size_t length = (size_t)(text + sizeof text - at); length < width; width--) {
        putc(' ', out);
    }
    fwrite(at, 1, (size_t)(text + sizeof text - at), out);
}

static void put_real(double real, FILE *out)
{
    if (isfinite(real)) {
        fprintf(out, "%.17g", real);
    } else {
        putc('-', out);
    }
}

static void put_text(const char *text, unsigned width, FILE *out)
{
    mwa_put_clean(text, out);
    for (size_t length = strlen(text); length < width; length++) {
        putc(' ', out);
    }
}

/* To the right of width columns, but text to the left. */
static void put_value(struct mwa_value value, unsigned width, FILE *out)
{
    switch (value.kind) {
    case MWA_NUMBER:
        put_number(value, width, out);
        return;
    case MWA_REAL:
    case MWA_DECIMAL:
        put_real(value.real, out);
        return;
    case MWA_TEXT:
        put_text(value.text, width, out);
        free(value.owned);
        return;
    case MWA_FLAG:
        fputs(value.flag ? "yes" : "no", out);
        return;
    case MWA_MEASURED: /* no value's kind */
    case MWA_NOTHING:
        break;
    }
    for (; width > 1; width--) {
        putc(' ', out);
    }
    putc('-', out);
}

/* Numbers, with commas between them, or who called whom; NAME:VALUE of each. */
static void put_list(const struct mwa_table *table, const struct mwa_cell *parent, FILE *out)
{
    const struct mwa_column *columns = table->columns;
    struct mwa_cell cell;

    if (table->is_known && !table->is_known(parent)) {
        putc('-', out);
        return;
    }
    for (uint64_t at = 0; mwa_next_row(table, parent, &at, &cell);) {
        if (at > 1) {
            fputs(columns[0].kind == MWA_TEXT && table->shape == MWA_VALUES ? " < " : ",", out);
        }
        put_value(mwa_value_of(&columns[0], &cell), 0, out);
        if (table->shape == MWA_MAP) {
            putc(':', out);
            put_value(mwa_value_of(&columns[1], &cell), 0, out);
        }
    }
}

/* KEY=VALUE of each column, and of those of objects without a key. */
static void put_said(const struct mwa_table *table, const struct mwa_cell *cell, FILE *out)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];
        struct mwa_cell inner;
        uint64_t at = 0;

        if (!column->key) {
            if (mwa_next_row(column->table, cell, &at, &inner)) {
                put_said(column->table, &inner, out);
            }
            continue;
        }
        putc(' ', out);
        fputs(column->key, out);
        putc('=', out);
        if (column->table) {
            put_list(column->table, cell, out);
        } else {
            put_value(mwa_value_of(column, cell), 0, out);
        }
    }
}

void mwa_event_line(const struct mwa_cell *cell, FILE *out)
{
    const struct mwa_table *head = &mwa_event_head;

    for (uint32_t i = 0; i < head->column_count; i++) {
        if (i > 0) {
            putc(' ', out);
        }
        put_value(mwa_value_of(&head->columns[i], cell), head->columns[i].width, out);
    }
    put_said(&mwa_event_said, cell, out);
    putc('\n', out);
}
