#include "analyzer/load/event_reader_internal.h"

#include "analyzer/load/callback.h"

/* Messages, requests and collectives. */

/* What the four events with a message have. */
struct message {
    uint32_t peer;
    OTF2_CommRef comm;
    uint32_t tag;
    uint64_t bytes;
    uint64_t request;
    uint32_t wildcards;
};

static OTF2_CallbackCode deliver_message(void *user, enum mwa_event_kind kind, uint64_t time,
                                         uint64_t position, const struct message *message)
{
    const struct mwa_trace *trace = ((struct mwa_event_reader *)user)->input->trace;
    struct mwa_event event = MWA_READER_EVENT(kind);
    uint32_t comm = mwa_reader_comm(user, message->comm);

    if (comm == MWA_NONE && message->comm != OTF2_UNDEFINED_COMM) {
        return mwa_reader_refuse(user, position, "Comm", message->comm);
    }
    if (!mwa_may_be_member(trace, comm, message->peer)) {
        return mwa_reader_refuse(user, position, "a peer with rank", message->peer);
    }

    event.request = message->request;
    event.of.message = (struct mwa_message_data){
        .comm = comm, .peer = message->peer, .tag = message->tag, .bytes = message->bytes,
        .wildcards = message->wildcards
    };
    return mwa_reader_deliver(user, &event);
}

MWA_CALLBACK(on_send, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    const struct message message = { receiver, comm, tag, bytes, 0, 0 };

    return deliver_message(user, MWA_SEND, time, position, &message);
}

MWA_CALLBACK(on_isend, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
             uint64_t request)
{
    const struct message message = { receiver, comm, tag, bytes, request, 0 };

    return deliver_message(user, MWA_ISEND, time, position, &message);
}

/* What a receive was posted with, as far as the archive tells. */
static uint32_t wildcards_of(const void *user, const OTF2_AttributeList *attributes)
{
    const struct mwa_trace *trace = ((const struct mwa_event_reader *)user)->input->trace;
    uint32_t id = trace->attributes[MW_ATTRIBUTE_WILDCARDS];
    uint8_t wildcards = 0;

    if (id == MWA_NONE || OTF2_AttributeList_GetNumberOfElements(attributes) == 0 ||
        OTF2_AttributeList_GetUint8(attributes, id, &wildcards) != OTF2_SUCCESS) {
        return 0;
    }
    return wildcards;
}

MWA_CALLBACK(on_recv, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    const struct message message = { sender, comm, tag, bytes, 0,
                                     wildcards_of(user, attributes) };

    return deliver_message(user, MWA_RECV, time, position, &message);
}

MWA_CALLBACK(on_irecv, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes,
             uint64_t request)
{
    const struct message message = { sender, comm, tag, bytes, request, 0 };

    return deliver_message(user, MWA_IRECV, time, position, &message);
}

static OTF2_CallbackCode deliver_request(void *user, enum mwa_event_kind kind, uint64_t time,
                                         uint64_t request)
{
    struct mwa_event event = MWA_READER_EVENT(kind);

    event.request = request;
    return mwa_reader_deliver(user, &event);
}

/* Defines the callback called name of an event that has nothing but a request. */
#define REQUEST_CALLBACK(name, event_kind)                                                        \
    MWA_CALLBACK(name, uint64_t request)                                                          \
    {                                                                                             \
        return deliver_request(user, event_kind, time, request);                                  \
    }

REQUEST_CALLBACK(on_isend_complete, MWA_ISEND_COMPLETE)
REQUEST_CALLBACK(on_test, MWA_TEST)
REQUEST_CALLBACK(on_cancelled, MWA_CANCELLED)
REQUEST_CALLBACK(on_collective_post, MWA_COLLECTIVE_POST)

MWA_CALLBACK(on_irecv_post, uint64_t request)
{
    struct mwa_event event = MWA_READER_EVENT(MWA_IRECV_POST);

    event.request = request;
    event.of.message.wildcards = wildcards_of(user, attributes);
    return mwa_reader_deliver(user, &event);
}

MWA_CALLBACK(on_collective_begin)
{
    return deliver_request(user, MWA_COLLECTIVE_BEGIN, time, 0);
}

/*
 * Whom the operation waits for, by mpiwatch's attributes. False: they name a group that is not
 * there, *group.
 */
static bool take_sources(const struct mwa_trace *trace, const OTF2_AttributeList *attributes,
                         struct mwa_collective_data *data, OTF2_GroupRef *group)
{
    const uint32_t *ids = trace->attributes;

    *group = OTF2_UNDEFINED_GROUP;
    if (OTF2_AttributeList_GetNumberOfElements(attributes) == 0) {
        return true;
    }
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

/* id is OTF2's of the communicator. */
static OTF2_CallbackCode deliver_collective(void *user, enum mwa_event_kind kind, uint64_t time,
                                            uint64_t position,
                                            const OTF2_AttributeList *attributes,
                                            OTF2_CommRef id,
                                            const struct mwa_collective_data *data,
                                            uint64_t request)
{
    const struct mwa_trace *trace = ((struct mwa_event_reader *)user)->input->trace;
    struct mwa_event event = MWA_READER_EVENT(kind);
    OTF2_GroupRef group;

    event.request = request;
    event.of.collective = *data;
    event.of.collective.comm = mwa_reader_comm(user, id);
    if (event.of.collective.comm == MWA_NONE && id != OTF2_UNDEFINED_COMM) {
        return mwa_reader_refuse(user, position, "Comm", id);
    }
    if (!mwa_may_be_root(trace, event.of.collective.comm, data->root)) {
        return mwa_reader_refuse(user, position, "a root with rank", data->root);
    }
    if (!take_sources(trace, attributes, &event.of.collective, &group)) {
        return mwa_reader_refuse(user, position, "Group", group);
    }
    return mwa_reader_deliver(user, &event);
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

void mwa_mpi_events_register(OTF2_EvtReaderCallbacks *all)
{
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
}
