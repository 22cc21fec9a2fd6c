#include "analyzer/page/html.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "analyzer/render/units.h"
#include "formats/utf8.h"

/* C1 controls, and what turns the direction of writing around. */
static bool is_deceptive(const unsigned char *at, size_t bytes)
{
    if (bytes == 2) {
        return at[0] == 0xc2 && at[1] < 0xa0;
    }
    return bytes == 3 && at[0] == 0xe2 &&
           ((at[1] == 0x80 && (at[2] >= 0xa8 || at[2] == 0x8e || at[2] == 0x8f)) ||
            (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

/* Bytes of the character at text, 1 for what is none. */
static size_t character(const char *text, bool *valid)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t bytes = mw_utf8_sequence(text);

    *valid = bytes > 0 && (bytes > 1 || (at[0] >= 0x20 && at[0] != 0x7f)) &&
             !is_deceptive(at, bytes);
    return bytes > 0 ? bytes : 1;
}

static void put_character(const char *at, size_t bytes, bool valid, FILE *out)
{
    if (!valid) {
        fputs(*at == '\t' || *at == '\n' ? " " : MW_UTF8_REPLACEMENT, out);
    } else if (strchr("&<>\"'", *at)) {
        fprintf(out, "&#%d;", *at);
    } else {
        fwrite(at, 1, bytes, out);
    }
}

static size_t characters(const char *text)
{
    size_t count = 0;
    bool valid;

    for (const char *at = text; *at; at += character(at, &valid)) {
        count++;
    }
    return count;
}

void mwa_html_text(const char *text, unsigned columns, FILE *out)
{
    size_t count = columns > 0 ? characters(text) : 0;
    size_t head = columns / 2, tail = columns > 0 ? count - (columns - 1 - head) : 0;
    size_t position = 0, bytes;
    bool valid;

    for (const char *at = text; *at; at += bytes, position++) {
        bytes = character(at, &valid);
        if (count <= columns || position < head || position >= tail) {
            put_character(at, bytes, valid, out);
        } else if (position == head) {
            fputs("\xe2\x80\xa6", out);
        }
    }
}

void mwa_html_number(const char *of, uint64_t value, const char *shown, FILE *out)
{
    fprintf(out, "<data value=\"%" PRIu64 "\"", value);
    if (of) {
        fprintf(out, " data-of=\"%s\"", of);
    }
    fprintf(out, ">%s</data>", shown);
}

void mwa_html_time(const char *of, uint64_t ns, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    mwa_html_number(of, ns, mwa_time_text(ns, text), out);
}

void mwa_html_bytes(const char *of, uint64_t bytes, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    mwa_html_number(of, bytes, mwa_bytes_text(bytes, text), out);
}

void mwa_html_count(const char *of, uint64_t count, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    mwa_html_number(of, count, mwa_count_text(count, text), out);
}

void mwa_html_share(uint64_t part, uint64_t whole, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    fprintf(out, "<span class=\"share\" style=\"--share:%.4f\">%s</span>",
            whole > 0 ? (double)part / (double)whole : 0, mwa_share_text(part, whole, text));
}
