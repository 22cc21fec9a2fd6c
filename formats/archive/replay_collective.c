/*
 * What an operation's number says of its data goes where OTF2 has a place for it: the operation
 * itself into the event, where data come from into an attribute.
 */
#include "formats/archive/replay_collective.h"

#include <stdbool.h>

#include "formats/archive/replay.h"

/* Puts where the data come from into attributes; *told: whether that is told. */
static OTF2_ErrorCode describe(OTF2_AttributeList *attributes, const struct mw_known *known,
                               uint32_t operation, uint32_t comm, bool *told)
{
    bool neighbors = operation & MW_OPERATION_NEIGHBORS;
    uint32_t sources = mw_operation_sources(operation);
    OTF2_ErrorCode code;

    if (!mw_known_has_sources(known, sources, comm)) {
        sources = OTF2_UNDEFINED_GROUP;
    }
    *told = sources != OTF2_UNDEFINED_GROUP || neighbors;
    if (!*told) {
        return OTF2_SUCCESS;
    }
    code = OTF2_AttributeList_RemoveAllAttributes(attributes);
    return code == OTF2_SUCCESS
               ? OTF2_AttributeList_AddGroupRef(
                     attributes, neighbors ? MW_ATTRIBUTE_NEIGHBORS : MW_ATTRIBUTE_SOURCES,
                     sources)
               : code;
}

OTF2_ErrorCode mw_replay_collective_end(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                        const struct mw_known *known,
                                        const struct mw_member *member, uint64_t time,
                                        OTF2_CommRef comm, uint64_t request)
{
    const struct mw_collective_member *collective = (const void *)member;
    OTF2_CollectiveOp operation =
        (OTF2_CollectiveOp)MW_OPERATION_CODE(collective->operation);
    uint32_t root = (uint32_t)collective->root;
    bool told;
    OTF2_ErrorCode code =
        describe(attributes, known, collective->operation, member->comm, &told);

    if (code != OTF2_SUCCESS) {
        return code;
    }
    attributes = told ? attributes : NULL;
    return member->type == MW_MEMBER_COLL
               ? OTF2_EvtWriter_MpiCollectiveEnd(writer, attributes, time, operation, comm, root,
                                                 collective->bytes_sent,
                                                 collective->bytes_received)
               : OTF2_EvtWriter_NonBlockingCollectiveComplete(
                     writer, attributes, time, operation, comm, root, collective->bytes_sent,
                     collective->bytes_received, request);
}
