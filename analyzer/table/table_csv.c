/* Tables as comma-separated values (RFC 4180, lines end with \n). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/table/clean.h"
#include "analyzer/table/table.h"

/* Spreadsheets take these for the beginning of a formula, the wide ones (U+FF0B …) as well. */
static bool begins_formula(const char *text)
{
    static const char *const signs[] = { "=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b",
                                         "\xef\xbc\x8d", "\xef\xbc\xa0" };

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strncmp(text, signs[i], strlen(signs[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* As analyzer/table/clean.h shows it, in quotes where it has to be. What a spreadsheet would take
 * for a formula has a ' before it. */
static void put_text(const char *text, FILE *out)
{
    const char *quote = strpbrk(text, ",;\"") ? "\"" : "";
    size_t length;

    fputs(quote, out);
    fputs(begins_formula(text) ? "'" : "", out);
    for (; *text; text += length) {
        length = strcspn(text, "\"");
        mwa_put_clean_bytes(text, length, out);
        if (text[length] == '"') {
            fputs("\"\"", out);
            length++;
        }
    }
    fputs(quote, out);
}

/* Also of a real number whether it is whole. */
static void put_value(struct mwa_value value, FILE *out)
{
    bool is_real = value.kind == MWA_REAL || value.kind == MWA_DECIMAL;

    if (value.kind == MWA_NUMBER) {
        fprintf(out, "%s%" PRIu64, value.is_negative ? "-" : "", value.number);
    } else if (value.kind == MWA_TEXT) {
        put_text(value.text, out);
    } else if (value.kind == MWA_FLAG) {
        fputs(value.flag ? "true" : "false", out);
    } else if (is_real && value.kind == MWA_DECIMAL && value.real == floor(value.real) &&
               fabs(value.real) < 9e15) {
        fprintf(out, "%.0f", value.real);
    } else if (is_real && isfinite(value.real)) {
        fprintf(out, value.kind == MWA_REAL ? "%.9g" : "%.15g", value.real);
    }
    free(value.owned);
}

/* An object without a key is one whose members are the row's own. */
static bool is_object(const struct mwa_column *column)
{
    return column->table && column->table->shape == MWA_ROW;
}

static bool is_column(const struct mwa_column *column)
{
    return is_object(column) ||
           (column->key && (!column->table || column->table->shape != MWA_LIST));
}

static void put_keys(const struct mwa_table *table, const char *prefix, const char **before,
                     FILE *out)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];

        if (!is_column(column)) {
            continue;
        }
        if (is_object(column)) {
            put_keys(column->table, column->key ? column->key : prefix, before, out);
        } else {
            fprintf(out, "%s%s%s%s", *before, prefix, prefix[0] ? "_" : "", column->key);
            *before = ",";
        }
    }
}

static void put_list(const struct mwa_table *table, const struct mwa_cell *parent, FILE *out)
{
    const char *before = "";
    struct mwa_cell cell;

    for (uint64_t at = 0; mwa_next_row(table, parent, &at, &cell); before = " ") {
        fputs(before, out);
        put_value(mwa_value_of(&table->columns[0], &cell), out);
    }
}

/* Where there is no such object: nothing in its columns. */
static void put_nothing(const struct mwa_table *table, const char **before, FILE *out)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];

        if (is_object(column)) {
            put_nothing(column->table, before, out);
        } else if (is_column(column)) {
            fputs(*before, out);
            *before = ",";
        }
    }
}

static void put_row(const struct mwa_table *table, const struct mwa_cell *cell,
                    const char **before, FILE *out)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];
        struct mwa_cell inner;
        uint64_t at = 0;

        if (!is_column(column)) {
            continue;
        }
        if (is_object(column)) {
            if (mwa_next_row(column->table, cell, &at, &inner)) {
                put_row(column->table, &inner, before, out);
            } else {
                put_nothing(column->table, before, out);
            }
            continue;
        }
        fputs(*before, out);
        *before = ",";
        if (column->table) {
            put_list(column->table, cell, out);
        } else {
            put_value(mwa_value_of(column, cell), out);
        }
    }
}

static void put_rows(const struct mwa_table *table, const struct mwa_cell *parent, FILE *out)
{
    struct mwa_cell cell;

    for (uint64_t at = 0; mwa_next_row(table, parent, &at, &cell);) {
        const char *before = "";

        put_row(table, &cell, &before, out);
        putc('\n', out);
    }
}

void mwa_table_csv_header(const struct mwa_table *table, FILE *out)
{
    const char *before = "";

    put_keys(table, "", &before, out);
    putc('\n', out);
}

void mwa_table_csv(const struct mwa_table *table, const struct mwa_cell *root, FILE *out)
{
    struct mwa_cell above;

    mwa_table_csv_header(table, out);
    if (!table->above) {
        put_rows(table, root, out);
        return;
    }
    for (uint64_t at = 0; mwa_next_row(table->above, root, &at, &above);) {
        put_rows(table, &above, out);
    }
}
