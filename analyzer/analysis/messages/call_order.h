#ifndef MWA_ANALYSIS_MESSAGES_CALL_ORDER_H
#define MWA_ANALYSIS_MESSAGES_CALL_ORDER_H

#include "analyzer/analysis/messages/agreement.h"

/*
 * Hands the collective operations of each location to an agreement in the order in which they were
 * called. What a non-blocking one is, is told when it completes: what was called since waits till
 * then, and if it never is complete, nothing of the location is looked at from there on. Those that
 * MPI_Start begins have an order by their creation only, and are left out.
 */
struct mwa_call_order;

/* \return MW_OK, and mwa_call_order_destroy is due; MW_ERROR_MEMORY. */
enum mw_status mwa_call_order_create(const struct mwa_trace *trace,
                                     struct mwa_call_order **order) MW_MUST_CHECK;

/* Takes an MWA_COLLECTIVE_END, _POST or _COMPLETE, and adds the mistakes that it shows. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_call_order_take(struct mwa_call_order *order, const struct mwa_moment *moment,
                                   struct mwa_mistakes *mistakes) MW_MUST_CHECK;

/* A round of the pass is over, as mwa_agreement_round. */
enum mw_status mwa_call_order_round(struct mwa_call_order *order,
                                    struct mwa_mistakes *mistakes) MW_MUST_CHECK;

/* All were taken, as mwa_agreement_finish. */
enum mw_status mwa_call_order_finish(struct mwa_call_order *order,
                                     struct mwa_mistakes *mistakes) MW_MUST_CHECK;

void mwa_call_order_destroy(struct mwa_call_order *order); /* null is fine */

#endif
