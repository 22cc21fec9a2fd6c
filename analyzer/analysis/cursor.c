/* A stack of calls is kept here, once for all analyses. */
#include "analyzer/analysis/cursor.h"

#include <stdlib.h>

static enum mw_status no_memory(const char *name, struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "for the analysis %s", name);
}

/* Tells analyses and listener of the cursor's moment, which is an event of the kind. */
MW_INLINE enum mw_status tell_moment(struct mwa_cursor *cursor, enum mwa_event_kind kind)
{
    return MW_LIKELY(mwa_listeners_tell(&cursor->listeners, kind, &cursor->moment))
               ? MW_OK
               : mwa_listeners_fail(&cursor->listeners, cursor->diagnostic);
}

/* The innermost call that is open, or what is outside of all. */
static const struct mwa_frame *innermost(const struct mwa_cursor *cursor)
{
    static const struct mwa_frame outside = { .site = MWA_NONE };

    return cursor->depth > 0 ? &cursor->stack[cursor->depth - 1] : &outside;
}

static uint32_t location_index(const struct mwa_cursor *cursor)
{
    return (uint32_t)(cursor->location - mwa_input_trace(cursor->pass->input)->locations);
}

static enum mw_status tell_waypoint(const struct mwa_cursor *cursor,
                                    const struct mwa_waypoint *waypoint)
{
    const struct mwa_pass_listener *listener = cursor->listener;
    enum mw_status status =
        listener && listener->waypoint
            ? listener->waypoint(listener->user, location_index(cursor), waypoint)
                                 : MW_OK;

    return status == MW_OK ? MW_OK
                           : mw_fail(cursor->diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                                     "no memory to follow the run");
}

/* Tells the engine of an outermost call of MPI. */
static enum mw_status tell_call(const struct mwa_cursor *cursor, const struct mwa_event *event,
                                const struct mwa_region *region)
{
    const struct mwa_chapter *chapter = cursor->pass->chapter;
    enum mw_status status =
        mwa_exchange_enter(cursor->exchange, event->location, region, innermost(cursor)->user,
                           event->of.call.site, event->time);

    if (event->of.call.found.is_told && status == MW_OK) {
        status = mwa_exchange_found(cursor->exchange, event->location, event->time,
                                    &event->of.call.found);
    }
    if (chapter && status == MW_OK) {
        const uint64_t events = mwa_event_reader_count(cursor->reader);

        mwa_exchange_at_seam(cursor->exchange, event->location,
                             mwa_chapter_begins(chapter->start, event->location, events),
                             mwa_chapter_begins(chapter->next, event->location, events));
    }
    return status;
}

/* Tells the ordering what an outermost call has found as a probe. */
static enum mw_status tell_found(const struct mwa_cursor *cursor, const struct mwa_event *event)
{
    const struct mwa_event found =
        mwa_found_event(event->location, event->time, &event->of.call.found);

    return event->of.call.found.is_told
               ? mwa_ordering_event(cursor->ordering, &found, event->time, NULL)
               : MW_OK;
}

/* Tells engine and ordering of an outermost MPI call, and the listener of a region of the program.
 */
static enum mw_status tell_enter(const struct mwa_cursor *cursor, const struct mwa_event *event,
                                 const struct mwa_region *region)
{
    if (region->kind == MWA_REGION_USER) {
        const struct mwa_waypoint waypoint = { .kind = MWA_WAYPOINT_ENTER,
                                               .region = event->of.call.region,
                                               .time = event->time };

        return tell_waypoint(cursor, &waypoint);
    }
    if (cursor->moment.mpi_depth != 1) {
        return MW_OK;
    }
    return cursor->exchange   ? tell_call(cursor, event, region)
           : cursor->ordering ? tell_found(cursor, event)
                              : MW_OK;
}

/* The same for the leave. */
static enum mw_status tell_leave(const struct mwa_cursor *cursor, const struct mwa_event *event,
                                 const struct mwa_call *call)
{
    const bool is_user = call->region->kind == MWA_REGION_USER;
    const uint64_t useful = call->leave - call->enter - call->inclusive;
    enum mw_status status = MW_OK;

    if (is_user || (call->outermost && useful > 0)) {
        const struct mwa_waypoint waypoint = {
            .kind = is_user ? MWA_WAYPOINT_LEAVE : MWA_WAYPOINT_USEFUL,
            .time = event->time,
            .ticks = useful
        };

        status = tell_waypoint(cursor, &waypoint);
    }
    if (call->outermost && cursor->ordering) {
        mwa_ordering_leave(cursor->ordering, event->location, event->time);
    }
    if (status == MW_OK && call->outermost && cursor->exchange) {
        status = mwa_exchange_leave(cursor->exchange, event->location, event->time,
                                    call->open);
    }
    return status;
}

