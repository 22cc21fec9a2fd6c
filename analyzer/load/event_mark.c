#include "analyzer/load/input_internal.h"

#include "analyzer/load/callback.h"

/* What the program says by mpiwatch's API; other tools' parameters are passed over. */
MWA_CALLBACK(on_parameter_string, OTF2_ParameterRef parameter, OTF2_StringRef string)
{
    const struct mwa_trace *trace = mwa_event_reader_trace(user);
    struct mwa_event event = { .kind = MWA_MARKER, .time = time };
    OTF2_CommRef comm = OTF2_UNDEFINED_COMM;

    if (parameter == MWA_NONE) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (parameter == trace->parameters[MW_PARAMETER_REGISTERED]) {
        event.kind = MWA_REGISTERED;
    } else if (parameter == trace->parameters[MW_PARAMETER_UNREGISTERED]) {
        event.kind = MWA_UNREGISTERED;
    } else if (parameter != trace->parameters[MW_PARAMETER_MARKER]) {
        return OTF2_CALLBACK_SUCCESS;
    }
    if (OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
        OTF2_AttributeList_GetCommRef(attributes, trace->attributes[MW_ATTRIBUTE_COMM], &comm);
    }
    event.of.mark = (struct mwa_mark_data){ .comm = mwa_trace_comm(trace, comm),
                                            .text = mwa_trace_string(trace, string) };
    return mwa_event_reader_deliver(user, &event);
}

void mwa_mark_events_register(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(callbacks, on_parameter_string);
}
