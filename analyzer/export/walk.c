/*
 * What Perfetto's and Chrome's formats need alike: everything that begins also
 * ends, inside the window, whatever an archive leaves open.
 */
#include "analyzer/export/walk.h"

#include <stdlib.h>

#include "analyzer/analysis/exchanges.h"
#include "analyzer/export/rebuilt.h"
#include "analyzer/load/input.h"

#define BATCH_EVENTS 4096u
#define DEPTH_MAX    100000u

/* A location being walked. */
struct way {
    const struct mwa_trace *trace;
    const struct mwa_selection *selection;
    const struct mwa_walk_listener *listener;
    struct mw_diagnostic *diagnostic;
    uint32_t location;
    struct mwa_walk_call *stack;
    uint64_t capacity;
    uint32_t depth;
    bool is_inside; /* the window has begun, and the regions on the stack too */
    bool is_past;   /* it has ended */
    uint64_t last;  /* time of the last event in it */
    struct mwa_rebuilt rebuilt; /* values of sums */
};

static enum mw_status end_top(struct way *way, uint64_t time)
{
    const struct mwa_walk_call *frame = &way->stack[--way->depth];

    return way->is_inside && !way->is_past
               ? way->listener->end(way->listener->user, way->location, time, frame->region)
               : MW_OK;
}

static enum mw_status end_all(struct way *way, uint64_t time)
{
    enum mw_status status = MW_OK;

    while (status == MW_OK && way->depth > 0) {
        status = end_top(way, time);
    }
    return status;
}

/* The window begins: so do the regions that are open. */
static enum mw_status come_inside(struct way *way)
{
    enum mw_status status = MW_OK;

    way->is_inside = true;
    for (uint32_t i = 0; i < way->depth && status == MW_OK; i++) {
        status = way->listener->begin(way->listener->user, way->location, way->selection->from,
                                    &way->stack[i]);
    }
    return status;
}

static enum mw_status take_enter(struct way *way, const struct mwa_event *event)
{
    struct mwa_walk_call frame = { .site = MWA_NONE, .repeat = event->of.call.repeat };

    if (event->of.call.region == MWA_NONE || way->depth == DEPTH_MAX) {
        return mw_fail(way->diagnostic, MW_ERROR_FORMAT, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       way->depth == DEPTH_MAX ? "calls are nested too deeply"
                                               : "an event enters a region that is not defined");
    }
    if (!mwa_grow(&way->stack, &way->capacity, way->depth + 1u, sizeof *way->stack)) {
        return mw_no_memory(way->diagnostic, NULL, "for the calls");
    }
    frame.region = &way->trace->regions[event->of.call.region];
    if (frame.region->kind != MWA_REGION_USER) {
        frame.site = event->of.call.site;
    }
    way->stack[way->depth++] = frame;
    return way->is_inside ? way->listener->begin(way->listener->user, way->location, event->time,
                                               &frame)
                          : MW_OK;
}

/* As the analyses do: leaving an outer region leaves what is inside, an unknown one nothing. */
static enum mw_status take_leave(struct way *way, const struct mwa_event *event)
{
    const struct mwa_region *region = event->of.call.region == MWA_NONE
                                          ? NULL
                                          : &way->trace->regions[event->of.call.region];
    uint32_t keep = way->depth;
    enum mw_status status = MW_OK;

    while (keep > 0 && way->stack[keep - 1].region != region) {
        keep--;
    }
    while (keep > 0 && status == MW_OK && way->depth >= keep) {
        status = end_top(way, event->time);
    }
    return status;
}

static enum mw_status take_sample(struct way *way, const struct mwa_event *event)
{
    struct mwa_event sample = *event;

    sample.of.metric.values =
        mwa_rebuilt_values(&way->rebuilt, way->trace, way->trace->locations[way->location].rank,
                           event->time, &event->of.metric);
    return way->listener->sample(way->listener->user, &sample);
}

static enum mw_status take_event(void *user, const struct mwa_event *event)
{
    struct way *way = user;
    enum mw_status status = MW_OK;

