/* A record that is done has both ends of its call: nothing is inside of another call but what the
 * program's own callbacks do, which is told behind it. */
#include "analyzer/live/live_events.h"

#include <otf2/otf2.h>

#include "formats/base/clock.h"

/* What surrounds the members of a call. */
struct surroundings {
    struct mwa_moment moment;
    struct mwa_event event;
    struct mwa_hint *hint; /* room for one of the event, if that has one */
    uint32_t code;        /* of the record */
    uint32_t wildcards; /* of the next member, if that is a receive */
    bool has_root;      /* likewise, if that is a collective operation: root, a rank in it */
    int32_t root;
    enum mw_status status;
};

static uint64_t next_time(struct mwa_live_stream *stream, uint64_t ticks)
{
    const uint64_t time = mw_clock_nanoseconds(ticks, stream->resolution);

    stream->last = time < stream->last || time > MW_TIME_MAX ? stream->last : time;
    return stream->last;
}

/* Receives are for who counts messages by receiver what sends are for the others. */
static enum mw_status tell_receive(const struct mwa_live_listener *listener,
                                   const struct mwa_moment *moment)
{
    struct mwa_event event = *moment->event;
    struct mwa_moment turned = *moment;

    if (event.kind != MWA_RECV && event.kind != MWA_IRECV) {
        return MW_OK;
    }
    event.kind = MWA_SEND;
    turned.event = &event;
    return listener->analysis->event(listener->partial, &turned);
}

static void tell(struct mwa_live_stream *stream, struct surroundings *around,
                 enum mwa_event_kind kind)
{
    around->event.kind = kind;
    around->event.time = stream->last;
    for (uint32_t i = 0; around->status == MW_OK && i < stream->listener_count; i++) {
        const struct mwa_live_listener *listener = &stream->listeners[i];

        if (listener->takes_receives) {
            around->status = tell_receive(listener, &around->moment);
        } else if (listener->analysis->kinds & MWA_KIND(kind)) {
            around->moment.site = listener->takes_codes ? around->code : MWA_NONE;
            around->status = listener->analysis->event(listener->partial, &around->moment);
        }
    }
    if (around->status == MW_OK && stream->waits) {
        around->status =
            mwa_live_waits_take(stream->waits, stream->waits_location, &around->moment);
    }
}

static void tell_message(struct mwa_live_stream *stream, struct surroundings *around,
                         enum mwa_event_kind kind, const struct mw_message_member *message,
                         uint64_t request)
{
    around->event.request = request;
    around->event.of.message = (struct mwa_message_data){
        .comm = mwa_live_trace_comm(stream->numbers, message->head.comm),
        .peer = (uint32_t)message->peer,
        .tag = (uint32_t)message->tag,
        .bytes = message->bytes,
        .wildcards = kind == MWA_RECV ? around->wildcards : 0};
    tell(stream, around, kind);
}

/* A request that is for a communicator, and of a receive for these; the event has the source where
 * only one can be meant. */
static void tell_post(struct mwa_live_stream *stream, struct surroundings *around,
                      enum mwa_event_kind kind, const struct mw_member *member, int32_t source,
                      int32_t tag, uint64_t request)
{
    *around->hint = (struct mwa_hint){.is_pending = true,
                                      .receives = kind == MWA_IRECV_POST,
                                      .has_peer = around->has_root,
                                      .peer = around->root,
                                      .comm = mwa_live_trace_comm(stream->numbers, member->comm),
                                      .window = MWA_NONE,
                                      .source = source,
                                      .source_tag = tag,
                                      .bytes = UINT64_MAX};
    around->event.hint = around->hint;
    around->event.request = request;
    around->event.of.message = (struct mwa_message_data){
        .comm = source != MW_POSTED_ANY ? around->hint->comm : MWA_NONE,
        .peer = source != MW_POSTED_ANY ? (uint32_t)source : MWA_NONE};
    tell(stream, around, kind);
    around->event.hint = NULL;
}

static void tell_request(struct mwa_live_stream *stream, struct surroundings *around,
                         enum mwa_event_kind kind, uint64_t request)
{
    around->event.request = request;
    around->event.of.message = (struct mwa_message_data){.comm = MWA_NONE};
    tell(stream, around, kind);
}

