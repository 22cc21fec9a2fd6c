/*
 * A probe that blocks waits for a send, and its end is told behind the begin of that, as the end of
 * a receive is. Its message is another call's to receive, so that it is on no list of messages: the
 * call has it, and the message knows who waits for its send.
 */
#include "analyzer/exchange/exchange_engine.h"

enum mw_status mwa_exchange_found(struct mwa_exchange *exchange, uint32_t location, uint64_t time,
                                  const struct mwa_found_data *found)
{
    const struct mwa_event event = mwa_found_event(location, time, found);
    struct mwa_exchange_call *call = exchange->places[location].current;

    if (call && found->wildcards & MW_WILDCARD_SOURCE) {
        call->asks_anybody = true;
    }
    return mwa_exchange_event(exchange, &event);
}

enum mw_status mwa_exchange_probed(void *user, void *call_object, void **object)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_call *call = call_object;
    struct mwa_exchange_receive *probe = mwa_pool_take(&exchange->receives);

    if (!probe) {
        return mwa_exchange_no_memory(exchange);
    }
    call->references += 2;
    call->undecided++;
    probe->post = call;
    probe->completion = call;
    *object = probe;
    return MW_OK;
}

enum mw_status mwa_exchange_probe_found(void *user, void *send, void *object)
{
    struct mwa_exchange *exchange = user;
    struct mwa_exchange_receive *probe = object;
    struct mwa_exchange_call *call = probe->completion;
    struct mwa_message *message = send;

    if (!call->has_ended) {
        call->found = message;
        message->references++;
    }
    if (!call->has_ended && message->send->has_begun) {
        mwa_exchange_decide(exchange, call);
    } else if (!call->has_ended) {
        call->references++;
        call->next_finder = message->finders;
        message->finders = call;
    }
    probe->post = NULL;
    mwa_pool_give(&exchange->receives, probe);
    mwa_exchange_release_call(exchange, call);
    mwa_exchange_release_call(exchange, call);
    return MW_OK;
}

void mwa_exchange_sent_begun(struct mwa_exchange *exchange, struct mwa_message *message)
{
    struct mwa_exchange_call *finder;

    while ((finder = message->finders)) {
        message->finders = finder->next_finder;
        if (!finder->has_ended) {
            mwa_exchange_decide(exchange, finder);
        }
        mwa_exchange_release_call(exchange, finder);
    }
}
