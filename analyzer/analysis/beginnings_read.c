#include "analyzer/exchange/tails.h"

#include <stdlib.h>

#include "analyzer/analysis/pass.h"
#include "analyzer/exchange/exchange.h"

/* Follows all of input as if all had begun together: numbers count, and not who met whom. */
static enum mw_status follow(struct mwa_input *input, struct mwa_tails *tails,
                             struct mw_diagnostic *diagnostic)
{
    struct mwa_pass pass = { .input = input, .only_rank = MWA_NONE };
    struct mwa_matching_result matching = { .sends = 0 };
    struct mwa_exchange_result result;
    struct mwa_pass_result ignored;
    enum mw_status status = mwa_exchange_create(mwa_input_trace(input), NULL, NULL, 0,
                                                &pass.exchange, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    mwa_exchange_keep_tails(pass.exchange, tails);
    status = mwa_pass_run(&pass, NULL, &ignored, diagnostic);
    if (status == MW_OK) {
        status = mwa_exchange_finish(pass.exchange, &matching, &result);
    }
    mwa_matching_result_fini(&matching);
    mwa_exchange_destroy(pass.exchange);
    return status;
}

/* As mwa_beginnings_of, into what is empty. */
static enum mw_status find(struct mwa_input *input, struct mwa_beginnings *beginnings,
                           struct mw_diagnostic *diagnostic)
{
    struct mwa_tails tails = { .sends = NULL };
    struct mwa_input *second;
    enum mw_status status = mwa_input_share(input, &second, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    status = follow(second, &tails, diagnostic);
    if (status == MW_OK) {
        status = mwa_tails_compare(&tails, mwa_input_trace(input), beginnings);
    }
    if (status == MW_ERROR_MEMORY) {
        status = mw_no_memory(diagnostic, NULL, "to find what has its other half");
    }
    mwa_tails_fini(&tails);
    mwa_input_close(second);
    return status;
}

enum mw_status mwa_beginnings_of(struct mwa_input *input, const struct mwa_beginnings **beginnings,
                                 struct mw_diagnostic *diagnostic)
{
    struct mwa_beginnings *made;
    enum mw_status status;

    *beginnings = mwa_input_beginnings(input);
    if (*beginnings || !mwa_input_trace(input)->begins_late) {
        return MW_OK;
    }
    made = calloc(1, sizeof *made);
    if (!made) {
        return mw_no_memory(diagnostic, NULL, "to find what has its other half");
    }
    status = find(input, made, diagnostic);
    if (status != MW_OK) {
        mwa_beginnings_fini(made);
        free(made);
        return status;
    }
    mwa_input_keep_beginnings(input, made);
    *beginnings = made;
    return MW_OK;
}
