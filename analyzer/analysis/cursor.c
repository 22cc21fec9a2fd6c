/* A location is read to its end, to that of a span or a chapter, or by another thread, ahead. */
#include "analyzer/analysis/cursor.h"

#include <stdlib.h>

#include "analyzer/analysis/cursor_calls.h"
#include "analyzer/analysis/event_parts.h"

static enum mw_status no_memory(const char *name, struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "for the analysis %s", name);
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
                                         .listener = { cursor, mwa_cursor_take, resume },
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
    struct mwa_stream_listener listener = { .visit = mwa_cursor_take };
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
    if (status == MW_OK) {
        status = open_reader(cursor, index, diagnostic);
    }
    if (status == MW_OK) {
        mwa_listeners_heed(&cursor->listeners, mwa_event_reader_count(cursor->reader) >=
                                                   mwa_chapter_before(pass->chapter, index));
        mwa_listeners_add(&cursor->listeners, pass->listener);
    }
    return status;
}

/* Frees all but the readers. */
static void fini_cursor(struct mwa_cursor *cursor)
{
    mwa_listeners_fini(&cursor->listeners);
    mwa_call_uses_fini(&cursor->uses);
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
    uint32_t location = mwa_cursor_index(cursor);
    enum mw_status status = MW_OK;

    if (cursor->ordering) {
        status = mwa_ordering_advance(cursor->ordering, location, time);
    }
    if (status == MW_OK && cursor->exchange) {
        status = mwa_exchange_advance(cursor->exchange, location, time);
    }
    return status;
}

/* The location, or what of it is in the chapter, is through: closes what is open, and merges. */
static enum mw_status close_all(struct mwa_cursor *cursor, void **totals)
{
    const struct mwa_event last = { .kind = MWA_LEAVE,
                                    .time = cursor->time,
                                    .location = mwa_cursor_index(cursor),
                                    .of.call.inside = UINT64_MAX };
    const struct mwa_waypoint waypoint = { .kind = MWA_WAYPOINT_LAST, .time = cursor->time };
    const bool goes_on = mwa_cursor_goes_on(cursor);
    enum mw_status status = MW_OK;

    while (status == MW_OK && cursor->depth > 0) {
        cursor->unclosed += !goes_on;
        status = mwa_cursor_close_call(cursor, &last, true);
    }
    if (status == MW_OK) {
        status = mwa_cursor_end_row(cursor);
    }
    if (status == MW_OK && cursor->has_begun) {
        status = mwa_cursor_tell_waypoint(cursor, &waypoint);
    }
    if (status == MW_OK && cursor->pass->parts) {
        mwa_event_parts_keep(cursor->pass->parts, last.location, &cursor->listeners, cursor->time);
        return MW_OK;
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
    return mwa_cursor_begin_of_open(cursor) > time;
}

static enum mw_status end_cursor(struct mwa_cursor *cursor, void **totals,
                                 struct mwa_pass_result *result)
{
    uint64_t events = cursor->stream ? mwa_stream_count(cursor->stream)
                                     : mwa_event_reader_count(cursor->reader);

    result->events += events - mwa_chapter_before(cursor->pass->chapter, mwa_cursor_index(cursor));
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

/* Reads as mwa_event_reader_read, up to the chapter's end, and to where the analyses' part of it
 * begins. */
static enum mw_status read_chapter(struct mwa_cursor *cursor, uint64_t most)
{
    const struct mwa_chapter *chapter = cursor->pass->chapter;
    const uint64_t count = mwa_event_reader_count(cursor->reader);
    const uint64_t begin = mwa_chapter_before(chapter, mwa_cursor_index(cursor));
    const bool is_before = count < begin;
    const uint64_t end = is_before ? begin : mwa_chapter_end(chapter, mwa_cursor_index(cursor));
    const uint64_t left = end - count;
    enum mw_status status = mwa_event_reader_read(cursor->reader, most < left ? most : left,
                                                  mwa_cursor_take, cursor, cursor->diagnostic);

    if (status != MW_OK || mwa_event_reader_count(cursor->reader) < end) {
        return status;
    }
    mwa_listeners_heed(&cursor->listeners, is_before);
    cursor->has_stopped = !is_before;
    return is_before ? MW_OK : MW_END;
}

static enum mw_status read_events(struct mwa_cursor *cursor, uint64_t most)
{
    if (cursor->stream) {
        return mwa_stream_read(cursor->stream, mwa_cursor_take, cursor, cursor->diagnostic);
    }
    return cursor->pass->chapter
               ? read_chapter(cursor, most)
               : mwa_event_reader_read(cursor->reader, most,
                                       cursor->pass->span ? take_cut_event : mwa_cursor_take,
                                       cursor, cursor->diagnostic);
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
               ? tell_progress(cursor, mwa_cursor_begin_of_open(cursor))
               : status;
}
