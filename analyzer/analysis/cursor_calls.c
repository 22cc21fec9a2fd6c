/* A stack of calls is kept here, once for all analyses. */
#include "analyzer/analysis/cursor_calls.h"

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

enum mw_status mwa_cursor_tell_waypoint(const struct mwa_cursor *cursor,
                                        const struct mwa_waypoint *waypoint)
{
    const struct mwa_pass_listener *listener = cursor->listener;
    enum mw_status status =
        listener && listener->waypoint
            ? listener->waypoint(listener->user, mwa_cursor_index(cursor), waypoint)
                                 : MW_OK;

    return status == MW_OK ? MW_OK
                           : mw_fail(cursor->diagnostic, status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                                     "no memory to follow the run");
}

enum mw_status mwa_cursor_end_row(struct mwa_cursor *cursor)
{
    const uint64_t left = cursor->row.left;

    if (MW_LIKELY(cursor->row.polls == 0)) {
        return MW_OK;
    }
    cursor->row.polls = 0;
    return mwa_exchange_leave(cursor->exchange, mwa_cursor_index(cursor), left, false);
}

/* Tells the engine that a row of polls goes on, and the listener that what is between two of these
 * was spent outside of MPI. */
static enum mw_status tell_row(const struct mwa_cursor *cursor, const struct mwa_event *event,
                               const struct mwa_region *region)
{
    const struct mwa_waypoint waypoint = { .kind = MWA_WAYPOINT_USEFUL,
                                           .time = event->time,
                                           .ticks = event->time - cursor->row.left };

    mwa_exchange_go_on(cursor->exchange, event->location, region, event->of.call.site,
                       mwa_poll_row_outside(&cursor->row, event->time));
    return waypoint.ticks > 0 ? mwa_cursor_tell_waypoint(cursor, &waypoint) : MW_OK;
}

