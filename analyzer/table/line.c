/* Widths are counted in characters and not in bytes: names are UTF-8. */
#include "analyzer/table/line.h"

#include <stdarg.h>
#include <string.h>

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

void mwa_line_add_name(struct mwa_line *line, const char *text, size_t columns)
{
    size_t all = mwa_line_columns(text);
    size_t head = (columns - 1) / 2;

    if (all <= columns) {
        mwa_line_add(line, "%s", text);
        return;
    }
    mwa_line_add(line, "%.*s" ELLIPSIS "%s", (int)bytes_of(text, head), text,
                 text + bytes_of(text, all - (columns - 1 - head)));
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