/* Adds user regions that are open where region, one of the program, is. False without memory. */
static bool enter_user(const struct mwa_cursor *cursor, const struct mwa_region *region,
                       const struct mwa_region_path **user)
{
    if (cursor->exchange && cursor->pass->paths) {
        *user = mwa_region_paths_enter(cursor->pass->paths, *user, region);
        return *user != NULL;
    }
    return true;
}

MW_APART enum mw_status enter(struct mwa_cursor *cursor, const struct mwa_event *event)
{
    struct mwa_moment *moment = &cursor->moment;
    const struct mwa_region *region = &moment->trace->regions[event->of.call.region];
    const bool is_mpi = region->kind != MWA_REGION_USER;
    const struct mwa_region_path *user = innermost(cursor)->user;
    enum mw_status status;

    if (cursor->depth == MWA_NESTED_MAX) {
        return mw_fail(cursor->diagnostic, MW_ERROR_FORMAT, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "calls are nested deeper than %u", MWA_NESTED_MAX);
    }
    if (!mwa_grow(&cursor->stack, &cursor->stack_capacity, cursor->depth + 1u,
                  sizeof *cursor->stack)) {
        return mw_no_memory(cursor->diagnostic, NULL, "for open calls");
    }
    if (!is_mpi && !enter_user(cursor, region, &user)) {
        return no_memory("waits", cursor->diagnostic);
    }
    if (is_mpi) {
        moment->mpi = region;
        moment->site = event->of.call.site;
        if (moment->mpi_depth++ == 0) {
            moment->mpi_enter = event->time;
        }
    }
    cursor->stack[cursor->depth++] = (struct mwa_frame){ .region = region,
                                                         .site = moment->site,
                                                         .mpi = moment->mpi,
                                                         .user = user,
                                                         .enter = event->time,
                                                         .repeat = event->of.call.repeat,
                                                         .inside = event->of.call.inside,
                                                         .found = event->of.call.found };
    status = tell_enter(cursor, event, region);
    return status == MW_OK ? tell_moment(cursor, MWA_ENTER) : status;
}

/* The innermost call is closed, with so many ticks inside: goes back to the one outside of it. */
static void go_out(struct mwa_cursor *cursor, const struct mwa_frame *frame, uint64_t inclusive)
{
    const bool is_mpi = frame->region->kind != MWA_REGION_USER;
    const struct mwa_frame *outer;

    cursor->depth--;
    outer = innermost(cursor);
    cursor->moment.call = NULL;
    cursor->moment.mpi = outer->mpi;
    cursor->moment.site = outer->site;
    cursor->moment.mpi_depth -= is_mpi;
    if (cursor->depth > 0) {
        cursor->stack[cursor->depth - 1].children += inclusive;
        cursor->stack[cursor->depth - 1].mpi_calls += is_mpi ? inclusive : frame->mpi_calls;
    }
}

/* Closes the innermost call at the event's time. */
MW_APART enum mw_status close_call(struct mwa_cursor *cursor, const struct mwa_event *event,
                                   bool open)
{
    const struct mwa_frame *frame = &cursor->stack[cursor->depth - 1];
    const struct mwa_region_data *told = &event->of.call;
    bool is_told = told->inside != UINT64_MAX;
    uint64_t spent = event->time - frame->enter;
    bool is_mpi = frame->region->kind != MWA_REGION_USER;
    uint64_t whole = is_told ? told->inside : frame->inside;
    uint64_t inclusive = whole < spent ? whole : spent;
    uint64_t inside = is_mpi ? frame->mpi_calls : frame->children;
    struct mwa_call call = { .region = frame->region,
                             .site = frame->site,
                             .enter = frame->enter,
                             .leave = event->time,
                             .inclusive = inclusive,
                             .exclusive = inclusive > inside ? inclusive - inside : 0,
                             .repeat = is_told ? told->repeat : frame->repeat,
                             .found = frame->found,
                             .outermost = is_mpi && cursor->moment.mpi_depth == 1,
                             .open = open };
    enum mw_status status;

    cursor->moment.event = event;
    cursor->moment.call = &call;
    if (mwa_begins_run(&cursor->moment)) {
        cursor->has_run = true;
    }
    status = tell_moment(cursor, MWA_LEAVE);
    if (status == MW_OK) {
        status = tell_leave(cursor, event, &call);
    }
    go_out(cursor, frame, inclusive);
    return status;
}

