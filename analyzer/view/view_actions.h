#ifndef MWA_VIEW_VIEW_ACTIONS_H
#define MWA_VIEW_VIEW_ACTIONS_H

#include <jansson.h>

#include "analyzer/view/view_near.h"

/*
 * What calls do with windows and files: operations on targets, epochs and locks, transfers. Each
 * call has a list of them, the last one first.
 */

/* Whether an event is one, which is to be kept with the call around it. */
bool mwa_view_is_action(const struct mwa_event *event);

/* Puts what an event of world rank says at the beginning of a call's list. \return MW_OK; as
 * mwa_view_array_add. */
enum mw_status mwa_view_action_add(struct mwa_view_store *store, uint32_t call, uint32_t rank,
                                   const struct mwa_event *event,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Those of a call, in their order, the last MWA_VIEW_DETAIL_MOST of them: step, window, target (in
 * the window) and bytes as dump --json has them, target_rank (in the world), of files file and
 * bytes; what does not apply is null. Null: no memory.
 */
json_t *mwa_view_actions(const struct mwa_view_store *store, uint32_t call);

/* Appends [row, enter, row of the target, leave, bytes sent, bytes received] to list, of each
 * operation of a call on a target that has a row, while it has not more than
 * MWA_VIEW_CALLS_MOST. \return false: no memory. */
bool mwa_view_accesses(const struct mwa_view_store *store, uint32_t row, uint32_t call,
                       json_t *list);

#endif
