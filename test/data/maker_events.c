#include "test/data/maker_kit.h"

void maker_enter(OTF2_EvtWriter *writer, uint64_t time, uint32_t region)
{
    check(OTF2_EvtWriter_Enter(writer, NULL, time, region), "Enter");
}

void maker_leave(OTF2_EvtWriter *writer, uint64_t time, uint32_t region)
{
    check(OTF2_EvtWriter_Leave(writer, NULL, time, region), "Leave");
}

void maker_enter_polls(OTF2_EvtWriter *writer, uint64_t time, uint32_t region, uint64_t repeat,
                       uint64_t inside)
{
    OTF2_AttributeList *list = need(OTF2_AttributeList_New());

    check(OTF2_AttributeList_AddUint64(list, 0, repeat), "repeat");
    check(OTF2_AttributeList_AddUint64(list, 1, inside), "inside");
    check(OTF2_EvtWriter_Enter(writer, list, time, region), "Enter");
    OTF2_AttributeList_Delete(list);
}

void maker_enter_found(OTF2_EvtWriter *writer, uint64_t time, uint32_t region, uint32_t comm,
                       uint32_t peer, uint32_t tag)
{
    OTF2_AttributeList *list = need(OTF2_AttributeList_New());

    check(OTF2_AttributeList_AddCommRef(list, FOUND_COMM, comm), "found_comm");
    check(OTF2_AttributeList_AddInt32(list, FOUND_SOURCE, (int32_t)peer), "found_source");
    check(OTF2_AttributeList_AddInt32(list, FOUND_TAG, (int32_t)tag), "found_tag");
    check(OTF2_EvtWriter_Enter(writer, list, time, region), "Enter");
    OTF2_AttributeList_Delete(list);
}

void maker_enter_probe(OTF2_EvtWriter *writer, uint64_t time, uint32_t comm, uint32_t peer,
                       uint32_t tag)
{
    maker_enter_found(writer, time, MAKER_PROBE, comm, peer, tag);
}

void maker_probe(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm,
                 uint32_t peer, uint32_t tag)
{
    maker_enter_probe(writer, enter, comm, peer, tag);
    maker_leave(writer, leave, MAKER_PROBE);
}

void maker_send(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm,
                uint32_t peer, uint32_t tag, uint64_t bytes)
{
    maker_enter(writer, enter, MAKER_SEND);
    check(OTF2_EvtWriter_MpiSend(writer, NULL, enter, peer, comm, tag, bytes), "MpiSend");
    maker_leave(writer, leave, MAKER_SEND);
}

void maker_recv(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm,
                uint32_t peer, uint32_t tag, uint64_t bytes)
{
    maker_enter(writer, enter, MAKER_RECV);
    check(OTF2_EvtWriter_MpiRecv(writer, NULL, leave, peer, comm, tag, bytes), "MpiRecv");
    maker_leave(writer, leave, MAKER_RECV);
}

/* The attributes of a part's end, null: it has none. */
static OTF2_AttributeList *attributes_of(const struct maker_part *part)
{
    OTF2_AttributeList *list;

    if (part->neighbors == 0 && part->sources == 0) {
        return NULL;
    }
    list = need(OTF2_AttributeList_New());
    if (part->neighbors) {
        check(OTF2_AttributeList_AddGroupRef(list, 2, part->neighbors), "neighbors");
    }
    if (part->sources) {
        check(OTF2_AttributeList_AddGroupRef(list, 3, part->sources), "sources");
    }
    return list;
}

static void delete_attributes(OTF2_AttributeList *list)
{
    if (list) {
        OTF2_AttributeList_Delete(list);
    }
}

