#include "formats/archive/replay_objects.h"

#include "formats/archive/replay.h"

/* --- one-sided communication ---------------------------------------------------- */

static OTF2_ErrorCode rma_enter(OTF2_EvtWriter *writer, const struct mw_rma_member *rma,
                                uint64_t time)
{
    OTF2_RmaWinRef window = rma->head.comm;
    uint32_t target = (uint32_t)rma->target;

    switch (rma->head.type) {
    case MW_MEMBER_RMA_COLLECTIVE:
        return OTF2_EvtWriter_RmaCollectiveBegin(writer, NULL, time);
    case MW_MEMBER_RMA_PUT:
        return OTF2_EvtWriter_RmaPut(writer, NULL, time, window, target, rma->bytes_sent,
                                     rma->id);
    case MW_MEMBER_RMA_GET:
        return OTF2_EvtWriter_RmaGet(writer, NULL, time, window, target, rma->bytes_received,
                                     rma->id);
    case MW_MEMBER_RMA_ATOMIC:
        return OTF2_EvtWriter_RmaAtomic(writer, NULL, time, window, target,
                                        (OTF2_RmaAtomicType)rma->what, rma->bytes_sent,
                                        rma->bytes_received, rma->id);
    case MW_MEMBER_RMA_LOCK:
        return OTF2_EvtWriter_RmaRequestLock(writer, NULL, time, window, target, rma->id,
                                             (OTF2_LockType)rma->what);
    default:
        return OTF2_SUCCESS;
    }
}

static OTF2_ErrorCode rma_leave(OTF2_EvtWriter *writer, const struct mw_rma_member *rma,
                                uint64_t time)
{
    OTF2_RmaWinRef window = rma->head.comm;
    uint32_t target = (uint32_t)rma->target;

    switch (rma->head.type) {
    case MW_MEMBER_RMA_COLLECTIVE:
        return OTF2_EvtWriter_RmaCollectiveEnd(
            writer, NULL, time, (OTF2_CollectiveOp)rma->what,
            OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY, window,
            OTF2_UNDEFINED_UINT32, 0, 0);
    case MW_MEMBER_RMA_DONE:
        return rma->what == MW_RMA_DONE_REMOTE
                   ? OTF2_EvtWriter_RmaOpCompleteRemote(writer, NULL, time, window, rma->id)
                   : OTF2_EvtWriter_RmaOpCompleteNonBlocking(writer, NULL, time, window,
                                                             rma->id);
    case MW_MEMBER_RMA_LOCK:
        return OTF2_EvtWriter_RmaAcquireLock(writer, NULL, time, window, target, rma->id,
                                             (OTF2_LockType)rma->what);
    case MW_MEMBER_RMA_UNLOCK:
        return OTF2_EvtWriter_RmaReleaseLock(writer, NULL, time, window, target, rma->id);
    case MW_MEMBER_RMA_SYNC:
        return OTF2_EvtWriter_RmaSync(writer, NULL, time, window, target,
                                      (OTF2_RmaSyncType)rma->what);
    default:
        return OTF2_SUCCESS;
    }
}

/* --- MPI-IO ------------------------------------------------------------------------ */

static OTF2_ErrorCode io_begin(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                               const struct mw_io_member *io, uint64_t time)
{
    bool has_offset = io->offset >= 0;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (has_offset) {
        (void)OTF2_AttributeList_RemoveAllAttributes(attributes);
        code = OTF2_AttributeList_AddInt64(attributes, MW_ATTRIBUTE_OFFSET, io->offset);
    }
    return code != OTF2_SUCCESS
               ? code
               : OTF2_EvtWriter_IoOperationBegin(
                     writer, has_offset ? attributes : NULL, time, io->head.comm,
                     (OTF2_IoOperationMode)io->mode, (OTF2_IoOperationFlag)io->flags, io->bytes,
                     io->id);
}

static OTF2_ErrorCode io_leave(OTF2_EvtWriter *writer, const struct mw_io_member *io,
                               uint64_t time)
{
    OTF2_IoHandleRef handle = io->head.comm;

    switch (io->head.type) {
    case MW_MEMBER_IO_OPEN:
        return OTF2_EvtWriter_IoCreateHandle(writer, NULL, time, handle,
                                             (OTF2_IoAccessMode)io->mode,
                                             (OTF2_IoCreationFlag)io->flags,
                                             (OTF2_IoStatusFlag)io->bytes);
    case MW_MEMBER_IO_CLOSE:
        return OTF2_EvtWriter_IoDestroyHandle(writer, NULL, time, handle);
    case MW_MEMBER_IO_DELETE:
        return OTF2_EvtWriter_IoDeleteFile(writer, NULL, time, 0, io->head.comm);
    case MW_MEMBER_IO_SEEK:
        return OTF2_EvtWriter_IoSeek(writer, NULL, time, handle, io->offset,
                                     (OTF2_IoSeekOption)io->mode, io->bytes);
    case MW_MEMBER_IO_BEGIN:
        return io->flags & OTF2_IO_OPERATION_FLAG_NON_BLOCKING
                   ? OTF2_EvtWriter_IoOperationIssued(writer, NULL, time, handle, io->id)
                   : OTF2_SUCCESS;
    case MW_MEMBER_IO_END:
        return OTF2_EvtWriter_IoOperationComplete(writer, NULL, time, handle, io->bytes, io->id);
    default:
        return OTF2_SUCCESS;
    }
}

/* --- both -------------------------------------------------------------------------- */

OTF2_ErrorCode mw_replay_object_enter(OTF2_EvtWriter *writer, OTF2_AttributeList *attributes,
                                      const struct mw_member *member, uint64_t time)
{
    if (member->comm == MW_COMM_NONE) {
        return OTF2_SUCCESS;
    }
    if (member->type == MW_MEMBER_IO_BEGIN) {
        return io_begin(writer, attributes, (const void *)member, time);
    }
    return member->type >= MW_MEMBER_RMA_COLLECTIVE && member->type <= MW_MEMBER_RMA_SYNC
               ? rma_enter(writer, (const void *)member, time)
               : OTF2_SUCCESS;
}

OTF2_ErrorCode mw_replay_object_leave(OTF2_EvtWriter *writer, const struct mw_member *member,
                                      uint64_t time)
{
    if (member->comm == MW_COMM_NONE) {
        return OTF2_SUCCESS;
    }
    switch (member->type) {
    case MW_MEMBER_WIN_CREATE:
        return OTF2_EvtWriter_RmaWinCreate(writer, NULL, time, member->comm);
    case MW_MEMBER_WIN_DESTROY:
        return OTF2_EvtWriter_RmaWinDestroy(writer, NULL, time, member->comm);
    default:
        return member->type <= MW_MEMBER_RMA_SYNC
                   ? rma_leave(writer, (const void *)member, time)
                   : io_leave(writer, (const void *)member, time);
    }
}
