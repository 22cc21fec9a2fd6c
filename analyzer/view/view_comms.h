#ifndef MWA_VIEW_VIEW_COMMS_H
#define MWA_VIEW_VIEW_COMMS_H

#include <jansson.h>

#include "analyzer/view/view_store.h"

/* Which communicators the calls that are shown have to do with. Any thread. */

#define MWA_VIEW_COMMS_MOST 1000u /* in the list of all */
#define MWA_VIEW_COMMS_CALL 16u   /* of a call; more are left out */

/* { "all": how many there are, "list": [{ "comm": index, "name", "uid" }, …] of as many as are
 * listed }. Null: no memory. */
json_t *mwa_view_comms(const struct mwa_view_store *store);

/* The indices of those of a call: what it says itself, and those of its messages and collective
 * operations, each once. \return how many. */
unsigned mwa_view_comms_of(const struct mwa_view_store *store, const struct mwa_view_call *call,
                           uint32_t comms[MWA_VIEW_COMMS_CALL]);

/*
 * Adds to what mwa_view_near says, as long as its lists: "call_comms", lists of indices, and
 * "message_comms", "wait_comms" and "band_comms", indices, or null where there is none. \return
 * near; null, and it is freed, without memory, or if it is null.
 */
json_t *mwa_view_comms_add(const struct mwa_view_store *store, json_t *near);

#endif
