#include "analyzer/table/layout_table.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "analyzer/table/layout.h"
#include "analyzer/table/line.h"
#include "formats/base/buffer.h"

#define NAMES_READABLE 20u /* what text is cut to before columns are left out, */
#define NAMES_LEAST    10u /* and when there is nothing else left */
#define CELL_BYTES     2048u
#define BELOW          "      " /* before what stands below a row */

/* Next cell of a line, from *at on: *cell without its mark; false at the end. */
static bool next_cell(const char *line, size_t length, size_t *at, const char **cell, size_t *bytes)
{
    const char *mark;

    if (*at + 1 >= length || line[*at] != MWA_CELL[0]) {
        return false;
    }
    *cell = line + *at + 2;
    mark = memchr(*cell, MWA_CELL[0], length - *at - 2);
    *bytes = mark ? (size_t)(mark - *cell) : length - *at - 2;
    *at += 2 + *bytes;
    return true;
}

static unsigned cells_of(const char *line, size_t length)
{
    unsigned count = 0;

    for (size_t i = 0; i < length; i++) {
        count += line[i] == MWA_CELL[0];
    }
    return count;
}

bool mwa_layout_is_titles(const char *line, size_t length)
{
    return length > 1 && line[0] == MWA_CELL[0] && line[1] != MWA_ROW_CELL[1] &&
           cells_of(line, length) <= MWA_LAYOUT_CELLS;
}

bool mwa_layout_is_row(const struct mwa_table_layout *layout, const char *line, size_t length)
{
    return layout->count > 0 && length > 1 && line[0] == MWA_CELL[0] &&
           cells_of(line, length) == layout->count;
}

/* A cell without the blanks around it; how many are before it. */
static size_t trim(const char **cell, size_t *bytes)
{
    size_t before = 0;

    while (before < *bytes && (*cell)[before] == ' ') {
        before++;
    }
    *cell += before;
    *bytes -= before;
    while (*bytes > 0 && (*cell)[*bytes - 1] == ' ') {
        --*bytes;
    }
    return before;
}

static bool is_text(const struct mwa_layout_column *column)
{
    return isupper((unsigned char)column->sort) || column->sort == MWA_CELL_UNCUT[1];
}

static bool is_below(const struct mwa_layout_column *column)
{
    return column->sort == MWA_CELL_BELOW[1];
}

/* How soon a column is left out; 0: never. */
static unsigned rank_of(const struct mwa_layout_column *column)
{
    if (column->sort == MWA_CELL_UNCUT[1]) {
        return 0;
    }
    return (unsigned)(column->sort - (is_text(column) ? 'A' : '0'));
}

/* What the cells of a line take; how wide it is as it is. */
static size_t measure_row(struct mwa_table_layout *layout, const char *line, size_t length)
{
    const char *cell;
    size_t at = 0, bytes, width = 0, filled = 0;

    for (unsigned i = 0; next_cell(line, length, &at, &cell, &bytes); i++) {
        struct mwa_layout_column *column = &layout->columns[i];
        const size_t all = mwa_shown_columns(cell, bytes);
        const size_t before = trim(&cell, &bytes);
        const size_t used = mwa_shown_columns(cell, bytes);

        width += all;
        if (used == 0) {
            continue;
        }
        filled = width - (all - before - used);
        column->before = before < column->before ? before : column->before;
        column->behind = all - before - used < column->behind ? all - before - used
                                                              : column->behind;
        if (is_text(column)) {
            column->used = before + used > column->used ? before + used : column->used;
        } else {
            column->used = used > column->used ? used : column->used;
        }
    }
    return filled;
}

