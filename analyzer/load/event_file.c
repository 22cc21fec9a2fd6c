#include "analyzer/load/event_reader_internal.h"

/* Transfers of files: what a call asks for when it begins one. */

static OTF2_CallbackCode on_begin(OTF2_LocationRef location, OTF2_TimeStamp time,
                                  uint64_t position, void *user, OTF2_AttributeList *attributes,
                                  OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
                                  OTF2_IoOperationFlag flags, uint64_t bytes, uint64_t id)
{
    struct mwa_event event = MWA_READER_EVENT(MWA_FILE);

    (void)location;
    (void)position;
    (void)attributes;
    (void)handle;
    (void)flags;
    (void)id;
    if ((mode != OTF2_IO_OPERATION_MODE_READ && mode != OTF2_IO_OPERATION_MODE_WRITE) ||
        bytes == OTF2_UNDEFINED_UINT64) {
        return OTF2_CALLBACK_SUCCESS;
    }
    event.of.file = (struct mwa_file_data){
        .bytes_read = mode == OTF2_IO_OPERATION_MODE_READ ? bytes : 0,
        .bytes_written = mode == OTF2_IO_OPERATION_MODE_WRITE ? bytes : 0
    };
    return mwa_reader_deliver(user, &event);
}

void mwa_file_events_register(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_begin);
}
