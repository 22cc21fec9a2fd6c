#ifndef MWA_ANALYSIS_WAITS_WAITS_ONESIDED_H
#define MWA_ANALYSIS_WAITS_WAITS_ONESIDED_H

#include "analyzer/analysis/waits/wait_ledger.h"

/* Charges what the second member waited for the first one's post, complete or unlock. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_waits_of_pair(struct mwa_wait_ledger *ledger,
                                 const struct mwa_collective *pair) MW_MUST_CHECK;

#endif
