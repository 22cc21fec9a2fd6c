/* What one thread does that follows the run from the beginning to the end. */
#include "analyzer/analysis/exchanges.h"

#include "analyzer/analysis/waits/waits.h"

enum mw_status mwa_exchanges_run(struct mwa_pass *pass,
                                 const struct mwa_wanted_exchange *wanted, uint32_t count,
                                 const struct mwa_scope *scope, void **totals,
                                 struct mwa_results *results, struct mw_diagnostic *diagnostic)
{
    struct mwa_follower follower;
    enum mw_status status =
        mwa_follower_begin(&follower, pass->input, wanted, count, scope, diagnostic);

    if (status == MW_OK) {
        status = mwa_follower_run(&follower, pass, totals, &results->pass, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_follower_tell_rest(&follower, &results->matching, &results->exchange,
                                         diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_follower_finish(&follower, diagnostic);
    }
    mwa_follower_end(&follower);
    return status;
}

struct visiting {
    const struct mwa_trace *trace;
    mwa_message_visit message;
    mwa_wait_told wait;
    void *user;
};

static enum mw_status hand_message(void *user, struct mwa_message *message)
{
    const struct visiting *visiting = user;

    return visiting->message(visiting->user, visiting->trace, message);
}

static enum mw_status hand_wait(void *user, unsigned pattern, const struct mwa_wait *wait)
{
    const struct visiting *visiting = user;

    return visiting->wait(visiting->user, pattern, wait);
}

/* An analysis that hands messages on; there is nothing that it makes. */
static enum mw_status begin_visit(const struct mwa_trace *trace, uint32_t slot,
                                  const struct mwa_scope *scope, void **analysis)
{
    *analysis = scope->user;
    return MW_OK;
}

static enum mw_status end_visit(void *analysis, void *result)
{
    return MW_OK;
}

static void leave_visit(void *analysis)
{
}

static const struct mwa_exchange_analysis visit_analysis = {
    .name = "messages",
    .create = begin_visit,
    .listener = { .message = hand_message },
    .finish = end_visit,
    .destroy = leave_visit,
};

enum mw_status mwa_exchanges_visit(const struct mwa_trace *trace, const char *path,
                                   const struct mwa_span *span,
                                   const struct mwa_reading_start *start,
                                   mwa_message_visit message, mwa_wait_told wait, void *user,
                                   struct mw_diagnostic *diagnostic)
{
    struct visiting visiting = { .message = message, .wait = wait, .user = user };
    struct mwa_waits waits = { .violations = 0 };
    const struct mwa_wanted_exchange wanted[] = { { &visit_analysis, NULL },
                                                  { &mwa_waits_analysis, &waits } };
    const struct mwa_scope scope = { MWA_ALL_OF_IT, .told = hand_wait, .told_user = &visiting,
                                     .user = &visiting };
    struct mwa_pass pass = { .only_rank = MWA_NONE,
                             .until = span->to == UINT64_MAX ? 0 : span->to };
    struct mwa_results ignored = { .path = path };
    enum mw_status status = mwa_input_open_again(trace, path, &pass.input, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    ignored.trace = visiting.trace = mwa_input_trace(pass.input);
    mwa_input_begin_at(pass.input, start);
    status = mwa_exchanges_run(&pass, wanted, wait ? 2 : 1, &scope, NULL, &ignored, diagnostic);
    mwa_matching_result_fini(&ignored.matching);
    mwa_waits_fini(&waits);
    mwa_input_close(pass.input);
    return status;
}
