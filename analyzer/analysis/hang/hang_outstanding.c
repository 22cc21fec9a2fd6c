/* It is swept when it has twice as many as were left the last time, so that sweeping costs each of
 * them a constant time, and keeps the order of the others, in which sentences name them. */
#include "analyzer/analysis/hang/hang_outstanding.h"

#include <stdlib.h>
#include <string.h>

#define SWEPT_FIRST 1024u /* so many, before any is swept away */

static bool is_enough(uint64_t count, uint64_t left)
{
    return count >= 2 * left + SWEPT_FIRST;
}

/* Begins an index anew, of an array that stays. \return how many were in it. */
static uint64_t empty(struct mwa_index *index)
{
    const uint64_t before = index->count;

    mwa_index_fini(index);
    *index = (struct mwa_index){ .capacity = index->capacity };
    return before;
}

void mwa_hang_outstanding_fini(struct mwa_hang_outstanding *all)
{
    free(all->requests);
    free(all->messages);
    mwa_index_fini(&all->request_index);
    mwa_index_fini(&all->message_index);
}

/* --- requests ---------------------------------------------------------------------- */

static bool sweep_requests(struct mwa_hang_outstanding *all)
{
    const uint64_t before = empty(&all->request_index);

    for (uint64_t i = 0; i < before; i++) {
        const struct mwa_hang_request kept = all->requests[i];
        const struct mwa_key key = { kept.rank, kept.id };
        uint64_t at;

        if (kept.is_begun && kept.is_ended) {
            continue;
        }
        at = mwa_index_put(&all->request_index, key, &all->requests, sizeof kept);
        if (at == MWA_MAP_ABSENT) {
            return false;
        }
        all->requests[at] = kept;
    }
    all->requests_left = all->request_index.count;
    memset(all->requests + all->requests_left, 0,
           (before - all->requests_left) * sizeof *all->requests);
    return true;
}

struct mwa_hang_request *mwa_hang_request_of(struct mwa_hang_outstanding *all, uint32_t rank,
                                             uint64_t id)
{
    const struct mwa_key key = { rank, id };
    uint64_t at;

    if (is_enough(all->request_index.count, all->requests_left) && !sweep_requests(all)) {
        return NULL;
    }
    at = mwa_index_of(&all->request_index, key, &all->requests, sizeof *all->requests);
    if (at == MWA_MAP_ABSENT) {
        return NULL;
    }
    all->requests[at].rank = rank;
    all->requests[at].id = id;
    return &all->requests[at];
}

/* --- messages ---------------------------------------------------------------------- */

static struct mwa_key message_key(const struct mwa_hang_message *message)
{
    return (struct mwa_key){ (uint64_t)message->from << 32 | message->to,
                             (uint64_t)message->comm << 32 | message->tag };
}

static bool sweep_messages(struct mwa_hang_outstanding *all)
{
    const uint64_t before = empty(&all->message_index);

    for (uint64_t i = 0; i < before; i++) {
        const struct mwa_hang_message kept = all->messages[i];
        uint64_t at;

        if (kept.count == 0) {
            continue;
        }
        at = mwa_index_put(&all->message_index, message_key(&kept), &all->messages, sizeof kept);
        if (at == MWA_MAP_ABSENT) {
            return false;
        }
        all->messages[at] = kept;
    }
    all->messages_left = all->message_index.count;
    memset(all->messages + all->messages_left, 0,
           (before - all->messages_left) * sizeof *all->messages);
    return true;
}

enum mw_status mwa_hang_add_message(struct mwa_hang_outstanding *all,
                                    const struct mwa_hang_message *add)
{
    struct mwa_hang_message *message;
    uint64_t at;

    if (is_enough(all->message_index.count, all->messages_left) && !sweep_messages(all)) {
        return MW_ERROR_MEMORY;
    }
    at = mwa_index_of(&all->message_index, message_key(add), &all->messages,
                      sizeof *all->messages);
    if (at == MWA_MAP_ABSENT) {
        return MW_ERROR_MEMORY;
    }
    message = &all->messages[at];
    message->from = add->from;
    message->to = add->to;
    message->comm = add->comm;
    message->tag = add->tag;
    message->count += add->count;
    return MW_OK;
}

/* --- both -------------------------------------------------------------------------- */

static void join(struct mwa_hang_request *into, const struct mwa_hang_request *from)
{
    bool is_ended = into->is_ended || from->is_ended;

    if (!into->is_begun) {
        *into = *from;
    }
    into->is_ended = is_ended;
}

enum mw_status mwa_hang_outstanding_merge(struct mwa_hang_outstanding *into,
                                          const struct mwa_hang_outstanding *from)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < from->message_index.count && status == MW_OK; i++) {
        status = from->messages[i].count == 0 ? MW_OK
                                              : mwa_hang_add_message(into, &from->messages[i]);
    }
    for (uint64_t i = 0; i < from->request_index.count && status == MW_OK; i++) {
        const struct mwa_hang_request *request = &from->requests[i];
        struct mwa_hang_request *same = mwa_hang_request_of(into, request->rank, request->id);

        if (!same) {
            return MW_ERROR_MEMORY;
        }
        join(same, request);
    }
    return status;
}
