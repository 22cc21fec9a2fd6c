#include "analyzer/export/perfetto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/export/protobuf.h"
#include "analyzer/export/walk.h"
#include "formats/base/file.h"

/* Fields of the messages, as in Perfetto's protos/perfetto/trace. */
enum {
    TRACE_PACKET = 1,

    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE_ID = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED_DATA = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,

    INTERNED_CATEGORIES = 1,
    INTERNED_EVENT_NAMES = 2,
    INTERNED_SOURCE_LOCATIONS = 4,
    INTERNED_IID = 1,
    INTERNED_NAME = 2,
    SOURCE_FILE = 2,
    SOURCE_FUNCTION = 3,
    SOURCE_LINE = 4,

    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT_UUID = 5,
    TRACK_COUNTER = 8,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    THREAD_PID = 1,
    THREAD_TID = 2,
    THREAD_NAME = 5,
    COUNTER_UNIT_NAME = 6,

    EVENT_CATEGORY_IIDS = 3,
    EVENT_ANNOTATIONS = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK_UUID = 11,
    EVENT_CATEGORIES = 22,
    EVENT_NAME = 23,
    EVENT_COUNTER_VALUE = 30,
    EVENT_SOURCE_LOCATION_IID = 34,
    EVENT_DOUBLE_COUNTER_VALUE = 44,
    EVENT_FLOW_IDS = 47,
    EVENT_TERMINATING_FLOW_IDS = 48,
    ANNOTATION_UINT = 3,
    ANNOTATION_INT = 4,
    ANNOTATION_TEXT = 6,
    ANNOTATION_NAME = 10
};

enum event_type { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum sequence_flags { STATE_CLEARED = 1, NEEDS_STATE = 2 };

#define SEQUENCE 1u

/* Names of our own come before those of the regions. */
enum own_name { NAME_SENT = 1, NAME_RECEIVED, NAME_PAUSED, NAME_RESUMED, OWN_NAMES };

struct exporting {
    const struct mwa_trace *trace;
    FILE *out;
    struct mw_diagnostic *diagnostic;
    struct mw_buffer packet;
    struct mwa_map counters;  /* location, metric, member and comm to uuid */
    uint64_t next_uuid;
    uint8_t *processes; /* per rank, and one for those of no rank: described */
    const char **categories; /* by iid - 1 */
    uint64_t category_count;
    uint32_t *region_category; /* iid by region */
};

/* --- packets ------------------------------------------------------------------------------ */

static enum mw_status flush(struct exporting *exporting)
{
    struct mw_buffer *packet = &exporting->packet;

