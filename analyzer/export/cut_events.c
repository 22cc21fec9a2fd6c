/* The events of a window: what is open at its ends is begun and ended there. */
#include "analyzer/export/cut_events.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/export/cut_entered.h"
#include "analyzer/export/interruption.h"
#include "analyzer/export/moved_events.h"
#include "analyzer/load/callback.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/load/references.h"
#include "analyzer/model/event.h"
#include "analyzer/model/map.h"

enum request_kind { REQUEST_SEND, REQUEST_RECEIVE, REQUEST_COLLECTIVE };

/* What is between a begin and an end, apart from regions. */
enum collective { COLLECTIVE_NONE, COLLECTIVE_MPI, COLLECTIVE_RMA };

/* A request that was begun before the window. */
struct pending {
    uint64_t request;
    enum request_kind kind;
    uint8_t wildcards; /* of a receive: posted with enum mw_wildcard */
    bool is_done;
};

/* A location being copied. */
struct way {
    const struct mwa_selection *selection;
    const struct mwa_crossing *crossings; /* its own */
    uint64_t crossing_count;
    OTF2_EvtWriter *writer;
    OTF2_ErrorCode code;
    bool no_memory;
    struct mwa_cut_entered *stack;
    uint64_t capacity;
    uint32_t depth;
    struct pending *pending; /* in order of beginning */
    uint64_t pending_count, pending_capacity;
    struct mwa_map requests; /* to positions in pending */
    enum collective collective;
    bool has_history; /* there were events before the window */
    bool is_inside;
    bool is_past;
    bool is_closed; /* nothing more is written */
    uint64_t last; /* time of the last event */
    bool is_backwards; /* an event was before it */
    bool is_too_deep;  /* more calls are inside of each other than an archive may have */
    struct mwa_attributes attributes; /* of a Metric, for one who wants them so */
    uint64_t attribute_capacity;
    const struct mwa_trace *trace;
    struct mwa_rebuilt *rebuilt;
    uint32_t rank;
};

static OTF2_CallbackCode note(struct way *way, OTF2_ErrorCode code)
{
    if (way->code == OTF2_SUCCESS) {
        way->code = code;
    }
    if (mwa_interruption_has_come() && way->code == OTF2_SUCCESS) {
        way->code = OTF2_ERROR_INTERRUPTED_BY_CALLBACK;
    }
    return way->code == OTF2_SUCCESS && !way->no_memory && !way->is_backwards && !way->is_closed
               ? OTF2_CALLBACK_SUCCESS
               : OTF2_CALLBACK_INTERRUPT;
}

static void write_crossings(struct way *way, uint64_t from)
{
    for (uint64_t i = 0; i < way->crossing_count; i++) {
        const struct mwa_crossing *crossing = &way->crossings[i];

        (void)note(way, OTF2_EvtWriter_MpiSend(way->writer, NULL, from, crossing->peer,
                                               crossing->comm, crossing->tag, crossing->bytes));
    }
}

static void write_pending(struct way *way, uint64_t from, OTF2_AttributeList *attributes)
{
    for (uint64_t i = 0; i < way->pending_count; i++) {
        const struct pending *pending = &way->pending[i];

        if (!pending->is_done && pending->kind == REQUEST_RECEIVE) {
            (void)note(way, mwa_cut_wildcards_tell(way->trace, pending->wildcards, attributes));
            (void)note(way, OTF2_EvtWriter_MpiIrecvRequest(way->writer, attributes, from,
                                                           pending->request));
            (void)note(way, OTF2_AttributeList_RemoveAllAttributes(attributes));
        } else if (!pending->is_done && pending->kind == REQUEST_COLLECTIVE) {
            (void)note(way, OTF2_EvtWriter_NonBlockingCollectiveRequest(way->writer, NULL, from,
                                                                        pending->request));
        }
    }
}

