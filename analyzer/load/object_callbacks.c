/*
 * Windows and files: communication, and that calls use them, which says whose time that is.
 */
#include "analyzer/load/object_callbacks.h"

#include "analyzer/load/callback.h"
#include "analyzer/load/event_callbacks.h"
#include "analyzer/load/references.h"

static const struct mwa_trace *trace_of(const void *user)
{
    return ((const struct mwa_delivery *)user)->trace;
}

/* A window or an open file; null: not known. */
static const struct mwa_metric_object *object_of(const void *user, bool is_file, uint32_t id)
{
    const struct mwa_metrics *metrics = &trace_of(user)->metrics;
    uint32_t object = mwa_metric_object_index(metrics, is_file, id);

    return object != MWA_NONE ? &metrics->objects[object] : NULL;
}

/* What is done to memory of a GPU, or to files of POSIX, is no communication of MPI. */
static bool is_foreign(const void *user, bool is_file, uint32_t id)
{
    const struct mwa_metric_object *object = object_of(user, is_file, id);

    return object && object->is_foreign;
}

/* Delivers what only tells that it is in use. */
static OTF2_CallbackCode deliver_use(void *user, uint64_t time, bool is_file, uint32_t id)
{
    const struct mwa_metric_object *object = object_of(user, is_file, id);
    struct mwa_event event = { .kind = MWA_OBJECT,
                               .time = time,
                               .object = mwa_metric_object_index(&trace_of(user)->metrics, is_file,
                                                                 id),
                               .of.comm = object ? object->comm : MWA_NONE };

    return object && object->is_foreign ? OTF2_CALLBACK_SUCCESS : mwa_deliver(user, &event);
}

MWA_CALLBACK(on_window_collective_end, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level,
             OTF2_RmaWinRef window, uint32_t root, uint64_t sent, uint64_t received)
{
    const struct mwa_trace *trace = trace_of(user);
    uint32_t object = mwa_metric_object_index(&trace->metrics, false, window);
    struct mwa_event event = { .kind = MWA_WINDOW_COLLECTIVE, .time = time };

    if (object == MWA_NONE) {
        return mwa_delivery_refuse(user, position, "RmaWin", window);
    }
    if (is_foreign(user, false, window)) {
        return OTF2_CALLBACK_SUCCESS;
    }
    event.of.collective = (struct mwa_collective_data){
        .comm = trace->metrics.objects[object].comm,
        .operation = operation,
        .root = window,
        .bytes_sent = sent,
        .bytes_received = received
    };
    return mwa_deliver(user, &event);
}

/* Hands on what a step is of a window that is not MPI's: copies to and from an accelerator. */
static OTF2_CallbackCode deliver_copy(void *user, OTF2_TimeStamp time, enum mwa_onesided_step step)
{
    const bool begins = step == MWA_STEP_ACCESS;
    const bool ends = step == MWA_STEP_DONE || step == MWA_STEP_DONE_LOCALLY;
    struct mwa_event event = { .kind = MWA_COPY, .time = time, .of.on = begins };

    return begins || ends ? mwa_deliver(user, &event) : OTF2_CALLBACK_SUCCESS;
}

/* Hands on a step of the window, whose target is MWA_NONE for all. */
static OTF2_CallbackCode deliver_step(void *user, OTF2_TimeStamp time, uint64_t position,
                                      OTF2_RmaWinRef window, struct mwa_onesided_data data)
{
    const struct mwa_trace *trace = trace_of(user);
    struct mwa_event event = { .kind = MWA_ONESIDED, .time = time };

    data.window = mwa_metric_object_index(&trace->metrics, false, window);
    if (data.window == MWA_NONE) {
        return mwa_delivery_refuse(user, position, "RmaWin", window);
    }
    if (is_foreign(user, false, window)) {
        return deliver_copy(user, time, data.step);
    }
    data.comm = trace->metrics.objects[data.window].comm;
    if (data.target != MWA_NONE && !mwa_may_be_member(trace, data.comm, data.target)) {
        return mwa_delivery_refuse(user, position, "a target with rank", data.target);
    }
    event.of.onesided = data;
    return mwa_deliver(user, &event);
}

MWA_CALLBACK(on_group_sync, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
    const struct mwa_group *members = mwa_trace_group(trace_of(user), group);

    /* Level NONE: a test that did not find the others ready. */
    return members && level != OTF2_RMA_SYNC_LEVEL_NONE
               ? deliver_step(user, time, position, window,
                              (struct mwa_onesided_data){
                                  .step = MWA_STEP_GROUP, .target = MWA_NONE, .group = members })
               : deliver_use(user, time, false, window);
}

MWA_CALLBACK(on_sync, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaSyncType type)
{
    const struct mwa_onesided_data data = {
        .step = type == OTF2_RMA_SYNC_TYPE_NOTIFY_OUT ? MWA_STEP_NOTICE : MWA_STEP_AWAIT,
        .target = remote
    };

    return type == OTF2_RMA_SYNC_TYPE_NOTIFY_OUT || type == OTF2_RMA_SYNC_TYPE_NOTIFY_IN
               ? deliver_step(user, time, position, window, data)
               : deliver_use(user, time, false, window);
}

