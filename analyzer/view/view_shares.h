#ifndef MWA_VIEW_VIEW_SHARES_H
#define MWA_VIEW_VIEW_SHARES_H

#include "analyzer/view/view_near.h"

#define MWA_VIEW_SHARE_WHOLE 10000u

/*
 * What the rows of a span did in each of so many cells of time, as numbers of 16 bits in the order
 * of this machine's page, the lower byte first: by row, by cell, by state, the share of the cell's
 * time, in parts of MWA_VIEW_SHARE_WHOLE, rounded. Rows are summed up in groups of so many, the
 * last of which may be smaller: theirs is the mean, rounded.
 *
 * states: MWA_RANK_STATES, or MWA_LOCATION_STATES where rows are of other locations, too. cells,
 * group: at least 1. \return memory of *bytes that is the caller's; null: there is none.
 */
void *mwa_view_shares(const struct mwa_view_store *store, const struct mwa_view_span *span,
                      unsigned states, uint32_t cells, uint32_t group, size_t *bytes) MW_MUST_CHECK;

#endif
