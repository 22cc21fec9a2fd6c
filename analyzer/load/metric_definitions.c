/*
 * Metrics, windows and files: apart from the other definitions, since few archives
 * of other tools have any.
 */
#include "analyzer/load/definitions_internal.h"

static OTF2_CallbackCode on_metric_member(void *user, OTF2_MetricMemberRef self,
                                          OTF2_StringRef name, OTF2_StringRef description,
                                          OTF2_MetricType kind, OTF2_MetricMode mode,
                                          OTF2_Type type, OTF2_Base base, int64_t exponent,
                                          OTF2_StringRef unit)
{
    struct mwa_loading *loading = user;
    const struct mwa_metric_member member = {
        .id = self,
        .name = mwa_loading_text(loading, name),
        .unit = mwa_loading_text(loading, unit),
        .type = type == OTF2_TYPE_DOUBLE  ? MW_METRIC_DOUBLE
                : type == OTF2_TYPE_INT64 ? MW_METRIC_INT64
                                          : MW_METRIC_UINT64,
        .accumulated = (mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_ACCUMULATED
    };

    loading->no_memory |= !mwa_metrics_add_member(&loading->trace->metrics, &member);
    return mwa_loading_result(loading);
}

static OTF2_CallbackCode on_metric_class(void *user, OTF2_MetricRef self, uint8_t count,
                                         const OTF2_MetricMemberRef *members,
                                         OTF2_MetricOccurrence occurrence,
                                         OTF2_RecorderKind recorder)
{
    struct mwa_loading *loading = user;

    loading->no_memory |=
        !mwa_metrics_add_class(&loading->trace->metrics, self, members, count);
    return mwa_loading_result(loading);
}

static OTF2_CallbackCode add_object(struct mwa_loading *loading, bool is_file, uint32_t id,
                                    OTF2_StringRef name, OTF2_CommRef comm)
{
    struct mwa_trace *trace = loading->trace;
    const struct mwa_metric_object object = { is_file, id, mwa_loading_text(loading, name),
                                              mwa_trace_comm(trace, comm) };

    if (object.comm != MWA_NONE) {
        trace->comms[object.comm].has_objects = true;
    }
    loading->no_memory |= !mwa_metrics_add_object(&trace->metrics, &object);
    return mwa_loading_result(loading);
}

static OTF2_CallbackCode on_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name,
                                   OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    return add_object(user, false, self, name, comm);
}

static OTF2_CallbackCode on_io_handle(void *user, OTF2_IoHandleRef self, OTF2_StringRef name,
                                      OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
                                      OTF2_IoHandleFlag flags, OTF2_CommRef comm,
                                      OTF2_IoHandleRef parent)
{
    return add_object(user, true, self, name, comm);
}

void mwa_metric_definitions_register(OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_metric_member);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_metric_class);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, on_io_handle);
}
