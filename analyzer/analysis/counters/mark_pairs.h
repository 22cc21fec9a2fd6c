#ifndef MWA_ANALYSIS_COUNTERS_MARK_PAIRS_H
#define MWA_ANALYSIS_COUNTERS_MARK_PAIRS_H

#include "analyzer/analysis/counters/watermarks.h"

/*
 * A library's mark (HIGHWATERMARK, LOWWATERMARK) and the level (LEVEL, SIZE, PERCENTAGE) of
 * the same thing, of one rank and object. They are taken for such when their names are the
 * same but for words such as max, high, peak, watermark, current, level, their units are the
 * same, and no sample of the level lies beyond the mark.
 *
 * In a window the level was, at its highest, at least as high as its samples, and as a mark that
 * rose in the window; it was at most as high as the first sample of the mark at or after the
 * window's end. Where both bounds are the same, the level's watermark is exact, though it was
 * sampled, and so is that of a mark that was set before the window. A mark that the
 * application has reset, or that Open MPI has not looked at, is no upper bound. Low marks by
 * symmetry.
 */

/* Joins what there is of pairs in rows, in the window [from, to]. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_mark_pairs_join(const struct mwa_trace *trace, struct mwa_watermark_row *rows,
                                   uint64_t count, uint64_t from, uint64_t to) MW_MUST_CHECK;

/*
 * Writes name, of a variable or one of its values ("queue_length_max.sum"), without the words that
 * tell marks from levels, to text of size bytes. \return text.
 */
const char *mwa_mark_pairs_name(const char *name, char *text, size_t size);

#endif
