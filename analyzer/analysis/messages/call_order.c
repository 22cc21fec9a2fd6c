/* Mostly nothing waits, so that a blocking operation is handed on as it comes. */
#include "analyzer/analysis/messages/call_order.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/messages/terms_told.h"
#include "analyzer/team/packing.h"
#include "formats/table/calls.h"

#define WAITING_MAX 100000u /* of a location; one with more is looked at no further */
#define NOT_ORDERED (UINT64_MAX - 1) /* in the place of a number: begun by MPI_Start */

struct waiting {
    bool is_told; /* what it is */
    struct mwa_called called;
};

/* The operations of a location that were called behind one that is not complete, and that one. */
struct caller {
    bool is_over;
    uint64_t first; /* number of list[begin] */
    uint64_t begin;
    uint64_t count; /* behind it */
    uint64_t capacity;
    struct waiting *list;
};

struct mwa_call_order {
    const struct mwa_trace *trace;
    bool is_later;
    struct mwa_agreement *agreement;
    struct caller *callers;  /* by location */
    struct mwa_map requests; /* by location and request: the operation's number */
    struct mwa_map terms;    /* by location and communicator, and operation: those told last */
};

enum mw_status mwa_call_order_create(const struct mwa_trace *trace, bool is_later,
                                     struct mwa_call_order **order)
{
    struct mwa_call_order *created = calloc(1, sizeof *created);

    *order = created;
    if (!created) {
        return MW_ERROR_MEMORY;
    }
    created->trace = trace;
    created->is_later = is_later;
    created->callers = calloc(trace->location_count + 1, sizeof *created->callers);
    return created->callers ? mwa_agreement_create(trace, &created->agreement) : MW_ERROR_MEMORY;
}

void mwa_call_order_destroy(struct mwa_call_order *order)
{
    if (order) {
        for (uint64_t i = 0; order->callers && i < order->trace->location_count; i++) {
            free(order->callers[i].list);
        }
        mwa_agreement_destroy(order->agreement);
        mwa_map_fini(&order->requests);
        mwa_map_fini(&order->terms);
        free(order->callers);
        free(order);
    }
}

enum mw_status mwa_call_order_round(struct mwa_call_order *order, struct mwa_mistakes *mistakes)
{
    return mwa_agreement_round(order->agreement, mistakes);
}

/* *terms: of the event's operation, MWA_MAP_ABSENT: not told as yet. MW_OK, MW_ERROR_MEMORY. */
static enum mw_status find_terms(struct mwa_call_order *order, uint32_t location,
                                 const struct mwa_collective_data *data, uint64_t *terms)
{
    const struct mwa_key key = mwa_terms_key(location, data->comm, data->operation);

    if (data->has_terms) {
        uint64_t *place = mwa_map_put(&order->terms, key, data->terms);

        if (!place) {
            return MW_ERROR_MEMORY;
        }
        *place = data->terms;
    }
    *terms = mwa_map_get(&order->terms, key);
    return MW_OK;
}

/* Takes all that are told up to the first that is not. */
static enum mw_status hand_on(struct mwa_call_order *order, struct caller *caller,
                              struct mwa_mistakes *mistakes)
{
    enum mw_status status = MW_OK;

    while (status == MW_OK && caller->count > 0 && caller->list[caller->begin].is_told) {
        if (caller->list[caller->begin].called.comm != MWA_NONE) {
            status = mwa_agreement_take(order->agreement, &caller->list[caller->begin].called,
                                        mistakes);
        }
        caller->begin++;
        caller->first++;
        caller->count--;
    }
    if (caller->count == 0 || caller->begin > 1024) {
        memmove(caller->list, caller->list + caller->begin, caller->count * sizeof *caller->list);
        caller->begin = 0;
    }
    return status;
}

/* A place behind the others; null: there are too many, or *status. */
static struct waiting *queue(struct caller *caller, enum mw_status *status)
{
    *status = MW_OK;
    if (caller->count >= WAITING_MAX) {
        caller->is_over = true;
        caller->count = 0;
        return NULL;
    }
    if (!mwa_grow(&caller->list, &caller->capacity, caller->begin + caller->count + 1,
                  sizeof *caller->list)) {
        *status = MW_ERROR_MEMORY;
        return NULL;
    }
    caller->list[caller->begin + caller->count] = (struct waiting){ 0 };
    return &caller->list[caller->begin + caller->count++];
}

static enum mw_status take_post(struct mwa_call_order *order, struct caller *caller,
                                const struct mwa_moment *moment, struct mwa_key key)
{
    const enum mw_call_kind kind =
        moment->mpi ? mw_call_kind(moment->mpi->call) : MW_KIND_PLAIN;
    const bool is_ordered = kind != MW_KIND_START && kind != MW_KIND_STARTALL;
    struct waiting *waiting = NULL;
    enum mw_status status = MW_OK;
    uint64_t *number;

    if (is_ordered) {
        waiting = queue(caller, &status);
        if (!waiting) {
            return status;
        }
        waiting->called.site = moment->mpi ? moment->site : MWA_NONE;
    }
    number = mwa_map_put(&order->requests, key, 0);
    if (!number) {
        return MW_ERROR_MEMORY;
    }
    *number = is_ordered ? caller->first + caller->count - 1 : NOT_ORDERED;
    return MW_OK;
}