    if (packet->failed) {
        return mw_no_memory(exporting->diagnostic, NULL, "for a packet");
    }
    if (fwrite(packet->data, 1, packet->bytes, exporting->out) != packet->bytes) {
        return mw_fail(exporting->diagnostic, mw_file_write_error(), "",
                       MW_DIAGNOSTIC_OFFSET_NONE, "cannot write the trace");
    }
    packet->bytes = 0;
    return MW_OK;
}

/* Begins the packet of an event on a track; ends, both of them, are for end_event. */
static void begin_event(struct exporting *exporting, uint64_t time, enum event_type type,
                        uint64_t track, size_t *ends)
{
    struct mw_buffer *packet = &exporting->packet;

    ends[0] = mwa_proto_begin(packet, TRACE_PACKET);
    mwa_proto_varint(packet, PACKET_TIMESTAMP, mwa_viewer_ns(exporting->trace, time));
    mwa_proto_varint(packet, PACKET_SEQUENCE_ID, SEQUENCE);
    mwa_proto_varint(packet, PACKET_SEQUENCE_FLAGS, NEEDS_STATE);
    ends[1] = mwa_proto_begin(packet, PACKET_TRACK_EVENT);
    mwa_proto_varint(packet, EVENT_TYPE, type);
    mwa_proto_varint(packet, EVENT_TRACK_UUID, track);
}

static enum mw_status end_event(struct exporting *exporting, const size_t *ends)
{
    mwa_proto_end(&exporting->packet, ends[1]);
    mwa_proto_end(&exporting->packet, ends[0]);
    return flush(exporting);
}

static void annotate(struct mw_buffer *packet, const char *name, uint64_t value)
{
    size_t begun = mwa_proto_begin(packet, EVENT_ANNOTATIONS);

    mwa_proto_text(packet, ANNOTATION_NAME, name);
    mwa_proto_varint(packet, ANNOTATION_UINT, value);
    mwa_proto_end(packet, begun);
}

static void annotate_moment(struct mw_buffer *packet, const char *name, int64_t ns)
{
    size_t begun = mwa_proto_begin(packet, EVENT_ANNOTATIONS);

    mwa_proto_text(packet, ANNOTATION_NAME, name);
    mwa_proto_varint(packet, ANNOTATION_INT, (uint64_t)ns);
    mwa_proto_end(packet, begun);
}

static void annotate_text(struct mw_buffer *packet, const char *name, const char *value)
{
    size_t begun = mwa_proto_begin(packet, EVENT_ANNOTATIONS);

    mwa_proto_text(packet, ANNOTATION_NAME, name);
    mwa_proto_text(packet, ANNOTATION_TEXT, value);
    mwa_proto_end(packet, begun);
}

/* --- names -------------------------------------------------------------------------------- */

static void put_interned(struct mw_buffer *packet, unsigned field, uint64_t iid,
                         const char *name)
{
    size_t begun = mwa_proto_begin(packet, field);

    mwa_proto_varint(packet, INTERNED_IID, iid);
    mwa_proto_text(packet, INTERNED_NAME, name);
    mwa_proto_end(packet, begun);
}

/* The iid of a group of calls, which is a category; a new one if it was not met yet. */
static uint32_t category_of(struct exporting *exporting, const char *group)
{
    uint64_t count = exporting->category_count;

    for (uint64_t i = 0; i < count; i++) {
        if (strcmp(exporting->categories[i], group) == 0) {
            return (uint32_t)i + 1;
        }
    }
    exporting->categories[count] = group;
    exporting->category_count++;
    put_interned(&exporting->packet, INTERNED_CATEGORIES, count + 1, group);
    return (uint32_t)count + 1;
}

static bool has_source(const struct mwa_site *site)
{
    return *site->file || *site->function;
}

/* Where calls are made; a site's iid is its index, and 1. */
static void put_sources(struct exporting *exporting)
{
    struct mw_buffer *packet = &exporting->packet;

    for (uint64_t i = 0; i < exporting->trace->site_count; i++) {
        const struct mwa_site *site = &exporting->trace->sites[i];
        size_t begun;

        if (!has_source(site)) {
            continue;
        }
        begun = mwa_proto_begin(packet, INTERNED_SOURCE_LOCATIONS);
        mwa_proto_varint(packet, INTERNED_IID, i + 1);
        if (*site->file) {
            mwa_proto_text(packet, SOURCE_FILE, site->file);
            mwa_proto_varint(packet, SOURCE_LINE, site->line);
        }
        if (*site->function) {
            mwa_proto_text(packet, SOURCE_FUNCTION, site->function);
        }
        mwa_proto_end(packet, begun);
    }
}

/* The first packet: all names that events refer to. */
static enum mw_status put_names(struct exporting *exporting)
{
    static const char *const own[OWN_NAMES] = { [NAME_SENT] = "sent",
                                                [NAME_RECEIVED] = "received",
                                                [NAME_PAUSED] = "recording paused",
                                                [NAME_RESUMED] = "recording resumed" };
    const struct mwa_trace *trace = exporting->trace;
    struct mw_buffer *packet = &exporting->packet;
    size_t whole = mwa_proto_begin(packet, TRACE_PACKET), names;