/* The table's titles and rows. */
static void measure(struct mwa_table_layout *layout, const char *text, size_t length)
{
    const char *end = text + length;
    bool is_first = true;

    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const size_t bytes = (size_t)((stop ? stop : end) - text);

        if (!is_first && mwa_layout_is_titles(text, bytes)) {
            return;
        }
        if (mwa_layout_is_row(layout, text, bytes)) {
            const size_t width = measure_row(layout, text, bytes);

            layout->widest = width > layout->widest ? width : layout->widest;
            layout->last = text + bytes + (stop != NULL);
        }
        is_first = false;
        text += bytes + (stop != NULL);
    }
}

/* Columns of what is left in up to this rank: as wide as they are used, or text cut to least. */
static size_t fit(struct mwa_table_layout *layout, unsigned rank, size_t least, size_t columns)
{
    const struct mwa_layout_column *last = NULL;
    struct mwa_layout_column *widest;
    size_t all = 0;

    for (unsigned i = 0; i < layout->count; i++) {
        struct mwa_layout_column *column = &layout->columns[i];

        column->is_shown = !is_below(column) && rank_of(column) <= rank && column->used > 0;
        if (column->is_shown) {
            column->width = column->used - (is_text(column) ? column->before : 0);
            column->gap = !last ? 0 : 1u + (is_text(column) != is_text(last));
            all += column->gap + column->width;
            last = column;
        }
    }
    do {
        widest = NULL;
        for (unsigned i = 0; i < layout->count; i++) {
            struct mwa_layout_column *column = &layout->columns[i];

            if (column->is_shown && is_text(column) && column->width > least &&
                (!widest || column->width > widest->width)) {
                widest = column;
            }
        }
        if (widest && all > columns) {
            widest->width--;
            all--;
        }
    } while (widest && all > columns);
    return all;
}

/* Which columns are shown on so many, and how wide. */
static void choose(struct mwa_table_layout *layout, size_t columns)
{
    unsigned rank = 9;

    while (fit(layout, rank, NAMES_READABLE, columns) > columns && rank > 0) {
        rank--;
    }
    if (rank == 0) {
        fit(layout, 0, NAMES_LEAST, columns);
    }
}

/* Whether its text would be cut, and may not: what tells rows apart may be anywhere in it. */
static bool has_to_move(const struct mwa_layout_column *column)
{
    return column->sort == MWA_CELL_UNCUT[1] && column->used > 0 &&
           column->width < column->used - column->before;
}

void mwa_layout_begin(struct mwa_table_layout *layout, const char *text, size_t length,
                      unsigned columns)
{
    const char *stop = memchr(text, '\n', length);
    const char *cell;
    size_t at = 0, bytes;

    *layout = (struct mwa_table_layout){ .screen = columns,
                                         .titles = text,
                                         .titles_bytes = stop ? (size_t)(stop - text) : length };
    while (next_cell(text, layout->titles_bytes, &at, &cell, &bytes)) {
        layout->columns[layout->count++] = (struct mwa_layout_column){ .sort = cell[-1],
                                                                       .before = SIZE_MAX,
                                                                       .behind = SIZE_MAX };
    }
    measure(layout, text, length);
    layout->is_narrow = layout->widest > columns;
    if (!layout->is_narrow) {
        return;
    }
    choose(layout, columns);
    if (has_to_move(&layout->columns[layout->count - 1])) {
        layout->columns[layout->count - 1].sort = MWA_CELL_BELOW[1];
        choose(layout, columns);
    }
}

/* Whether all cells of a line are. */
static bool is_blank(const char *line, size_t length)
{
    const char *cell;
    size_t at = 0, bytes;

    while (next_cell(line, length, &at, &cell, &bytes)) {
        trim(&cell, &bytes);
        if (bytes > 0) {
            return false;
        }
    }
    return true;
}

/* As it is, but for blanks at its end. */
static void put_wide(const char *line, size_t length, FILE *out)
{
    const char *cell;
    size_t at = 0, bytes;

    while (length > 0 && (line[length - 1] == ' ' ||
                          (length > 1 && line[length - 2] == MWA_CELL[0]))) {
        length -= line[length - 1] == ' ' ? 1 : 2;
    }
    while (next_cell(line, length, &at, &cell, &bytes)) {
        fwrite(cell, 1, bytes, out);
    }
    putc('\n', out);
}

