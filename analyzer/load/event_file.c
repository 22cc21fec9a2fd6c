#include "analyzer/load/event_reader_internal.h"

#include "analyzer/load/callback.h"

/*
 * Files: what a call asks for when it begins a transfer, and that calls use them, which says
 * whose time that is.
 */

MWA_CALLBACK(on_begin, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
             OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t id)
{
    struct mwa_event event = MWA_READER_EVENT(MWA_FILE);

    if ((mode != OTF2_IO_OPERATION_MODE_READ && mode != OTF2_IO_OPERATION_MODE_WRITE) ||
        bytes == OTF2_UNDEFINED_UINT64) {
        return mwa_reader_use(user, time, true, handle);
    }
    event.of.file = (struct mwa_file_data){
        .comm = mwa_reader_comm_of(user, true, handle),
        .bytes_read = mode == OTF2_IO_OPERATION_MODE_READ ? bytes : 0,
        .bytes_written = mode == OTF2_IO_OPERATION_MODE_WRITE ? bytes : 0
    };
    return mwa_reader_deliver(user, &event);
}

MWA_CALLBACK(on_complete, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t id)
{
    return mwa_reader_use(user, time, true, handle);
}

MWA_CALLBACK(on_open, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode,
             OTF2_IoCreationFlag creation, OTF2_IoStatusFlag status)
{
    return mwa_reader_use(user, time, true, handle);
}

MWA_CALLBACK(on_close, OTF2_IoHandleRef handle)
{
    return mwa_reader_use(user, time, true, handle);
}

MWA_CALLBACK(on_seek, OTF2_IoHandleRef handle, int64_t offset, OTF2_IoSeekOption whence,
             uint64_t result)
{
    return mwa_reader_use(user, time, true, handle);
}

void mwa_file_events_register(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, on_open);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, on_close);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(callbacks, on_seek);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_begin);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_complete);
}
