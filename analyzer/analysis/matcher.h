#ifndef MWA_ANALYSIS_MATCHER_H
#define MWA_ANALYSIS_MATCHER_H

#include "analyzer/analysis/pass.h"
#include "analyzer/exchange/exchange.h"
#include "analyzer/load/reading_start.h"

/*
 * Who brings both ends of messages together while a run is followed, all of it or a chapter: an
 * engine, which tells listeners, or where there are none a matching, which only counts. For one
 * thread at a time.
 */

/* All zero: none. */
struct mwa_matcher {
    struct mwa_exchange *exchange; /* null: it only counts, by … */
    struct mwa_ordering *ordering; /* … these two */
    struct mwa_matching *matching;
};

/* Makes it for input, for count listeners, which all must outlive it; ending is due in any case.
 * MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_matcher_begin(struct mwa_matcher *matcher, struct mwa_input *input,
                                 const struct mwa_exchange_listener *listeners, uint32_t count,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The pass is for it, until it is left. */
void mwa_matcher_enter(const struct mwa_matcher *matcher, struct mwa_pass *pass);
void mwa_matcher_leave(struct mwa_pass *pass);

/* As mwa_exchange_carry_requests. */
enum mw_status mwa_matcher_carry_requests(const struct mwa_matcher *matcher,
                                          const struct mwa_input *input,
                                          const struct mwa_reading_start *start,
                                          const struct mwa_reading_start *next) MW_MUST_CHECK;

/* As mwa_exchange_paused and mwa_exchange_carry. */
void mwa_matcher_paused(const struct mwa_matcher *matcher, uint8_t *paused);
void mwa_matcher_carry(const struct mwa_matcher *matcher, const uint8_t *paused);

/* As mwa_exchange_has_given_up. */
bool mwa_matcher_has_given_up(const struct mwa_matcher *matcher);

/* As mwa_exchange_sent; null: nobody counts them. */
const uint64_t *mwa_matcher_sent(const struct mwa_matcher *matcher);

/* As mwa_exchange_finish; who only counts leaves result alone. */
enum mw_status mwa_matcher_finish(const struct mwa_matcher *matcher,
                                  struct mwa_matching_result *matching,
                                  struct mwa_exchange_result *result) MW_MUST_CHECK;

/* What it has failed with; null: it does not say. */
const struct mw_diagnostic *mwa_matcher_diagnostic(const struct mwa_matcher *matcher);

void mwa_matcher_end(struct mwa_matcher *matcher);

#endif
