/*
 * libotf2 calls back with its own ids and one signature per record; the model has
 * one event with indices. Records that the model has no kind for get no callback,
 * so that libotf2 passes over them.
 */
#include "analyzer/load/event_callbacks.h"

#include <stdio.h>

#include "analyzer/load/callback.h"
#include "analyzer/load/hint_attributes.h"
#include "analyzer/load/object_callbacks.h"
#include "analyzer/load/references.h"
#include "analyzer/load/sample_attributes.h"
#include "formats/table/terms.h"

static const struct mwa_trace *trace_of(const void *user)
{
    return ((const struct mwa_delivery *)user)->trace;
}

OTF2_CallbackCode mwa_deliver(struct mwa_delivery *delivery, struct mwa_event *event)
{
    if (event->time < delivery->last_time) {
        delivery->is_backwards = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    event->location = delivery->location;
    delivery->last_time = event->time;
    if (delivery->part) {
        event->hint = NULL; /* its communicator is of this archive alone */
    }
    if (delivery->part && !mwa_joint_translate(delivery->part, event)) {
        return OTF2_CALLBACK_SUCCESS;
    }
    delivery->status = delivery->visit(delivery->user, event);
    return delivery->status == MW_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

OTF2_CallbackCode mwa_delivery_refuse(struct mwa_delivery *delivery, uint64_t position,
                                      const char *what, uint32_t id)
{
    snprintf(delivery->wrong, sizeof delivery->wrong,
             "event %llu refers to %s %u, which is not there", (unsigned long long)position,
             what, id);
    return OTF2_CALLBACK_INTERRUPT;
}

/* --- calls, communicators, threads, metrics ----------------------------------------------- */

/* Hands on that region is entered or left, at site if that is not MWA_NONE. */
static OTF2_CallbackCode deliver_call(void *user, struct mwa_event *event, uint64_t position,
                                      OTF2_RegionRef region, uint32_t site)
{
    const struct mwa_trace *trace = trace_of(user);
    const uint32_t own = mwa_trace_site(trace, region);

    if (own == MWA_NONE) {
        return mwa_delivery_refuse(user, position, "Region", region);
    }
    event->of.call.region = trace->sites[own].region;
    event->of.call.site = site == MWA_NONE ? own : site;
    if (trace->sites[event->of.call.site].region != event->of.call.region) {
        return mwa_delivery_refuse(user, position, "a place of its call, Region",
                                   trace->sites[site].id);
    }
    return mwa_deliver(user, event);
}

/* The site that attributes tell, MWA_NONE: none. False: it is *place, which is not there. */
static bool take_site(const struct mwa_trace *trace, const OTF2_AttributeList *attributes,
                      uint32_t *site, OTF2_RegionRef *place)
{
    const uint32_t id = trace->attributes[MW_ATTRIBUTE_SITE];

    *site = MWA_NONE;
    if (id == MWA_NONE || !OTF2_AttributeList_TestAttributeByID(attributes, id) ||
        OTF2_AttributeList_GetRegionRef(attributes, id, place) != OTF2_SUCCESS) {
        return true;
    }
    *site = mwa_trace_site(trace, *place);
    return *site != MWA_NONE;
}

MWA_CALLBACK(on_enter, OTF2_RegionRef region)
{
    const uint32_t *ids = trace_of(user)->attributes;
    struct mwa_event event = { .kind = MWA_ENTER,
                               .time = time,
                               .of.call = { .repeat = 1, .inside = UINT64_MAX } };
    struct mwa_hint hint;
    OTF2_RegionRef place;
    uint32_t site;

    if (!take_site(trace_of(user), attributes, &site, &place)) {
        return mwa_delivery_refuse(user, position, "Region", place);
    }
    if (OTF2_AttributeList_GetNumberOfElements(attributes) > (site == MWA_NONE ? 0u : 1u)) {
        event.hint = mwa_hint_attributes(trace_of(user), attributes, &hint) ? &hint : NULL;
        OTF2_AttributeList_GetUint64(attributes, ids[MW_ATTRIBUTE_REPEAT],
                                     &event.of.call.repeat);
        OTF2_AttributeList_GetUint64(attributes, ids[MW_ATTRIBUTE_INSIDE],
                                     &event.of.call.inside);
        event.of.call.repeat += event.of.call.repeat == 0;
    }
    return deliver_call(user, &event, position, region, site);
}

MWA_CALLBACK(on_leave, OTF2_RegionRef region)
{
    struct mwa_event event = { .kind = MWA_LEAVE,
                               .time = time,
                               .of.call = { .repeat = 1, .inside = UINT64_MAX } };
    uint8_t open = 0;

    if (OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
        OTF2_AttributeList_GetUint8(attributes, trace_of(user)->attributes[MW_ATTRIBUTE_OPEN],
                                    &open);
        event.of.call.open = open != 0;
    }
    return deliver_call(user, &event, position, region, MWA_NONE);
}

static OTF2_CallbackCode deliver_comm(void *user, enum mwa_event_kind kind, uint64_t time,
                                      uint64_t position, OTF2_CommRef comm)
{
    struct mwa_event event = { .kind = kind, .time = time };

    event.of.comm = mwa_trace_comm(trace_of(user), comm);
    if (event.of.comm == MWA_NONE && comm != OTF2_UNDEFINED_COMM) {
        return mwa_delivery_refuse(user, position, "Comm", comm);
    }
    return mwa_deliver(user, &event);
}

MWA_CALLBACK(on_comm_create, OTF2_CommRef comm)
{
    return deliver_comm(user, MWA_COMM_CREATE, time, position, comm);
}

MWA_CALLBACK(on_comm_destroy, OTF2_CommRef comm)
{
    return deliver_comm(user, MWA_COMM_DESTROY, time, position, comm);
}

MWA_CALLBACK(on_measurement, OTF2_MeasurementMode mode)
{
    struct mwa_event event = { .kind = MWA_MEASUREMENT, .time = time };

    event.of.on = mode == OTF2_MEASUREMENT_ON;
    return mwa_deliver(user, &event);
}

/* The values in their members' types and units. */
static void take_values(const struct mwa_metrics *metrics, uint32_t index, uint8_t count,
                        const OTF2_Type *types, const OTF2_MetricValue *values,
                        uint64_t bits[UINT8_MAX])
{
    const struct mwa_metric *metric = &metrics->list[index];

    for (unsigned i = 0; i < count; i++) {
        bits[i] = values[i].unsigned_int;
        if (i < metric->count) {
            enum mw_metric_type type = types[i] == OTF2_TYPE_DOUBLE  ? MW_METRIC_DOUBLE
                                       : types[i] == OTF2_TYPE_INT64 ? MW_METRIC_INT64
                                                                     : MW_METRIC_UINT64;

            bits[i] = mwa_metric_bits(&metrics->members[metric->members[i]], type, bits[i]);
        }
    }
}

MWA_CALLBACK(on_metric, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,
             const OTF2_MetricValue *values)
{
    const struct mwa_trace *trace = trace_of(user);
    struct mwa_event event = { .kind = MWA_METRIC, .time = time };
    uint64_t bits[UINT8_MAX];
    double course[MWA_COURSE_NUMBERS];

    event.of.metric = (struct mwa_metric_data){ .metric = mwa_metric_index(&trace->metrics, metric),
                                                .values = bits };
    if (mwa_metric_is_running(&trace->metrics, metric) && count >= MW_RUNNING_VALUES) {
        for (unsigned value = 0; value < MW_RUNNING_VALUES; value++) {
            bits[value] = values[value].unsigned_int;
        }
        event.kind = MWA_RUNNING;
        event.of.metric.comm = event.of.metric.object = MWA_NONE;
        event.of.metric.count = MW_RUNNING_VALUES;
        return mwa_deliver(user, &event);
    }
    if (event.of.metric.metric != MWA_NONE) {
        take_values(&trace->metrics, event.of.metric.metric, count, types, values, bits);
    }
    mwa_sample_attributes(trace, attributes, course, &event.of.metric);
    event.of.metric.count = mwa_metric_is_still(event.of.metric.flags) ? 0u : count;
    return event.of.metric.metric == MWA_NONE ? OTF2_CALLBACK_SUCCESS : mwa_deliver(user, &event);
}

/* A variable was reset or has wrapped; other tools' parameters are passed over. */
MWA_CALLBACK(on_parameter_number, OTF2_ParameterRef parameter, uint64_t value)
{
    const struct mwa_trace *trace = trace_of(user);
    struct mwa_event event = { .kind = MWA_DISCONTINUITY, .time = time };
    OTF2_MetricRef metric;

    if (parameter != trace->parameters[MW_PARAMETER_DISCONTINUITY] ||
        OTF2_AttributeList_GetMetricRef(attributes, trace->attributes[MW_ATTRIBUTE_METRIC],
                                        &metric) != OTF2_SUCCESS) {
        return OTF2_CALLBACK_SUCCESS;
    }
    event.of.metric = (struct mwa_metric_data){
        .metric = mwa_metric_index(&trace->metrics, metric), .flags = (uint32_t)value
    };
    mwa_take_bound(trace, attributes, &event.of.metric);
    return event.of.metric.metric == MWA_NONE ? OTF2_CALLBACK_SUCCESS : mwa_deliver(user, &event);
}

/* Hands on an event that has nothing but a request, or not even that. */
static OTF2_CallbackCode deliver_plain(void *user, enum mwa_event_kind kind, uint64_t time,
                                       uint64_t request)
{
    struct mwa_event event = { .kind = kind, .time = time, .request = request };

    return mwa_deliver(user, &event);
}

MWA_CALLBACK(on_thread_begin, OTF2_CommRef contingent, uint64_t sequence)
{
    return deliver_plain(user, MWA_THREAD_BEGIN, time, 0);
}

MWA_CALLBACK(on_thread_end, OTF2_CommRef contingent, uint64_t sequence)
{
    return deliver_plain(user, MWA_THREAD_END, time, 0);
}

/* --- messages, requests, collectives ------------------------------------------------------ */

/* Hands on a message; data's communicator is still OTF2's id. */
static OTF2_CallbackCode deliver_message(void *user, enum mwa_event_kind kind, uint64_t time,
                                         uint64_t position, struct mwa_message_data data,
                                         uint64_t request)
{
    struct mwa_event event = { .kind = kind, .time = time, .request = request };
    OTF2_CommRef id = data.comm;

    data.comm = mwa_trace_comm(trace_of(user), id);
    if (data.comm == MWA_NONE && id != OTF2_UNDEFINED_COMM) {
        return mwa_delivery_refuse(user, position, "Comm", id);
    }
    if (!mwa_may_be_member(trace_of(user), data.comm, data.peer)) {
        return mwa_delivery_refuse(user, position, "a peer with rank", data.peer);
    }
    event.of.message = data;
    return mwa_deliver(user, &event);
}

/* What a receive was posted with, as far as the archive tells. */
static uint32_t wildcards_of(const void *user, const OTF2_AttributeList *attributes)
{
    uint32_t id = trace_of(user)->attributes[MW_ATTRIBUTE_WILDCARDS];
    uint8_t wildcards = 0;

    if (id == MWA_NONE || OTF2_AttributeList_GetNumberOfElements(attributes) == 0 ||
        OTF2_AttributeList_GetUint8(attributes, id, &wildcards) != OTF2_SUCCESS) {
        return 0;
    }
    return wildcards;
}

MWA_CALLBACK(on_send, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    return deliver_message(user, MWA_SEND, time, position,
                           (struct mwa_message_data){
                               .comm = comm, .peer = receiver, .tag = tag, .bytes = bytes },
                           0);
}

MWA_CALLBACK(on_isend, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
             uint64_t request)
{
    return deliver_message(user, MWA_ISEND, time, position,
                           (struct mwa_message_data){
                               .comm = comm, .peer = receiver, .tag = tag, .bytes = bytes },
                           request);
}

MWA_CALLBACK(on_recv, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    return deliver_message(user, MWA_RECV, time, position,
                           (struct mwa_message_data){
                               .comm = comm, .peer = sender, .tag = tag, .bytes = bytes,
                               .wildcards = wildcards_of(user, attributes) },
                           0);
}

MWA_CALLBACK(on_irecv, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
             uint64_t request)
{
    return deliver_message(user, MWA_IRECV, time, position,
                           (struct mwa_message_data){
                               .comm = comm, .peer = sender, .tag = tag, .bytes = bytes },
                           request);
}

/* Defines the callback called name of an event that has nothing but a request. */
#define REQUEST_CALLBACK(name, event_kind)                                                        \
    MWA_CALLBACK(name, uint64_t request)                                                          \
    {                                                                                             \
        return deliver_plain(user, event_kind, time, request);                                  \
    }

REQUEST_CALLBACK(on_isend_complete, MWA_ISEND_COMPLETE)
REQUEST_CALLBACK(on_cancelled, MWA_CANCELLED)
REQUEST_CALLBACK(on_collective_post, MWA_COLLECTIVE_POST)

MWA_CALLBACK(on_test, uint64_t request)
{
    struct mwa_event event = { .kind = MWA_TEST, .time = time, .request = request };
    struct mwa_hint hint;

    event.hint = mwa_hint_attributes(trace_of(user), attributes, &hint) ? &hint : NULL;
    return mwa_deliver(user, &event);
}

MWA_CALLBACK(on_irecv_post, uint64_t request)
{
    struct mwa_event event = { .kind = MWA_IRECV_POST, .time = time };

    event.request = request;
    event.of.message.wildcards = wildcards_of(user, attributes);
    return mwa_deliver(user, &event);
}

MWA_CALLBACK(on_collective_begin)
{
    return deliver_plain(user, MWA_COLLECTIVE_BEGIN, time, 0);
}

/*
 * Whom the operation waits for, and its terms, by mpiwatch's attributes. False: they name a group
 * that is not there, *group.
 */
static bool take_sources(const struct mwa_trace *trace, const OTF2_AttributeList *attributes,
                         struct mwa_collective_data *data, OTF2_GroupRef *group)
{
    const uint32_t *ids = trace->attributes;
    uint16_t terms = 0;

    *group = OTF2_UNDEFINED_GROUP;
    if (OTF2_AttributeList_GetNumberOfElements(attributes) == 0) {
        return true;
    }
    data->has_terms = ids[MW_ATTRIBUTE_TERMS] != MWA_NONE &&
                      OTF2_AttributeList_GetUint16(attributes, ids[MW_ATTRIBUTE_TERMS], &terms) ==
                          OTF2_SUCCESS;
    data->terms = mw_terms_clean(terms);
    if (OTF2_AttributeList_GetGroupRef(attributes, ids[MW_ATTRIBUTE_NEIGHBORS], group) ==
        OTF2_SUCCESS) {
        data->on_neighbors = true;
    } else if (OTF2_AttributeList_GetGroupRef(attributes, ids[MW_ATTRIBUTE_SOURCES], group) !=
               OTF2_SUCCESS) {
        return true;
    }
    data->sources = mwa_trace_group(trace, *group);
    return data->sources || *group == OTF2_UNDEFINED_GROUP;
}

/* Score-P tells so of MPI_Init, MPI_Finalize, and where communicators are made and freed. */
static bool is_of_handle(uint32_t operation)
{
    return operation >= OTF2_COLLECTIVE_OP_CREATE_HANDLE &&
           operation <= OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE;
}

/* id is OTF2's of the communicator. */
static OTF2_CallbackCode deliver_collective(void *user, enum mwa_event_kind kind, uint64_t time,
                                            uint64_t position,
                                            const OTF2_AttributeList *attributes,
                                            OTF2_CommRef id,
                                            const struct mwa_collective_data *data,
                                            uint64_t request)
{
    const struct mwa_trace *trace = trace_of(user);
    struct mwa_event event = {
        .kind = kind, .time = time, .request = request, .of.collective = *data };
    OTF2_GroupRef group;

    event.of.collective.comm = mwa_trace_comm(trace, id);
    event.of.collective.of_handle = is_of_handle(data->operation);
    if (event.of.collective.comm == MWA_NONE && id != OTF2_UNDEFINED_COMM) {
        return mwa_delivery_refuse(user, position, "Comm", id);
    }
    if (!mwa_may_be_root(trace, event.of.collective.comm, data->root)) {
        return mwa_delivery_refuse(user, position, "a root with rank", data->root);
    }
    if (!take_sources(trace, attributes, &event.of.collective, &group)) {
        return mwa_delivery_refuse(user, position, "Group", group);
    }
    return mwa_deliver(user, &event);
}

MWA_CALLBACK(on_collective_end, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
             uint64_t sent, uint64_t received)
{
    const struct mwa_collective_data data = { .operation = operation,
                                              .root = root,
                                              .bytes_sent = sent,
                                              .bytes_received = received };

    return deliver_collective(user, MWA_COLLECTIVE_END, time, position, attributes, comm, &data,
                              0);
}

MWA_CALLBACK(on_collective_complete, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root,
             uint64_t sent, uint64_t received, uint64_t request)
{
    const struct mwa_collective_data data = { .operation = operation,
                                              .root = root,
                                              .bytes_sent = sent,
                                              .bytes_received = received };

    return deliver_collective(user, MWA_COLLECTIVE_COMPLETE, time, position, attributes, comm,
                              &data, request);
}

/* --- what the program says ---------------------------------------------------------------- */

/* What the program says by mpiwatch's API; other tools' parameters are passed over. */
MWA_CALLBACK(on_parameter_string, OTF2_ParameterRef parameter, OTF2_StringRef string)
{
    const struct mwa_trace *trace = trace_of(user);
    struct mwa_event event = { .kind = MWA_MARKER, .time = time };
    OTF2_CommRef comm = OTF2_UNDEFINED_COMM;

    if (parameter == MWA_NONE) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (parameter == trace->parameters[MW_PARAMETER_REGISTERED]) {
        event.kind = MWA_REGISTERED;
    } else if (parameter == trace->parameters[MW_PARAMETER_UNREGISTERED]) {
        event.kind = MWA_UNREGISTERED;
    } else if (parameter != trace->parameters[MW_PARAMETER_MARKER]) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
        OTF2_AttributeList_GetCommRef(attributes, trace->attributes[MW_ATTRIBUTE_COMM], &comm);
    }
    event.of.mark = (struct mwa_mark_data){ .comm = mwa_trace_comm(trace, comm),
                                            .text = mwa_trace_string(trace, string) };
    return mwa_deliver(user, &event);
}

OTF2_EvtReaderCallbacks *mwa_event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *all = OTF2_EvtReaderCallbacks_New();

    if (!all) {
        return NULL;
    }
    OTF2_EvtReaderCallbacks_SetEnterCallback(all, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(all, on_leave);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(all, on_comm_create);
    OTF2_EvtReaderCallbacks_SetCommDestroyCallback(all, on_comm_destroy);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(all, on_measurement);
    OTF2_EvtReaderCallbacks_SetMetricCallback(all, on_metric);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(all, on_thread_begin);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(all, on_thread_end);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(all, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(all, on_isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(all, on_irecv_post);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(all, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(all, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(all, on_test);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(all, on_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(all, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(all, on_collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(all, on_collective_post);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(all, on_collective_complete);
    mwa_object_callbacks_set(all);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(all, on_parameter_string);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(all, on_parameter_number);
    return all;
}
