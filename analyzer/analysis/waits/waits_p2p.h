#ifndef MWA_ANALYSIS_WAITS_WAITS_P2P_H
#define MWA_ANALYSIS_WAITS_WAITS_P2P_H

#include "analyzer/analysis/waits/late_senders.h"

/* Waits of point-to-point messages. All return MW_OK, MW_ERROR_MEMORY. */

/*
 * Charges what call, which has ended, waited for what it received. *late is of its location; null:
 * none was late so far.
 */
enum mw_status mwa_waits_of_receives(struct mwa_wait_ledger *ledger,
                                     struct mwa_late_senders **late,
                                     struct mwa_exchange_call *call) MW_MUST_CHECK;

/* Charges what the call that completed message's send waited for its receive, and what those that
 * completed either end waited for each other. */
enum mw_status mwa_waits_of_message(struct mwa_wait_ledger *ledger,
                                    const struct mwa_message *message) MW_MUST_CHECK;

#endif
