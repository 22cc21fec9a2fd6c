#ifndef MWA_ANALYSIS_EVENT_PARTS_H
#define MWA_ANALYSIS_EVENT_PARTS_H

#include "analyzer/analysis/listeners.h"

/*
 * What analyses of events, which all have parts (struct mwa_part_functions), have found of each
 * location in a chapter of a run. For one thread at a time.
 */

/* All zero: nothing. */
struct mwa_event_parts {
    const struct mwa_pass *pass;   /* whose analyses they are; outlives them */
    void **partials;               /* of each location one of each analysis; null: has no events */
    uint64_t *last;                /* of each location: its last time, ticks */
    struct mwa_pass_result result; /* of the chapter */
};

/* Empty parts for a chapter of pass's run; fini is due in any case. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_event_parts_init(struct mwa_event_parts *parts, const struct mwa_pass *pass,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Takes what listeners, all of the pass's analyses, have of a location (an index), which has been
 * read up to last. */
void mwa_event_parts_keep(struct mwa_event_parts *parts, uint32_t location,
                          struct mwa_listeners *listeners, uint64_t last);

/* Adds those of the chapter behind; later is to be freed as before. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_event_parts_append(struct mwa_event_parts *parts, struct mwa_event_parts *later,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* All chapters are in parts: adds each location to totals, as mwa_pass_run has them.
 * MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_event_parts_end(struct mwa_event_parts *parts, void **totals,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * A chapter's, for another process (analyzer/team/packing.h): pack appends them; without memory to
 * is marked failed. unpack takes them out into empty ones. MW_OK, MW_ERROR_MEMORY,
 * MW_ERROR_FORMAT: these are other bytes.
 */
void mwa_event_parts_pack(const struct mwa_event_parts *parts, struct mw_buffer *to);
enum mw_status mwa_event_parts_unpack(struct mwa_event_parts *parts,
                                      struct mw_cursor *from) MW_MUST_CHECK;

void mwa_event_parts_fini(struct mwa_event_parts *parts);

#endif