    if (event->time > way->selection->to) {
        status = way->is_inside ? MW_OK : come_inside(way);
        status = status == MW_OK ? end_all(way, way->selection->to) : status;
        way->is_past = true;
        return status == MW_OK ? MW_END : status;
    }
    if (!way->is_inside && event->time >= way->selection->from) {
        status = come_inside(way);
    }
    way->last = event->time;
    if (status != MW_OK) {
        return status;
    }
    switch (event->kind) {
    case MWA_ENTER:
        return take_enter(way, event);
    case MWA_LEAVE:
        return take_leave(way, event);
    case MWA_METRIC:
        return way->is_inside ? take_sample(way, event) : MW_OK;
    case MWA_MEASUREMENT:
        return way->is_inside ? way->listener->measurement(way->listener->user, event) : MW_OK;
    case MWA_DISCONTINUITY:
        return way->is_inside ? way->listener->discontinuity(way->listener->user, event) : MW_OK;
    case MWA_MARKER:
        return way->is_inside ? way->listener->marker(way->listener->user, event) : MW_OK;
    default:
        return MW_OK;
    }
}

static enum mw_status walk_location(struct mwa_input *input, struct way *way)
{
    struct mwa_event_reader *reader = NULL;
    enum mw_status status;

    way->depth = 0;
    way->is_inside = way->is_past = false;
    way->last = 0;
    status = mwa_event_reader_open(input, way->location, &reader, way->diagnostic);
    if (status == MW_OK) {
        status = way->listener->location(way->listener->user, way->location);
    }
    while (status == MW_OK) {
        status = mwa_event_reader_read(reader, BATCH_EVENTS, take_event, way, way->diagnostic);
    }
    if (status == MW_END) {
        status = end_all(way, way->last);
    }
    mwa_event_reader_close(reader);
    return status;
}

/* --- messages ----------------------------------------------------------------------------- */

static enum mw_status take_message(void *user, const struct mwa_trace *trace,
                                   const struct mwa_message *message)
{
    const struct way *way = user;
    const struct mwa_exchange_call *from = message->send, *to = message->receive_completion;
    uint64_t received;

    if (!from || !to) {
        return MW_OK;
    }
    received = to->leave > to->enter ? to->leave - 1 : to->leave; /* inside of the call */
    if (!mwa_selection_has_rank(way->selection, from->rank) ||
        !mwa_selection_has_rank(way->selection, to->rank) ||
        !mwa_selection_has_time(way->selection, message->sent_at) ||
        !mwa_selection_has_time(way->selection, received)) {
        return MW_OK;
    }
    return way->listener->message(way->listener->user, message, message->sent_at, received);
}

static enum mw_status walk_locations(const char *path, struct way *way)
{
    struct mwa_input *input = NULL;
    enum mw_status status = mwa_input_open(path, &input, way->diagnostic);

    for (uint32_t i = 0; i < way->trace->location_count && status == MW_OK; i++) {
        uint32_t rank = way->trace->locations[i].rank;

        way->location = i;
        if (rank == MWA_NONE ? !way->selection->ranks
                             : mwa_selection_has_rank(way->selection, rank)) {
            status = walk_location(input, way);
        }
    }
    mwa_input_close(input);
    return status;
}

enum mw_status mwa_walk(const struct mwa_trace *trace, const char *path,
                        const struct mwa_selection *selection,
                        const struct mwa_walk_listener *listener,
                        struct mw_diagnostic *diagnostic)
{
    struct way way = { .trace = trace,
                       .selection = selection,
                       .listener = listener,
                       .diagnostic = diagnostic };
    enum mw_status status = mwa_rebuilt_make(&way.rebuilt, trace, path, diagnostic);

    if (status == MW_OK) {
        status = walk_locations(path, &way);
    }
    if (status == MW_OK) {
        status = mwa_messages_visit(path, take_message, &way, diagnostic);
    }
    mwa_rebuilt_fini(&way.rebuilt);
    free(way.stack);
    return status;
}
