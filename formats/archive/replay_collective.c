/*
 * What an operation's number says of its data goes where OTF2 has a place for it: the operation
 * itself into the event, where data come from into an attribute, and so do its terms. These are
 * the same again and again, so that they are told where they are not those of the operation
 * before; of which operations that is known is a matter of room alone.
 */
#include "formats/archive/replay_collective.h"

#include "formats/archive/replay.h"

/* Whether operations of the kind have any. */
static bool has_terms(uint32_t operation)
{
    switch (MW_OPERATION_CODE(operation)) {
    case OTF2_COLLECTIVE_OP_BARRIER:
    case OTF2_COLLECTIVE_OP_ALLTOALLV:
    case OTF2_COLLECTIVE_OP_ALLTOALLW:
        return false;
    default:
        return !(operation & MW_OPERATION_NEIGHBORS);
    }
}

/* Whether the terms are to be told: they are not those of such an operation before, or may be. */
static bool are_new(struct mw_told_terms *told, OTF2_CommRef comm, uint32_t operation)
{
    const uint32_t code = MW_OPERATION_CODE(operation);
    const uint16_t terms = (uint16_t)mw_operation_terms(operation);
    const uint32_t at = (comm * 37 + code) % MW_TOLD_SLOTS;
    const bool is_own = told->slots[at].comm == comm && told->slots[at].code_up == code + 1;
    const bool is_free = told->slots[at].code_up == 0;

    if (!has_terms(operation) || ((is_own || is_free) && told->slots[at].terms == terms)) {
        return false;
    }
    told->slots[at].comm = comm;
    told->slots[at].code_up = (uint16_t)(code + 1);
    told->slots[at].terms = terms;
    return true;
}

/* Puts what is to be told of the data into attributes; null in *list if that is nothing. */
static OTF2_ErrorCode describe(const struct mw_known *known, struct mw_told_terms *told,
                               const struct mw_collective_member *collective, OTF2_CommRef comm,
                               OTF2_AttributeList **list)
{
    const uint32_t operation = collective->operation;
    const bool neighbors = operation & MW_OPERATION_NEIGHBORS;
    const bool tells_terms = are_new(told, comm, operation);
    OTF2_AttributeList *attributes = *list;
    uint32_t sources = mw_operation_sources(operation);
    OTF2_ErrorCode code;

    if (!mw_known_has_sources(known, sources, collective->head.comm)) {
        sources = OTF2_UNDEFINED_GROUP;
    }
    if (sources == OTF2_UNDEFINED_GROUP && !neighbors && !tells_terms) {
        *list = NULL;
        return OTF2_SUCCESS;
    }
    code = OTF2_AttributeList_RemoveAllAttributes(attributes);
    if (code == OTF2_SUCCESS && tells_terms) {
        code = OTF2_AttributeList_AddUint16(attributes, MW_ATTRIBUTE_TERMS,
                                            (uint16_t)mw_operation_terms(operation));
    } else if (code == OTF2_SUCCESS) {
        code = OTF2_AttributeList_AddGroupRef(
            attributes, neighbors ? MW_ATTRIBUTE_NEIGHBORS : MW_ATTRIBUTE_SOURCES, sources);
    }
    return code;
}

OTF2_ErrorCode mw_replay_collective_end(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                        const struct mw_known *known, struct mw_told_terms *told,
                                        const struct mw_member *member, uint64_t time,
                                        OTF2_CommRef comm, uint64_t request)
{
    const struct mw_collective_member *collective = (const void *)member;
    OTF2_CollectiveOp operation =
        (OTF2_CollectiveOp)MW_OPERATION_CODE(collective->operation);
    uint32_t root = (uint32_t)collective->root;
    OTF2_ErrorCode code = describe(known, told, collective, comm, &attributes);

    if (code != OTF2_SUCCESS) {
        return code;
    }
    return member->type == MW_MEMBER_COLL
               ? OTF2_EvtWriter_MpiCollectiveEnd(writer, attributes, time, operation, comm, root,
                                                 collective->bytes_sent,
                                                 collective->bytes_received)
               : OTF2_EvtWriter_NonBlockingCollectiveComplete(
                     writer, attributes, time, operation, comm, root, collective->bytes_sent,
                     collective->bytes_received, request);
}
