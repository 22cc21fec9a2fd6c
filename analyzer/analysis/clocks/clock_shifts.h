#ifndef MWA_ANALYSIS_CLOCKS_CLOCK_SHIFTS_H
#define MWA_ANALYSIS_CLOCKS_CLOCK_SHIFTS_H

#include "analyzer/analysis/clocks/happened_before.h"
#include "analyzer/load/input.h"
#include "analyzer/model/logical_clock.h"

/*
 * What clocks, which input uses, move, by host: reads all events of locations whose times are
 * moved, and fills clocks->all and clocks->hosts, in ns, and where they end.
 *
 * \return MW_OK; MW_ERROR_MEMORY; as mwa_event_reader_read.
 */
enum mw_status mwa_clock_shifts_find(struct mwa_input *input,
                                     const struct mwa_happened_before *rules,
                                     struct mwa_logical_clocks *clocks,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
