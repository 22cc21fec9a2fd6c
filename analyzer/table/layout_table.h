#ifndef MWA_TABLE_LAYOUT_TABLE_H
#define MWA_TABLE_LAYOUT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* How a table that is marked as analyzer/table/layout.h says fits a screen. Any thread. */

#define MWA_LAYOUT_CELLS 32u

struct mwa_layout_column {
    char sort;     /* of the titles' cells */
    size_t before; /* blanks in all rows before what is in it, and behind it */
    size_t behind;
    size_t used;   /* columns between those */
    size_t width;  /* that it gets */
    size_t gap;    /* blanks before it */
    bool is_shown;
};

struct mwa_table_layout {
    struct mwa_layout_column columns[MWA_LAYOUT_CELLS];
    unsigned count;     /* 0: there is no table */
    bool is_narrow;     /* it does not fit as it is */
    size_t widest;      /* as it is */
    unsigned screen;    /* its columns */
    const char *titles; /* with their line's end */
    size_t titles_bytes;
    const char *last; /* where the text behind its last row begins */
};

/* Whether a line without its end has titles of a table; is a row of it, as the titles are. */
bool mwa_layout_is_titles(const char *line, size_t length);
bool mwa_layout_is_row(const struct mwa_table_layout *layout, const char *line, size_t length);

/* text begins with the titles: what of the table is shown on so many columns, and how wide. */
void mwa_layout_begin(struct mwa_table_layout *layout, const char *text, size_t length,
                      unsigned columns);

void mwa_layout_put_row(const struct mwa_table_layout *layout, const char *line, size_t length,
                        FILE *out);

/* A line that says which columns are left out, in note; false: none are. */
bool mwa_layout_left_out(const struct mwa_table_layout *layout, char *note, size_t size);

/* Prints a line that is broken at blanks, below where its second group of words begins. Words that
 * are longer than that stay whole. */
void mwa_put_broken(const char *text, size_t length, size_t columns, FILE *out);

/* Of text without marks: bytes of the first columns, and columns; colours take none. */
size_t mwa_shown_bytes(const char *text, size_t length, size_t columns);
size_t mwa_shown_columns(const char *text, size_t length);

#endif
