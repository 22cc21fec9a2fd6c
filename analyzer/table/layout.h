#ifndef MWA_TABLE_LAYOUT_H
#define MWA_TABLE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Text for people as wide as their screen is. What prints it need not know how wide that is: it
 * prints lines as long as they come, and marks, with control characters that no name from an
 * archive brings (analyzer/table/clean.h), what must be known to lay them out.
 *
 * A table is a line with titles and all lines up to the next titles that have as many cells; what
 * has no cells may stand between them. A cell begins with MWA_CELL and its sort: of titles a number
 * for numbers, a capital letter for text, which may be cut; '0' and 'A' are never left out, the
 * others the sooner the higher they are. MWA_CELL_BELOW, of the last cell, moves it to a line of
 * its own where the table is too wide, and MWA_CELL_UNCUT, whose text is never cut, where it does
 * not fit beside the others. MWA_ROW_CELL begins the cells of all other lines. Titles
 * without any text are not printed.
 */
#define MWA_CELL       "\037"
#define MWA_CELL_BELOW MWA_CELL ">"
#define MWA_CELL_UNCUT MWA_CELL "="
#define MWA_ROW_CELL   MWA_CELL "."

/* Begins a line that goes on at most so many lines of MWA_LINE_COLUMNS, a digit, or of as many more
 * as less columns take; behind the first MWA_LINE_INDENT columns. An ellipsis ends what is lost. */
#define MWA_LINES '\035'

/* Begins a line that is not broken: a command to be copied. */
#define MWA_WHOLE "\034"

#define MWA_SCREEN_COLUMNS 80u /* where nothing says how wide it is */

/*
 * The columns to lay text out for: said if that is not 0, else the variable COLUMNS, else, if it is
 * for standard output, the terminal's, else MWA_SCREEN_COLUMNS. A pipe is taken for a screen of 80
 * columns, as a terminal that does not tell: what programs read is JSON and CSV.
 */
unsigned mwa_layout_columns(unsigned said, bool is_for_output);

/*
 * Prints length bytes of text for a screen of so many columns. Of tables that are wider, blanks are
 * left out first, then long text is cut, then columns are left out, which a line below them says.
 * Other lines that are longer are broken at blanks, below where their second word group begins.
 * Words that are longer stay whole. Errors of out stay in out.
 */
void mwa_lay_out(const char *text, size_t length, unsigned columns, FILE *out);

#endif
