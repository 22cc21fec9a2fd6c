#ifndef MWA_LIVE_LIVE_SCREEN_H
#define MWA_LIVE_LIVE_SCREEN_H

#include <stdio.h>

#include "analyzer/live/live.h"

/* One screen of text, for mwa_lay_out: on a terminal and for --once the same. */

enum mwa_live_sort {
    MWA_LIVE_BY_RANK,
    MWA_LIVE_BY_SHARE, /* of MPI in the last second, largest first */
    MWA_LIVE_BY_SINCE, /* longest first */
    MWA_LIVE_BY_CALLS, /* a second, most first */
    MWA_LIVE_BY_BYTES
};

struct mwa_live_screen {
    enum mwa_live_sort sort;
    uint32_t rows;  /* that fit: where there are more threads, those that do the same are one */
    unsigned columns;
    uint32_t first; /* row that is shown first */
};

/* Prints it. \return the rows that there are; 0: no memory. */
uint32_t mwa_live_put(const struct mwa_live *live, const struct mwa_live_screen *screen, FILE *out);

#endif
