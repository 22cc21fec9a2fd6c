#ifndef MWA_EXPORT_CUT_EVENTS_H
#define MWA_EXPORT_CUT_EVENTS_H

#include <otf2/otf2.h>

#include "analyzer/export/cut_crossings.h"
#include "analyzer/export/rebuilt.h"
#include "analyzer/load/input.h"

/*
 * Copies the events of a location in the window to writer, sums rebuilt. code is what libotf2 said
 * when writing. \return MW_OK, also when code is not OTF2_SUCCESS; as mwa_input_scan.
 */
enum mw_status mwa_cut_events(struct mwa_input *input, uint32_t location,
                              const struct mwa_selection *selection,
                              const struct mwa_crossings *crossings, struct mwa_rebuilt *rebuilt,
                              OTF2_EvtWriter *writer, OTF2_ErrorCode *code,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
