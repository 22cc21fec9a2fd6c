#ifndef MWA_EXPORT_TIMELINE_PICTURE_H
#define MWA_EXPORT_TIMELINE_PICTURE_H

#include <stdio.h>

#include "analyzer/analysis/results.h"
#include "analyzer/export/canvas.h"

/*
 * A picture for papers of what ranks do: time from left to right, a row per rank (results->rank:
 * only this) and below it its other locations that have rows; in each part of the window the
 * states stacked by their shares of it, white where nothing is recorded. Of more than
 * MWA_PICTURE_ROWS ranks several share a row, and are averaged. The legend has the share of each
 * state in the time recorded of the main threads, as text has. Areas are named by their states'
 * keys, and reach from the state down to the bottom of the row.
 */

#define MWA_PICTURE_ROWS 128u
#define MWA_PICTURE_BINS 300u /* where nobody asks for another number */

struct mwa_picture {
    const struct mwa_canvas_kind *kind;
    double width_mm;   /* 40 to 500 */
    const char *title; /* null: the program and its ranks; "": none */
};

/* results have rank and location states. \return MW_OK; MW_ERROR_MEMORY. Errors of out stay. */
enum mw_status mwa_timeline_picture(const struct mwa_results *results,
                                    const struct mwa_picture *picture, FILE *out) MW_MUST_CHECK;

#endif