/*
 * Normally the innermost call is left. Traces of other tools also leave an outer one,
 * which closes what is inside, or one that was never entered, which is only counted.
 */
MW_APART enum mw_status leave_other(struct mwa_cursor *cursor, const struct mwa_event *event,
                                    const struct mwa_region *region)
{
    uint32_t keep = cursor->depth;
    enum mw_status status = MW_OK;

    while (keep > 0 && cursor->stack[keep - 1].region != region) {
        keep--;
    }
    if (keep == 0) {
        cursor->stray_leaves++;
        return MW_OK;
    }
    while (status == MW_OK && cursor->depth >= keep) {
        bool inner = cursor->depth > keep;

        cursor->unclosed += inner;
        status = close_call(cursor, event, event->of.call.open);
    }
    return status;
}

static enum mw_status leave(struct mwa_cursor *cursor, const struct mwa_event *event)
{
    const struct mwa_region *region = event->of.call.region == MWA_NONE
                                          ? NULL
                                          : &cursor->moment.trace->regions[event->of.call.region];

    return MW_LIKELY(region && innermost(cursor)->region == region)
               ? close_call(cursor, event, event->of.call.open)
               : leave_other(cursor, event, region);
}

/* Where the outermost MPI call begins that is open, or the time of the last event: ticks. */
static uint64_t begin_of_open(const struct mwa_cursor *cursor)
{
    return cursor->moment.mpi_depth > 0 ? cursor->moment.mpi_enter : cursor->time;
}

/* Whatever is no beginning and no end of a call. */
MW_APART enum mw_status take_other(struct mwa_cursor *cursor, const struct mwa_event *event)
{
    enum mw_status status = tell_moment(cursor, event->kind);

    if (status == MW_OK && cursor->ordering) {
        status = mwa_ordering_event(cursor->ordering, event, begin_of_open(cursor), NULL);
    }
    if (status == MW_OK && cursor->exchange) {
        status = mwa_exchange_event(cursor->exchange, event);
    }
    return status;
}

static enum mw_status take_event(void *user, const struct mwa_event *event);

MW_APART enum mw_status take_first_event(struct mwa_cursor *cursor, const struct mwa_event *event)
{
    const struct mwa_waypoint waypoint = { .kind = MWA_WAYPOINT_FIRST, .time = event->time };
    enum mw_status status = tell_waypoint(cursor, &waypoint);

    cursor->has_begun = true;
    return status == MW_OK ? take_event(cursor, event) : status;
}

/* Each event comes through here, which saves nothing for itself while others take it. */
static enum mw_status take_event(void *user, const struct mwa_event *event)
{
    struct mwa_cursor *cursor = user;

    if (MW_UNLIKELY(!cursor->has_begun)) {
        return take_first_event(cursor, event);
    }
    cursor->time = event->time;
    cursor->moment.event = event;
    switch (event->kind) {
    case MWA_ENTER:
        return enter(cursor, event);
    case MWA_LEAVE:
        return leave(cursor, event);
    default:
        return take_other(cursor, event);
    }
}

/* --- of a span -------------------------------------------------------------------------------- */

static enum mw_status resume(void *user, uint64_t time, bool is_through)
{
    struct mwa_cursor *cursor = user;

    cursor->time = time;
    mwa_listeners_resume(&cursor->listeners, time, is_through);
    return MW_OK;
}

static enum mw_status take_cut_event(void *user, const struct mwa_event *event)
{
    struct mwa_cursor *cursor = user;
    enum mw_status status = mwa_span_cut_take(&cursor->cut, event);

    cursor->has_stopped = status == MW_END;
    return status;
}

/* Opens the reader, of the part that the pass wants. */
static enum mw_status open_reader(struct mwa_cursor *cursor, uint32_t index,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mwa_pass *pass = cursor->pass;
    const struct mwa_block_entry *entry;
    const struct mwa_open_call *calls;
    enum mw_status status;

    if (!pass->span) {
        return mwa_event_reader_open(pass->input, index, &cursor->reader, diagnostic);
    }
    cursor->cut = (struct mwa_span_cut){ .span = pass->span,
                                         .location = index,
                                         .listener = { cursor, take_event, resume },
                                         .open.trace = mwa_input_trace(pass->input) };
    status = mwa_event_reader_open_at(pass->input, pass->known, index, pass->span->from,
                                      &cursor->reader, &entry, &calls, diagnostic);
    return status == MW_OK && entry && !mwa_span_cut_begin(&cursor->cut, entry, calls)
               ? mw_no_memory(diagnostic, NULL, "for open calls")
               : status;
}