/* Tells the engine of an outermost call of MPI. */
static enum mw_status tell_call(struct mwa_cursor *cursor, const struct mwa_event *event,
                                const struct mwa_region *region)
{
    const struct mwa_chapter *chapter = cursor->pass->chapter;
    enum mw_status status =
        cursor->row.polls > 0
            ? tell_row(cursor, event, region)
            : mwa_exchange_enter(cursor->exchange, event->location, region,
                                 innermost(cursor)->user, event->of.call.site, event->time);

    cursor->has_got = event->of.call.found.is_told;
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

/* Whether with the region that is entered the row is over: it is no poll that goes on with it, and
 * not inside of one. */
static bool ends_row(const struct mwa_cursor *cursor, const struct mwa_event *event,
                     const struct mwa_region *region)
{
    const bool is_inside = cursor->moment.mpi_depth > (region->kind != MWA_REGION_USER);

    return cursor->row.polls > 0 && !is_inside &&
           !(mw_call_polls(region->call) &&
             mwa_poll_row_goes_on(&cursor->row, cursor->moment.trace, event->time));
}

/* Tells engine and ordering of an outermost MPI call, and the listener of a region of the program.
 */
static enum mw_status tell_enter(struct mwa_cursor *cursor, const struct mwa_event *event,
                                 const struct mwa_region *region)
{
    if (ends_row(cursor, event, region)) {
        const enum mw_status status = mwa_cursor_end_row(cursor);

        if (status != MW_OK) {
            return status;
        }
    }
    if (region->kind == MWA_REGION_USER) {
        const struct mwa_waypoint waypoint = { .kind = MWA_WAYPOINT_ENTER,
                                               .region = event->of.call.region,
                                               .time = event->time };

        return mwa_cursor_tell_waypoint(cursor, &waypoint);
    }
    if (cursor->moment.mpi_depth != 1) {
        return MW_OK;
    }
    return cursor->exchange   ? tell_call(cursor, event, region)
           : cursor->ordering ? tell_found(cursor, event)
                              : MW_OK;
}

#define MANY 16u /* polls of one record: by itself it is a row, of a few it may go on with one */

/* Whether call, an outermost one, is a poll with which a row begins or goes on, which then is not
 * left. Of several threads each may get what another one asks for. */
static bool is_of_row(struct mwa_cursor *cursor, const struct mwa_call *call)
{
    const struct mwa_trace *trace = cursor->moment.trace;
    const uint32_t rank = cursor->location->rank;

    return !cursor->has_got && !call->open && mw_call_polls(call->region->call) &&
           rank != MWA_NONE && trace->ranks[rank].locations == 1 &&
           mwa_poll_row_take(&cursor->row, trace, call);
}

/* The engine's call, which call is or ends with, is left, unless that is a row of polls. */
static enum mw_status leave_call(struct mwa_cursor *cursor, const struct mwa_call *call)
{
    if (call->use > MWA_USE_MESSAGES || cursor->row.polls > 0) {
        mwa_exchange_use(cursor->exchange, mwa_cursor_index(cursor), call->use);
    }
    if (is_of_row(cursor, call)) {
        if (call->repeat >= MANY) {
            mwa_exchange_go_on(cursor->exchange, mwa_cursor_index(cursor), call->region,
                               call->site, mwa_poll_row_outside(&cursor->row, call->leave));
        }
        return MW_OK;
    }
    cursor->row.polls = 0;
    return mwa_exchange_leave(cursor->exchange, mwa_cursor_index(cursor), call->leave,
                              call->open);
}

/* The same for the leave: what is open where the chapter ends goes on in the next one. */
static enum mw_status tell_leave(struct mwa_cursor *cursor, const struct mwa_event *event,
                                 const struct mwa_call *call)
{
    const bool is_user = call->region->kind == MWA_REGION_USER;
    const bool is_left = is_user && !(call->open && mwa_cursor_goes_on(cursor));
    const uint64_t useful = call->leave - call->enter - call->inclusive;
    enum mw_status status =
        is_user && cursor->moment.mpi_depth == 0 ? mwa_cursor_end_row(cursor) : MW_OK;

    if (status != MW_OK) {
        return status;
    }
    if (is_left || (!is_user && call->outermost && useful > 0)) {
        const struct mwa_waypoint waypoint = {
            .kind = is_user ? MWA_WAYPOINT_LEAVE : MWA_WAYPOINT_USEFUL,
            .time = event->time,
            .ticks = useful
        };

        status = mwa_cursor_tell_waypoint(cursor, &waypoint);
    }
    if (call->outermost && cursor->ordering) {
        mwa_ordering_leave(cursor->ordering, event->location, event->time);
    }
    return status == MW_OK && call->outermost && cursor->exchange ? leave_call(cursor, call)
                                                                  : status;
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
        return mw_no_memory(cursor->diagnostic, NULL, "for the analysis waits");
    }
    if (is_mpi) {
        moment->mpi = region;
        moment->site = event->of.call.site;
        if (moment->mpi_depth++ == 0) {
            moment->mpi_enter = event->time;
            cursor->uses.kinds = 0;
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

    call.use = call.outermost
                   ? mwa_call_uses_leave(&cursor->uses, frame->region->call, frame->site)
                   : mwa_use_of(cursor->uses.kinds);
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

enum mw_status mwa_cursor_close_call(struct mwa_cursor *cursor, const struct mwa_event *event,
                                     bool open)
{
    return close_call(cursor, event, open);
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

/* What the engine is told of is of the call that is open, or of none, and then the row is over. */
static enum mw_status tell_event(struct mwa_cursor *cursor, const struct mwa_event *event)
{
    const bool says_something = mwa_is_ordered(event->kind) || event->kind == MWA_FILE;
    enum mw_status status = MW_OK;

    cursor->has_got |= says_something;
    if (says_something && cursor->moment.mpi_depth == 0) {
        status = mwa_cursor_end_row(cursor);
    }
    return status == MW_OK ? mwa_exchange_event(cursor->exchange, event) : status;
}

/* Whatever is no beginning and no end of a call. */
MW_APART enum mw_status take_other(struct mwa_cursor *cursor, const struct mwa_event *event)
{
    enum mw_status status = mwa_call_uses_take(&cursor->uses, event);

    if (MW_UNLIKELY(status != MW_OK)) {
        return mw_no_memory(cursor->diagnostic, NULL, "for open requests");
    }
    status = tell_moment(cursor, event->kind);
    if (status == MW_OK && cursor->ordering) {
        status = mwa_ordering_event(cursor->ordering, event, mwa_cursor_begin_of_open(cursor),
                                    NULL);
    }
    if (status == MW_OK && cursor->exchange) {
        status = tell_event(cursor, event);
    }
    return status;
}

MW_APART enum mw_status take_first_event(struct mwa_cursor *cursor, const struct mwa_event *event)
{
    const struct mwa_waypoint waypoint = { .kind = MWA_WAYPOINT_FIRST, .time = event->time };
    enum mw_status status = mwa_cursor_tell_waypoint(cursor, &waypoint);

    cursor->has_begun = true;
    return status == MW_OK ? mwa_cursor_take(cursor, event) : status;
}

/* Each event comes through here, which saves nothing for itself while others take it. */
enum mw_status mwa_cursor_take(void *user, const struct mwa_event *event)
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