    mwa_proto_varint(packet, PACKET_SEQUENCE_ID, SEQUENCE);
    mwa_proto_varint(packet, PACKET_SEQUENCE_FLAGS, STATE_CLEARED | NEEDS_STATE);
    names = mwa_proto_begin(packet, PACKET_INTERNED_DATA);
    for (unsigned i = NAME_SENT; i < OWN_NAMES; i++) {
        put_interned(packet, INTERNED_EVENT_NAMES, i, own[i]);
    }
    for (uint64_t i = 0; i < trace->region_count; i++) {
        put_interned(packet, INTERNED_EVENT_NAMES, OWN_NAMES + i, trace->regions[i].name);
        exporting->region_category[i] = category_of(exporting, trace->regions[i].group);
    }
    put_sources(exporting);
    mwa_proto_end(packet, names);
    mwa_proto_end(packet, whole);
    return flush(exporting);
}

/* --- tracks ------------------------------------------------------------------------------- */

/* uuids: processes from 1 on, then locations, then counters. */
static uint64_t process_uuid(const struct exporting *exporting, uint32_t rank)
{
    return 1 + (rank == MWA_NONE ? exporting->trace->rank_count : rank);
}

static uint64_t location_uuid(const struct exporting *exporting, uint32_t location)
{
    return 2 + exporting->trace->rank_count + location;
}

/* A process is numbered by its rank; 0 is the kernel's. */
static uint64_t pid_of(const struct exporting *exporting, uint32_t rank)
{
    return process_uuid(exporting, rank);
}

static void put_process(struct exporting *exporting, uint32_t rank)
{
    struct mw_buffer *packet = &exporting->packet;
    size_t whole = mwa_proto_begin(packet, TRACE_PACKET);
    size_t track = mwa_proto_begin(packet, PACKET_TRACK_DESCRIPTOR), process;
    char name[300];

    if (rank == MWA_NONE) {
        snprintf(name, sizeof name, "no rank");
    } else {
        snprintf(name, sizeof name, "rank %" PRIu32 " %.255s", rank,
                 exporting->trace->ranks[rank].host);
    }
    mwa_proto_varint(packet, TRACK_UUID, process_uuid(exporting, rank));
    process = mwa_proto_begin(packet, TRACK_PROCESS);
    mwa_proto_varint(packet, PROCESS_PID, pid_of(exporting, rank));
    mwa_proto_text(packet, PROCESS_NAME, name);
    mwa_proto_end(packet, process);
    mwa_proto_end(packet, track);
    mwa_proto_end(packet, whole);
}

/* The main thread has its process's number, others have numbers behind all of these. */
static enum mw_status take_location(void *user, uint32_t index)
{
    struct exporting *exporting = user;
    const struct mwa_location *location = &exporting->trace->locations[index];
    uint64_t ranks = exporting->trace->rank_count;
    uint8_t *described = &exporting->processes[location->rank == MWA_NONE ? ranks
                                                                          : location->rank];
    struct mw_buffer *packet = &exporting->packet;
    size_t whole, track, thread;

