/* It is swept when it has twice as many as were left the last time, so that sweeping costs each of
 * them a constant time, and keeps the order of the others, in which sentences name them. */
#include "analyzer/analysis/hang/hang_outstanding.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/team/packing.h"

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
    mwa_map_fini(&all->latest);
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

/* --- collective operations --------------------------------------------------------- */

enum mw_status mwa_hang_end_collective(struct mwa_hang_outstanding *all, uint32_t rank,
                                       uint32_t comm, uint64_t begun)
{
    uint64_t *latest = mwa_map_put(&all->latest, (struct mwa_key){ rank, comm }, begun);

    if (latest && *latest < begun) {
        *latest = begun;
    }
    return latest ? MW_OK : MW_ERROR_MEMORY;
}

static int by_beginning(const void *one, const void *other)
{
    const struct mwa_hang_request *a = *(struct mwa_hang_request *const *)one;
    const struct mwa_hang_request *b = *(struct mwa_hang_request *const *)other;

    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    if (a->comm != b->comm) {
        return a->comm < b->comm ? -1 : 1;
    }
    return (a->begun > b->begun) - (a->begun < b->begun);
}

static bool is_behind(const struct mwa_hang_request *request, uint64_t latest)
{
    return latest == MWA_MAP_ABSENT || latest < request->begun;
}

enum mw_status mwa_hang_number_collectives(const struct mwa_hang_outstanding *all,
                                           struct mwa_hang_states *states)
{
    struct mwa_hang_request **begun = calloc(states->request_count + 1, sizeof(void *));
    const struct mwa_hang_request *next = NULL;
    uint64_t count = 0;
    uint64_t number = 0;

    if (!begun) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < states->request_count; i++) {
        struct mwa_hang_request *request = &states->requests[i];

        if (request->kind == MWA_COLLECTIVE_POST && mwa_hang_is_there(request) &&
            request->comm != MWA_NONE) {
            begun[count++] = request;
        }
    }
    qsort(begun, count, sizeof *begun, by_beginning);
    for (uint64_t i = count; i-- > 0; next = begun[i]) {
        struct mwa_hang_request *request = begun[i];
        const struct mwa_key key = { request->rank, request->comm };

        number = next && next->rank == request->rank && next->comm == request->comm
                     ? number - 1
                     : mwa_hang_count(states, request->rank, MWA_HANG_COLLECTIVES, request->comm);
        request->number = is_behind(request, mwa_map_get(&all->latest, key)) ? number : 0;
    }
    free(begun);
    return MW_OK;
}

/* --- all --------------------------------------------------------------------------- */

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
    for (uint64_t i = 0; i < from->latest.capacity && status == MW_OK; i++) {
        const struct mwa_map_slot *slot = &from->latest.slots[i];

        if (slot->value != MWA_MAP_ABSENT) {
            status = mwa_hang_end_collective(into, (uint32_t)slot->key.high,
                                             (uint32_t)slot->key.low, slot->value);
        }
    }
    return status;
}

void mwa_hang_outstanding_pack(const struct mwa_hang_outstanding *all, struct mw_buffer *to)
{
    mwa_pack_array(to, all->requests, all->request_index.count, sizeof *all->requests);
    mwa_pack_array(to, all->messages, all->message_index.count, sizeof *all->messages);
    mwa_pack_map(to, &all->latest);
}

enum mw_status mwa_hang_outstanding_unpack(struct mwa_hang_outstanding *all,
                                           struct mw_cursor *from)
{
    enum mw_status status = mwa_unpack_array(from, &all->requests, &all->request_index.count,
                                             sizeof *all->requests);

    if (status == MW_OK) {
        status = mwa_unpack_array(from, &all->messages, &all->message_index.count,
                                  sizeof *all->messages);
    }
    return status == MW_OK ? mwa_unpack_map(from, &all->latest) : status;
}
