/* What asks only how many messages have no partner pays for no engine. */
#include "analyzer/analysis/matcher.h"

#include "analyzer/exchange/carried_requests.h"

enum mw_status mwa_matcher_begin(struct mwa_matcher *matcher, struct mwa_input *input,
                                 const struct mwa_exchange_listener *listeners, uint32_t count,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    enum mw_status status;

    *matcher = (struct mwa_matcher){ .exchange = NULL };
    if (count > 0) {
        return mwa_exchange_create(trace, input, listeners, count, &matcher->exchange, diagnostic);
    }
    status = mwa_matching_create(trace, input, NULL, &matcher->matching, diagnostic);
    return status == MW_OK ? mwa_ordering_create(trace, mwa_matching_take, matcher->matching,
                                                 &matcher->ordering, diagnostic)
                           : status;
}

void mwa_matcher_enter(const struct mwa_matcher *matcher, struct mwa_pass *pass)
{
    pass->exchange = matcher->exchange;
    pass->ordering = matcher->ordering;
}

void mwa_matcher_leave(struct mwa_pass *pass)
{
    pass->exchange = NULL;
    pass->ordering = NULL;
}

/* --- requests that are carried on ------------------------------------------------------------- */

struct carrying {
    struct mwa_matching *matching;
    const struct mwa_trace *trace;
};

static enum mw_status end_in_part(void *user, uint32_t location,
                                  const struct mwa_carried_request *what)
{
    const struct carrying *carrying = user;

    return mwa_matching_begin_with(carrying->matching, carrying->trace->locations[location].rank,
                                   what, NULL);
}

static enum mw_status go_on_behind(void *user, uint32_t location,
                                   const struct mwa_carried_request *what, bool is_begun)
{
    const struct carrying *carrying = user;

    return what->kind == MWA_IRECV_POST
               ? mwa_matching_end_with(carrying->matching,
                                       carrying->trace->locations[location].rank, what, is_begun)
               : MW_OK;
}

enum mw_status mwa_matcher_carry_requests(const struct mwa_matcher *matcher,
                                          const struct mwa_input *input,
                                          const struct mwa_reading_start *start,
                                          const struct mwa_reading_start *next)
{
    struct carrying carrying = { matcher->matching, mwa_input_trace(input) };
    const struct mwa_carried_visit visit = { &carrying, end_in_part, go_on_behind };

    return matcher->exchange
               ? mwa_exchange_carry_requests(matcher->exchange, start, next)
               : mwa_carried_requests_visit(carrying.trace, start, next, &visit);
}

/* --- what it has found ------------------------------------------------------------------------ */

void mwa_matcher_paused(const struct mwa_matcher *matcher, uint8_t *paused)
{
    if (matcher->exchange) {
        mwa_exchange_paused(matcher->exchange, paused);
    } else {
        mwa_matching_paused(matcher->matching, paused);
    }
}

void mwa_matcher_carry(const struct mwa_matcher *matcher, const uint8_t *paused)
{
    if (matcher->exchange) {
        mwa_exchange_carry(matcher->exchange, paused);
    } else {
        mwa_matching_carry(matcher->matching, paused);
    }
}

bool mwa_matcher_has_given_up(const struct mwa_matcher *matcher)
{
    return matcher->exchange ? mwa_exchange_has_given_up(matcher->exchange)
                             : matcher->matching && mwa_matching_is_apart(matcher->matching);
}

const uint64_t *mwa_matcher_sent(const struct mwa_matcher *matcher)
{
    return matcher->exchange ? mwa_exchange_sent(matcher->exchange) : NULL;
}

enum mw_status mwa_matcher_finish(const struct mwa_matcher *matcher,
                                  struct mwa_matching_result *matching,
                                  struct mwa_exchange_result *result)
{
    return matcher->exchange ? mwa_exchange_finish(matcher->exchange, matching, result)
                             : mwa_matching_finish(matcher->matching, matching);
}

const struct mw_diagnostic *mwa_matcher_diagnostic(const struct mwa_matcher *matcher)
{
    return matcher->exchange   ? mwa_exchange_diagnostic(matcher->exchange)
           : matcher->matching ? mwa_matching_diagnostic(matcher->matching)
                               : NULL;
}

void mwa_matcher_end(struct mwa_matcher *matcher)
{
    mwa_exchange_destroy(matcher->exchange);
    mwa_ordering_destroy(matcher->ordering);
    mwa_matching_destroy(matcher->matching);
    *matcher = (struct mwa_matcher){ .exchange = NULL };
}
