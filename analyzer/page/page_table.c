/* Tables on the page. */
#include "analyzer/page/page_table.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/page/html.h"

#define NAME_CHARACTERS 60u

static bool is_shown(const struct mwa_column *column)
{
    return column->title && column->place != MWA_ON_SCREEN;
}

/* What the script and the tests find a column by. */
static void put_heading(const struct mwa_table *table, bool has_more, FILE *out)
{
    fputs("<thead><tr>", out);
    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];

        if (!is_shown(column)) {
            continue;
        }
        if (column->title[0] == 0) {
            fputs("<td></td>", out);
            continue;
        }
        fputs("<th scope=\"col\"", out);
        if (column->key) {
            fprintf(out, " data-key=\"%s\"", column->key);
        }
        fprintf(out, "%s>%s</th>", column->kind == MWA_TEXT ? " class=\"left\"" : "",
                column->title);
    }
    fprintf(out, "%s</tr></thead><tbody>\n", has_more ? "<td></td>" : "");
}

/* Cells are most of a page: what HTML lets be left out, the quotes and the end, is. */
static void put_value(const struct mwa_column *column, const struct mwa_value *value, FILE *out)
{
    char text[MWA_VALUE_BYTES];
    const char *shown = mwa_value_text(column, value, text);

    if (value->kind == MWA_TEXT) {
        fputs("<td class=name>", out);
        mwa_html_text(shown, NAME_CHARACTERS, out);
    } else if (value->kind == MWA_NUMBER && value->is_negative) {
        fprintf(out, "<td><data value=\"-%" PRIu64 "\">%s</data>", value->number, shown);
    } else if (value->kind == MWA_NUMBER) {
        fputs("<td>", out);
        mwa_html_number(NULL, value->number, shown, out);
    } else if (column->unit == MWA_SHARE && value->kind == MWA_REAL) {
        fprintf(out, "<td><span class=share style=--share:%.4f>%s</span>", value->real,
                shown);
    } else {
        fprintf(out, "<td>%s", value->kind == MWA_NOTHING ? "\xe2\x80\x93" : shown);
    }
}

static void put_row(const struct mwa_table *table, const struct mwa_cell *cell,
                    mwa_page_put more, FILE *out)
{
    fprintf(out, "<tr data-row=\"%" PRIu64 "\">", cell->place);
    for (uint32_t i = 0; i < table->column_count; i++) {
        const struct mwa_column *column = &table->columns[i];

        if (is_shown(column)) {
            struct mwa_value value = mwa_value_of(column, cell);

            put_value(column, &value, out);
            free(value.owned);
        }
    }
    if (more) {
        more(cell, out);
    }
    fputs("</tr>\n", out);
}

static void put_rows(const char *of, const struct mwa_table *table, const struct mwa_cell *cells,
                     uint64_t from, uint64_t to, mwa_page_put more, FILE *out)
{
    fputs("<div class=\"scroll\" tabindex=\"0\"><table", out);
    if (of) {
        fprintf(out, " data-of=\"%s\"", of);
    }
    putc('>', out);
    put_heading(table, more != NULL, out);
    for (uint64_t i = from; i < to; i++) {
        put_row(table, &cells[i], more, out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void put_note(const char *text, FILE *out)
{
    if (text) {
        fprintf(out, "<p class=\"note\">%s.</p>\n", text);
    }
}

void mwa_page_table(struct mwa_page *page, const char *of, const struct mwa_table *table,
                    uint64_t open, uint64_t most, mwa_page_put more)
{
    const struct mwa_cell root = { .results = page->results, .row = page->results };

    mwa_page_list(page, of, table, &root, open, most, more);
}

void mwa_page_list(struct mwa_page *page, const char *of, const struct mwa_table *table,
                   const struct mwa_cell *root, uint64_t open, uint64_t most, mwa_page_put more)
{
    uint64_t count, shown;
    struct mwa_cell *cells = mwa_ordered_rows(table, root, &count);
    FILE *out = page->out;

    if (!cells) {
        page->status = MW_ERROR_MEMORY;
        return;
    }
    if (count == 0 && table->none) {
        put_note(table->none, out);
        free(cells);
        return;
    }
    shown = count < most ? count : most;
    fprintf(out, "<div class=\"listing\" data-all=\"%" PRIu64 "\">\n", count);
    put_rows(of, table, cells, 0, shown < open ? shown : open, more, out);
    if (shown > open) {
        fprintf(out, "<details><summary>%" PRIu64 " more of %" PRIu64 "</summary>\n", shown - open,
                count);
        put_rows(of, table, cells, open, shown, more, out);
        fputs("</details>\n", out);
    }
    if (count > shown) {
        fprintf(out, "<p class=\"note cut\">%" PRIu64 " of %" PRIu64
                     "; mpiwatch-analyze has the others.</p>\n",
                shown, count);
    }
    fputs("</div>\n", out);
    put_note(table->note, out);
    free(cells);
}
