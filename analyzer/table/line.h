#ifndef MWA_TABLE_LINE_H
#define MWA_TABLE_LINE_H

#include <stddef.h>
#include <stdio.h>

#include "formats/base/status.h"

/* Lines of the report: put together from pieces, and broken where they are too long
 * (analyzer/table/layout.h). */

#define MWA_LINE_COLUMNS 100u
#define MWA_LINE_INDENT  10

/* A line being put together; longer than the screen is wide until it is put. */
struct mwa_line {
    char text[2048];
    size_t length;
};

/* A line that begins with name, and room up to MWA_LINE_INDENT. */
struct mwa_line mwa_line_with(const char *name);

/* Adds text; what is too long for the line is lost. */
void mwa_line_add(struct mwa_line *line, const char *format, ...) MW_PRINTF(2, 3);

/* Adds text in at most columns, its middle left out if need be: both ends tell names apart. Of a
 * place in the program that leads to a library (mwa_place) the library is left out first. */
void mwa_line_add_name(struct mwa_line *line, const char *text, size_t columns);

/* Adds blanks up to columns, if there are fewer. */
void mwa_line_pad(struct mwa_line *line, size_t columns);

/* Columns that text (UTF-8) takes. */
size_t mwa_line_columns(const char *text);

/*
 * Puts line, to be laid out on up to so many lines (9 at most), broken at blanks; an ellipsis where
 * that does not do. The line is empty then.
 */
void mwa_line_put(struct mwa_line *line, unsigned lines, FILE *out);

#endif