/* Ends the span, so that only those calls are open in which the record ends. */
static enum mw_status end_span(struct mwa_cursor *cursor)
{
    const struct mwa_span_cut *cut = &cursor->cut;
    enum mw_status status = mwa_span_cut_end(&cursor->cut);

    if (cut->has_begun) {
        cursor->time = cut->is_behind ? cut->span->to : cut->last_time;
    }
    return status;
}

/* --- a location ------------------------------------------------------------------------------- */

/* Makes a cursor without anybody who is told of its events. */
static void init_cursor(struct mwa_cursor *cursor, const struct mwa_pass *pass, uint32_t index,
                        struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(pass->input);

    *cursor = (struct mwa_cursor){ .pass = pass,
                                   .location = &trace->locations[index],
                                   .has_run = mwa_input_start(pass->input, index) != NULL,
                                   .diagnostic = diagnostic };
    cursor->moment = (struct mwa_moment){ .trace = trace,
                                          .location = cursor->location,
                                          .site = MWA_NONE,
                                          .window = pass->window,
                                          .selected_comms = pass->selected_comms,
                                          .other_locations = pass->other_locations,
                                          .is_cut = pass->span != NULL };
}

/* Opens the stream of cursor: who reads it lets the analyses see it, with a cursor of theirs. */
static enum mw_status open_stream(struct mwa_cursor *cursor, struct mwa_read_ahead *ahead,
                                  uint32_t index, struct mw_diagnostic *diagnostic)
{
    struct mwa_stream_listener listener = { .visit = take_event };
    enum mw_status status;

    if (cursor->pass->analysis_count > 0) {
        cursor->beside = calloc(1, sizeof *cursor->beside);
        if (!cursor->beside) {
            return no_memory(cursor->pass->analyses[0]->name, diagnostic);
        }
        init_cursor(&cursor->beside->cursor, cursor->pass, index, &cursor->beside->diagnostic);
        status = mwa_listeners_begin(&cursor->beside->cursor.listeners, cursor->pass, diagnostic);
        if (status != MW_OK) {
            return status;
        }
        listener.user = &cursor->beside->cursor;
        listener.diagnostic = &cursor->beside->diagnostic;
    }
    return mwa_read_ahead_open(ahead, index, listener.user ? &listener : NULL, &cursor->stream,
                               diagnostic);
}

enum mw_status mwa_cursor_open(const struct mwa_pass *pass, struct mwa_read_ahead *ahead,
                               uint32_t index, struct mwa_cursor *cursor,
                               struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    init_cursor(cursor, pass, index, diagnostic);
    cursor->batch = mwa_batch_of(pass);
    cursor->ordering = pass->ordering;
    cursor->exchange = pass->exchange;
    cursor->listener = pass->listener;
    if (ahead) {
        mwa_listeners_add(&cursor->listeners, pass->listener);
        return open_stream(cursor, ahead, index, diagnostic);
    }
    status = mwa_listeners_begin(&cursor->listeners, pass, diagnostic);
    mwa_listeners_add(&cursor->listeners, pass->listener);
    return status == MW_OK ? open_reader(cursor, index, diagnostic) : status;
}

/* Frees all but the readers. */
static void fini_cursor(struct mwa_cursor *cursor)
{
    mwa_listeners_fini(&cursor->listeners);
    free(cursor->stack);
    mwa_span_cut_fini(&cursor->cut);
}

void mwa_cursor_close(struct mwa_cursor *cursor)
{
    mwa_event_reader_close(cursor->reader);
    fini_cursor(cursor);
    if (cursor->beside) {
        fini_cursor(&cursor->beside->cursor);
        free(cursor->beside);
    }
    *cursor = (struct mwa_cursor){ 0 };
}

/* No later event of the cursor's location begins before time. */
static enum mw_status tell_progress(struct mwa_cursor *cursor, uint64_t time)
{
    uint32_t location = location_index(cursor);
    enum mw_status status = MW_OK;

    if (cursor->ordering) {
        status = mwa_ordering_advance(cursor->ordering, location, time);
    }
    if (status == MW_OK && cursor->exchange) {
        status = mwa_exchange_advance(cursor->exchange, location, time);
    }
    return status;
}

