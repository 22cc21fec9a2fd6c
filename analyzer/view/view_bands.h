#ifndef MWA_VIEW_VIEW_BANDS_H
#define MWA_VIEW_VIEW_BANDS_H

#include <jansson.h>

#include "analyzer/view/view_near.h"

/*
 * Collective operations as bands: from when the first of their members entered it to when the last
 * one left, across the rows of the members. Null without memory.
 */

#define MWA_VIEW_BANDS_MOST 1000u /* in an answer of what is near */

/* Whether an operation (below collectives.count) is one of all its members: not a post and start,
 * say, which are of two. */
bool mwa_view_is_band(const struct mwa_view_store *store, uint32_t collective);

/*
 * [number, name, communicator, from, to, members, root, bytes sent, bytes received, [row, …]]: name
 * and communicator are names (positions), or null, as is the root, a rank; rows are of the span.
 */
json_t *mwa_view_band(const struct mwa_view_store *store, const struct mwa_view_span *span,
                      uint32_t collective, json_t *name, json_t *comm);

/* The call that begins it, of the first member that has one; MWA_NONE: there is none. */
uint32_t mwa_view_band_call(const struct mwa_view_store *store, uint32_t collective);

/*
 * All that is told of an operation: what and where it is, which member was the last to come, and
 * what each waited, longest first, the first MWA_VIEW_DETAIL_MOST of them; also null where there is
 * no such one.
 */
json_t *mwa_view_band_detail(const struct mwa_view_store *store, uint32_t collective);

#endif
