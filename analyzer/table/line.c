/* Widths are counted in characters and not in bytes: names are UTF-8. */
#include "analyzer/table/line.h"

#include <stdarg.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"

#define ELLIPSIS "\xe2\x80\xa6"

void mwa_line_add(struct mwa_line *line, const char *format, ...)
{
    size_t room = sizeof line->text - line->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(line->text + line->length, room, format, arguments);
    va_end(arguments);
    if (length > 0) {
        line->length += (size_t)length < room ? (size_t)length : room - 1;
    }
}

/* Bytes of the first columns characters of text (UTF-8), or of all if there are fewer. */
static size_t bytes_of(const char *text, size_t columns)
{
    size_t at = 0;

    while (text[at] && columns > 0) {
        at++;
        while (((unsigned char)text[at] & 0xc0) == 0x80) {
            at++;
        }
        columns--;
    }
    return at;
}

size_t mwa_line_columns(const char *text)
{
    size_t columns = 0;

    for (size_t at = 0; text[at]; at += bytes_of(text + at, 1)) {
        columns++;
    }
    return columns;
}

/* Columns of the first so many bytes of text. */
static size_t columns_of(const char *text, size_t bytes)
{
    size_t columns = 0;

    for (size_t at = 0; at < bytes; at += bytes_of(text + at, 1)) {
        columns++;
    }
    return columns;
}

/* Adds the first so many bytes of text in columns: fewer than they have. */
static void add_ends(struct mwa_line *line, const char *text, size_t bytes, size_t columns)
{
    const size_t head = (columns - 1) / 2;
    const size_t from = bytes_of(text, columns_of(text, bytes) - (columns - 1 - head));

    mwa_line_add(line, "%.*s" ELLIPSIS "%.*s", (int)bytes_of(text, head), text,
                 (int)(bytes - from), text + from);
}

/* Of a place the bytes before " and 2 more", which ends where its library begins; all if there are
 * no others. */
static size_t before_others(const char *text, size_t bytes)
{
    size_t at = bytes;

    while (at > 0 && strncmp(text + at, MWA_AND_OTHERS, strlen(MWA_AND_OTHERS)) != 0) {
        at--;
    }
    return at > 0 ? at : bytes;
}

#define LIBRARY_SEEN 3u /* characters of it that are worth their room */

/* The same of a place that has a library behind it, which begins at via: it is left out first, and
 * then the number of other lines that lead there. */
static void add_place(struct mwa_line *line, const char *text, const char *via, size_t columns)
{
    size_t bytes = (size_t)(via - text);

    if (columns_of(text, bytes) + strlen(MWA_VIA) + LIBRARY_SEEN < columns) {
        bytes = bytes_of(text, columns - 1);
    } else if (columns_of(text, bytes) > columns) {
        bytes = before_others(text, bytes);
    }
    if (columns_of(text, bytes) <= columns) {
        mwa_line_add(line, "%.*s%s", (int)bytes, text,
                     columns_of(text, bytes) < columns ? ELLIPSIS : "");
    } else {
        add_ends(line, text, bytes, columns);
    }
}

void mwa_line_add_name(struct mwa_line *line, const char *text, size_t columns)
{
    const char *via = strstr(text, MWA_VIA);

    if (mwa_line_columns(text) <= columns) {
        mwa_line_add(line, "%s", text);
    } else if (via) {
        add_place(line, text, via, columns);
    } else {
        add_ends(line, text, strlen(text), columns);
    }
}

void mwa_line_put(struct mwa_line *line, unsigned lines, FILE *out)
{
    fprintf(out, "%c%u", MWA_LINES, lines);
    mwa_put_clean(line->text, out);
    putc('\n', out);
    line->length = 0;
    line->text[0] = 0;
}

void mwa_line_pad(struct mwa_line *line, size_t columns)
{
    size_t taken = mwa_line_columns(line->text);

    if (taken < columns) {
        mwa_line_add(line, "%*s", (int)(columns - taken), "");
    }
}

struct mwa_line mwa_line_with(const char *name)
{
    struct mwa_line line = {.length = 0};

    mwa_line_add(&line, "%-*s", MWA_LINE_INDENT, name);
    return line;
}
