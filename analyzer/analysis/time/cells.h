#ifndef MWA_ANALYSIS_TIME_CELLS_H
#define MWA_ANALYSIS_TIME_CELLS_H

#include <stdint.h>
#include <stdlib.h>

#include "formats/base/buffer.h"
#include "formats/base/status.h"

/*
 * Ticks in each of MWA_CELLS cells of time that follow each other. Most runs need the lower halves
 * only, and of few states: those are there from the first tick on, the upper ones once one of them
 * isn't 0. All zero has no ticks. Not thread-safe.
 */

#define MWA_CELLS 2048u

struct mwa_cells {
    uint32_t *low;
    uint32_t *high;
};

/* Frees what cells have, which are empty then. */
void mwa_cells_fini(struct mwa_cells *cells);

static inline uint64_t mwa_cells_at(const struct mwa_cells *cells, uint64_t at)
{
    const uint64_t high = cells->high ? cells->high[at] : 0;

    return cells->low ? high << 32 | cells->low[at] : 0;
}

/* Adds ticks to the cell at, below MWA_CELLS. \return MW_OK, MW_ERROR_MEMORY. */
static inline enum mw_status mwa_cells_add(struct mwa_cells *cells, uint64_t at, uint64_t ticks)
{
    const uint64_t sum = mwa_cells_at(cells, at) + ticks;

    if (ticks == 0) {
        return MW_OK;
    }
    if (!cells->low) {
        cells->low = calloc(MWA_CELLS, sizeof *cells->low);
    }
    if (sum > UINT32_MAX && !cells->high) {
        cells->high = calloc(MWA_CELLS, sizeof *cells->high);
    }
    if (!cells->low || (sum > UINT32_MAX && !cells->high)) {
        return MW_ERROR_MEMORY;
    }
    cells->low[at] = (uint32_t)sum;
    if (cells->high) {
        cells->high[at] = (uint32_t)(sum >> 32);
    }
    return MW_OK;
}

/* Makes one cell of each two, of which the first of all is number first. Returns as above. */
enum mw_status mwa_cells_coarsen(struct mwa_cells *cells, uint64_t first);

/* Puts count empty cells before the first one; as many at the end are empty. */
void mwa_cells_move_up(struct mwa_cells *cells, uint64_t count);

/* As struct mwa_analysis has them. */
void mwa_cells_pack(const struct mwa_cells *cells, struct mw_buffer *to);
enum mw_status mwa_cells_unpack(struct mwa_cells *cells, struct mw_cursor *from);

#endif