/* Enters again what is open. */
static void write_entered(struct way *way, uint64_t from, OTF2_AttributeList *attributes)
{
    for (uint32_t i = 0; i < way->depth; i++) {
        const struct mwa_cut_entered *entered = &way->stack[i];

        (void)note(way, mwa_cut_entered_tell(way->trace, entered, attributes));
        (void)note(way, OTF2_EvtWriter_Enter(way->writer, attributes, from, entered->region));
        (void)note(way, OTF2_AttributeList_RemoveAllAttributes(attributes));
    }
}

/* The window begins. */
static void come_inside(struct way *way)
{
    uint64_t from = way->selection->from;
    OTF2_AttributeList *attributes;

    way->is_inside = true;
    if (!way->has_history) {
        return;
    }
    attributes = OTF2_AttributeList_New();
    if (!attributes) {
        way->no_memory = true;
        return;
    }
    (void)note(way, OTF2_EvtWriter_MeasurementOnOff(way->writer, NULL, from,
                                                    OTF2_MEASUREMENT_ON));
    write_crossings(way, from);
    write_entered(way, from, attributes);
    write_pending(way, from, attributes);
    OTF2_AttributeList_Delete(attributes);
    if (way->collective == COLLECTIVE_MPI) {
        (void)note(way, OTF2_EvtWriter_MpiCollectiveBegin(way->writer, NULL, from));
    } else if (way->collective == COLLECTIVE_RMA) {
        (void)note(way, OTF2_EvtWriter_RmaCollectiveBegin(way->writer, NULL, from));
    }
}

/* The window has ended, and so have its calls. */
static void close_window(struct way *way)
{
    uint64_t to = way->selection->to;

    if (way->is_closed) {
        return;
    }
    way->is_closed = true;
    while (way->depth > 0) {
        const OTF2_RegionRef region = way->stack[--way->depth].region;

        (void)note(way, OTF2_EvtWriter_Leave(way->writer, NULL, to, region));
    }
    (void)note(way, OTF2_EvtWriter_MeasurementOnOff(way->writer, NULL, to, OTF2_MEASUREMENT_OFF));
}

/*
 * True for an event in the window. Behind it the calls are ended, but of a collective that is
 * still on the end is awaited, for it tells the bytes.
 */
static bool is_wanted(struct way *way, uint64_t time)
{
    way->is_backwards |= time < way->last;
    if (way->is_backwards) {
        return false;
    }
    way->last = time;
    if (time < way->selection->from) {
        way->has_history = true;
        return false;
    }
    if (!way->is_inside) {
        come_inside(way);
    }
    if (time > way->selection->to && !way->is_past) {
        way->is_past = true;
        if (way->collective == COLLECTIVE_NONE) {
            close_window(way);
        }
    }
    return !way->is_past;
}

static OTF2_CallbackCode carry_on(struct way *way)
{
    return note(way, OTF2_SUCCESS);
}

/* Defines the callback copy_NAME of every event: EVENT(MpiRequestTest, (uint64_t requestID),
 * (requestID)) makes copy_MpiRequestTest, which hands it to OTF2_EvtWriter_MpiRequestTest. */
#define EVENT(name, parameters, arguments)                                                        \
    static OTF2_CallbackCode copy_##name(OTF2_LocationRef location, OTF2_TimeStamp time,          \
                                         uint64_t position, void *user,                           \
                                         OTF2_AttributeList *attributes BEHIND parameters)        \
    {                                                                                             \
        struct way *way = user;                                                                   \
                                                                                                  \
        return is_wanted(way, time)                                                               \
                   ? note(way, OTF2_EvtWriter_##name(way->writer, attributes,                     \
                                                     time BEHIND arguments))                      \
                   : carry_on(way);                                                               \
    }
#include "analyzer/export/otf2_records.def"

/* --- events that change what is open -------------------------------------------------------- */

