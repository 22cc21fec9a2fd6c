#ifndef MWA_RENDER_SUMMARY_H
#define MWA_RENDER_SUMMARY_H

#include "analyzer/render/results.h"

/* Figures that more than one renderer prints, each computed in one place. */

/* True when nothing is known to be missing: no loss, no incomplete rank, no open call. */
bool mwa_is_complete(const struct mwa_results *results);

/* From the first event of all ranks to the last one, ns. */
uint64_t mwa_duration_ns(const struct mwa_results *results);

#define MWA_STARTED_BYTES 32

/*
 * When the trace begins, as ISO 8601 in UTC ("2026-11-20T17:20:03Z"), in text.
 *
 * \return text, or null when the archive does not say.
 */
const char *mwa_started(const struct mwa_trace *trace, char *text);

/* "paused", "incomplete", …; static storage. */
const char *mwa_unmatched_reason_name(unsigned reason);

#endif
