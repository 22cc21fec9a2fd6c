/* Packets are written one by one as they come: a trace of Perfetto needs no end to be known. */
#include "analyzer/export/perfetto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/waits/waits.h"
#include "analyzer/export/perfetto_annotations.h"
#include "analyzer/export/perfetto_fields.h"
#include "analyzer/export/protobuf.h"
#include "analyzer/export/walk.h"
#include "analyzer/model/places.h"
#include "formats/base/file.h"

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
    uint32_t wait_track; /* location whose track of waits is the last described, MWA_NONE: none */
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
static void begin_event(struct exporting *exporting, uint64_t time, enum mwa_perfetto_event type,
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

static bool has_source(const struct mwa_spot *spot)
{
    return *spot->file || *spot->function;
}

/* Where calls are made; a site's iid is its index, and 1. */
static void put_sources(struct exporting *exporting)
{
    struct mw_buffer *packet = &exporting->packet;

    for (uint64_t i = 0; i < exporting->trace->site_count; i++) {
        const struct mwa_spot spot = mwa_site_spot(&exporting->trace->sites[i]);
        size_t begun;

        if (!has_source(&spot)) {
            continue;
        }
        begun = mwa_proto_begin(packet, INTERNED_SOURCE_LOCATIONS);
        mwa_proto_varint(packet, INTERNED_IID, i + 1);
        if (*spot.file) {
            mwa_proto_text(packet, SOURCE_FILE, spot.file);
            mwa_proto_varint(packet, SOURCE_LINE, spot.line);
        }
        if (*spot.function) {
            mwa_proto_text(packet, SOURCE_FUNCTION, spot.function);
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

/* uuids: processes from 1 on, then locations, then their waits, then counters. */
static uint64_t process_uuid(const struct exporting *exporting, uint32_t rank)
{
    return 1 + (rank == MWA_NONE ? exporting->trace->rank_count : rank);
}

static uint64_t location_uuid(const struct exporting *exporting, uint32_t location)
{
    return 2 + exporting->trace->rank_count + location;
}

static uint64_t wait_uuid(const struct exporting *exporting, uint32_t location)
{
    return location_uuid(exporting, location) + exporting->trace->location_count;
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

/* The ends of messages: an arrow from where the sender's slice begins to where the receiver's
 * ends, as that may have begun before. */
static void put_flows(struct exporting *exporting, const struct mwa_walk_call *call,
                      bool are_received)
{
    for (uint64_t i = 0; i < call->end_count; i++) {
        if (call->ends[i].is_receive == are_received) {
            mwa_proto_fixed64(&exporting->packet,
                              are_received ? EVENT_TERMINATING_FLOW_IDS : EVENT_FLOW_IDS,
                              call->ends[i].link->number + 1);
        }
    }
}

static enum mw_status take_begin(void *user, uint32_t location, uint64_t time,
                                 const struct mwa_walk_call *call)
{
    struct exporting *exporting = user;
    uint64_t index = (uint64_t)(call->region - exporting->trace->regions);
    const struct mwa_spot spot = call->site == MWA_NONE
                                     ? (struct mwa_spot){ "", "", 0 }
                                     : mwa_site_spot(&exporting->trace->sites[call->site]);
    size_t ends[2];

    begin_event(exporting, time, TYPE_SLICE_BEGIN, location_uuid(exporting, location), ends);
    mwa_proto_varint(&exporting->packet, EVENT_NAME_IID, OWN_NAMES + index);
    mwa_proto_varint(&exporting->packet, EVENT_CATEGORY_IIDS, exporting->region_category[index]);
    if (call->repeat > 1) {
        mwa_perfetto_annotate(&exporting->packet, "polls", call->repeat);
    }
    if (has_source(&spot)) {
        mwa_proto_varint(&exporting->packet, EVENT_SOURCE_LOCATION_IID, call->site + 1u);
    }
    if (time < mwa_trace_origin(exporting->trace)) {
        mwa_perfetto_annotate_moment(&exporting->packet, "began_ns",
                        mwa_trace_since_begin(exporting->trace, time));
    }
    put_flows(exporting, call, false);
    return end_event(exporting, ends);
}

static void annotate_known(struct mw_buffer *packet, const char *name, uint32_t value)
{
    if (value != MWA_NONE) {
        mwa_perfetto_annotate(packet, name, value);
    }
}

static void annotate_comm(struct exporting *exporting, uint32_t comm)
{
    if (comm != MWA_NONE) {
        mwa_perfetto_annotate_text(&exporting->packet, "communicator",
                                   exporting->trace->comms[comm].name);
    }
}

/* What a call says of itself is known at its end; viewers show it with the slice. */
static enum mw_status take_end(void *user, uint32_t location, uint64_t time,
                               const struct mwa_walk_call *call)
{
    struct exporting *exporting = user;
    struct mw_buffer *packet = &exporting->packet;
    const struct mwa_call_facts *facts = &call->facts;
    size_t ends[2];

    begin_event(exporting, time, TYPE_SLICE_END, location_uuid(exporting, location), ends);
    annotate_comm(exporting, facts->comm);
    annotate_known(packet, "peer", facts->peer);
    annotate_known(packet, "tag", facts->tag);
    annotate_known(packet, "root", facts->root);
    if (facts->has_bytes) {
        mwa_perfetto_annotate(packet, "bytes sent", facts->bytes_sent);
        mwa_perfetto_annotate(packet, "bytes received", facts->bytes_received);
    }
    put_flows(exporting, call, true);
    return end_event(exporting, ends);
}

static enum mw_status put_wait_track(struct exporting *exporting, uint32_t location)
{
    struct mw_buffer *packet = &exporting->packet;
    size_t whole = mwa_proto_begin(packet, TRACE_PACKET);
    size_t track = mwa_proto_begin(packet, PACKET_TRACK_DESCRIPTOR);

    mwa_proto_varint(packet, TRACK_UUID, wait_uuid(exporting, location));
    mwa_proto_varint(packet, TRACK_PARENT_UUID, location_uuid(exporting, location));
    mwa_proto_text(packet, TRACK_NAME, "waiting");
    mwa_proto_end(packet, track);
    mwa_proto_end(packet, whole);
    exporting->wait_track = location;
    return flush(exporting);
}

/* A slice on the track of its location's waits, below the calls. */
static enum mw_status take_wait(void *user, const struct mwa_link_wait *wait, uint64_t from,
                                uint64_t to)
{
    struct exporting *exporting = user;
    const uint64_t track = wait_uuid(exporting, wait->location);
    enum mw_status status = exporting->wait_track == wait->location
                                ? MW_OK
                                : put_wait_track(exporting, wait->location);
    size_t ends[2];

    if (status != MW_OK) {
        return status;
    }
    begin_event(exporting, from, TYPE_SLICE_BEGIN, track, ends);
    mwa_proto_text(&exporting->packet, EVENT_CATEGORIES, "wait");
    mwa_proto_text(&exporting->packet, EVENT_NAME, mwa_wait_title(wait->pattern));
    annotate_known(&exporting->packet, "for rank", wait->cause);
    annotate_comm(exporting, wait->comm);
    status = end_event(exporting, ends);
    if (status == MW_OK) {
        begin_event(exporting, to, TYPE_SLICE_END, track, ends);
        status = end_event(exporting, ends);
    }
    return status;
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

static enum mw_status put_running(struct exporting *exporting, const struct mwa_event *event,
                                  unsigned value)
{
    const struct mwa_location *location = &exporting->trace->locations[event->location];
    const struct mwa_key key = { (uint64_t)event->location << 32 | MWA_NONE,
                                 (uint64_t)MWA_NONE << 32 | value };
    uint64_t *uuid = mwa_map_put(&exporting->counters, key, exporting->next_uuid);
    enum mw_status status = MW_OK;
    size_t ends[2];

    if (!uuid) {
        return mw_no_memory(exporting->diagnostic, NULL, "for the counters");
    }
    if (*uuid == exporting->next_uuid) {
        status = put_counter_track(exporting, exporting->next_uuid++, location->rank,
                                   mw_running_names[value], mw_running_units[value],
                                   location->name);
    }
    if (status != MW_OK) {
        return status;
    }
    begin_event(exporting, event->time, TYPE_COUNTER, *uuid, ends);
    put_value(&exporting->packet, MW_METRIC_UINT64, event->of.metric.values[value]);
    return end_event(exporting, ends);
}

/* One counter for each value, of the thread. */
static enum mw_status take_running(void *user, const struct mwa_event *event)
{
    enum mw_status status = MW_OK;

    for (unsigned i = 0; i < event->of.metric.count && status == MW_OK; i++) {
        if (i != MW_RUNNING_RESIDENT || event->of.metric.values[i] > 0) { /* 0: not read */
            status = put_running(user, event, i);
        }
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

/* The end of a message outside of all calls, which archives of other tools may have. */
static enum mw_status put_message_end(struct exporting *exporting, const struct mwa_link *link,
                                      bool is_send)
{
    const struct mwa_location *locations = exporting->trace->locations;
    const uint32_t here = is_send ? link->send_location : link->receive_location;
    const uint32_t there = is_send ? link->receive_location : link->send_location;
    struct mw_buffer *packet = &exporting->packet;
    size_t ends[2];

    begin_event(exporting, is_send ? link->sent : link->received, TYPE_INSTANT,
                location_uuid(exporting, here), ends);
    mwa_proto_varint(packet, EVENT_NAME_IID, is_send ? NAME_SENT : NAME_RECEIVED);
    mwa_proto_fixed64(packet, is_send ? EVENT_FLOW_IDS : EVENT_TERMINATING_FLOW_IDS,
                      link->number + 1);
    annotate_known(packet, is_send ? "to rank" : "from rank", locations[there].rank);
    mwa_perfetto_annotate(packet, "tag", link->tag);
    mwa_perfetto_annotate(packet, "bytes", link->bytes);
    annotate_comm(exporting, link->comm);
    return end_event(exporting, ends);
}

static enum mw_status take_message(void *user, const struct mwa_link *link)
{
    enum mw_status status = link->send_call ? MW_OK : put_message_end(user, link, true);

    return status != MW_OK || link->receive_call ? status : put_message_end(user, link, false);
}

enum mw_status mwa_export_perfetto(const struct mwa_trace *trace, const char *path,
                                   const struct mwa_selection *selection, FILE *out,
                                   struct mw_diagnostic *diagnostic)
{
    struct exporting exporting = {
        .trace = trace,
        .out = out,
        .diagnostic = diagnostic,
        .next_uuid = 2 + trace->rank_count + 2 * trace->location_count,
        .wait_track = MWA_NONE,
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
                                                .running = take_running,
                                                .marker = take_marker,
                                                .discontinuity = take_discontinuity,
                                                .wait = take_wait,
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
