/*
 * A record has OTF2's ids and what fields it likes; the model has one event with indices. Records
 * that the model has no kind for are passed over.
 */
#include "analyzer/load/event_delivery.h"

#include <stdio.h>

#include <otf2/otf2.h>

#include "analyzer/load/hint_attributes.h"
#include "analyzer/load/object_delivery.h"
#include "analyzer/load/references.h"
#include "analyzer/load/sample_attributes.h"
#include "formats/table/terms.h"

bool mwa_delivery_refuse(struct mwa_delivery *delivery, uint64_t position, const char *what,
                         uint32_t id)
{
    snprintf(delivery->wrong, sizeof delivery->wrong,
             "event %llu refers to %s %u, which is not there", (unsigned long long)position, what,
             id);
    return false;
}

/* --- calls, communicators, threads, metrics ----------------------------------------------- */

/* Makes event one of the kind: OTF2's region is entered or left. False: there is no such. */
MW_INLINE bool begin_call(struct mwa_delivery *delivery, const struct mwa_record *record,
                          enum mwa_event_kind kind, uint32_t region, struct mwa_event *event)
{
    const struct mwa_trace *trace = delivery->trace;
    const uint32_t site = mwa_trace_site(trace, region);

    if (MW_UNLIKELY(site == MWA_NONE)) {
        return mwa_delivery_refuse(delivery, record->position, "Region", region);
    }
    mwa_event_begin_bare(event, kind, record->time);
    event->of.call = (struct mwa_region_data){ .region = trace->sites[site].region,
                                               .site = site,
                                               .repeat = 1,
                                               .inside = UINT64_MAX };
    return true;
}

/* Takes the site that attributes tell of a call, if they do. False: it is none of its region. */
static bool take_site(struct mwa_delivery *delivery, const struct mwa_record *record,
                      struct mwa_region_data *call)
{
    const struct mwa_trace *trace = delivery->trace;
    uint64_t place;

    if (!mwa_attribute_find(&record->attributes, trace->attributes[MW_ATTRIBUTE_SITE],
                            OTF2_TYPE_REGION, &place)) {
        return true;
    }
    call->site = mwa_trace_site(trace, (uint32_t)place);
    if (call->site == MWA_NONE) {
        return mwa_delivery_refuse(delivery, record->position, "Region", (uint32_t)place);
    }
    return trace->sites[call->site].region == call->region ||
           mwa_delivery_refuse(delivery, record->position, "a place of its call, Region",
                               (uint32_t)place);
}

/* What a receive was posted with, or a probe made, as far as the archive tells. */
static uint32_t wildcards_of(const struct mwa_delivery *delivery, const struct mwa_record *record)
{
    uint64_t wildcards = 0;

    mwa_attribute_find(&record->attributes, delivery->trace->attributes[MW_ATTRIBUTE_WILDCARDS],
                       OTF2_TYPE_UINT8, &wildcards);
    return (uint32_t)wildcards;
}

/*
 * What a probe found, by mpiwatch's attributes. False: they name a communicator or a rank that is
 * not there, and the reading is over.
 */
static bool take_found(struct mwa_delivery *delivery, const struct mwa_record *record,
                       struct mwa_found_data *found)
{
    const struct mwa_trace *trace = delivery->trace;
    const uint32_t *ids = trace->attributes;
    uint64_t comm, source, tag;

    if (ids[MW_ATTRIBUTE_FOUND_COMM] == MWA_NONE ||
        !mwa_attribute_find(&record->attributes, ids[MW_ATTRIBUTE_FOUND_COMM], OTF2_TYPE_COMM,
                            &comm) ||
        !mwa_attribute_find(&record->attributes, ids[MW_ATTRIBUTE_FOUND_SOURCE],
                            OTF2_TYPE_INT32, &source) ||
        !mwa_attribute_find(&record->attributes, ids[MW_ATTRIBUTE_FOUND_TAG], OTF2_TYPE_INT32,
                            &tag)) {
        return true;
    }
    *found = (struct mwa_found_data){ .is_told = 1,
                                      .wildcards = (uint16_t)wildcards_of(delivery, record),
                                      .comm = mwa_trace_comm(trace, (uint32_t)comm),
                                      .peer = (uint32_t)source,
                                      .tag = (uint32_t)tag };
    if (found->comm == MWA_NONE) {
        return mwa_delivery_refuse(delivery, record->position, "Comm", (uint32_t)comm);
    }
    return mwa_may_be_member(trace, found->comm, found->peer) ||
           mwa_delivery_refuse(delivery, record->position, "a peer with rank", found->peer);
}

