#ifndef MWA_REPORT_EXTREME_TRACKS_H
#define MWA_REPORT_EXTREME_TRACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analyzer/analysis/results.h"
#include "analyzer/report/text.h"

/* Which values of variables have lines where there are too many ranks for each to have one. */

/* What such a list is asked for: whether a row is for people at all; its variable, and how far it
 * goes. What is not known is not finite. */
struct mwa_track_extent {
    const char *name; /* null: the row is left out */
    double least;
    double most;
};

typedef struct mwa_track_extent mwa_extent_of(const struct mwa_results *results, uint64_t index);

/*
 * Of count rows, for each variable: the one that goes furthest up and the one that goes furthest
 * down, whatever they are bound to; of equal ones the first. *left becomes how many others there
 * are.
 *
 * \return a flag for each row, to be freed. Null: there are no more ranks than all have lines for
 * (MWA_RANKS_WITH_LINES), one rank or all are asked for, or there is no memory: then all rows are
 * to be shown.
 */
bool *mwa_extreme_tracks(const struct mwa_results *results, const struct mwa_screen *screen,
                         uint64_t count, mwa_extent_of *extent_of, uint64_t *left);

/* How many are not shown, and why; nothing where there are none. */
void mwa_say_extreme_tracks(uint64_t left, const char *most, const char *least, FILE *out);

#endif