static void tell_collective(struct mwa_live_stream *stream, struct surroundings *around,
                            enum mwa_event_kind kind,
                            const struct mw_collective_member *collective, uint64_t request)
{
    around->event.request = request;
    around->event.of.collective = (struct mwa_collective_data){
        .comm = mwa_live_trace_comm(stream->numbers, collective->head.comm),
        .operation = MW_OPERATION_CODE(collective->operation),
        .has_terms = true,
        .terms = mw_operation_terms(collective->operation),
        .root = (uint32_t)collective->root,
        .bytes_sent = collective->bytes_sent,
        .bytes_received = collective->bytes_received};
    tell(stream, around, kind);
}

static void tell_comm(struct mwa_live_stream *stream, struct surroundings *around,
                      enum mwa_event_kind kind, uint32_t comm)
{
    around->event.of.comm = comm;
    tell(stream, around, kind);
}

/* --- windows and files ---------------------------------------------- */

static void tell_access(struct mwa_live_stream *stream, struct surroundings *around,
                        const struct mw_rma_member *rma)
{
    const bool sends = rma->head.type != MW_MEMBER_RMA_GET;
    const bool receives = rma->head.type != MW_MEMBER_RMA_PUT;

    around->event.of.onesided = (struct mwa_onesided_data){
        .step = MWA_STEP_ACCESS,
        .comm = mwa_live_trace_object(stream->live, stream->numbers, MW_OBJECT_WINDOW,
                                      rma->head.comm),
        .window = mwa_live_trace_window(stream->numbers, rma->head.comm),
        .target = (uint32_t)rma->target,
        .bytes_sent = sends ? rma->bytes_sent : 0,
        .bytes_received = receives ? rma->bytes_received : 0,
        .id = rma->id};
    tell(stream, around, MWA_ONESIDED);
}

/* A step towards who is told of it, or away from that. */
static void tell_step(struct mwa_live_stream *stream, struct surroundings *around,
                      const struct mw_rma_member *rma, enum mwa_onesided_step step)
{
    const uint32_t window = mwa_live_trace_window(stream->numbers, rma->head.comm);

    if (window == MWA_NONE) {
        return;
    }
    around->event.of.onesided = (struct mwa_onesided_data){
        .step = step,
        .comm = stream->live->trace.metrics.objects[window].comm,
        .window = window,
        .target = (uint32_t)rma->target,
        .exclusive = (step == MWA_STEP_REQUEST || step == MWA_STEP_LOCK) &&
                     rma->what == OTF2_LOCK_EXCLUSIVE,
        .id = rma->id};
    tell(stream, around, MWA_ONESIDED);
}

static void tell_window_collective(struct mwa_live_stream *stream, struct surroundings *around,
                                   const struct mw_rma_member *rma)
{
    const uint32_t window = mwa_live_trace_window(stream->numbers, rma->head.comm);

    if (window == MWA_NONE) {
        return;
    }
    around->event.of.collective =
        (struct mwa_collective_data){.comm = stream->live->trace.metrics.objects[window].comm,
                                     .operation = (uint32_t)rma->what,
                                     .root = window};
    tell(stream, around, MWA_WINDOW_COLLECTIVE);
}

static void tell_transfer(struct mwa_live_stream *stream, struct surroundings *around,
                          const struct mw_io_member *io)
{
    const bool writes = io->mode == OTF2_IO_OPERATION_MODE_WRITE;
    const uint32_t comm = mwa_live_trace_object(stream->live, stream->numbers, MW_OBJECT_HANDLE,
                                                io->head.comm);

    if ((!writes && io->mode != OTF2_IO_OPERATION_MODE_READ) || io->bytes == MW_BYTES_UNKNOWN) {
        tell_comm(stream, around, MWA_OBJECT, comm);
        return;
    }
    around->event.of.file = (struct mwa_file_data){.comm = comm,
                                                   .bytes_read = writes ? 0 : io->bytes,
                                                   .bytes_written = writes ? io->bytes : 0,
                                                   .offset = io->offset < 0
                                                                 ? UINT64_MAX
                                                                 : (uint64_t)io->offset};
    tell(stream, around, MWA_FILE);
}

