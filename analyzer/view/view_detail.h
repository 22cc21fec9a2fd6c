#ifndef MWA_VIEW_VIEW_DETAIL_H
#define MWA_VIEW_VIEW_DETAIL_H

#include <jansson.h>

#include "analyzer/view/view_store.h"

#define MWA_VIEW_DETAIL_MOST 64u /* messages, waits, members of an answer */

/*
 * All that is known of a call (below calls.count), with the numbers of what it has to do with: what
 * it waited for, its messages and their other ends, the members of its collective operation, the
 * call around it and those of its kind before and behind it. What call_records.csv and
 * message_records.csv of export --csv have is here by the same columns. Null without memory, and
 * where there is no such call.
 */
json_t *mwa_view_detail(const struct mwa_view_store *store, uint32_t call);

/* Where a call is, so that a view can go there: JSON's null for MWA_NONE. */
json_t *mwa_view_place(const struct mwa_view_store *store, uint32_t call);

/* The same by pattern, of patterns of which there are any: [{ "pattern", "title", "wait_ns": of all
 * of them, "waits": how many, "longest": such a list }, …]. Null: no memory. */
json_t *mwa_view_wait_kinds(const struct mwa_view_store *store);

/* The longest waits, MWA_VIEW_DETAIL_MOST at most, with the calls that they are in: a list. Null:
 * no memory. */
json_t *mwa_view_longest_waits(const struct mwa_view_store *store);

#endif
