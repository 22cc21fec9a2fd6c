/*
 * The only place where text of an archive becomes markup, so that there is one
 * place to get escaping right.
 */
#include "analyzer/page/html.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "analyzer/table/clean.h"
#include "analyzer/table/units.h"
#include "formats/base/utf8.h"

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

    for (const char *at = text; *at; at += mwa_clean_character(at, &valid)) {
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
        bytes = mwa_clean_character(at, &valid);
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