static void tell(struct waiting *waiting, const struct mwa_moment *moment, uint32_t location,
                 uint64_t terms, bool is_later)
{
    const struct mwa_collective_data *data = &moment->event->of.collective;
    const bool is_nonblocking = moment->event->kind == MWA_COLLECTIVE_COMPLETE;

    waiting->is_told = true;
    waiting->called = (struct mwa_called){
        .rank = moment->location->rank,
        .location = location,
        .comm = data->of_handle ? MWA_NONE : data->comm,
        .operation = data->operation,
        .root = data->root,
        .site = is_nonblocking ? waiting->called.site : moment->mpi ? moment->site : MWA_NONE,
        .terms = terms == MWA_MAP_ABSENT ? 0 : (uint32_t)terms,
        .inherits_terms = is_later && terms == MWA_MAP_ABSENT,
        .is_nonblocking = is_nonblocking,
        .is_on_neighbors = data->on_neighbors ||
                           (moment->mpi && mw_call_means(moment->mpi->call, MW_NEIGHBORS)),
        .bytes_sent = data->bytes_sent,
        .bytes_received = data->bytes_received,
    };
}

enum mw_status mwa_call_order_take(struct mwa_call_order *order, const struct mwa_moment *moment,
                                   struct mwa_mistakes *mistakes)
{
    const struct mwa_collective_data *data = &moment->event->of.collective;
    const uint32_t location = (uint32_t)(moment->location - order->trace->locations);
    const struct mwa_key key = { location, moment->event->request };
    struct caller *caller = &order->callers[location];
    struct waiting *waiting;
    uint64_t terms;
    uint64_t number;
    enum mw_status status;

    if (caller->is_over) {
        return MW_OK;
    }
    if (moment->event->kind == MWA_COLLECTIVE_POST) {
        return take_post(order, caller, moment, key);
    }
    status = find_terms(order, location, data, &terms);
    if (status != MW_OK) {
        return status;
    }
    if (moment->event->kind == MWA_COLLECTIVE_END) {
        waiting = queue(caller, &status);
    } else {
        number = mwa_map_remove(&order->requests, key);
        if (number == NOT_ORDERED) {
            return MW_OK;
        }
        if (number == MWA_MAP_ABSENT || number - caller->first >= caller->count) {
            /* It was begun elsewhere, by another thread. */
            if (data->comm != MWA_NONE) {
                mwa_agreement_leave(order->agreement, data->comm);
            }
            return MW_OK;
        }
        waiting = &caller->list[caller->begin + (number - caller->first)];
    }
    if (!waiting) {
        return status;
    }
    tell(waiting, moment, location, terms, order->is_later);
    return hand_on(order, caller, mistakes);
}

/* --- all were taken --------------------------------------------------------------------------- */

enum mw_status mwa_call_order_conclude(struct mwa_call_order *order, struct mwa_mistakes *mistakes)
{
    return mwa_agreement_conclude(order->agreement, mistakes);
}

void mwa_call_order_finish(const struct mwa_call_order *order, struct mwa_mistakes *mistakes)
{
    mwa_agreement_finish(order->agreement, mistakes);
}

bool mwa_call_order_can_be_appended(const struct mwa_call_order *order, bool is_last)
{
    for (uint64_t i = 0; i < order->trace->location_count; i++) {
        if (order->callers[i].is_over || (!is_last && order->callers[i].count > 0)) {
            return false;
        }
    }
    return (is_last || order->requests.count == 0) &&
           mwa_agreement_can_be_appended(order->agreement, is_last);
}

enum mw_status mwa_call_order_append(struct mwa_call_order *order,
                                     const struct mwa_call_order *later,
                                     const struct mwa_mistakes *found,
                                     struct mwa_mistakes *mistakes)
{
    enum mw_status status = mwa_agreement_append(order->agreement, later->agreement,
                                                 &order->terms, found, mistakes);

    for (uint64_t i = 0; i < later->terms.capacity && status == MW_OK; i++) {
        const struct mwa_map_slot *slot = &later->terms.slots[i];
        uint64_t *place;

        if (slot->value == MWA_MAP_ABSENT) {
            continue;
        }
        place = mwa_map_put(&order->terms, slot->key, slot->value);
        if (!place) {
            return MW_ERROR_MEMORY;
        }
        *place = slot->value;
    }
    return status;
}

void mwa_call_order_pack(const struct mwa_call_order *order, struct mw_buffer *to)
{
    mw_buffer_u64(to, order->terms.count);
    for (uint64_t i = 0; i < order->terms.capacity; i++) {
        const struct mwa_map_slot *slot = &order->terms.slots[i];

        if (slot->value != MWA_MAP_ABSENT) {
            mw_buffer_append(to, slot, sizeof *slot);
        }
    }
    mwa_agreement_pack(order->agreement, to);
}

enum mw_status mwa_call_order_unpack(struct mwa_call_order *order, struct mw_cursor *from)
{
    struct mwa_map_slot *slots = NULL;
    uint64_t count = 0;
    enum mw_status status = mwa_unpack_array(from, &slots, &count, sizeof *slots);

    for (uint64_t i = 0; i < count && status == MW_OK; i++) {
        if (slots[i].value > UINT32_MAX) {
            status = MW_ERROR_FORMAT;
        } else if (!mwa_map_put(&order->terms, slots[i].key, slots[i].value)) {
            status = MW_ERROR_MEMORY;
        }
    }
    free(slots);
    return status == MW_OK ? mwa_agreement_unpack(order->agreement, from) : status;
}
