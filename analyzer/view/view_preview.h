#ifndef MWA_VIEW_VIEW_PREVIEW_H
#define MWA_VIEW_VIEW_PREVIEW_H

#include <jansson.h>
#include <stdatomic.h>

#include "analyzer/view/view_store.h"

/*
 * A rough picture of what has been read so far, for as long as there is no better one: cells of
 * time, and rows of which each is one rank or some. It knows of no waits, which are found out when
 * all that they have to do with has been read. One thread adds, others look meanwhile: what they
 * see of one cell may be some calls newer than of the next.
 */

#define MWA_VIEW_PREVIEW_ROWS  32u /* at most */
#define MWA_VIEW_PREVIEW_CELLS 128u

struct mwa_view_preview {
    uint64_t from, length; /* ticks, as the archive promises; length 0: it says nothing */
    uint32_t rows, group;  /* ranks in each but the last */
    uint32_t *row_of;      /* by location; MWA_NONE: in none */
    uint64_t *left;        /* by location: when its last call was left; 0: none was yet */
    atomic_ullong ticks[MWA_VIEW_PREVIEW_ROWS][MWA_VIEW_PREVIEW_CELLS][MWA_RANK_STATES];
};

/* For the rows of store, which stays. Without memory there is none. preview is of zeros. */
void mwa_view_preview_init(struct mwa_view_preview *preview, const struct mwa_view_store *store);
void mwa_view_preview_fini(struct mwa_view_preview *preview);

/* A location, index, has left an outermost call of MPI, of that state; times are ticks. */
void mwa_view_preview_add(struct mwa_view_preview *preview, uint32_t location, unsigned state,
                          uint64_t enter, uint64_t leave);

/*
 * {"group": 2, "states": ["useful", …], "rows": [[[percent, …], …], …]}, by row, cell and state:
 * the share of the cell's time, rounded down. Null without memory.
 */
json_t *mwa_view_preview_tell(struct mwa_view_preview *preview, uint64_t ranks);

#endif