/* At the enter what begins with a window or file. */
static void object_at_enter(struct mwa_live_stream *stream, struct surroundings *around,
                            const struct mw_member *member)
{
    switch (member->type) {
    case MW_MEMBER_RMA_PUT:
    case MW_MEMBER_RMA_GET:
    case MW_MEMBER_RMA_ATOMIC:
        tell_access(stream, around, (const void *)member);
        break;
    case MW_MEMBER_RMA_LOCK:
        tell_step(stream, around, (const void *)member, MWA_STEP_REQUEST);
        break;
    case MW_MEMBER_IO_BEGIN:
        tell_transfer(stream, around, (const void *)member);
        break;
    default:
        break;
    }
}

/* At the leave what has been done. */
static void object_at_leave(struct mwa_live_stream *stream, struct surroundings *around,
                            const struct mw_member *member)
{
    const struct mw_rma_member *rma = (const void *)member;
    const enum mw_object_kind kind =
        member->type >= MW_MEMBER_IO_OPEN ? MW_OBJECT_HANDLE : MW_OBJECT_WINDOW;

    switch (member->type) {
    case MW_MEMBER_RMA_COLLECTIVE:
        tell_window_collective(stream, around, rma);
        break;
    case MW_MEMBER_RMA_DONE:
        tell_step(stream, around, rma,
                  rma->what == MW_RMA_DONE_REMOTE ? MWA_STEP_DONE : MWA_STEP_DONE_LOCALLY);
        break;
    case MW_MEMBER_RMA_LOCK:
        tell_step(stream, around, rma, MWA_STEP_LOCK);
        break;
    case MW_MEMBER_RMA_UNLOCK:
        tell_step(stream, around, rma, MWA_STEP_UNLOCK);
        break;
    case MW_MEMBER_RMA_SYNC:
        tell_step(stream, around, rma,
                  rma->what == OTF2_RMA_SYNC_TYPE_NOTIFY_OUT ? MWA_STEP_NOTICE : MWA_STEP_AWAIT);
        break;
    default:
        tell_comm(stream, around, MWA_OBJECT,
                  mwa_live_trace_object(stream->live, stream->numbers, kind, member->comm));
        break;
    }
}

/* --- calls ---------------------------------------------- */

static void at_enter(struct mwa_live_stream *stream, struct surroundings *around,
                     const struct mw_member *member)
{
    const struct mw_request_message_member *send = (const void *)member;
    const struct mw_request_member *request = (const void *)member;
    const struct mw_posted_member *posted = (const void *)member;

    switch (member->type) {
    case MW_MEMBER_SEND:
        tell_message(stream, around, MWA_SEND, (const void *)member, 0);
        break;
    case MW_MEMBER_ISEND:
        tell_message(stream, around, MWA_ISEND, (const void *)member, send->request);
        break;
    case MW_MEMBER_POSTED:
        tell_post(stream, around, MWA_IRECV_POST, member, posted->source, posted->tag,
                  posted->request);
        break;
    case MW_MEMBER_IRECV_POST:
        tell_post(stream, around, MWA_IRECV_POST, member, MW_POSTED_ANY, MW_POSTED_ANY,
                  request->request);
        break;
    case MW_MEMBER_COLL_POST:
        tell_post(stream, around, MWA_COLLECTIVE_POST, member, MW_POSTED_ANY, MW_POSTED_ANY,
                  request->request);
        break;
    case MW_MEMBER_ROOT:
        around->has_root = true;
        around->root = (int32_t)member->comm;
        return;
    case MW_MEMBER_COMM_DESTROY:
        tell_comm(stream, around, MWA_COMM_DESTROY,
                  mwa_live_trace_comm(stream->numbers, member->comm));
        break;
    default:
        if (MW_MEMBER_IS_OBJECT(member->type)) {
            object_at_enter(stream, around, member);
        }
        break;
    }
    around->has_root = false;
}

