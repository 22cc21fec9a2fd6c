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

/* is_later: of a chapter of a run behind the first (analyzer/load/chapters.h). \return MW_OK, and
 * mwa_call_order_destroy is due; MW_ERROR_MEMORY. */
enum mw_status mwa_call_order_create(const struct mwa_trace *trace, bool is_later,
                                     struct mwa_call_order **order) MW_MUST_CHECK;

/* Takes an MWA_COLLECTIVE_END, _POST or _COMPLETE, and adds the mistakes that it shows. MW_OK,
 * MW_ERROR_MEMORY. */
enum mw_status mwa_call_order_take(struct mwa_call_order *order, const struct mwa_moment *moment,
                                   struct mwa_mistakes *mistakes) MW_MUST_CHECK;

/* A round of the pass is over, as mwa_agreement_round. */
enum mw_status mwa_call_order_round(struct mwa_call_order *order,
                                    struct mwa_mistakes *mistakes) MW_MUST_CHECK;

/* All were taken: as functions of the agreement, which see. */
enum mw_status mwa_call_order_conclude(struct mwa_call_order *order,
                                       struct mwa_mistakes *mistakes) MW_MUST_CHECK;
void mwa_call_order_finish(const struct mwa_call_order *order, struct mwa_mistakes *mistakes);
bool mwa_call_order_can_be_appended(const struct mwa_call_order *order, bool is_last);
enum mw_status mwa_call_order_append(struct mwa_call_order *order,
                                     const struct mwa_call_order *later,
                                     const struct mwa_mistakes *found,
                                     struct mwa_mistakes *mistakes) MW_MUST_CHECK;
void mwa_call_order_pack(const struct mwa_call_order *order, struct mw_buffer *to);
enum mw_status mwa_call_order_unpack(struct mwa_call_order *order,
                                     struct mw_cursor *from) MW_MUST_CHECK;

void mwa_call_order_destroy(struct mwa_call_order *order); /* null is fine */

#endif
