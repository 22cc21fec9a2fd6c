/*
 * How long a coalesced call lasts is known when it is left: as long as one that was entered in the
 * span is open behind it, events are read, though nobody is told of them.
 */
#include "analyzer/analysis/span_cut.h"

#include "analyzer/model/bins.h"

bool mwa_span_cut_begin(struct mwa_span_cut *cut, const struct mwa_block_entry *entry,
                        const struct mwa_open_call *calls)
{
    cut->has_events = true;
    cut->last_time = entry->last_time;
    return mwa_open_calls_begin(&cut->open, calls, entry->calls, entry->is_through == 1);
}

static enum mw_status tell(const struct mwa_span_cut *cut, const struct mwa_event *event)
{
    return cut->listener.event(cut->listener.user, event);
}

static uint64_t clamp(const struct mwa_span *span, uint64_t time)
{
    return time < span->from ? span->from : time > span->to ? span->to : time;
}

/* Tells the leave of call at a time, cut to the span. */
static enum mw_status tell_leave(const struct mwa_span_cut *cut, const struct mwa_open_call *call,
                                 uint64_t time, bool open)
{
    const uint64_t from = clamp(cut->span, call->enter), to = clamp(cut->span, time);
    const uint64_t length = time - call->enter;
    struct mwa_event event = { .kind = MWA_LEAVE,
                               .location = cut->location,
                               .time = to,
                               .object = MWA_NONE,
                               .of.call = { .region = call->region,
                                            .site = MWA_NONE,
                                            .open = open && to == time,
                                            .repeat = 1,
                                            .inside = UINT64_MAX } };

    if (call->inside != UINT64_MAX && to - from < length) {
        const uint64_t inside = call->inside < length ? call->inside : length;
        const uint64_t repeat = mwa_ticks_share(call->repeat, call->enter, time, from, to);

        event.of.call.inside = mwa_ticks_share(inside, call->enter, time, from, to);
        event.of.call.repeat = repeat > 0 ? repeat : 1;
    }
    return tell(cut, &event);
}

static enum mw_status tell_enter(const struct mwa_span_cut *cut, const struct mwa_open_call *call)
{
    const struct mwa_event event = { .kind = MWA_ENTER,
                                     .location = cut->location,
                                     .time = cut->span->from,
                                     .object = MWA_NONE,
                                     .of.call = { .region = call->region,
                                                  .site = call->site,
                                                  .repeat = call->repeat,
                                                  .inside = call->inside,
                                                  .found = call->found } };

    return tell(cut, &event);
}

/* The location reaches the span. */
static enum mw_status begin(struct mwa_span_cut *cut)
{
    enum mw_status status = MW_OK;

    cut->has_begun = true;
    if (cut->has_events) {
        status = cut->listener.begin(cut->listener.user, cut->span->from, cut->open.is_through);
    }
    for (uint32_t i = 0; status == MW_OK && i < cut->open.depth; i++) {
        status = tell_enter(cut, &cut->open.stack[i]);
    }
    return status;
}

/* Tells that those calls of the span are left that are not among the keep outermost ones. */
static enum mw_status tell_leaves(struct mwa_span_cut *cut, uint32_t keep, uint64_t time, bool open)
{
    enum mw_status status = MW_OK;

    for (uint32_t i = cut->within; status == MW_OK && i > keep; i--) {
        status = tell_leave(cut, &cut->open.stack[i - 1], time, open);
    }
    cut->within = keep < cut->within ? keep : cut->within;
    return status;
}

static enum mw_status take_within(struct mwa_span_cut *cut, const struct mwa_event *event)
{
    enum mw_status status = MW_OK;

    if (event->kind == MWA_RUNNING) {
        return MW_OK;
    }
    cut->within = cut->open.depth;
    if (event->kind == MWA_LEAVE) {
        const uint32_t keep = mwa_open_calls_kept(&cut->open, event->of.call.region);

        status = keep == cut->open.depth
                     ? tell(cut, event)
                     : tell_leaves(cut, keep, event->time, event->of.call.open);
    } else {
        status = tell(cut, event);
    }
    return status;
}

static bool waits_for_leaves(const struct mwa_span_cut *cut)
{
    for (uint32_t i = 0; i < cut->within; i++) {
        if (cut->open.stack[i].inside != UINT64_MAX) {
            return true;
        }
    }
    return false;
}

/* event is behind the span. */
static enum mw_status take_behind(struct mwa_span_cut *cut, const struct mwa_event *event)
{
    enum mw_status status = MW_OK;

    if (!cut->is_behind) {
        cut->is_behind = true;
        cut->within = cut->open.depth;
    }
    if (event->kind == MWA_LEAVE) {
        status = tell_leaves(cut, mwa_open_calls_kept(&cut->open, event->of.call.region),
                             event->time, false);
    }
    return status == MW_OK && !waits_for_leaves(cut) ? MW_END : status;
}

enum mw_status mwa_span_cut_take(struct mwa_span_cut *cut, const struct mwa_event *event)
{
    enum mw_status status = MW_OK;

    if (!cut->has_begun && event->time >= cut->span->from &&
        (cut->has_events || event->time <= cut->span->to)) {
        status = begin(cut);
    }
    if (status == MW_OK && event->time > cut->span->to) {
        status = take_behind(cut, event);
    } else if (status == MW_OK && event->time >= cut->span->from) {
        status = take_within(cut, event);
    }
    cut->last_time = event->time;
    cut->has_events = true;
    return status == MW_OK ? mwa_open_calls_take(&cut->open, event) : status;
}

enum mw_status mwa_span_cut_end(struct mwa_span_cut *cut)
{
    if (cut->has_events && !cut->has_begun) {
        return cut->listener.begin(cut->listener.user, clamp(cut->span, cut->last_time),
                                   cut->open.is_through);
    }
    return cut->is_behind ? tell_leaves(cut, 0, cut->last_time, false) : MW_OK;
}

void mwa_span_cut_fini(struct mwa_span_cut *cut)
{
    mwa_open_calls_fini(&cut->open);
}