/* Hands on a step that a lock of the type is about. */
static OTF2_CallbackCode deliver_lock(void *user, OTF2_TimeStamp time, uint64_t position,
                                      OTF2_RmaWinRef window, OTF2_LockType type,
                                      struct mwa_onesided_data data)
{
    data.exclusive = type == OTF2_LOCK_EXCLUSIVE;
    return deliver_step(user, time, position, window, data);
}

MWA_CALLBACK(on_request, OTF2_RmaWinRef window, uint32_t remote, uint64_t id, OTF2_LockType type)
{
    return deliver_lock(user, time, position, window, type,
                        (struct mwa_onesided_data){
                            .step = MWA_STEP_REQUEST, .target = remote, .id = id });
}

MWA_CALLBACK(on_lock, OTF2_RmaWinRef window, uint32_t remote, uint64_t id, OTF2_LockType type)
{
    return deliver_lock(user, time, position, window, type,
                        (struct mwa_onesided_data){
                            .step = MWA_STEP_LOCK, .target = remote, .id = id });
}

MWA_CALLBACK(on_unlock, OTF2_RmaWinRef window, uint32_t remote, uint64_t id)
{
    return deliver_step(user, time, position, window,
                        (struct mwa_onesided_data){
                            .step = MWA_STEP_UNLOCK, .target = remote, .id = id });
}

MWA_CALLBACK(on_atomic, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type,
             uint64_t sent, uint64_t received, uint64_t id)
{
    return deliver_step(user, time, position, window,
                        (struct mwa_onesided_data){ .step = MWA_STEP_ACCESS,
                                                    .target = remote,
                                                    .bytes_sent = sent,
                                                    .bytes_received = received,
                                                    .id = id });
}

MWA_CALLBACK(on_put, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
    return on_atomic(location, time, position, user, attributes, window, remote, 0, bytes, 0, id);
}

MWA_CALLBACK(on_get, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
    return on_atomic(location, time, position, user, attributes, window, remote, 0, 0, bytes, id);
}

MWA_CALLBACK(on_done_locally, OTF2_RmaWinRef window, uint64_t id)
{
    return deliver_step(user, time, position, window,
                        (struct mwa_onesided_data){
                            .step = MWA_STEP_DONE_LOCALLY, .target = MWA_NONE, .id = id });
}

MWA_CALLBACK(on_done, OTF2_RmaWinRef window, uint64_t id)
{
    return deliver_step(user, time, position, window,
                        (struct mwa_onesided_data){
                            .step = MWA_STEP_DONE, .target = MWA_NONE, .id = id });
}

MWA_CALLBACK(on_transfer, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
             OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t id)
{
    const struct mwa_metric_object *object = object_of(user, true, handle);
    struct mwa_event event = { .kind = MWA_FILE,
                               .time = time,
                               .object = mwa_metric_object_index(&trace_of(user)->metrics, true,
                                                                 handle) };

    if (is_foreign(user, true, handle) ||
        (mode != OTF2_IO_OPERATION_MODE_READ && mode != OTF2_IO_OPERATION_MODE_WRITE) ||
        bytes == OTF2_UNDEFINED_UINT64) {
        return deliver_use(user, time, true, handle);
    }
    event.of.file = (struct mwa_file_data){
        .comm = object ? object->comm : MWA_NONE,
        .bytes_read = mode == OTF2_IO_OPERATION_MODE_READ ? bytes : 0,
        .bytes_written = mode == OTF2_IO_OPERATION_MODE_WRITE ? bytes : 0
    };
    return mwa_deliver(user, &event);
}

MWA_CALLBACK(on_transferred, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t id)
{
    return deliver_use(user, time, true, handle);
}

MWA_CALLBACK(on_open, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode,
             OTF2_IoCreationFlag creation, OTF2_IoStatusFlag status)
{
    return deliver_use(user, time, true, handle);
}

MWA_CALLBACK(on_close, OTF2_IoHandleRef handle)
{
    return deliver_use(user, time, true, handle);
}

MWA_CALLBACK(on_seek, OTF2_IoHandleRef handle, int64_t offset, OTF2_IoSeekOption whence,
             uint64_t result)
{
    return deliver_use(user, time, true, handle);
}

void mwa_object_callbacks_set(OTF2_EvtReaderCallbacks *all)
{
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(all, on_window_collective_end);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(all, on_sync);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(all, on_group_sync);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(all, on_request);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(all, on_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(all, on_unlock);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(all, on_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(all, on_get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(all, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(all, on_done_locally);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(all, on_done_locally);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(all, on_done);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(all, on_open);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(all, on_close);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(all, on_seek);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(all, on_transfer);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(all, on_transferred);
}
