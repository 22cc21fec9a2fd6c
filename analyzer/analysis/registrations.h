#ifndef MWA_ANALYSIS_REGISTRATIONS_H
#define MWA_ANALYSIS_REGISTRATIONS_H

#include "analyzer/analysis/comms.h"

/*
 * Fills comms->registrations from what the trace tells of names; rows and lives must be
 * there. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_registrations_make(const struct mwa_trace *trace,
                                      struct mwa_comms *comms) MW_MUST_CHECK;

#endif