/* A region is entered; region is OTF2's id. */
static bool enter(struct mwa_delivery *delivery, const struct mwa_record *record, uint32_t region)
{
    const struct mwa_attributes *attributes = &record->attributes;
    const uint32_t *ids = delivery->trace->attributes;
    struct mwa_event event;
    struct mwa_hint hint;
    uint32_t own;

    if (!begin_call(delivery, record, MWA_ENTER, region, &event)) {
        return false;
    }
    own = event.of.call.site;
    if (attributes->count > 0 && !take_site(delivery, record, &event.of.call)) {
        return false;
    }
    if (attributes->count > (event.of.call.site == own ? 0u : 1u)) {
        event.hint = mwa_hint_attributes(delivery->trace, attributes, &hint) ? &hint : NULL;
        mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_REPEAT], OTF2_TYPE_UINT64,
                           &event.of.call.repeat);
        mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_INSIDE], OTF2_TYPE_UINT64,
                           &event.of.call.inside);
        event.of.call.repeat += event.of.call.repeat == 0;
        if (!take_found(delivery, record, &event.of.call.found)) {
            return false;
        }
    }
    return mwa_deliver(delivery, &event);
}

static bool leave(struct mwa_delivery *delivery, const struct mwa_record *record, uint32_t region)
{
    const uint32_t *ids = delivery->trace->attributes;
    struct mwa_event event;
    uint64_t open = 0;
    uint64_t error = 0;

    if (!begin_call(delivery, record, MWA_LEAVE, region, &event)) {
        return false;
    }
    if (MW_UNLIKELY(record->attributes.count > 0)) {
        mwa_attribute_find(&record->attributes, ids[MW_ATTRIBUTE_OPEN], OTF2_TYPE_UINT8, &open);
        mwa_attribute_find(&record->attributes, ids[MW_ATTRIBUTE_ERROR], OTF2_TYPE_INT32, &error);
        event.of.call.open = open != 0;
        event.of.call.error_class = (uint32_t)error;
    }
    return mwa_deliver(delivery, &event);
}

/* Tools that sample write calls as calling contexts: what they are of is entered or left. */
MW_APART bool deliver_context(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    uint64_t region = mwa_map_get(&delivery->trace->context_index,
                                  (struct mwa_key){ 0, record->fields[0] });

    if (region == MWA_MAP_ABSENT) {
        return true;
    }
    return record->type == MWA_RECORD_CALLING_CONTEXT_ENTER
               ? enter(delivery, record, (uint32_t)region)
               : leave(delivery, record, (uint32_t)region);
}

MW_APART bool deliver_comm(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    const uint32_t comm = (uint32_t)record->fields[0];
    struct mwa_event event;

    mwa_event_begin(&event,
                    record->type == MWA_RECORD_COMM_CREATE ? MWA_COMM_CREATE : MWA_COMM_DESTROY,
                    record->time);
    event.of.comm = mwa_trace_comm(delivery->trace, comm);
    if (event.of.comm == MWA_NONE && comm != OTF2_UNDEFINED_COMM) {
        return mwa_delivery_refuse(delivery, record->position, "Comm", comm);
    }
    return mwa_deliver(delivery, &event);
}

MW_APART bool deliver_measurement(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    struct mwa_event event;

    mwa_event_begin(&event, MWA_MEASUREMENT, record->time);
    event.of.on = record->fields[0] == OTF2_MEASUREMENT_ON;
    return mwa_deliver(delivery, &event);
}

/* The values in their members' types and units. */
static void take_values(const struct mwa_metrics *metrics, uint32_t index,
                        const struct mwa_record *record, uint64_t bits[UINT8_MAX])
{
    const struct mwa_metric *metric = &metrics->list[index];

    for (unsigned i = 0; i < record->fields[1]; i++) {
        bits[i] = record->values[i];
        if (i < metric->count) {
            enum mw_metric_type type = record->types[i] == OTF2_TYPE_DOUBLE  ? MW_METRIC_DOUBLE
                                       : record->types[i] == OTF2_TYPE_INT64 ? MW_METRIC_INT64
                                                                             : MW_METRIC_UINT64;

            bits[i] = mwa_metric_bits(&metrics->members[metric->members[i]], type, bits[i]);
        }
    }
}

