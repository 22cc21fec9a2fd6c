#ifndef MWA_ANALYSIS_WAITS_WAITS_PACKING_H
#define MWA_ANALYSIS_WAITS_WAITS_PACKING_H

#include "analyzer/analysis/region_paths.h"
#include "analyzer/analysis/waits/waits.h"

/*
 * What a ledger has charged (wait_ledger.h), in ticks and without delays, for another process
 * (analyzer/team/packing.h).
 */

/* Appends waits, of which regions and paths are trace's. */
void mwa_waits_pack(const struct mwa_trace *trace, struct mwa_waits *waits, struct mw_buffer *to);

/*
 * Takes them out into empty ones, whose counts are set: all that mwa_wait_ledger_append adds to
 * others. Their paths live as long as paths does.
 *
 * \return MW_OK; MW_ERROR_MEMORY; MW_ERROR_FORMAT: these are other bytes.
 */
enum mw_status mwa_waits_unpack(const struct mwa_trace *trace, struct mwa_region_paths *paths,
                                struct mw_cursor *from, struct mwa_waits *waits) MW_MUST_CHECK;

/* The same of one wait. */
void mwa_wait_pack(const struct mwa_trace *trace, const struct mwa_wait *wait,
                   struct mw_buffer *to);
enum mw_status mwa_wait_unpack(const struct mwa_trace *trace, struct mwa_region_paths *paths,
                               struct mw_cursor *from, struct mwa_wait *wait) MW_MUST_CHECK;

#endif
