#ifndef MWA_REPORT_CAUSE_FILES_H
#define MWA_REPORT_CAUSE_FILES_H

#include <stddef.h>

#include "analyzer/analysis/results.h"

/* What helps where most time in MPI-IO goes into the call that a cause names: in text, which has
 * room bytes. */
void mwa_cause_file_advice(const struct mwa_results *results, const struct mwa_cause *cause,
                           char *text, size_t room);

#endif
