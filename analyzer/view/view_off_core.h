#ifndef MWA_VIEW_VIEW_OFF_CORE_H
#define MWA_VIEW_VIEW_OFF_CORE_H

#include "analyzer/analysis/cursor.h"
#include "analyzer/view/view_store.h"

/*
 * When main threads were on no core, by the recorder's samples (enum mw_running_value): of each a
 * stretch, and how much of it, which may have been anywhere in it and is spread evenly. As ranks
 * has it, a thread of which nothing is told ran; but not behind the last sample of a record that
 * is not whole.
 */

/* Takes a sample of a location (index); all others of it are earlier. \return as
 * mwa_view_array_add. */
enum mw_status mwa_view_off_core_take(struct mwa_view_store *store, uint32_t location,
                                      const struct mwa_event *event,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* All samples are taken: from now on they are found. */
void mwa_view_off_core_make(struct mwa_view_store *store);

/* What location (index) had been until time, since its first event: to be subtracted from each
 * other. Any thread. */
struct mwa_view_off mwa_view_off_until(const struct mwa_view_store *store, uint32_t location,
                                       uint64_t time);

#endif