MW_APART bool deliver_metric(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    const struct mwa_trace *trace = delivery->trace;
    const uint32_t metric = (uint32_t)record->fields[0];
    const uint32_t count = (uint32_t)record->fields[1];
    struct mwa_event event;
    uint64_t bits[UINT8_MAX];
    double course[MWA_COURSE_NUMBERS];

    mwa_event_begin(&event, MWA_METRIC, record->time);
    event.of.metric = (struct mwa_metric_data){ .metric = mwa_metric_index(&trace->metrics, metric),
                                                .values = bits };
    if (event.of.metric.metric == MWA_NONE && count >= MW_RUNNING_THREADS &&
        mwa_metric_is_running(&trace->metrics, metric)) {
        event.of.metric.count = count < MW_RUNNING_VALUES ? count : MW_RUNNING_VALUES;
        for (unsigned value = 0; value < MW_RUNNING_VALUES; value++) {
            bits[value] = value < count ? record->values[value] : 0;
        }
        event.kind = MWA_RUNNING;
        event.of.metric.comm = event.of.metric.object = MWA_NONE;
        return mwa_deliver(delivery, &event);
    }
    if (event.of.metric.metric == MWA_NONE) {
        return true;
    }
    take_values(&trace->metrics, event.of.metric.metric, record, bits);
    mwa_sample_attributes(trace, &record->attributes, course, &event.of.metric);
    event.of.metric.count = mwa_metric_is_still(event.of.metric.flags) ? 0u : count;
    return mwa_deliver(delivery, &event);
}

/* A variable was reset or has wrapped; other tools' parameters are passed over. */
MW_APART bool deliver_parameter_number(struct mwa_delivery *delivery,
                                     const struct mwa_record *record)
{
    const struct mwa_trace *trace = delivery->trace;
    struct mwa_event event;
    uint64_t metric;

    if (record->fields[0] != trace->parameters[MW_PARAMETER_DISCONTINUITY] ||
        !mwa_attribute_find(&record->attributes, trace->attributes[MW_ATTRIBUTE_METRIC],
                            OTF2_TYPE_METRIC, &metric)) {
        return true;
    }
    mwa_event_begin(&event, MWA_DISCONTINUITY, record->time);
    event.of.metric = (struct mwa_metric_data){
        .metric = mwa_metric_index(&trace->metrics, (uint32_t)metric),
        .flags = (uint32_t)record->fields[1]
    };
    mwa_take_bound(trace, &record->attributes, &event.of.metric);
    return event.of.metric.metric == MWA_NONE || mwa_deliver(delivery, &event);
}

/* Hands on an event that has nothing but a request, or not even that. */
static bool deliver_plain(struct mwa_delivery *delivery, const struct mwa_record *record,
                          enum mwa_event_kind kind, uint64_t request)
{
    struct mwa_event event;

    mwa_event_begin(&event, kind, record->time);
    event.request = request;
    return mwa_deliver(delivery, &event);
}

/* --- messages, requests, collectives ------------------------------------------------------ */

/* Hands on a message: records of all have the same fields. */
static uint32_t lane_of(const struct mwa_delivery *delivery, const struct mwa_record *record)
{
    uint64_t lane = 0;

    if (delivery->trace->attributes[MW_ATTRIBUTE_LANE] != MWA_NONE) {
        mwa_attribute_find(&record->attributes, delivery->trace->attributes[MW_ATTRIBUTE_LANE],
                           OTF2_TYPE_UINT32, &lane);
    }
    return (uint32_t)lane;
}

static bool deliver_message(struct mwa_delivery *delivery, const struct mwa_record *record,
                            enum mwa_event_kind kind)
{
    const uint32_t comm = (uint32_t)record->fields[1];
    struct mwa_message_data *data;
    struct mwa_event event;