    if (!*described) {
        put_process(exporting, location->rank);
        *described = 1;
    }
    whole = mwa_proto_begin(packet, TRACE_PACKET);
    track = mwa_proto_begin(packet, PACKET_TRACK_DESCRIPTOR);
    mwa_proto_varint(packet, TRACK_UUID, location_uuid(exporting, index));
    mwa_proto_varint(packet, TRACK_PARENT_UUID, process_uuid(exporting, location->rank));
    thread = mwa_proto_begin(packet, TRACK_THREAD);
    mwa_proto_varint(packet, THREAD_PID, pid_of(exporting, location->rank));
    mwa_proto_varint(packet, THREAD_TID,
                     location->master ? pid_of(exporting, location->rank) : ranks + 2 + index);
    mwa_proto_text(packet, THREAD_NAME, location->name);
    mwa_proto_end(packet, thread);
    mwa_proto_end(packet, track);
    mwa_proto_end(packet, whole);
    return flush(exporting);
}

/* --- events ------------------------------------------------------------------------------- */

static enum mw_status take_begin(void *user, uint32_t location, uint64_t time,
                                 const struct mwa_walk_call *call)
{
    struct exporting *exporting = user;
    uint64_t index = (uint64_t)(call->region - exporting->trace->regions);
    size_t ends[2];

    begin_event(exporting, time, TYPE_SLICE_BEGIN, location_uuid(exporting, location), ends);
    mwa_proto_varint(&exporting->packet, EVENT_NAME_IID, OWN_NAMES + index);
    mwa_proto_varint(&exporting->packet, EVENT_CATEGORY_IIDS, exporting->region_category[index]);
    if (call->repeat > 1) {
        annotate(&exporting->packet, "polls", call->repeat);
    }
    if (call->site != MWA_NONE && has_source(&exporting->trace->sites[call->site])) {
        mwa_proto_varint(&exporting->packet, EVENT_SOURCE_LOCATION_IID, call->site + 1u);
    }
    if (time < mwa_trace_origin(exporting->trace)) {
        annotate_moment(&exporting->packet, "began_ns",
                        mwa_trace_since_begin(exporting->trace, time));
    }
    return end_event(exporting, ends);
}

static enum mw_status take_end(void *user, uint32_t location, uint64_t time,
                               const struct mwa_region *region)
{
    struct exporting *exporting = user;
    size_t ends[2];

    begin_event(exporting, time, TYPE_SLICE_END, location_uuid(exporting, location), ends);
    return end_event(exporting, ends);
}

static enum mw_status put_counter_track(struct exporting *exporting, uint64_t uuid,
                                        uint32_t rank, const char *label, const char *unit,
                                        const char *object)
{
    struct mw_buffer *packet = &exporting->packet;
    size_t whole = mwa_proto_begin(packet, TRACE_PACKET);
    size_t track = mwa_proto_begin(packet, PACKET_TRACK_DESCRIPTOR), counter;
    char name[512];

    snprintf(name, sizeof name, "%.240s%s%.255s", label, *object ? " on " : "", object);
    mwa_proto_varint(packet, TRACK_UUID, uuid);
    mwa_proto_varint(packet, TRACK_PARENT_UUID, process_uuid(exporting, rank));
    mwa_proto_text(packet, TRACK_NAME, name);
    counter = mwa_proto_begin(packet, TRACK_COUNTER);
    if (unit && *unit) {
        mwa_proto_text(packet, COUNTER_UNIT_NAME, unit);
    }
    mwa_proto_end(packet, counter);
    mwa_proto_end(packet, track);
    mwa_proto_end(packet, whole);
    return flush(exporting);
}

static void put_value(struct mw_buffer *packet, enum mw_metric_type type, uint64_t bits)
{
    double real;

    memcpy(&real, &bits, sizeof real);
    if (type == MW_METRIC_DOUBLE) {
        mwa_proto_double(packet, EVENT_DOUBLE_COUNTER_VALUE, real);
    } else if (type == MW_METRIC_UINT64 && bits > INT64_MAX) {
        mwa_proto_double(packet, EVENT_DOUBLE_COUNTER_VALUE, (double)bits);
    } else {
        mwa_proto_signed(packet, EVENT_COUNTER_VALUE, (int64_t)bits);
    }
}

static enum mw_status put_sample(struct exporting *exporting, const struct mwa_event *event,
                                 uint32_t value)
{
    const struct mwa_metric_data *data = &event->of.metric;
    const struct mwa_metrics *metrics = &exporting->trace->metrics;
    const struct mwa_metric *metric = &metrics->list[data->metric];
    uint32_t member_index = metric->members[value];
    uint32_t rank = exporting->trace->locations[event->location].rank;
    const struct mwa_key key = { (uint64_t)event->location << 32 | data->metric,
                                 (uint64_t)(data->comm != MWA_NONE ? data->comm : data->object)
                                         << 32 |
                                     value };
    uint64_t *uuid = mwa_map_put(&exporting->counters, key, exporting->next_uuid);
    enum mw_status status = MW_OK;
    char label[512];
    size_t ends[2];

    if (!uuid) {
        return mw_no_memory(exporting->diagnostic, NULL, "for the counters");
    }
    if (*uuid == exporting->next_uuid) {
        mwa_metric_label(metrics, metric, value, label, sizeof label);
        status = put_counter_track(exporting, exporting->next_uuid++, rank, label,
                                   metrics->members[member_index].unit,
                                   data->comm != MWA_NONE ? exporting->trace->comms[data->comm].name
                                   : data->object != MWA_NONE ? metrics->objects[data->object].name
                                   : metric->scope            ? metric->scope
                                                              : "");
    }
    if (status != MW_OK) {
        return status;
    }
    begin_event(exporting, event->time, TYPE_COUNTER, *uuid, ends);
    put_value(&exporting->packet, metrics->members[member_index].type, data->values[value]);
    return end_event(exporting, ends);
}

static enum mw_status take_sample(void *user, const struct mwa_event *event)
{
    struct exporting *exporting = user;
    const struct mwa_metric *metric = &exporting->trace->metrics.list[event->of.metric.metric];
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < event->of.metric.count && i < metric->count && status == MW_OK; i++) {
        status = put_sample(exporting, event, i);
    }
    return status;
}

static enum mw_status take_measurement(void *user, const struct mwa_event *event)
{
    struct exporting *exporting = user;
    size_t ends[2];

