#ifndef MWA_ANALYSIS_WAITS_WAITS_COLLECTIVE_H
#define MWA_ANALYSIS_WAITS_WAITS_COLLECTIVE_H

#include "analyzer/analysis/waits/wait_ledger.h"

/*
 * Charges the waits in an operation of a group, of which all parts are known: in collectives, on
 * neighbourhoods and intercommunicators too, and in what works like one. MW_OK,
 * MW_ERROR_MEMORY.
 */
enum mw_status mwa_waits_of_collective(struct mwa_wait_ledger *ledger,
                                       const struct mwa_collective *collective) MW_MUST_CHECK;

#endif