void maker_collective(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave,
                      const struct maker_part *part)
{
    OTF2_AttributeList *attributes = attributes_of(part);

    maker_enter(writer, enter, part->region);
    check(OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, enter), "MpiCollectiveBegin");
    check(OTF2_EvtWriter_MpiCollectiveEnd(writer, attributes, leave, part->operation, part->comm,
                                          part->root, part->sent, part->received),
          "MpiCollectiveEnd");
    maker_leave(writer, leave, part->region);
    delete_attributes(attributes);
}

void maker_icollective(OTF2_EvtWriter *writer, uint64_t enter, uint32_t region, uint64_t request)
{
    maker_enter(writer, enter, region);
    check(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, NULL, enter, request),
          "NonBlockingCollectiveRequest");
    maker_leave(writer, enter + 1, region);
}

void maker_wait_collective(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave,
                           const struct maker_part *part, uint64_t request)
{
    OTF2_AttributeList *attributes = attributes_of(part);

    maker_enter(writer, enter, MAKER_WAIT);
    check(OTF2_EvtWriter_NonBlockingCollectiveComplete(
              writer, attributes, leave, part->operation, part->comm, part->root, part->sent,
              part->received, request),
          "NonBlockingCollectiveComplete");
    maker_leave(writer, leave, MAKER_WAIT);
    delete_attributes(attributes);
}

void maker_comm_create(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm)
{
    maker_enter(writer, enter, MAKER_COMM_DUP);
    check(OTF2_EvtWriter_CommCreate(writer, NULL, leave, comm), "CommCreate");
    maker_leave(writer, leave, MAKER_COMM_DUP);
}

void maker_isend(OTF2_EvtWriter *writer, uint64_t enter, uint32_t comm, uint32_t peer,
                 uint32_t tag, uint64_t bytes, uint64_t request)
{
    maker_enter(writer, enter, MAKER_ISEND);
    check(OTF2_EvtWriter_MpiIsend(writer, NULL, enter, peer, comm, tag, bytes, request),
          "MpiIsend");
    maker_leave(writer, enter + 1, MAKER_ISEND);
}

void maker_irecv(OTF2_EvtWriter *writer, uint64_t enter, uint64_t request)
{
    maker_enter(writer, enter, MAKER_IRECV);
    check(OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, enter, request), "MpiIrecvRequest");
    maker_leave(writer, enter + 1, MAKER_IRECV);
}

void maker_wait_send(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint64_t request)
{
    maker_enter(writer, enter, MAKER_WAIT);
    check(OTF2_EvtWriter_MpiIsendComplete(writer, NULL, leave, request), "MpiIsendComplete");
    maker_leave(writer, leave, MAKER_WAIT);
}

void maker_wait_recv(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t comm,
                     uint32_t peer, uint32_t tag, uint64_t bytes, uint64_t request)
{
    maker_enter(writer, enter, MAKER_WAIT);
    check(OTF2_EvtWriter_MpiIrecv(writer, NULL, leave, peer, comm, tag, bytes, request),
          "MpiIrecv");
    maker_leave(writer, leave, MAKER_WAIT);
}

void maker_cancel(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint64_t request)
{
    maker_enter(writer, enter, MAKER_CANCEL);
    maker_leave(writer, enter + 1, MAKER_CANCEL);
    maker_enter(writer, enter + 1, MAKER_WAIT);
    check(OTF2_EvtWriter_MpiRequestCancelled(writer, NULL, leave, request), "Cancelled");
    maker_leave(writer, leave, MAKER_WAIT);
}

void maker_init(OTF2_EvtWriter *writer)
{
    maker_enter(writer, 0, MAKER_INIT);
    maker_leave(writer, 100, MAKER_INIT);
}

void maker_marker(OTF2_EvtWriter *writer, uint64_t time)
{
    check(OTF2_EvtWriter_ParameterString(writer, NULL, time, 0, 17), "marker");
}

void maker_finalize(OTF2_EvtWriter *writer, uint64_t begin)
{
    maker_enter(writer, begin, MAKER_FINALIZE);
    maker_leave(writer, begin + 100, MAKER_FINALIZE);
}
