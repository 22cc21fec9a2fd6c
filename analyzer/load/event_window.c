#include "analyzer/load/input_internal.h"

/* Events of one-sided communication that the model has kinds for. */

static OTF2_CallbackCode on_collective_end(OTF2_LocationRef location, OTF2_TimeStamp time,
                                           uint64_t position, void *user,
                                           OTF2_AttributeList *attributes,
                                           OTF2_CollectiveOp operation,
                                           OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                                           uint32_t root, uint64_t sent, uint64_t received)
{
    const struct mwa_trace *trace = mwa_event_reader_trace(user);
    uint32_t object = mwa_metric_object_index(&trace->metrics, false, window);
    struct mwa_event event = { .kind = MWA_WINDOW_COLLECTIVE, .time = time };

    (void)location;
    (void)position;
    (void)attributes;
    (void)level;
    (void)root;
    event.of.collective = (struct mwa_collective_data){
        .comm = object == MWA_NONE ? MWA_NONE : trace->metrics.objects[object].comm,
        .operation = operation,
        .root = window,
        .bytes_sent = sent,
        .bytes_received = received
    };
    return mwa_event_reader_deliver(user, &event);
}

void mwa_window_events_register(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_collective_end);
}
