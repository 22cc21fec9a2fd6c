#include "analyzer/load/ordering.h"

#include <stdlib.h>
#include <string.h>

#define ORDERED_KINDS                                                                             \
    (1u << MWA_SEND | 1u << MWA_ISEND | 1u << MWA_ISEND_COMPLETE | 1u << MWA_IRECV_POST |         \
     1u << MWA_IRECV | 1u << MWA_RECV | 1u << MWA_CANCELLED | 1u << MWA_MEASUREMENT |             \
     1u << MWA_COLLECTIVE_END | 1u << MWA_COLLECTIVE_POST | 1u << MWA_COLLECTIVE_COMPLETE |       \
     1u << MWA_COMM_CREATE | 1u << MWA_WINDOW_COLLECTIVE | 1u << MWA_ONESIDED)

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
    uint32_t next;  /* location of the same rank, MWA_NONE: last */
};

struct mwa_ordering {
    const struct mwa_trace *trace;
    mwa_ordered_sink sink;
    void *user;
    struct queue *queues; /* per location */
    uint32_t *first;      /* per rank: its first location */
};

enum mw_status mwa_ordering_create(const struct mwa_trace *trace, mwa_ordered_sink sink,
                                   void *user, struct mwa_ordering **result,
                                   struct mw_diagnostic *diagnostic)
{
    struct mwa_ordering *ordering = calloc(1, sizeof *ordering);

    if (ordering) {
        *ordering = (struct mwa_ordering){ .trace = trace, .sink = sink, .user = user };
        ordering->queues = calloc(trace->location_count + 1, sizeof *ordering->queues);
        ordering->first = calloc(trace->rank_count + 1, sizeof *ordering->first);
    }
    if (!ordering || !ordering->queues || !ordering->first) {
        mwa_ordering_destroy(ordering);
        return mw_fail(diagnostic, MW_ERROR_MEMORY, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "no memory to order events");
    }
    for (uint64_t i = 0; i < trace->rank_count; i++) {
        ordering->first[i] = MWA_NONE;
    }
    for (uint64_t i = trace->location_count; i-- > 0;) {
        uint32_t rank = trace->locations[i].rank;

        if (rank != MWA_NONE) {
            ordering->queues[i].next = ordering->first[rank];
            ordering->first[rank] = (uint32_t)i;
        }
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
    free(ordering->first);
    free(ordering);
}

static uint64_t begin_of(const struct queued *item)
{
    bool is_blocking = item->event.kind == MWA_RECV || item->event.kind == MWA_COLLECTIVE_END ||
                       item->event.kind == MWA_WINDOW_COLLECTIVE;

    return is_blocking ? item->enter : item->event.time;
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

bool mwa_is_ordered(enum mwa_event_kind kind)
{
    return ORDERED_KINDS & 1u << kind;
}

enum mw_status mwa_ordering_event(struct mwa_ordering *ordering, const struct mwa_event *event,
                                  uint64_t enter, void *object)
{
    uint32_t rank = ordering->trace->locations[event->location].rank;

    if (rank == MWA_NONE || !mwa_is_ordered(event->kind)) {
        return MW_OK;
    }
    if (ordering->trace->ranks[rank].locations == 1) {
        return ordering->sink(ordering->user, rank, event, enter, object);
    }
    return append(&ordering->queues[event->location], event, enter, object);
}

/* The queue of rank whose first item begins first, or null when none can be handed on yet. */
static struct queue *next_queue(const struct mwa_ordering *ordering, uint32_t rank)
{
    struct queue *best = NULL;
    uint64_t known = UINT64_MAX;

    for (uint32_t at = ordering->first[rank]; at != MWA_NONE; at = ordering->queues[at].next) {
        struct queue *queue = &ordering->queues[at];

        if (queue->begin < queue->end) {
            if (!best || begin_of(&queue->items[queue->begin]) <
                             begin_of(&best->items[best->begin])) {
                best = queue;
            }
        } else if (queue->known < known) {
            known = queue->known;
        }
    }
    return best && begin_of(&best->items[best->begin]) <= known ? best : NULL;
}

enum mw_status mwa_ordering_advance(struct mwa_ordering *ordering, uint32_t location,
                                    uint64_t time)
{
    uint32_t rank = ordering->trace->locations[location].rank;
    enum mw_status status = MW_OK;
    struct queue *queue;

    ordering->queues[location].known = time;
    if (rank == MWA_NONE || ordering->trace->ranks[rank].locations == 1) {
        return MW_OK;
    }
    while (status == MW_OK && (queue = next_queue(ordering, rank))) {
        const struct queued *item = &queue->items[queue->begin++];

        status = ordering->sink(ordering->user, rank, &item->event, item->enter, item->object);
    }
    return status;
}
