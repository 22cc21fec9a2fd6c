/* What is still open when no event is to come is told as it is, in an order of its own. */
#include "analyzer/exchange/exchange_engine.h"

/* Tells messages that lack a completing call, whose requests were freed or never waited for. */
static enum mw_status tell_incomplete(struct mwa_exchange *exchange)
{
    struct mwa_message *message;
    uint64_t incomplete = 0;
    enum mw_status status = MW_OK;

    for (uint64_t at = 0;
         status == MW_OK && (message = mwa_pool_next(&exchange->messages, &at)) != NULL;) {
        bool is_alive = message->references > 0 && !message->is_told && !message->is_cancelled;

        if (is_alive && message->receive_completion) {
            incomplete++;
            status = mwa_exchange_tell_message(exchange, message);
        } else if (is_alive) {
            message->is_cancelled = true;
            mwa_exchange_release_message(exchange, message);
        }
    }
    exchange->result.messages_incomplete +=
        incomplete > exchange->sends_that_end_later ? incomplete - exchange->sends_that_end_later
                                                    : 0;
    return status;
}

/* Lets go of the calls of receives that never met a send. */
static void forget_receives(struct mwa_exchange *exchange)
{
    struct mwa_exchange_receive *receive;

    for (uint64_t at = 0; (receive = mwa_pool_next(&exchange->receives, &at)) != NULL;) {
        if (receive->post) {
            mwa_exchange_release_call(exchange, receive->post);
            mwa_exchange_release_call(exchange, receive->completion);
            mwa_exchange_forget_receive(exchange, receive);
        }
    }
}

enum mw_status mwa_exchange_finish(struct mwa_exchange *exchange,
                                   struct mwa_matching_result *matching,
                                   struct mwa_exchange_result *result)
{
    enum mw_status status;

    *matching = (struct mwa_matching_result){ 0 };
    status = mwa_exchange_drain_to(exchange, UINT64_MAX);
    if (status == MW_OK) {
        status = mwa_exchange_end_relay(exchange);
    }
    if (status == MW_OK) {
        status = mwa_matching_finish(exchange->matching, matching);
    }
    if (status == MW_OK) {
        status = mwa_exchange_posts_finish(exchange);
    }
    if (status == MW_OK) {
        status = mwa_exchange_onesided_finish(exchange);
    }
    if (status == MW_OK) {
        status = mwa_exchange_drain_to(exchange, 0);
    }
    if (status == MW_OK) {
        status = mwa_exchange_groups_finish(exchange);
    }
    if (status == MW_OK) {
        status = tell_incomplete(exchange);
    }
    if (status == MW_OK) {
        forget_receives(exchange);
        mwa_exchange_forget_latest(exchange);
    }
    *result = exchange->result;
    return status;
}