static void at_leave(struct mwa_live_stream *stream, struct surroundings *around,
                     const struct mw_member *member)
{
    const struct mw_request_message_member *receive = (const void *)member;
    const struct mw_request_collective_member *complete = (const void *)member;
    const struct mw_request_member *request = (const void *)member;

    switch (member->type) {
    case MW_MEMBER_RECV:
        tell_message(stream, around, MWA_RECV, (const void *)member, 0);
        break;
    case MW_MEMBER_RECV_COMPLETE:
        tell_message(stream, around, MWA_IRECV, &receive->message, receive->request);
        break;
    case MW_MEMBER_SEND_COMPLETE:
        tell_request(stream, around, MWA_ISEND_COMPLETE, request->request);
        break;
    case MW_MEMBER_TEST:
        tell_request(stream, around, MWA_TEST, request->request);
        break;
    case MW_MEMBER_CANCELLED:
        tell_request(stream, around, MWA_CANCELLED, request->request);
        break;
    case MW_MEMBER_COLL:
        tell_collective(stream, around, MWA_COLLECTIVE_END, (const void *)member, 0);
        break;
    case MW_MEMBER_COLL_COMPLETE:
        tell_collective(stream, around, MWA_COLLECTIVE_COMPLETE, &complete->collective,
                        complete->request);
        break;
    case MW_MEMBER_COMM_CREATE:
    case MW_MEMBER_COMM_ENDED:
        tell_comm(stream, around,
                  member->type == MW_MEMBER_COMM_CREATE ? MWA_COMM_CREATE : MWA_COMM_DESTROY,
                  mwa_live_trace_comm(stream->numbers, member->comm));
        break;
    default:
        if (MW_MEMBER_IS_OBJECT(member->type)) {
            object_at_leave(stream, around, member);
        }
        break;
    }
}

/* The call that a record is of, MW_CALL_COUNT: nobody knows. */
static unsigned call_of(const struct mwa_live_numbers *numbers, unsigned code)
{
    const unsigned site = code - MW_CALL_COUNT;

    if (code < MW_CALL_COUNT) {
        return code;
    }
    return site < numbers->site_room && numbers->site_calls[site] < MW_CALL_COUNT
               ? numbers->site_calls[site]
               : (unsigned)MW_CALL_COUNT;
}

/* What the call found, if it is a probe that tells it. */
static struct mwa_found_data found_by(const struct mwa_live_stream *stream,
                                      const struct mw_spool_call *call)
{
    const struct mw_member *member = NULL;
    struct mwa_found_data data = {.is_told = 0};

    while (!data.is_told && (member = mw_spool_call_member(call, member))) {
        if (member->type == MW_MEMBER_FOUND) {
            const struct mw_found_member *found = (const void *)member;

            data = (struct mwa_found_data){
                .is_told = 1,
                .comm = mwa_live_trace_comm(stream->numbers, member->comm),
                .peer = (uint32_t)mw_found_source(found),
                .tag = (uint32_t)mw_found_tag(found)};
        }
    }
    return data;
}

static void leave(struct mwa_live_stream *stream, struct surroundings *around,
                  const struct mw_spool_call *call, uint64_t inside,
                  const struct mwa_found_data *found)
{
    const bool is_open = call->record.state == MW_STATE_OPEN;
    const struct mw_member *member = NULL;
    struct mwa_call left = {.region = around->moment.mpi,
                            .site = MWA_NONE,
                            .enter = around->moment.mpi_enter,
                            .repeat = call->record.repeat > 0 ? call->record.repeat : 1,
                            .found = *found,
                            .outermost = true,
                            .open = is_open};

    if (!is_open) {
        (void)next_time(stream, call->record.leave);
    }
    while ((member = mw_spool_call_member(call, member))) {
        at_leave(stream, around, member);
        around->wildcards = member->type == MW_MEMBER_WILDCARDS ? member->comm : 0;
    }
    left.leave = stream->last;
    if (left.region->kind == MWA_REGION_INIT && !is_open) {
        stream->begin = left.leave;
    }
    left.inclusive = left.leave - left.enter;
    left.inclusive = inside < left.inclusive ? inside : left.inclusive;
    left.exclusive = left.inclusive;
    around->moment.call = &left;
    around->event.of.call = (struct mwa_region_data){
        .region = left.region->call, .site = MWA_NONE, .open = is_open};
    tell(stream, around, MWA_LEAVE);
}

