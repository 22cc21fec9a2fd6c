/*
 * MPI matches in the order in which calls begin, and threads of a rank are in
 * different files: they are merged here, as far as each is known to bring nothing
 * earlier. A rank with one location costs nothing. MPICH's MPI_Mprobe looks again and again for
 * what has come, and posts nothing that would keep its place among threads.
 */
#include "analyzer/exchange/ordering.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/exchange/lineup.h"

/* What is known of the place of an event. */
enum place {
    PLACE_BEGIN, /* it is where it begins */
    PLACE_OPEN,  /* it is of a probe, which has not been left */
    PLACE_ASKED, /* of one that took its message: what others did meanwhile decides */
    PLACE_LEAVE  /* that has been decided: it is where its call was left */
};

struct queued {
    struct mwa_event event;
    uint64_t enter;
    uint64_t leave; /* of a blocking receive, and of a probe that has been left; else 0 */
    void *object;
    enum place place;
};

/* Events read and not yet handed on. */
struct queue {
    struct queued *items;
    uint64_t capacity;
    uint64_t begin;
    uint64_t end;
    uint64_t known; /* no later event begins before this time */
    bool is_probing; /* what comes is of a probe that is open */
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

    if (item->place == PLACE_LEAVE) {
        return item->leave;
    }
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
    queue->is_probing |= event->kind == MWA_FOUND;
    queue->items[queue->end++] =
        (struct queued){ .event = *event,
                         .enter = enter,
                         .leave = event->kind == MWA_RECV ? event->time : 0,
                         .object = object,
                         .place = queue->is_probing ? PLACE_OPEN : PLACE_BEGIN };
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

/* --- probes ----------------------------------------------------------------------------- */

void mwa_ordering_leave(struct mwa_ordering *ordering, uint32_t location, uint64_t time)
{
    struct queue *queue = &ordering->queues[location];
    uint64_t from = queue->end;
    bool has_taken = false;

    if (!queue->is_probing) {
        return;
    }
    while (from > queue->begin && queue->items[from - 1].place == PLACE_OPEN) {
        has_taken |= queue->items[--from].event.kind == MWA_IRECV_POST;
    }
    for (uint64_t i = from; i < queue->end; i++) {
        queue->items[i].leave = time;
        queue->items[i].place = has_taken ? PLACE_ASKED : PLACE_BEGIN;
    }
    queue->is_probing = false;
}

static bool is_same_channel(const struct mwa_message_data *one,
                            const struct mwa_message_data *other)
{
    return one->comm == other->comm && one->peer == other->peer && one->tag == other->tag;
}

/* Whether item, of another thread, shows that the probe had not taken the message that it got. */
static bool overtakes(const struct queued *item, const struct queued *probe)
{
    return (item->event.kind == MWA_RECV || item->event.kind == MWA_FOUND) && item->leave > 0 &&
           item->leave < probe->leave &&
           (item->enter > probe->enter || item->place == PLACE_LEAVE) &&
           is_same_channel(&item->event.of.message, &probe->event.of.message);
}

/* Whether all is there that location's rank had begun before time in other threads. */
static bool is_known(const struct mwa_ordering *ordering, uint32_t location, uint64_t time)
{
    uint32_t count;
    const uint32_t *all = mwa_lineup_all_of(
        &ordering->lineup, ordering->trace->locations[location].rank, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (all[i] != location && ordering->queues[all[i]].known < time) {
            return false;
        }
    }
    return true;
}

/* Where the probe has its place that is the first of location's items. */
static enum place place_of(const struct mwa_ordering *ordering, uint32_t location)
{
    const struct queue *own = &ordering->queues[location];
    const struct queued *probe = &own->items[own->begin];
    uint32_t count;
    const uint32_t *all = mwa_lineup_all_of(
        &ordering->lineup, ordering->trace->locations[location].rank, &count);

    for (uint32_t i = 0; i < count; i++) {
        const struct queue *queue = &ordering->queues[all[i]];

        for (uint64_t at = queue->begin; queue != own && at < queue->end; at++) {
            if (begin_of(&queue->items[at]) > probe->leave) {
                break;
            }
            if (overtakes(&queue->items[at], probe)) {
                return PLACE_LEAVE;
            }
        }
    }
    return PLACE_BEGIN;
}

/* Gives all that is of the first probe of location its place. */
static void put(struct mwa_ordering *ordering, uint32_t location)
{
    struct queue *queue = &ordering->queues[location];
    const uint64_t enter = queue->items[queue->begin].enter;
    const enum place place = place_of(ordering, location);

    for (uint64_t i = queue->begin; i < queue->end && queue->items[i].enter == enter &&
                                    queue->items[i].place == PLACE_ASKED;
         i++) {
        queue->items[i].place = place;
    }
    mwa_lineup_changed(&ordering->lineup, location);
}

/* Whether the first item of location, which comes before all others of its rank, has its turn: it
 * may still have to be found out where it belongs. */
static bool has_turn(struct mwa_ordering *ordering, uint32_t location)
{
    const struct queue *queue = &ordering->queues[location];
    const struct queued *item = &queue->items[queue->begin];

    if (queue->begin == queue->end || item->place == PLACE_OPEN) {
        return false; /* it may still get what comes before all others' */
    }
    if (item->place == PLACE_ASKED && is_known(ordering, location, item->leave)) {
        put(ordering, location);
    }
    return item->place != PLACE_ASKED;
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

        if (!has_turn(ordering, first)) {
            break;
        }
        if (mwa_lineup_first_of(&ordering->lineup, rank) != first) {
            continue; /* it belongs behind others */
        }
        queue->begin++;
        mwa_lineup_changed(&ordering->lineup, first);
        status = ordering->visit(ordering->user, rank, &item->event, item->enter, item->object);
    }
    return status;
}
