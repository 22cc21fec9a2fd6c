/* Another reading of the archive has regions of its own: they are led back by their places. */
#include "analyzer/export/links.h"

#include <stdlib.h>

#include "analyzer/analysis/exchanges.h"
#include "analyzer/analysis/waits/waits.h"

struct making {
    const struct mwa_trace *trace;
    const struct mwa_selection *selection;
    struct mwa_links *links;
};

static const struct mwa_region *region_here(const struct making *making,
                                            const struct mwa_trace *other,
                                            const struct mwa_region *region)
{
    return region ? &making->trace->regions[region - other->regions] : NULL;
}

static enum mw_status take_message(void *user, const struct mwa_trace *trace,
                                   const struct mwa_message *message)
{
    struct making *making = user;
    struct mwa_links *links = making->links;
    const struct mwa_exchange_call *from = message->send, *to = message->receive_completion;
    uint64_t received;

    if (!from || !to) {
        return MW_OK;
    }
    received = to->leave > to->enter ? to->leave - 1 : to->leave; /* inside of the call */
    if (!mwa_selection_has_rank(making->selection, from->rank) ||
        !mwa_selection_has_rank(making->selection, to->rank) ||
        !mwa_selection_has_time(making->selection, message->sent_at) ||
        !mwa_selection_has_time(making->selection, received)) {
        return MW_OK;
    }
    if (!mwa_grow(&links->list, &links->capacity, links->count + 1, sizeof *links->list)) {
        return MW_ERROR_MEMORY;
    }
    links->list[links->count++] = (struct mwa_link){
        .number = message->number,
        .bytes = message->bytes,
        .sent = message->sent_at,
        .received = received,
        .posted = message->posted_at,
        .send_enter = from->enter,
        .receive_enter = to->enter,
        .receive_leave = to->leave,
        .send_location = from->location,
        .receive_location = to->location,
        .send_site = from->site,
        .receive_site = to->site,
        .comm = message->comm,
        .tag = message->tag,
        .send_call = region_here(making, trace, from->region),
        .receive_call = region_here(making, trace, to->region)
    };
    return MW_OK;
}

static enum mw_status take_wait(void *user, unsigned pattern, const struct mwa_wait *wait)
{
    struct making *making = user;
    struct mwa_links *links = making->links;
    const struct mwa_selection *selection = making->selection;
    const uint64_t until = wait->time + wait->wait;

    if (!mwa_selection_has_rank(selection, wait->rank) || until <= selection->from ||
        wait->time >= selection->to) {
        return MW_OK;
    }
    if (!mwa_grow(&links->waits, &links->wait_capacity, links->wait_count + 1,
                  sizeof *links->waits)) {
        return MW_ERROR_MEMORY;
    }
    links->waits[links->wait_count++] = (struct mwa_link_wait){ .from = wait->time,
                                                                .to = until,
                                                                .message = wait->message,
                                                                .location = wait->location,
                                                                .pattern = pattern,
                                                                .cause = wait->cause,
                                                                .comm = wait->comm };
    return MW_OK;
}

/* --- order -------------------------------------------------------------------------------- */

static int compare(uint64_t one, uint64_t other)
{
    return one < other ? -1 : one > other;
}

static int by_number(const void *one, const void *other)
{
    return compare(((const struct mwa_link *)one)->number,
                   ((const struct mwa_link *)other)->number);
}

static int by_location(const void *one, const void *other)
{
    const struct mwa_link_wait *a = one, *b = other;
    int order = compare(a->location, b->location);

    order = order ? order : compare(a->from, b->from);
    order = order ? order : compare(b->to, a->to);
    return order ? order : compare(a->pattern, b->pattern);
}

uint32_t mwa_link_end_location(const struct mwa_link_end *end)
{
    return end->is_receive ? end->link->receive_location : end->link->send_location;
}

uint64_t mwa_link_end_enter(const struct mwa_link_end *end)
{
    return end->is_receive ? end->link->receive_enter : end->link->send_enter;
}

static int by_call(const void *one, const void *other)
{
    const struct mwa_link_end *a = one, *b = other;
    int order = compare(mwa_link_end_location(a), mwa_link_end_location(b));

    order = order ? order : compare(mwa_link_end_enter(a), mwa_link_end_enter(b));
    return order ? order : compare(a->link->number, b->link->number);
}

/* Where a message keeps a wait for its other end, which is the receiver's or the sender's. */
static uint64_t *wait_of(struct mwa_link *link, const struct mwa_link_wait *wait)
{
    switch (wait->pattern) {
    case MWA_WAIT_LATE_SENDER:
        return &link->wait;
    case MWA_WAIT_LATE_PROGRESS: /* never of both ends in calls of one location */
        return wait->location == link->receive_location ? &link->progress_wait
                                                        : &link->send_progress_wait;
    default:
        return &link->send_wait;
    }
}

/* Messages get their waits. */
static void join_waits(struct mwa_links *links)
{
    for (uint64_t i = 0; i < links->wait_count; i++) {
        const struct mwa_link_wait *wait = &links->waits[i];
        const struct mwa_link key = { .number = wait->message };
        struct mwa_link *link =
            links->count ? bsearch(&key, links->list, links->count, sizeof key, by_number) : NULL;

        if (link) {
            *wait_of(link, wait) = wait->to - wait->from;
        }
    }
}

/* They were numbered by rank: now by where they are in the list, from 0. */
static void number(struct mwa_links *links)
{
    for (uint64_t i = 0; i < links->count; i++) {
        links->list[i].number = i;
    }
}

static bool list_ends(struct mwa_links *links)
{
    links->ends = calloc(2 * links->count + 1, sizeof *links->ends);
    for (uint64_t i = 0; links->ends && i < links->count; i++) {
        const struct mwa_link *link = &links->list[i];

        if (link->send_call) {
            links->ends[links->end_count++] = (struct mwa_link_end){ link, false };
        }
        if (link->receive_call) {
            links->ends[links->end_count++] = (struct mwa_link_end){ link, true };
        }
    }
    if (links->ends) {
        qsort(links->ends, links->end_count, sizeof *links->ends, by_call);
    }
    return links->ends != NULL;
}

enum mw_status mwa_links_make(const struct mwa_trace *trace, const char *path,
                              const struct mwa_selection *selection, struct mwa_links *links,
                              struct mw_diagnostic *diagnostic)
{
    struct making making = { .trace = trace, .selection = selection, .links = links };
    const struct mwa_span span = { selection->from, selection->to };
    enum mw_status status;

    *links = (struct mwa_links){ .count = 0 };
    status = mwa_exchanges_visit(trace, path, &span, selection->start, take_message, take_wait,
                                 &making, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    if (links->count) {
        qsort(links->list, links->count, sizeof *links->list, by_number);
    }
    if (links->wait_count) {
        qsort(links->waits, links->wait_count, sizeof *links->waits, by_location);
    }
    join_waits(links);
    number(links);
    return list_ends(links) ? MW_OK : mw_no_memory(diagnostic, NULL, "for the messages");
}

void mwa_links_fini(struct mwa_links *links)
{
    free(links->list);
    free(links->waits);
    free(links->ends);
    *links = (struct mwa_links){ .count = 0 };
}