/* What the open call waits for, as the archive's attributes tell it; false: it is not told. */
static bool make_hint(const struct mwa_live_stream *stream, const struct mw_now *now,
                      struct mwa_hint *hint)
{
    const bool sends = now->what & MW_NOW_SENDS;
    const bool lacks = now->what & MW_NOW_UNREADY;

    *hint = (struct mwa_hint){
        .has_peer = sends || (now->what & (MW_NOW_ROOT | MW_NOW_TARGET) && now->peer >= 0),
        .receives = now->what & MW_NOW_RECEIVES,
        .sends = sends,
        .completes = now->what & MW_NOW_COMPLETES,
        .comm = now->what & MW_NOW_ON_COMM || lacks
                    ? mwa_live_trace_comm(stream->numbers, now->comm)
                    : MWA_NONE,
        .window = now->what & MW_NOW_ON_WINDOW
                      ? mwa_live_trace_window(stream->numbers, now->window)
                      : MWA_NONE,
        .peer = now->peer,
        .tag = now->tag,
        .source = now->source,
        .source_tag = now->source_tag,
        .bytes = (sends || lacks) && now->bytes != MW_BYTES_UNKNOWN ? now->bytes : UINT64_MAX,
        .requests = now->count,
        .unready = lacks ? now->unready : 0,
        .unready_which = lacks ? now->unready_which : 0};
    return hint->comm != MWA_NONE || hint->window != MWA_NONE || hint->completes;
}

/* Recording was paused, or goes on. */
static enum mw_status tell_pause(struct mwa_live_stream *stream, const struct mw_spool_call *mark)
{
    struct surroundings around = {.status = MW_OK, .code = MWA_NONE};

    (void)next_time(stream, mark->record.enter);
    around.event.location = MWA_NONE;
    around.event.of.on = mark->record.type == MW_RECORD_RESUME;
    around.moment = (struct mwa_moment){.trace = &stream->live->trace,
                                        .location = &stream->location,
                                        .event = &around.event};
    tell(stream, &around, MWA_MEASUREMENT);
    return around.status;
}

enum mw_status mwa_live_events(struct mwa_live_stream *stream, const struct mw_spool_call *call)
{
    const unsigned code = call_of(stream->numbers, call->record.call);
    const struct mw_member *member = NULL;
    struct mwa_hint hint;
    struct surroundings around = {
        .status = MW_OK, .hint = &hint, .code = call->record.call};
    struct mwa_found_data found;
    uint64_t inside = UINT64_MAX;

    if (call->record.type == MW_RECORD_PAUSE || call->record.type == MW_RECORD_RESUME) {
        return tell_pause(stream, call);
    }
    if (call->record.type != MW_RECORD_CALL || code >= MW_CALL_COUNT) {
        return MW_OK;
    }
    found = found_by(stream, call);
    around.event.location = MWA_NONE;
    around.moment = (struct mwa_moment){.trace = &stream->live->trace,
                                        .location = &stream->location,
                                        .event = &around.event,
                                        .mpi = &stream->live->trace.regions[code],
                                        .site = MWA_NONE,
                                        .mpi_enter = next_time(stream, call->record.enter),
                                        .mpi_depth = 1};
    if (mw_spool_call_value(call, MW_MEMBER_INSIDE, &inside)) {
        inside = mw_clock_nanoseconds(inside, stream->resolution);
    }
    around.event.of.call = (struct mwa_region_data){
        .region = code,
        .site = MWA_NONE,
        .repeat = call->record.repeat,
        .inside = inside,
        .found = found};
    around.event.hint = call->now && make_hint(stream, call->now, &hint) ? &hint : NULL;
    tell(stream, &around, MWA_ENTER);
    around.event.hint = NULL;
    while ((member = mw_spool_call_member(call, member))) {
        at_enter(stream, &around, member);
    }
    leave(stream, &around, call, inside, &found);
    return around.status;
}
