#ifndef MWA_REPORT_COMPARE_WRAPPERS_H
#define MWA_REPORT_COMPARE_WRAPPERS_H

#include "analyzer/report/compare.h"

/*
 * Where one of the runs does not tell who calls a wrapper (mpiwatch-record --sites=line, and
 * recorders that did not yet), its own lines are what all runs can be compared by: those that call
 * it are summed up in these. When all runs are there. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_compared_wrappers_join(struct mwa_comparison *comparison) MW_MUST_CHECK;

#endif