/* The location is through: closes what is open, and merges. */
static enum mw_status close_all(struct mwa_cursor *cursor, void **totals)
{
    const struct mwa_event last = { .kind = MWA_LEAVE,
                                    .time = cursor->time,
                                    .location = location_index(cursor),
                                    .of.call.inside = UINT64_MAX };
    const struct mwa_waypoint waypoint = { .kind = MWA_WAYPOINT_LAST, .time = cursor->time };
    enum mw_status status = MW_OK;

    while (status == MW_OK && cursor->depth > 0) {
        cursor->unclosed++;
        status = close_call(cursor, &last, true);
    }
    if (status == MW_OK && cursor->has_begun) {
        status = tell_waypoint(cursor, &waypoint);
    }
    return status == MW_OK ? mwa_listeners_merge(&cursor->listeners, cursor->location, cursor->time,
                                               totals, cursor->diagnostic)
                           : status;
}

enum mw_status mwa_cursor_stop(struct mwa_cursor *cursor, void **totals,
                               struct mwa_pass_result *result)
{
    enum mw_status status = cursor->pass->span ? end_span(cursor) : MW_OK;

    if (status == MW_OK) {
        status = close_all(cursor, totals);
    }
    if (status == MW_OK && cursor->beside) {
        cursor->beside->cursor.diagnostic = cursor->diagnostic;
        status = close_all(&cursor->beside->cursor, totals);
    }
    result->stray_leaves += cursor->stray_leaves;
    result->unclosed += cursor->unclosed;
    return status == MW_OK ? tell_progress(cursor, UINT64_MAX) : status;
}

bool mwa_cursor_is_behind(const struct mwa_cursor *cursor, uint64_t time)
{
    const struct mwa_trace *trace = mwa_input_trace(cursor->pass->input);
    bool may_begin = cursor->location->rank != MWA_NONE && cursor->location->master &&
                     !cursor->has_run;

    for (uint64_t i = 0; may_begin && i < trace->region_count; i++) {
        if (trace->regions[i].kind == MWA_REGION_INIT) {
            return false;
        }
    }
    return begin_of_open(cursor) > time;
}

static enum mw_status end_cursor(struct mwa_cursor *cursor, void **totals,
                                 struct mwa_pass_result *result)
{
    uint64_t events = cursor->stream ? mwa_stream_count(cursor->stream)
                                     : mwa_event_reader_count(cursor->reader);

    result->events += events;
    if (!cursor->has_stopped && events < cursor->location->events) {
        result->missing_events += cursor->location->events - events;
    }
    return mwa_cursor_stop(cursor, totals, result);
}

uint64_t mwa_cursor_rest(const struct mwa_cursor *cursor)
{
    return cursor->stream ? cursor->batch
                          : cursor->batch - mwa_event_reader_count(cursor->reader) % cursor->batch;
}

bool mwa_cursor_ends_batch(const struct mwa_cursor *cursor)
{
    return mwa_cursor_rest(cursor) == cursor->batch;
}

/* Reads as mwa_event_reader_read, up to the chapter's end. */
static enum mw_status read_chapter(struct mwa_cursor *cursor, uint64_t most)
{
    const uint64_t end = mwa_chapter_end(cursor->pass->chapter, location_index(cursor));
    const uint64_t left = end - mwa_event_reader_count(cursor->reader);
    enum mw_status status = mwa_event_reader_read(cursor->reader, most < left ? most : left,
                                                  take_event, cursor, cursor->diagnostic);

    if (status != MW_OK || mwa_event_reader_count(cursor->reader) < end) {
        return status;
    }
    cursor->has_stopped = true;
    return MW_END;
}

static enum mw_status read_events(struct mwa_cursor *cursor, uint64_t most)
{
    if (cursor->stream) {
        return mwa_stream_read(cursor->stream, take_event, cursor, cursor->diagnostic);
    }
    return cursor->pass->chapter
               ? read_chapter(cursor, most)
               : mwa_event_reader_read(cursor->reader, most,
                                       cursor->pass->span ? take_cut_event : take_event, cursor,
                                       cursor->diagnostic);
}

enum mw_status mwa_cursor_advance(struct mwa_cursor *cursor, uint64_t most, void **totals,
                                  struct mwa_pass_result *result)
{
    enum mw_status status = read_events(cursor, most);

    if (status == MW_END) {
        status = end_cursor(cursor, totals, result);
        return status == MW_OK ? MW_END : status;
    }
    return status == MW_OK
               ? tell_progress(cursor, begin_of_open(cursor))
               : status;
}
