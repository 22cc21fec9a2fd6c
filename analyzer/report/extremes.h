#ifndef MWA_REPORT_EXTREMES_H
#define MWA_REPORT_EXTREMES_H

#include <stdio.h>

#include "analyzer/table/table.h"

/* Of many of a kind, those that have lines. */

/* The value of one of many; false: it has none. */
typedef bool mwa_value_at(const void *of, uint64_t index, double *value);

#define MWA_EXTREMES_MOST 8u

/*
 * Marks those of count whose values are the greatest (is_most) or the least, so many of each (at
 * most MWA_EXTREMES_MOST), of equal ones the first. Other marks stay.
 */
void mwa_mark_extremes(const void *of, uint64_t count, mwa_value_at *value_at, bool is_most,
                       uint32_t each, bool *is_extreme);

/* Of tables whose root's row are such marks, a bool each: whether a row is marked. */
bool mwa_is_flagged(const struct mwa_cell *cell);

/*
 * Prints how many of count are not marked by is_extreme (null: all are shown), and what those are
 * that are shown, so many each with what, and the end of the line; nothing where none are left out.
 */
void mwa_say_left_out(const bool *is_extreme, uint64_t count, uint32_t each, const char *what,
                      FILE *out);

#endif