MWA_CALLBACK(on_enter, OTF2_RegionRef region)
{
    struct way *way = user;
    const struct mwa_cut_entered entered = mwa_cut_entered_of(way->trace, region, attributes);
    OTF2_CallbackCode result = copy_Enter(location, time, position, user, attributes, region);

    if (way->is_past) {
        return result;
    }
    if (way->depth == MWA_NESTED_MAX) {
        way->is_too_deep = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    if (!mwa_grow(&way->stack, &way->capacity, way->depth + 1u, sizeof *way->stack)) {
        way->no_memory = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    way->stack[way->depth++] = entered;
    return result;
}

MWA_CALLBACK(on_leave, OTF2_RegionRef region)
{
    struct way *way = user;
    OTF2_CallbackCode result = copy_Leave(location, time, position, user, attributes, region);
    uint32_t keep = way->depth;

    while (keep > 0 && way->stack[keep - 1].region != region) {
        keep--;
    }
    if (keep > 0 && !way->is_past) {
        way->depth = keep - 1;
    }
    return result;
}

static OTF2_CallbackCode begin_collective(struct way *way, OTF2_CallbackCode result,
                                          enum collective collective)
{
    if (!way->is_past) {
        way->collective = collective;
    }
    return result;
}

/* The time at which a collective's end is to be written: that of a call which is cut is the end
 * of the window. */
static uint64_t end_collective(struct way *way, uint64_t time)
{
    bool is_owed;

    (void)is_wanted(way, time);
    is_owed = way->is_past && way->collective != COLLECTIVE_NONE;
    way->collective = COLLECTIVE_NONE;
    if (is_owed) {
        way->is_past = false; /* for this event */
        way->last = way->selection->to;
        return way->last;
    }
    return time;
}

static OTF2_CallbackCode end_window_again(struct way *way, uint64_t time,
                                          OTF2_CallbackCode result)
{
    if (time > way->selection->to) {
        way->is_past = true;
        close_window(way);
    }
    return result;
}

MWA_CALLBACK(on_collective_begin)
{
    return begin_collective(user,
                            copy_MpiCollectiveBegin(location, time, position, user, attributes),
                            COLLECTIVE_MPI);
}

MWA_CALLBACK(on_collective_end, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
             uint64_t sent, uint64_t received)
{
    uint64_t at = end_collective(user, time);

    return end_window_again(user, time,
                            copy_MpiCollectiveEnd(location, at, position, user, attributes,
                                                  operation, comm, root, sent, received));
}

MWA_CALLBACK(on_rma_collective_begin)
{
    return begin_collective(user,
                            copy_RmaCollectiveBegin(location, time, position, user, attributes),
                            COLLECTIVE_RMA);
}

MWA_CALLBACK(on_rma_collective_end, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level,
             OTF2_RmaWinRef window, uint32_t root, uint64_t sent, uint64_t received)
{
    uint64_t at = end_collective(user, time);

    return end_window_again(user, time,
                            copy_RmaCollectiveEnd(location, at, position, user, attributes,
                                                  operation, level, window, root, sent,
                                                  received));
}

/* --- requests ------------------------------------------------------------------------------- */

/* A request begins; those before the window are remembered. */
static OTF2_CallbackCode begin_request(struct way *way, uint64_t time, uint64_t request,
                                       enum request_kind kind, uint8_t wildcards)
{
    const struct mwa_key key = { 0, request };
    uint64_t *place;

    if (time >= way->selection->from) {
        return carry_on(way);
    }
    place = mwa_map_put(&way->requests, key, way->pending_count);
    if (!place || !mwa_grow(&way->pending, &way->pending_capacity, way->pending_count + 1,
                            sizeof *way->pending)) {
        way->no_memory = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    *place = way->pending_count;
    way->pending[way->pending_count++] =
        (struct pending){ .request = request, .kind = kind, .wildcards = wildcards };
    return carry_on(way);
}

/* Forgets requests before the window that are done, when they are the most. */
static void tidy_up(struct way *way)
{
    uint64_t kept = 0;

    if (way->pending_count < 4096 || way->pending_count < 2 * way->requests.count) {
        return;
    }
    for (uint64_t i = 0; i < way->pending_count; i++) {
        if (!way->pending[i].is_done) {
            uint64_t *place = mwa_map_put(&way->requests,
                                          (struct mwa_key){ 0, way->pending[i].request }, kept);

            way->pending[kept] = way->pending[i];
            if (place) { /* it is there */
                *place = kept;
            }
            kept++;
        }
    }
    way->pending_count = kept;
}

/* Whether request is a send of before the window, of which nothing is written. */
static bool is_foreign_send(const struct way *way, uint64_t request)
{
    uint64_t index = mwa_map_get(&way->requests, (struct mwa_key){ 0, request });

    return index != MWA_MAP_ABSENT && way->pending[index].kind == REQUEST_SEND;
}

/* A request ends; false when it is such a send. */
static bool end_request(struct way *way, uint64_t time, uint64_t request)
{
    bool is_written = !is_foreign_send(way, request);
    uint64_t index;

    (void)is_wanted(way, time); /* before it is forgotten */
    index = mwa_map_remove(&way->requests, (struct mwa_key){ 0, request });
    if (index != MWA_MAP_ABSENT) {
        way->pending[index].is_done = true;
        if (!way->is_inside) {
            tidy_up(way);
        }
    }
    return is_written;
}

MWA_CALLBACK(on_isend, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
             uint64_t request)
{
    (void)begin_request(user, time, request, REQUEST_SEND, 0);
    return copy_MpiIsend(location, time, position, user, attributes, receiver, comm, tag, bytes,
                         request);
}

MWA_CALLBACK(on_irecv_request, uint64_t request)
{
    const struct way *way = user;

    (void)begin_request(user, time, request, REQUEST_RECEIVE,
                        mwa_cut_wildcards_of(way->trace, attributes));
    return copy_MpiIrecvRequest(location, time, position, user, attributes, request);
}

MWA_CALLBACK(on_collective_request, uint64_t request)
{
    (void)begin_request(user, time, request, REQUEST_COLLECTIVE, 0);
    return copy_NonBlockingCollectiveRequest(location, time, position, user, attributes, request);
}

MWA_CALLBACK(on_isend_complete, uint64_t request)
{
    return end_request(user, time, request)
               ? copy_MpiIsendComplete(location, time, position, user, attributes, request)
               : carry_on(user);
}

MWA_CALLBACK(on_irecv, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
             uint64_t request)
{
    (void)end_request(user, time, request);
    return copy_MpiIrecv(location, time, position, user, attributes, sender, comm, tag, bytes,
                         request);
}

MWA_CALLBACK(on_collective_complete, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
             uint64_t sent, uint64_t received, uint64_t request)
{
    (void)end_request(user, time, request);
    return copy_NonBlockingCollectiveComplete(location, time, position, user, attributes,
                                              operation, comm, root, sent, received, request);
}

MWA_CALLBACK(on_test, uint64_t request)
{
    return is_foreign_send(user, request)
               ? carry_on(user)
               : copy_MpiRequestTest(location, time, position, user, attributes, request);
}

MWA_CALLBACK(on_cancelled, uint64_t request)
{
    return end_request(user, time, request)
               ? copy_MpiRequestCancelled(location, time, position, user, attributes, request)
               : carry_on(user);
}

/* --- samples -------------------------------------------------------------------------------- */

MWA_CALLBACK(on_metric, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,
             const OTF2_MetricValue *values)
{
    struct way *way = user;
    struct mwa_metric_data data = { .metric = mwa_metric_index(&way->trace->metrics, metric),
                                    .count = count };
    OTF2_MetricValue told[UINT8_MAX];
    uint64_t bits[UINT8_MAX];

    if (data.metric != MWA_NONE) {
        const uint64_t *rebuilt;

        for (unsigned i = 0; i < count; i++) {
            bits[i] = values[i].unsigned_int;
        }
        data.values = bits;
        if (!mwa_attributes_copy(attributes, &way->attributes, &way->attribute_capacity)) {
            way->no_memory = true;
            return OTF2_CALLBACK_INTERRUPT;
        }
        mwa_take_bound(way->trace, &way->attributes, &data);
        rebuilt = mwa_rebuilt_values(way->rebuilt, way->trace, way->rank, time, &data);
        for (unsigned i = 0; i < count; i++) {
            told[i].unsigned_int = rebuilt[i];
        }
        values = told;
    }
    return copy_Metric(location, time, position, user, attributes, metric, count, types, values);
}

/* --- a location ----------------------------------------------------------------------------- */

static const struct mwa_event_callbacks copies = {
#define EVENT(name, parameters, arguments) .name = copy_##name,
#include "analyzer/export/otf2_records.def"
};

/* What is copied, and what is looked at before. */
static struct mwa_event_callbacks make_callbacks(void)
{
    struct mwa_event_callbacks all = copies;

    all.Metric = on_metric;
    all.Enter = on_enter;
    all.Leave = on_leave;
    all.MpiCollectiveBegin = on_collective_begin;
    all.MpiCollectiveEnd = on_collective_end;
    all.RmaCollectiveBegin = on_rma_collective_begin;
    all.RmaCollectiveEnd = on_rma_collective_end;
    all.MpiIsend = on_isend;
    all.MpiIsendComplete = on_isend_complete;
    all.MpiIrecvRequest = on_irecv_request;
    all.MpiIrecv = on_irecv;
    all.MpiRequestTest = on_test;
    all.MpiRequestCancelled = on_cancelled;
    all.NonBlockingCollectiveRequest = on_collective_request;
    all.NonBlockingCollectiveComplete = on_collective_complete;
    return all;
}

/* The crossings of a location, which are sorted by it. */
static void choose_crossings(struct way *way, const struct mwa_crossings *crossings,
                             uint32_t location)
{
    uint64_t first = 0;

    while (first < crossings->count && crossings->list[first].location < location) {
        first++;
    }
    way->crossings = crossings->list + first;
    while (first + way->crossing_count < crossings->count &&
           way->crossings[way->crossing_count].location == location) {
        way->crossing_count++;
    }
}

enum mw_status mwa_cut_events(struct mwa_input *input, uint32_t location,
                              const struct mwa_selection *selection,
                              const struct mwa_crossings *crossings, struct mwa_rebuilt *rebuilt,
                              OTF2_EvtWriter *writer, OTF2_ErrorCode *code,
                              struct mw_diagnostic *diagnostic)
{
    const struct mwa_event_callbacks copying = make_callbacks();
    OTF2_EvtReaderCallbacks *callbacks = mwa_moved_events_callbacks(&copying);
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct way way = { .selection = selection,
                       .writer = writer,
                       .code = OTF2_SUCCESS,
                       .trace = trace,
                       .rebuilt = rebuilt,
                       .rank = trace->locations[location].rank };
    struct mwa_moved_events moved = {
        &copying, &way, trace->clocks ? &trace->clocks->list[location] : NULL };
    const struct mwa_stream_log *log = mwa_files_log(mwa_input_files(input));
    enum mw_status status;
    uint64_t count;

    choose_crossings(&way, crossings, location);
    status = callbacks ? mwa_input_scan(input, location, callbacks, &moved, &count, diagnostic)
                       : MW_ERROR_MEMORY;
    if (status != MW_OK && way.is_closed) { /* it was stopped: what follows is of no interest */
        status = MW_OK;
        *diagnostic = (struct mw_diagnostic){ .status = MW_OK };
    }
    if (status == MW_OK && way.is_past) {
        close_window(&way);
    }
    *code = way.code;
    if (way.is_backwards) {
        status = mwa_fail_backwards(log->last, log->last_offset, count,
                                    &trace->locations[location], diagnostic);
    } else if (way.is_too_deep) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, log->last, log->last_offset,
                         "calls are nested too deeply near event %" PRIu64 " of location %" PRIu64,
                         count, trace->locations[location].id);
    } else if (way.code != OTF2_SUCCESS) {
        status = MW_OK; /* reading was stopped by it */
    } else if (way.no_memory || !callbacks) {
        status = mw_no_memory(diagnostic, NULL, "for what is open at the beginning");
    }
    if (callbacks) {
        OTF2_EvtReaderCallbacks_Delete(callbacks);
    }
    mwa_map_fini(&way.requests);
    free(way.attributes.list);
    free(way.pending);
    free(way.stack);
    return status;
}
