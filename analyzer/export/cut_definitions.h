#ifndef MWA_EXPORT_CUT_DEFINITIONS_H
#define MWA_EXPORT_CUT_DEFINITIONS_H

#include <otf2/otf2.h>

#include "analyzer/export/export_selection.h"
#include "analyzer/load/input.h"

/*
 * Copies the global definitions to writer, with these numbers of events (by location index) and
 * the window's clock. code is what libotf2 said when writing. \return MW_OK, also when code is
 * not OTF2_SUCCESS; MW_ERROR_MEMORY; as mwa_input_open.
 */
enum mw_status mwa_cut_definitions(struct mwa_input *input,
                                   const struct mwa_selection *selection, const uint64_t *events,
                                   OTF2_GlobalDefWriter *writer, OTF2_ErrorCode *code,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