    begin_event(exporting, event->time, TYPE_INSTANT, location_uuid(exporting, event->location),
                ends);
    mwa_proto_varint(&exporting->packet, EVENT_NAME_IID,
                     event->of.on ? NAME_RESUMED : NAME_PAUSED);
    return end_event(exporting, ends);
}

static enum mw_status take_discontinuity(void *user, const struct mwa_event *event)
{
    struct exporting *exporting = user;
    const struct mwa_metrics *metrics = &exporting->trace->metrics;
    char label[512];
    size_t ends[2];

    mwa_metric_discontinuity(metrics, &metrics->list[event->of.metric.metric],
                             event->of.metric.flags, label, sizeof label);
    begin_event(exporting, event->time, TYPE_INSTANT, location_uuid(exporting, event->location),
                ends);
    mwa_proto_text(&exporting->packet, EVENT_CATEGORIES, "variable");
    mwa_proto_text(&exporting->packet, EVENT_NAME, label);
    return end_event(exporting, ends);
}

static enum mw_status take_marker(void *user, const struct mwa_event *event)
{
    struct exporting *exporting = user;
    size_t ends[2];

    begin_event(exporting, event->time, TYPE_INSTANT, location_uuid(exporting, event->location),
                ends);
    mwa_proto_text(&exporting->packet, EVENT_CATEGORIES, "marker");
    mwa_proto_text(&exporting->packet, EVENT_NAME, event->of.mark.text);
    return end_event(exporting, ends);
}

static enum mw_status put_message_end(struct exporting *exporting,
                                      const struct mwa_message *message, bool is_send,
                                      uint64_t time)
{
    const struct mwa_exchange_call *here = is_send ? message->send : message->receive_completion;
    const struct mwa_exchange_call *there = is_send ? message->receive_completion : message->send;
    struct mw_buffer *packet = &exporting->packet;
    size_t ends[2];

    begin_event(exporting, time, TYPE_INSTANT, location_uuid(exporting, here->location), ends);
    mwa_proto_varint(packet, EVENT_NAME_IID, is_send ? NAME_SENT : NAME_RECEIVED);
    mwa_proto_fixed64(packet, is_send ? EVENT_FLOW_IDS : EVENT_TERMINATING_FLOW_IDS,
                      message->number + 1);
    annotate(packet, is_send ? "to rank" : "from rank", there->rank);
    annotate(packet, "tag", message->tag);
    annotate(packet, "bytes", message->bytes);
    if (message->comm != MWA_NONE) {
        annotate_text(packet, "communicator", exporting->trace->comms[message->comm].name);
    }
    return end_event(exporting, ends);
}

static enum mw_status take_message(void *user, const struct mwa_message *message, uint64_t sent,
                                   uint64_t received)
{
    enum mw_status status = put_message_end(user, message, true, sent);

    return status == MW_OK ? put_message_end(user, message, false, received) : status;
}

enum mw_status mwa_export_perfetto(const struct mwa_trace *trace, const char *path,
                                   const struct mwa_selection *selection, FILE *out,
                                   struct mw_diagnostic *diagnostic)
{
    struct exporting exporting = {
        .trace = trace,
        .out = out,
        .diagnostic = diagnostic,
        .next_uuid = 2 + trace->rank_count + trace->location_count,
        .processes = calloc(trace->rank_count + 1, 1),
        .categories = calloc(trace->region_count + 1, sizeof(const char *)),
        .region_category = calloc(trace->region_count + 1, sizeof(uint32_t))
    };
    const struct mwa_walk_listener listener = { .user = &exporting,
                                                .location = take_location,
                                                .begin = take_begin,
                                                .end = take_end,
                                                .sample = take_sample,
                                                .measurement = take_measurement,
                                                .marker = take_marker,
                                                .discontinuity = take_discontinuity,
                                                .message = take_message };
    enum mw_status status;

    status = exporting.processes && exporting.categories && exporting.region_category
                 ? put_names(&exporting)
                 : mw_no_memory(diagnostic, NULL, "for the names");
    if (status == MW_OK) {
        status = mwa_walk(trace, path, selection, &listener, diagnostic);
    }
    mw_buffer_fini(&exporting.packet);
    mwa_map_fini(&exporting.counters);
    free(exporting.processes);
    free(exporting.categories);
    free(exporting.region_category);
    return status;
}
