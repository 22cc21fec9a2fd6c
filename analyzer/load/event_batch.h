#ifndef MWA_LOAD_EVENT_BATCH_H
#define MWA_LOAD_EVENT_BATCH_H

#include "analyzer/model/event.h"
#include "formats/base/status.h"

/*
 * Events of one location, kept as they were read: what they point to dies with the reader's call,
 * and is copied. Zeros are one that has no room; for one thread at a time.
 */
struct mwa_event_batch {
    struct mwa_event *events; /* room for as many as a batch has; null before the first */
    uint32_t count;
    uint64_t *values;
    uint64_t value_count, value_capacity;
    struct mwa_hint *hints;
    uint64_t hint_count, hint_capacity;
};

/* Empties batch, and gives it room for most events, the same each time. False without memory. */
bool mwa_event_batch_begin(struct mwa_event_batch *batch, uint32_t most) MW_MUST_CHECK;

/* Appends a copy of event, for which there is room. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_event_batch_add(struct mwa_event_batch *batch,
                                   const struct mwa_event *event) MW_MUST_CHECK;

/* No more are to come: from now on, until the next begin, the events may be looked at. */
void mwa_event_batch_end(struct mwa_event_batch *batch);

void mwa_event_batch_fini(struct mwa_event_batch *batch);

#endif