    mwa_event_begin(&event, kind, record->time);
    data = &event.of.message;
    data->comm = mwa_trace_comm(delivery->trace, comm);
    data->peer = (uint32_t)record->fields[0];
    data->tag = (uint32_t)record->fields[2];
    data->bytes = record->fields[3];
    if (kind == MWA_ISEND || kind == MWA_IRECV) {
        event.request = record->fields[4];
        data->lane = lane_of(delivery, record);
    } else if (kind == MWA_RECV) {
        data->wildcards = wildcards_of(delivery, record);
    }
    if (data->comm == MWA_NONE && comm != OTF2_UNDEFINED_COMM) {
        return mwa_delivery_refuse(delivery, record->position, "Comm", comm);
    }
    if (!mwa_may_be_member(delivery->trace, data->comm, data->peer)) {
        return mwa_delivery_refuse(delivery, record->position, "a peer with rank", data->peer);
    }
    return mwa_deliver(delivery, &event);
}

MW_APART bool deliver_test(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    struct mwa_event event;
    struct mwa_hint hint;

    mwa_event_begin(&event, MWA_TEST, record->time);
    event.request = record->fields[0];
    event.hint = mwa_hint_attributes(delivery->trace, &record->attributes, &hint) ? &hint : NULL;
    return mwa_deliver(delivery, &event);
}

MW_APART bool deliver_receive_post(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    struct mwa_event event;

    mwa_event_begin(&event, MWA_IRECV_POST, record->time);
    event.request = record->fields[0];
    event.of.message.wildcards = wildcards_of(delivery, record);
    return mwa_deliver(delivery, &event);
}

/*
 * Whom the operation waits for, and its terms, by mpiwatch's attributes. False: they name a group
 * that is not there, *group.
 */
static bool take_sources(const struct mwa_trace *trace, const struct mwa_attributes *attributes,
                         struct mwa_collective_data *data, uint64_t *group)
{
    const uint32_t *ids = trace->attributes;
    uint64_t terms = 0;

    data->has_terms = ids[MW_ATTRIBUTE_TERMS] != MWA_NONE &&
                      mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_TERMS], OTF2_TYPE_UINT16,
                                         &terms);
    data->terms = data->has_terms ? mw_terms_clean((uint16_t)terms) : 0;
    if (mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_NEIGHBORS], OTF2_TYPE_GROUP, group)) {
        data->on_neighbors = true;
    } else if (!mwa_attribute_find(attributes, ids[MW_ATTRIBUTE_SOURCES], OTF2_TYPE_GROUP,
                                   group)) {
        return true;
    }
    data->sources = mwa_trace_group(trace, (uint32_t)*group);
    return data->sources || *group == OTF2_UNDEFINED_GROUP;
}

/* Score-P tells so of MPI_Init, MPI_Finalize, and where communicators are made and freed. */
static bool is_of_handle(uint32_t operation)
{
    return operation >= OTF2_COLLECTIVE_OP_CREATE_HANDLE &&
           operation <= OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE;
}

static bool deliver_collective(struct mwa_delivery *delivery, const struct mwa_record *record,
                               enum mwa_event_kind kind)
{
    const struct mwa_trace *trace = delivery->trace;
    const uint32_t comm = (uint32_t)record->fields[1];
    struct mwa_collective_data *data;
    struct mwa_event event;
    uint64_t group = 0;

    mwa_event_begin(&event, kind, record->time);
    data = &event.of.collective;
    data->comm = mwa_trace_comm(trace, comm);
    data->operation = (uint32_t)record->fields[0];
    data->root = (uint32_t)record->fields[2];
    data->bytes_sent = record->fields[3];
    data->bytes_received = record->fields[4];
    data->of_handle = is_of_handle(data->operation);
    event.request = kind == MWA_COLLECTIVE_COMPLETE ? record->fields[5] : 0;
    if (data->comm == MWA_NONE && comm != OTF2_UNDEFINED_COMM) {
        return mwa_delivery_refuse(delivery, record->position, "Comm", comm);
    }
    if (!mwa_may_be_root(trace, data->comm, data->root)) {
        return mwa_delivery_refuse(delivery, record->position, "a root with rank", data->root);
    }
    if (!take_sources(trace, &record->attributes, data, &group)) {
        return mwa_delivery_refuse(delivery, record->position, "Group", (uint32_t)group);
    }
    return mwa_deliver(delivery, &event);
}

/* --- what the program says ---------------------------------------------------------------- */

