/*
 * What Perfetto's and Chrome's formats need alike: everything that begins also
 * ends, inside the window, whatever an archive leaves open.
 */
#include "analyzer/export/walk.h"

#include <stdlib.h>

#include "analyzer/export/rebuilt.h"
#include "analyzer/load/input.h"

#define BATCH_EVENTS 4096u

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
    uint32_t mpi_depth;
    bool is_inside; /* the window has begun, and the regions on the stack too */
    bool is_past;   /* it has ended */
    uint64_t last;  /* time of the last event in it */
    struct mwa_rebuilt rebuilt; /* values of sums */
    struct mwa_links links;
    uint64_t next_end;  /* of links, not yet of a call that was entered */
    uint64_t next_wait;
};

static enum mw_status end_top(struct way *way, uint64_t time)
{
    const struct mwa_walk_call *frame = &way->stack[--way->depth];

    way->mpi_depth -= frame->region->kind != MWA_REGION_USER;
    return way->is_inside && !way->is_past
               ? way->listener->end(way->listener->user, way->location, time, frame)
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

static enum mw_status begin_call(const struct way *way, uint64_t time,
                                 const struct mwa_walk_call *call)
{
    return way->listener->begin
               ? way->listener->begin(way->listener->user, way->location, time, call)
               : MW_OK;
}

/* The window begins: so do the regions that are open. */
static enum mw_status come_inside(struct way *way)
{
    enum mw_status status = MW_OK;

    way->is_inside = true;
    for (uint32_t i = 0; i < way->depth && status == MW_OK; i++) {
        status = begin_call(way, way->selection->from, &way->stack[i]);
    }
    return status;
}

/* The ends of messages in the call that location enters. */
static void find_ends(struct way *way, struct mwa_walk_call *call)
{
    const struct mwa_links *links = &way->links;
    uint64_t first = way->next_end;

    while (first < links->end_count &&
           mwa_link_end_location(&links->ends[first]) == way->location &&
           mwa_link_end_enter(&links->ends[first]) < call->enter) {
        first++;
    }
    way->next_end = first;
    while (way->next_end < links->end_count &&
           mwa_link_end_location(&links->ends[way->next_end]) == way->location &&
           mwa_link_end_enter(&links->ends[way->next_end]) == call->enter) {
        way->next_end++;
    }
    call->ends = &links->ends[first];
    call->end_count = way->next_end - first;
}

/* The call that is entered, with what is known then. */
static struct mwa_walk_call entered(struct way *way, const struct mwa_event *event)
{
    const struct mwa_walk_call *outer = way->depth > 0 ? &way->stack[way->depth - 1] : NULL;
    struct mwa_walk_call frame = { .region = &way->trace->regions[event->of.call.region],
                                   .site = MWA_NONE,
                                   .repeat = event->of.call.repeat,
                                   .enter = event->time,
                                   .facts = mwa_no_facts };

    if (outer) {
        frame.within = outer->region->kind == MWA_REGION_USER ? outer->region : outer->within;
    }
    if (frame.region->kind != MWA_REGION_USER) {
        frame.site = event->of.call.site;
        frame.outermost = way->mpi_depth++ == 0;
        mwa_call_facts_take(&frame.facts, way->trace, way->trace->locations[way->location].rank,
                            event);
        if (frame.outermost) {
            find_ends(way, &frame);
        }
    }
    return frame;
}

static enum mw_status take_enter(struct way *way, const struct mwa_event *event)
{
    if (event->of.call.region == MWA_NONE || way->depth == MWA_NESTED_MAX) {
        return mw_fail(way->diagnostic, MW_ERROR_FORMAT, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       way->depth == MWA_NESTED_MAX ? "calls are nested too deeply"
                                               : "an event enters a region that is not defined");
    }
    if (!mwa_grow(&way->stack, &way->capacity, way->depth + 1u, sizeof *way->stack)) {
        return mw_no_memory(way->diagnostic, NULL, "for the calls");
    }
    way->stack[way->depth] = entered(way, event);
    way->depth++;
    return way->is_inside ? begin_call(way, event->time, &way->stack[way->depth - 1]) : MW_OK;
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

/* --- what is known of a call ------------------------------------------------------------------ */

/* The call of MPI that is being made says something of itself. */
static void take_fact(struct way *way, const struct mwa_event *event)
{
    struct mwa_walk_call *call = NULL;

    for (uint32_t i = way->depth; !call && way->mpi_depth > 0 && i-- > 0;) {
        call = way->stack[i].region->kind != MWA_REGION_USER ? &way->stack[i] : NULL;
    }
    if (call) {
        mwa_call_facts_take(&call->facts, way->trace, way->trace->locations[way->location].rank,
                            event);
    }
}

static enum mw_status take_sample(struct way *way, const struct mwa_event *event)
{
    struct mwa_event sample = *event;

