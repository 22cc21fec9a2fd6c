/*
 * MPI matches in the order in which calls begin, and threads of a rank are in
 * different files: they are merged here, as far as each is known to bring nothing
 * earlier. A rank with one location costs nothing.
 */
#include "analyzer/exchange/ordering.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/exchange/lineup.h"

struct queued {
    struct mwa_event event;
    uint64_t enter;
    void *object;
};

/* Events read and not yet handed on. */
struct queue {
    struct queued *items;
    uint64_t capacity;
    uint64_t begin;
    uint64_t end;
    uint64_t known; /* no later event begins before this time */
};

struct mwa_ordering {
    const struct mwa_trace *trace;
    mwa_ordered_visit visit;
    void *user;
    struct queue *queues; /* per location */
    struct mwa_lineup lineup; /* by what comes next, or may come next */
};

static uint64_t begin_of(const struct queued *item)
{
    bool is_blocking = item->event.kind == MWA_RECV || item->event.kind == MWA_COLLECTIVE_END ||
                       item->event.kind == MWA_WINDOW_COLLECTIVE;

    return is_blocking ? item->enter : item->event.time;
}

/*
 * By the begin of the first item, and at the same time by location; one without items may still
 * get any from its known on.
 */
static bool comes_before(const void *user, uint32_t one, uint32_t other)
{
    const struct queue *queues = user;
    const struct queue *a = &queues[one];
    const struct queue *b = &queues[other];
    uint64_t a_time = a->begin == a->end ? a->known : begin_of(&a->items[a->begin]);
    uint64_t b_time = b->begin == b->end ? b->known : begin_of(&b->items[b->begin]);

    return a_time != b_time ? a_time < b_time : one < other;
}

enum mw_status mwa_ordering_create(const struct mwa_trace *trace, mwa_ordered_visit visit,
                                   void *user, struct mwa_ordering **result,
                                   struct mw_diagnostic *diagnostic)
{
    struct mwa_ordering *ordering = calloc(1, sizeof *ordering);

    if (ordering) {
        *ordering = (struct mwa_ordering){ .trace = trace, .visit = visit, .user = user };
        ordering->queues = calloc(trace->location_count + 1, sizeof *ordering->queues);
    }
    if (!ordering || !ordering->queues ||
        !mwa_lineup_init(&ordering->lineup, trace, comes_before, ordering->queues)) {
        mwa_ordering_destroy(ordering);
        return mw_no_memory(diagnostic, NULL, "to order events");
    }
    *result = ordering;
    return MW_OK;
}

void mwa_ordering_destroy(struct mwa_ordering *ordering)
{
    if (!ordering) {
        return;
    }
    for (uint64_t i = 0; ordering->queues && i < ordering->trace->location_count; i++) {
        free(ordering->queues[i].items);
    }
    free(ordering->queues);
    mwa_lineup_fini(&ordering->lineup);
    free(ordering);
}

static enum mw_status append(struct queue *queue, const struct mwa_event *event, uint64_t enter,
                             void *object)
{
    if (queue->begin == queue->end) {
        queue->begin = 0;
        queue->end = 0;
    } else if (queue->end == queue->capacity && queue->begin > queue->end / 2) {
        memmove(queue->items, queue->items + queue->begin,
                (queue->end - queue->begin) * sizeof *queue->items);
        queue->end -= queue->begin;
        queue->begin = 0;
    }
    if (!mwa_grow(&queue->items, &queue->capacity, queue->end + 1, sizeof *queue->items)) {
        return MW_ERROR_MEMORY;
    }
    queue->items[queue->end++] = (struct queued){ *event, enter, object };
    return MW_OK;
}

enum mw_status mwa_ordering_event(struct mwa_ordering *ordering, const struct mwa_event *event,
                                  uint64_t enter, void *object)
{
    uint32_t rank = ordering->trace->locations[event->location].rank;
    struct queue *queue;
    bool was_empty;
    enum mw_status status;

    if (rank == MWA_NONE || !mwa_is_ordered(event->kind)) {
        return MW_OK;
    }
    if (ordering->trace->ranks[rank].locations == 1) {
        return ordering->visit(ordering->user, rank, event, enter, object);
    }
    queue = &ordering->queues[event->location];
    was_empty = queue->begin == queue->end;
    status = append(queue, event, enter, object);
    if (status == MW_OK && was_empty) {
        mwa_lineup_changed(&ordering->lineup, event->location);
    }
    return status;
}

enum mw_status mwa_ordering_advance(struct mwa_ordering *ordering, uint32_t location,
                                    uint64_t time)
{
    uint32_t rank = ordering->trace->locations[location].rank;
    enum mw_status status = MW_OK;

    ordering->queues[location].known = time;
    if (rank == MWA_NONE || ordering->trace->ranks[rank].locations == 1) {
        return MW_OK;
    }
    mwa_lineup_changed(&ordering->lineup, location);
    while (status == MW_OK) {
        uint32_t first = mwa_lineup_first_of(&ordering->lineup, rank);
        struct queue *queue = &ordering->queues[first];
        const struct queued *item = &queue->items[queue->begin];

        if (queue->begin == queue->end) {
            break; /* it may still get what comes before all others' */
        }
        queue->begin++;
        mwa_lineup_changed(&ordering->lineup, first);
        status = ordering->visit(ordering->user, rank, &item->event, item->enter, item->object);
    }
    return status;
}