/* What the program says by mpiwatch's API; other tools' parameters are passed over. */
MW_APART bool deliver_parameter_string(struct mwa_delivery *delivery,
                                     const struct mwa_record *record)
{
    const struct mwa_trace *trace = delivery->trace;
    const uint32_t parameter = (uint32_t)record->fields[0];
    struct mwa_event event;
    uint64_t comm = OTF2_UNDEFINED_COMM;

    mwa_event_begin(&event, MWA_MARKER, record->time);
    if (parameter == MWA_NONE) {
        return true;
    }
    if (parameter == trace->parameters[MW_PARAMETER_REGISTERED]) {
        event.kind = MWA_REGISTERED;
    } else if (parameter == trace->parameters[MW_PARAMETER_UNREGISTERED]) {
        event.kind = MWA_UNREGISTERED;
    } else if (parameter != trace->parameters[MW_PARAMETER_MARKER]) {
        return true;
    }
    mwa_attribute_find(&record->attributes, trace->attributes[MW_ATTRIBUTE_COMM], OTF2_TYPE_COMM,
                       &comm);
    event.of.mark = (struct mwa_mark_data){
        .comm = mwa_trace_comm(trace, (uint32_t)comm),
        .text = mwa_trace_string(trace, (uint32_t)record->fields[1])
    };
    return mwa_deliver(delivery, &event);
}

bool mwa_delivery_take(struct mwa_delivery *delivery, const struct mwa_record *record)
{
    switch (record->type) {
    case MWA_RECORD_ENTER:
        return enter(delivery, record, (uint32_t)record->fields[0]);
    case MWA_RECORD_LEAVE:
        return leave(delivery, record, (uint32_t)record->fields[0]);
    case MWA_RECORD_CALLING_CONTEXT_ENTER:
    case MWA_RECORD_CALLING_CONTEXT_LEAVE:
        return deliver_context(delivery, record);
    case MWA_RECORD_COMM_CREATE:
    case MWA_RECORD_COMM_DESTROY:
        return deliver_comm(delivery, record);
    case MWA_RECORD_MEASUREMENT_ON_OFF:
        return deliver_measurement(delivery, record);
    case MWA_RECORD_METRIC:
        return deliver_metric(delivery, record);
    case MWA_RECORD_THREAD_BEGIN:
        return deliver_plain(delivery, record, MWA_THREAD_BEGIN, 0);
    case MWA_RECORD_THREAD_END:
        return deliver_plain(delivery, record, MWA_THREAD_END, 0);
    case MWA_RECORD_MPI_SEND:
        return deliver_message(delivery, record, MWA_SEND);
    case MWA_RECORD_MPI_ISEND:
        return deliver_message(delivery, record, MWA_ISEND);
    case MWA_RECORD_MPI_RECV:
        return deliver_message(delivery, record, MWA_RECV);
    case MWA_RECORD_MPI_IRECV:
        return deliver_message(delivery, record, MWA_IRECV);
    case MWA_RECORD_MPI_IRECV_REQUEST:
        return deliver_receive_post(delivery, record);
    case MWA_RECORD_MPI_ISEND_COMPLETE:
        return deliver_plain(delivery, record, MWA_ISEND_COMPLETE, record->fields[0]);
    case MWA_RECORD_MPI_REQUEST_CANCELLED:
        return deliver_plain(delivery, record, MWA_CANCELLED, record->fields[0]);
    case MWA_RECORD_MPI_REQUEST_TEST:
        return deliver_test(delivery, record);
    case MWA_RECORD_MPI_COLLECTIVE_BEGIN:
        return deliver_plain(delivery, record, MWA_COLLECTIVE_BEGIN, 0);
    case MWA_RECORD_MPI_COLLECTIVE_END:
        return deliver_collective(delivery, record, MWA_COLLECTIVE_END);
    case MWA_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST:
        return deliver_plain(delivery, record, MWA_COLLECTIVE_POST, record->fields[0]);
    case MWA_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
        return deliver_collective(delivery, record, MWA_COLLECTIVE_COMPLETE);
    case MWA_RECORD_PARAMETER_STRING:
        return deliver_parameter_string(delivery, record);
    case MWA_RECORD_PARAMETER_UNSIGNED_INT:
        return deliver_parameter_number(delivery, record);
    default:
        return mwa_delivery_take_object(delivery, record);
    }
}