/* A cell's text, or what of it fits; *blanks stand before it if it has any, and then behind it. */
static void put_cell(const struct mwa_layout_column *column, bool is_title, const char *cell,
                     size_t bytes, size_t *blanks, FILE *out)
{
    size_t before = trim(&cell, &bytes);
    size_t taken = mwa_shown_columns(cell, bytes);
    size_t behind = 0;
    struct mwa_line cut = { .length = 0 };

    *blanks += column->gap;
    if (is_text(column)) {
        char content[CELL_BYTES];

        before = bytes > 0 ? before - column->before : 0;
        before = before < column->width / 2 ? before : column->width / 2; /* a branch of a tree */
        snprintf(content, sizeof content, "%.*s", (int)bytes, cell);
        if (is_title && mwa_line_columns(content) > column->width) {
            bytes = mwa_shown_bytes(content, strlen(content), column->width - 1);
            mwa_line_add(&cut, "%.*s\xe2\x80\xa6", (int)bytes, content);
        } else {
            mwa_line_add_name(&cut, content, column->width - before);
        }
        cell = cut.text;
        bytes = cut.length;
        taken = mwa_shown_columns(cell, bytes);
        behind = column->width - before - taken;
    } else {
        before = taken < column->width ? column->width - taken : 0;
    }
    *blanks += before;
    if (taken > 0) {
        fprintf(out, "%*s", (int)*blanks, "");
        fwrite(cell, 1, bytes, out);
        *blanks = 0;
    }
    *blanks += behind;
}

/* In lines of its own; in one where there is no memory. */
static void put_below(const char *cell, size_t bytes, size_t columns, FILE *out)
{
    struct mw_buffer text = { 0 };

    mw_buffer_append(&text, BELOW, strlen(BELOW));
    mw_buffer_append(&text, cell, bytes);
    if (text.failed) {
        fprintf(out, BELOW "%.*s\n", (int)bytes, cell);
    } else {
        mwa_put_broken((const char *)text.data, text.bytes, columns, out);
    }
    mw_buffer_fini(&text);
}

void mwa_layout_put_row(const struct mwa_table_layout *layout, const char *line, size_t length,
                        FILE *out)
{
    const char *cell;
    const bool is_titles = mwa_layout_is_titles(line, length);
    size_t at = 0, bytes, blanks = 0;

    if (is_titles && is_blank(line, length)) {
        return;
    }
    if (!layout->is_narrow) {
        put_wide(line, length, out);
        return;
    }
    for (unsigned i = 0; next_cell(line, length, &at, &cell, &bytes); i++) {
        const struct mwa_layout_column *column = &layout->columns[i];

        if (column->is_shown) {
            put_cell(column, is_titles, cell, bytes, &blanks, out);
        } else if (is_below(column)) {
            trim(&cell, &bytes);
            if (bytes > 0) {
                putc('\n', out);
                put_below(cell, bytes, layout->screen, out);
                return;
            }
        }
    }
    putc('\n', out);
}

bool mwa_layout_left_out(const struct mwa_table_layout *layout, char *note, size_t size)
{
    const char *cell;
    size_t at = 0, bytes;
    struct mwa_line list = { .length = 0 };

    for (unsigned i = 0; next_cell(layout->titles, layout->titles_bytes, &at, &cell, &bytes); i++) {
        const struct mwa_layout_column *column = &layout->columns[i];

        if (column->is_shown || column->used == 0 || is_below(column)) {
            continue;
        }
        trim(&cell, &bytes);
        mwa_line_add(&list, "%s%.*s", list.length > 0 ? ", " : "", (int)bytes, cell);
    }
    snprintf(note, size, "not shown: %s; --width=%zu has all", list.text, layout->widest);
    return list.length > 0;
}
