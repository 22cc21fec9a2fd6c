/*
 * Text is laid out when all of it is there, and not where it is printed: how wide a column is
 * depends on its last row, and which one is left out on all of them.
 */
#include "analyzer/table/layout.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/table/layout_table.h"
#include "analyzer/table/line.h"

#define COLUMNS_LEAST 40
#define COLUMNS_MOST  10000

#define ELLIPSIS    "\xe2\x80\xa6"
#define NAME_MAX    30u /* a name that stands in front of its value, with its blanks */
#define INDENT_LESS 2u  /* of other lines' rest */

static unsigned between(long columns)
{
    return columns < COLUMNS_LEAST  ? COLUMNS_LEAST
           : columns > COLUMNS_MOST ? COLUMNS_MOST
                                    : (unsigned)columns;
}

unsigned mwa_layout_columns(unsigned said, bool is_for_output)
{
    const char *variable = getenv("COLUMNS");
    struct winsize size = { .ws_col = 0 };
    char *end = NULL;
    long columns = variable ? strtol(variable, &end, 10) : 0;

    if (said > 0) {
        return said;
    }
    if (columns > 0 && !*end) {
        return between(columns);
    }
    if (is_for_output && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return between(size.ws_col);
    }
    return MWA_SCREEN_COLUMNS;
}

size_t mwa_shown_bytes(const char *text, size_t length, size_t columns)
{
    size_t at = 0;

    while (at < length) {
        if (text[at] == '\033') { /* of colours, which take no room */
            while (at < length && text[at] != 'm') {
                at++;
            }
            at += at < length;
        } else if (columns-- > 0) {
            do {
                at++;
            } while (at < length && ((unsigned char)text[at] & 0xc0) == 0x80);
        } else {
            break;
        }
    }
    return at;
}

size_t mwa_shown_columns(const char *text, size_t length)
{
    size_t columns = 0;

    for (size_t at = mwa_shown_bytes(text, length, 0); at < length;) {
        at += mwa_shown_bytes(text + at, length - at, 1);
        columns++;
    }
    return columns;
}

/* Where the rest of a line stands: below the value of what has a name, or somewhat indented. */
static size_t indent_of(const char *text, size_t length)
{
    size_t at = 0, own;

    while (at < length && text[at] == ' ') {
        at++;
    }
    own = at;
    for (; at + 1 < length && at < NAME_MAX; at++) {
        if (text[at] == ' ' && text[at + 1] == ' ') {
            while (at < length && text[at] == ' ') {
                at++;
            }
            return at <= NAME_MAX ? at : own + INDENT_LESS;
        }
    }
    return own + INDENT_LESS;
}

/* How much goes on a line of so many columns: up to a blank behind least, or a whole word. */
static size_t break_of(const char *text, size_t length, size_t columns, size_t least, bool cuts)
{
    const size_t fits = mwa_shown_bytes(text, length, columns);
    size_t at = fits;

    while (at > least && text[at] != ' ') {
        at--;
    }
    if (at > least || cuts) {
        return at > least ? at : fits;
    }
    for (at = fits; at < length && text[at] != ' ';) {
        at++;
    }
    return at;
}

void mwa_put_broken(const char *text, size_t length, size_t columns, FILE *out)
{
    const size_t indent = indent_of(text, length);
    size_t room = columns;
    size_t least = indent; /* a name does not stand alone */

    while (mwa_shown_columns(text, length) > room) {
        const size_t part = break_of(text, length, room, least, false);

        fwrite(text, 1, part, out);
        text += part;
        length -= part;
        while (length > 0 && *text == ' ') {
            text++;
            length--;
        }
        if (length == 0) {
            break;
        }
        fprintf(out, "\n%*s", (int)indent, "");
        room = columns - indent;
        least = 0;
    }
    fwrite(text, 1, length, out);
    putc('\n', out);
}

/* The report's lines: no more than so many of them. */
static void put_limited(const char *text, size_t length, unsigned lines, size_t columns, FILE *out)
{
    size_t room = columns < MWA_LINE_COLUMNS ? columns : MWA_LINE_COLUMNS;
    size_t least = MWA_LINE_INDENT; /* the line's name does not stand alone */

    if (room < MWA_LINE_COLUMNS) {
        lines = (lines * MWA_LINE_COLUMNS + (unsigned)room - 1) / (unsigned)room;
    }
    for (; mwa_shown_columns(text, length) > room && lines > 1; lines--) {
        const size_t part = break_of(text, length, room, least, true);
        const size_t behind = part + (text[part] == ' ');

        fwrite(text, 1, part, out);
        text += behind;
        length -= behind;
        fprintf(out, "\n%*s", MWA_LINE_INDENT, "");
        room = (columns < MWA_LINE_COLUMNS ? columns : MWA_LINE_COLUMNS) - MWA_LINE_INDENT;
        least = 0;
    }
    if (mwa_shown_columns(text, length) > room) {
        fwrite(text, 1, break_of(text, length, room - 2, least, true), out);
        fputs(" " ELLIPSIS, out);
    } else {
        fwrite(text, 1, length, out);
    }
    putc('\n', out);
}

static void put_line(const char *text, size_t length, unsigned columns, FILE *out)
{
    if (length > 0 && *text == MWA_WHOLE[0]) {
        fwrite(text + 1, 1, length - 1, out);
        putc('\n', out);
    } else if (length > 1 && *text == MWA_LINES) {
        put_limited(text + 2, length - 2, (unsigned)(text[1] - '0'), columns, out);
    } else if (mwa_shown_columns(text, length) > columns) {
        mwa_put_broken(text, length, columns, out);
    } else {
        fwrite(text, 1, length, out);
        putc('\n', out);
    }
}

void mwa_lay_out(const char *text, size_t length, unsigned columns, FILE *out)
{
    const char *end = text + length;
    struct mwa_table_layout layout = { .count = 0 };
    bool is_due = false; /* what was left out has to be said */

    while (text < end) {
        const char *stop;
        size_t bytes;

        if (*text == '\033') { /* a colour of lines */
            bytes = mwa_shown_bytes(text, (size_t)(end - text), 0);
            fwrite(text, 1, bytes, out);
            text += bytes;
            continue;
        }
        stop = memchr(text, '\n', (size_t)(end - text));
        bytes = (size_t)((stop ? stop : end) - text);
        if (mwa_layout_is_titles(text, bytes)) {
            mwa_layout_begin(&layout, text, (size_t)(end - text), columns);
            is_due = layout.is_narrow;
        }
        if (mwa_layout_is_row(&layout, text, bytes)) {
            mwa_layout_put_row(&layout, text, bytes, out);
        } else {
            put_line(text, bytes, columns, out);
        }
        text += bytes + (stop != NULL);
        if (is_due && text >= layout.last) {
            char note[1024];

            is_due = false;
            if (mwa_layout_left_out(&layout, note, sizeof note)) {
                put_line(note, strlen(note), columns, out);
            }
        }
    }
}
