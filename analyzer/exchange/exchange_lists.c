/*
 * What a call receives and finishes is listed as it is found, which depends on which location was
 * read first. Whoever looks for the latest of a list, and finds two, is to take the same one
 * always: so lists get an order before anybody sees them. Most have one entry, or two.
 */
#include "analyzer/exchange/exchange_engine.h"

#include <stdlib.h>

#include "formats/base/order.h"

static int by_send(const void *one, const void *other)
{
    const struct mwa_message *a = *(struct mwa_message *const *)one;
    const struct mwa_message *b = *(struct mwa_message *const *)other;

    return mw_order(b->send->enter, a->send->enter) ?: mw_order(a->number, b->number);
}

/* Pairs are numbered as they are found: they go by who gave. */
static int by_instance(const void *one, const void *other)
{
    const struct mwa_collective *a = (*(struct mwa_member *const *)one)->collective;
    const struct mwa_collective *b = (*(struct mwa_member *const *)other)->collective;
    int order = mw_order(a->key.high, b->key.high);

    if (order != 0 || a->kind < MWA_GROUP_POST || b->kind < MWA_GROUP_POST) {
        return order ?: mw_order(a->key.low, b->key.low);
    }
    return mw_order(a->kind, b->kind)
               ?: mw_order(a->members[0].begin->enter, b->members[0].begin->enter)
               ?: mw_order(a->members[0].rank, b->members[0].rank)
               ?: mw_order(a->since, b->since);
}

/* Room for count pointers of a list; null without memory, which has been said. */
static void **room_for(struct mwa_exchange *exchange, uint64_t count)
{
    if (!mwa_grow(&exchange->sorting, &exchange->sorting_capacity, count, sizeof(void *))) {
        (void)mw_no_memory(&exchange->diagnostic, NULL, "to follow messages");
        return NULL;
    }
    return exchange->sorting;
}

static enum mw_status sort_received(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    struct mwa_message **next = &call->received;
    uint64_t count = 0;

    for (struct mwa_message *at = call->received; at; at = at->next_received) {
        void **list = room_for(exchange, ++count);

        if (!list) {
            return MW_ERROR_MEMORY;
        }
        list[count - 1] = at;
    }
    qsort(exchange->sorting, count, sizeof(void *), by_send);
    for (uint64_t i = 0; i < count; i++) {
        *next = exchange->sorting[i];
        next = &(*next)->next_received;
    }
    *next = NULL;
    return MW_OK;
}

static enum mw_status sort_finished(struct mwa_exchange *exchange, struct mwa_exchange_call *call)
{
    struct mwa_member **next = &call->finished;
    uint64_t count = 0;

    for (struct mwa_member *at = call->finished; at; at = at->next_finished) {
        void **list = room_for(exchange, ++count);

        if (!list) {
            return MW_ERROR_MEMORY;
        }
        list[count - 1] = at;
    }
    qsort(exchange->sorting, count, sizeof(void *), by_instance);
    for (uint64_t i = 0; i < count; i++) {
        *next = exchange->sorting[i];
        next = &(*next)->next_finished;
    }
    *next = NULL;
    return MW_OK;
}

/* The two of a list of two. */
static void sort_two_received(struct mwa_exchange_call *call)
{
    struct mwa_message *one = call->received;
    struct mwa_message *other = one->next_received;

    if (by_send(&one, &other) > 0) {
        call->received = other;
        other->next_received = one;
        one->next_received = NULL;
    }
}

enum mw_status mwa_exchange_sort_lists(struct mwa_exchange *exchange,
                                       struct mwa_exchange_call *call)
{
    enum mw_status status = MW_OK;

    if (call->received && call->received->next_received) {
        if (call->received->next_received->next_received) {
            status = sort_received(exchange, call);
        } else {
            sort_two_received(call);
        }
    }
    return status == MW_OK && call->finished && call->finished->next_finished
               ? sort_finished(exchange, call)
               : status;
}
