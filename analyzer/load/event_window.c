#include "analyzer/load/event_reader_internal.h"

#include "analyzer/load/callback.h"

/* Events of one-sided communication that the model has kinds for. */

MWA_CALLBACK(on_collective_end, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level,
             OTF2_RmaWinRef window, uint32_t root, uint64_t sent, uint64_t received)
{
    const struct mwa_trace *trace = mwa_event_reader_trace(user);
    uint32_t object = mwa_metric_object_index(&trace->metrics, false, window);
    struct mwa_event event = { .kind = MWA_WINDOW_COLLECTIVE, .time = time };

    if (object == MWA_NONE) {
        return mwa_reader_refuse(user, position, "RmaWin", window);
    }
    event.of.collective = (struct mwa_collective_data){
        .comm = trace->metrics.objects[object].comm,
        .operation = operation,
        .root = window,
        .bytes_sent = sent,
        .bytes_received = received
    };
    return mwa_event_reader_deliver(user, &event);
}

/* Hands on a step of the window, whose target is MWA_NONE for all. */
static OTF2_CallbackCode deliver(void *user, OTF2_TimeStamp time, uint64_t position,
                                 OTF2_RmaWinRef window, struct mwa_onesided_data data)
{
    const struct mwa_trace *trace = mwa_event_reader_trace(user);
    struct mwa_event event = { .kind = MWA_ONESIDED, .time = time };

    data.window = mwa_metric_object_index(&trace->metrics, false, window);
    if (data.window == MWA_NONE) {
        return mwa_reader_refuse(user, position, "RmaWin", window);
    }
    data.comm = trace->metrics.objects[data.window].comm;
    if (data.target != MWA_NONE && !mwa_may_be_member(trace, data.comm, data.target)) {
        return mwa_reader_refuse(user, position, "a target with rank", data.target);
    }
    event.of.onesided = data;
    return mwa_event_reader_deliver(user, &event);
}

MWA_CALLBACK(on_group_sync, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
    return mwa_reader_use(user, time, false, window);
}

MWA_CALLBACK(on_sync, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaSyncType type)
{
    const struct mwa_onesided_data data = {
        .step = type == OTF2_RMA_SYNC_TYPE_NOTIFY_OUT ? MWA_STEP_NOTICE : MWA_STEP_AWAIT,
        .target = remote
    };

    return type == OTF2_RMA_SYNC_TYPE_NOTIFY_OUT || type == OTF2_RMA_SYNC_TYPE_NOTIFY_IN
               ? deliver(user, time, position, window, data)
               : mwa_reader_use(user, time, false, window);
}

MWA_CALLBACK(on_request, OTF2_RmaWinRef window, uint32_t remote, uint64_t id, OTF2_LockType type)
{
    return mwa_reader_use(user, time, false, window);
}

MWA_CALLBACK(on_lock, OTF2_RmaWinRef window, uint32_t remote, uint64_t id, OTF2_LockType type)
{
    return deliver(user, time, position, window,
                   (struct mwa_onesided_data){ .step = MWA_STEP_LOCK,
                                               .target = remote,
                                               .exclusive = type == OTF2_LOCK_EXCLUSIVE,
                                               .id = id });
}

MWA_CALLBACK(on_unlock, OTF2_RmaWinRef window, uint32_t remote, uint64_t id)
{
    return deliver(user, time, position, window,
                   (struct mwa_onesided_data){
                       .step = MWA_STEP_UNLOCK, .target = remote, .id = id });
}

MWA_CALLBACK(on_put, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
    return deliver(user, time, position, window,
                   (struct mwa_onesided_data){ .step = MWA_STEP_ACCESS,
                                               .target = remote,
                                               .bytes_sent = bytes,
                                               .id = id });
}

MWA_CALLBACK(on_get, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
    return deliver(user, time, position, window,
                   (struct mwa_onesided_data){ .step = MWA_STEP_ACCESS,
                                               .target = remote,
                                               .bytes_received = bytes,
                                               .id = id });
}

MWA_CALLBACK(on_atomic, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type,
             uint64_t sent, uint64_t received, uint64_t id)
{
    return deliver(user, time, position, window,
                   (struct mwa_onesided_data){ .step = MWA_STEP_ACCESS,
                                               .target = remote,
                                               .bytes_sent = sent,
                                               .bytes_received = received,
                                               .id = id });
}

MWA_CALLBACK(on_done_locally, OTF2_RmaWinRef window, uint64_t id)
{
    return deliver(user, time, position, window,
                   (struct mwa_onesided_data){
                       .step = MWA_STEP_DONE_LOCALLY, .target = MWA_NONE, .id = id });
}

MWA_CALLBACK(on_done, OTF2_RmaWinRef window, uint64_t id)
{
    return deliver(user, time, position, window,
                   (struct mwa_onesided_data){
                       .step = MWA_STEP_DONE, .target = MWA_NONE, .id = id });
}

void mwa_window_events_register(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_collective_end);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(callbacks, on_sync);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_group_sync);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(callbacks, on_request);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(callbacks, on_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_unlock);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_done_locally);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_done_locally);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(callbacks, on_done);
}