    sample.of.metric.values =
        mwa_rebuilt_values(&way->rebuilt, way->trace, way->trace->locations[way->location].rank,
                           event->time, &event->of.metric);
    return way->listener->sample(way->listener->user, &sample);
}

static enum mw_status tell_event(const struct way *way,
                                 enum mw_status (*tell)(void *, const struct mwa_event *),
                                 const struct mwa_event *event)
{
    return way->is_inside && tell ? tell(way->listener->user, event) : MW_OK;
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
        return way->is_inside && way->listener->sample ? take_sample(way, event) : MW_OK;
    case MWA_RUNNING:
        return tell_event(way, way->listener->running, event);
    case MWA_MEASUREMENT:
        return tell_event(way, way->listener->measurement, event);
    case MWA_DISCONTINUITY:
        return tell_event(way, way->listener->discontinuity, event);
    case MWA_MARKER:
        return tell_event(way, way->listener->marker, event);
    default:
        take_fact(way, event);
        return MW_OK;
    }
}

/* --- a location --------------------------------------------------------------------------- */

static bool is_in_mpi(const struct way *way, const struct mwa_block_entry *entry,
                      const struct mwa_open_call *calls)
{
    bool is_in = false;

    for (uint32_t i = 0; i < entry->calls; i++) {
        is_in |= way->trace->regions[calls[i].region].kind != MWA_REGION_USER;
    }
    return is_in;
}

/* Opens the location where reading may begin, by itself if it has no part in the selection's start:
 * outside of calls of MPI, for what is known of one was told when it was entered, and since. */
static enum mw_status open_location(struct mwa_input *input, struct way *way,
                                    struct mwa_event_reader **reader)
{
    const struct mwa_block_states *known = way->selection->known;
    uint64_t time = way->selection->from;
    const struct mwa_block_entry *entry;
    const struct mwa_open_call *calls;
    enum mw_status status;

    way->last = 0;
    if (mwa_input_start(input, way->location)) {
        return mwa_event_reader_open(input, way->location, reader, way->diagnostic);
    }
    while ((entry = mwa_block_states_before(known, way->location, time, &calls)) != NULL &&
           is_in_mpi(way, entry, calls)) {
        time = entry->last_time;
    }
    status = mwa_event_reader_open_at(input, known, way->location, time, reader, &entry, &calls,
                                      way->diagnostic);
    way->last = status == MW_OK && entry ? entry->last_time : 0;
    for (uint32_t i = 0; status == MW_OK && entry && i < entry->calls; i++) {
        const struct mwa_event event = { .kind = MWA_ENTER,
                                         .location = way->location,
                                         .time = calls[i].enter,
                                         .of.call = { .region = calls[i].region,
                                                      .site = calls[i].site,
                                                      .repeat = calls[i].repeat } };

        status = take_enter(way, &event);
    }
    return status;
}

static enum mw_status walk_location(struct mwa_input *input, struct way *way)
{
    struct mwa_event_reader *reader = NULL;
    enum mw_status status;

    way->depth = way->mpi_depth = 0;
    while (way->next_end < way->links.end_count &&
           mwa_link_end_location(&way->links.ends[way->next_end]) < way->location) {
        way->next_end++;
    }
    way->is_inside = way->is_past = false;
    status = open_location(input, way, &reader);
    if (status == MW_OK && way->listener->location) {
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

/* --- waits and messages ------------------------------------------------------------------- */

/*
 * Waits of a location, cut to the window: those of one call begin together as a rule, and the
 * longest comes first; what ends behind the one that it begins in is cut to that.
 */
static enum mw_status tell_waits(struct way *way)
{
    enum mw_status status = MW_OK;
    uint64_t open_until = 0;

    for (; way->next_wait < way->links.wait_count && status == MW_OK; way->next_wait++) {
        const struct mwa_link_wait *wait = &way->links.waits[way->next_wait];
        uint64_t from = wait->from > way->selection->from ? wait->from : way->selection->from;
        uint64_t to = wait->to < way->selection->to ? wait->to : way->selection->to;

        if (wait->location > way->location) {
            return MW_OK;
        }
        if (from < open_until && to > open_until) {
            to = open_until;
        }
        open_until = to > open_until ? to : open_until;
        if (wait->location == way->location && from < to) {
            status = way->listener->wait(way->listener->user, wait, from, to);
        }
    }
    return status;
}

static enum mw_status tell_messages(const struct way *way)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < way->links.count && status == MW_OK; i++) {
        status = way->listener->message(way->listener->user, &way->links.list[i]);
    }
    return status;
}

static enum mw_status walk_locations(const char *path, struct way *way)
{
    struct mwa_input *input = NULL;
    enum mw_status status = mwa_input_open_again(way->trace, path, &input, way->diagnostic);

    if (status == MW_OK) {
        mwa_input_begin_at(input, way->selection->start);
    }
    for (uint32_t i = 0; i < way->trace->location_count && status == MW_OK; i++) {
        uint32_t rank = way->trace->locations[i].rank;

        way->location = i;
        if (rank == MWA_NONE ? !way->selection->ranks
                             : mwa_selection_has_rank(way->selection, rank)) {
            status = walk_location(input, way);
            if (status == MW_OK && way->listener->wait) {
                status = tell_waits(way);
            }
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
    enum mw_status status =
        listener->sample ? mwa_rebuilt_make(&way.rebuilt, trace, path, diagnostic) : MW_OK;

    if (status == MW_OK) {
        status = mwa_links_make(trace, path, selection, &way.links, diagnostic);
    }
    if (status == MW_OK) {
        status = walk_locations(path, &way);
    }
    if (status == MW_OK && listener->message) {
        status = tell_messages(&way);
    }
    mwa_links_fini(&way.links);
    mwa_rebuilt_fini(&way.rebuilt);
    free(way.stack);
    return status;
}
