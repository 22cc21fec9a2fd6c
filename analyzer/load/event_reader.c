/*
 * libotf2 calls back with its own ids and one signature per record; the model has
 * one event with indices. Records that the model has no kind for get no callback,
 * so that libotf2 passes over them.
 */
#include "analyzer/load/input.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/callback.h"
#include "analyzer/load/event_reader_internal.h"
#include "analyzer/load/otf2_error.h"

OTF2_CallbackCode mwa_event_reader_deliver(void *reader, struct mwa_event *event)
{
    event->location = ((struct mwa_event_reader *)reader)->location;
    return mwa_reader_deliver(reader, event);
}

const struct mwa_trace *mwa_event_reader_trace(const void *reader)
{
    return ((const struct mwa_event_reader *)reader)->input->trace;
}

MWA_CALLBACK(on_enter, OTF2_RegionRef region)
{
    const struct mwa_trace *trace = ((struct mwa_event_reader *)user)->input->trace;
    const uint32_t *ids = trace->attributes;
    struct mwa_event event = MWA_READER_EVENT(MWA_ENTER);

    event.of.call.region = mwa_trace_region(trace, region);
    if (event.of.call.region == MWA_NONE) {
        return mwa_reader_refuse(user, position, "Region", region);
    }
    event.of.call.repeat = 1;
    event.of.call.inside = UINT64_MAX;
    if (OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
        OTF2_AttributeList_GetUint64(attributes, ids[MW_ATTRIBUTE_REPEAT],
                                     &event.of.call.repeat);
        OTF2_AttributeList_GetUint64(attributes, ids[MW_ATTRIBUTE_INSIDE],
                                     &event.of.call.inside);
        event.of.call.repeat += event.of.call.repeat == 0;
    }
    return mwa_reader_deliver(user, &event);
}

MWA_CALLBACK(on_leave, OTF2_RegionRef region)
{
    const struct mwa_trace *trace = ((struct mwa_event_reader *)user)->input->trace;
    struct mwa_event event = MWA_READER_EVENT(MWA_LEAVE);
    uint8_t open = 0;

    event.of.call.region = mwa_trace_region(trace, region);
    if (event.of.call.region == MWA_NONE) {
        return mwa_reader_refuse(user, position, "Region", region);
    }
    event.of.call.repeat = 1;
    event.of.call.inside = UINT64_MAX;
    if (OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
        OTF2_AttributeList_GetUint8(attributes, trace->attributes[MW_ATTRIBUTE_OPEN], &open);
        event.of.call.open = open != 0;
    }
    return mwa_reader_deliver(user, &event);
}

static OTF2_CallbackCode deliver_comm(void *user, enum mwa_event_kind kind, uint64_t time,
                                      uint64_t position, OTF2_CommRef comm)
{
    struct mwa_event event = MWA_READER_EVENT(kind);

    event.of.comm = mwa_reader_comm(user, comm);
    if (event.of.comm == MWA_NONE && comm != OTF2_UNDEFINED_COMM) {
        return mwa_reader_refuse(user, position, "Comm", comm);
    }
    return mwa_reader_deliver(user, &event);
}

MWA_CALLBACK(on_comm_create, OTF2_CommRef comm)
{
    return deliver_comm(user, MWA_COMM_CREATE, time, position, comm);
}

MWA_CALLBACK(on_comm_destroy, OTF2_CommRef comm)
{
    return deliver_comm(user, MWA_COMM_DESTROY, time, position, comm);
}

MWA_CALLBACK(on_measurement, OTF2_MeasurementMode mode)
{
    struct mwa_event event = MWA_READER_EVENT(MWA_MEASUREMENT);

    event.of.on = mode == OTF2_MEASUREMENT_ON;
    return mwa_reader_deliver(user, &event);
}

MWA_CALLBACK(on_metric, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,
             const OTF2_MetricValue *values)
{
    const struct mwa_trace *trace = ((struct mwa_event_reader *)user)->input->trace;
    const uint32_t *ids = trace->attributes;
    struct mwa_event event = MWA_READER_EVENT(MWA_METRIC);
    OTF2_CommRef comm = OTF2_UNDEFINED_COMM;
    uint32_t object = MWA_NONE;
    uint32_t id;
    uint64_t bits[UINT8_MAX];
    uint8_t flags = 0;

    for (unsigned i = 0; i < count; i++) {
        bits[i] = values[i].unsigned_int;
    }
    if (OTF2_AttributeList_GetNumberOfElements(attributes) > 0) {
        OTF2_AttributeList_GetCommRef(attributes, ids[MW_ATTRIBUTE_COMM], &comm);
        OTF2_AttributeList_GetUint8(attributes, ids[MW_ATTRIBUTE_FLAGS], &flags);
        if (OTF2_AttributeList_GetRmaWinRef(attributes, ids[MW_ATTRIBUTE_WINDOW], &id) ==
            OTF2_SUCCESS) {
            object = mwa_metric_object_index(&trace->metrics, false, id);
        } else if (OTF2_AttributeList_GetIoHandleRef(attributes, ids[MW_ATTRIBUTE_FILE], &id) ==
                   OTF2_SUCCESS) {
            object = mwa_metric_object_index(&trace->metrics, true, id);
        }
    }
    event.of.metric = (struct mwa_metric_data){ .metric = mwa_metric_index(&trace->metrics, metric),
                                                .comm = mwa_reader_comm(user, comm),
                                                .object = object,
                                                .flags = flags,
                                                .count = count,
                                                .values = bits };
    return event.of.metric.metric == MWA_NONE ? OTF2_CALLBACK_SUCCESS
                                              : mwa_reader_deliver(user, &event);
}

static OTF2_CallbackCode deliver_thread(void *user, enum mwa_event_kind kind, uint64_t time)
{
    struct mwa_event event = MWA_READER_EVENT(kind);

    return mwa_reader_deliver(user, &event);
}

MWA_CALLBACK(on_thread_begin, OTF2_CommRef contingent, uint64_t sequence)
{
    return deliver_thread(user, MWA_THREAD_BEGIN, time);
}

MWA_CALLBACK(on_thread_end, OTF2_CommRef contingent, uint64_t sequence)
{
    return deliver_thread(user, MWA_THREAD_END, time);
}

/* Fills all but the callbacks of events that the model has no kind for. */
static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
    OTF2_EvtReaderCallbacks *all = OTF2_EvtReaderCallbacks_New();

    if (!all) {
        return NULL;
    }
    OTF2_EvtReaderCallbacks_SetEnterCallback(all, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(all, on_leave);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(all, on_comm_create);
    OTF2_EvtReaderCallbacks_SetCommDestroyCallback(all, on_comm_destroy);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(all, on_measurement);
    OTF2_EvtReaderCallbacks_SetMetricCallback(all, on_metric);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(all, on_thread_begin);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(all, on_thread_end);
    mwa_mpi_events_register(all);
    mwa_window_events_register(all);
    mwa_file_events_register(all);
    mwa_mark_events_register(all);
    return all;
}

static OTF2_CallbackCode on_mapping_table(void *user, OTF2_MappingType type,
                                          const OTF2_IdMap *map)
{
    bool *has_tables = user;

    *has_tables = true;
    return OTF2_CALLBACK_SUCCESS;
}

/* Tells whether definitions have tables that translate ids. */
static OTF2_ErrorCode watch_tables(struct mwa_input *input, OTF2_DefReader *definitions,
                                   bool *has_tables)
{
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
    OTF2_ErrorCode code;

    if (!callbacks) {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_mapping_table);
    code = OTF2_Reader_RegisterDefCallbacks(input->reader, definitions, callbacks, has_tables);
    OTF2_DefReaderCallbacks_Delete(callbacks);
    return code;
}

/*
 * Local definitions translate the location's own ids and hold its clock's offsets;
 * libotf2 applies them to the location's events once they are read. Looking for tables that
 * are not there costs as much as a tenth of the reading: *has_tables says whether to.
 */
static enum mw_status read_local_definitions(struct mwa_input *input, OTF2_LocationRef location,
                                             bool *has_tables, struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(input->files);
    OTF2_DefReader *definitions;
    OTF2_ErrorCode code;
    uint64_t size, count;
    char name[512];

    mwa_files_local_name(input->files, location, "def", name, sizeof name);
    if (!mwa_files_size(input->files, name, &size)) {
        return MW_OK; /* odd, but readable */
    }
    mwa_otf2_errors_clear();
    definitions = OTF2_Reader_GetDefReader(input->reader, location);
    if (!definitions) {
        return mwa_otf2_fail(log, "the local definitions can't be read", diagnostic);
    }
    code = watch_tables(input, definitions, has_tables);
    if (code == OTF2_SUCCESS) {
        code = OTF2_Reader_ReadAllLocalDefinitions(input->reader, definitions, &count);
    }
    (void)OTF2_Reader_CloseDefReader(input->reader, definitions);
    return code == OTF2_SUCCESS && log->fault.status == MW_OK
               ? MW_OK
               : mwa_otf2_fail(log, "the local definitions are damaged", diagnostic);
}

/* Makes the log say where this reader was last, for messages, and the other way round. */
static void set_place(const struct mwa_event_reader *reader, struct mwa_stream_log *log)
{
    memcpy(log->last, reader->last, sizeof log->last);
    log->last_offset = reader->last_offset;
}

static void keep_place(struct mwa_event_reader *reader, const struct mwa_stream_log *log)
{
    memcpy(reader->last, log->last, sizeof reader->last);
    reader->last_offset = log->last_offset;
}

enum mw_status mwa_event_reader_open(struct mwa_input *input, uint32_t location,
                                     struct mwa_event_reader **result,
                                     struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(input->files);
    OTF2_LocationRef id = input->trace->locations[location].id;
    struct mwa_event_reader *reader = calloc(1, sizeof *reader);
    bool has_tables = false;
    enum mw_status status;
    char name[512];
    uint64_t size;

    if (!reader || (!input->callbacks && !(input->callbacks = make_callbacks()))) {
        free(reader);
        return mw_no_memory(diagnostic, mwa_files_path(input->files), "to read events");
    }
    reader->input = input;
    reader->location = location;
    mwa_files_local_name(input->files, id, "evt", name, sizeof name);
    if (!mwa_files_size(input->files, name, &size)) {
        *result = reader; /* no events, and no file of them either */
        return MW_OK;
    }
    status = read_local_definitions(input, id, &has_tables, diagnostic);
    if (status != MW_OK) {
        free(reader);
        return status;
    }
    mwa_otf2_errors_clear();
    reader->reader = OTF2_Reader_GetEvtReader(input->reader, id);
    if (!reader->reader ||
        OTF2_Reader_RegisterEvtCallbacks(input->reader, reader->reader, input->callbacks,
                                         reader) != OTF2_SUCCESS ||
        OTF2_EvtReader_ApplyMappingTables(reader->reader, has_tables) != OTF2_SUCCESS ||
        OTF2_EvtReader_ApplyClockOffsets(reader->reader, true) != OTF2_SUCCESS) {
        mwa_event_reader_close(reader);
        return mwa_otf2_fail(log, "the events of a location can't be read", diagnostic);
    }
    keep_place(reader, log);
    *result = reader;
    return MW_OK;
}

void mwa_event_reader_close(struct mwa_event_reader *reader)
{
    if (reader && reader->reader) {
        (void)OTF2_Reader_CloseEvtReader(reader->input->reader, reader->reader);
    }
    free(reader);
}

enum mw_status mwa_event_reader_read(struct mwa_event_reader *reader, uint64_t count,
                                     mwa_event_visit visit, void *user,
                                     struct mw_diagnostic *diagnostic)
{
    struct mwa_stream_log *log = mwa_files_log(reader->input->files);
    OTF2_ErrorCode code;
    uint64_t got = 0;

    if (!reader->reader) {
        return MW_END;
    }
    reader->visit = visit;
    reader->user = user;
    reader->visit_status = MW_OK;
    mwa_otf2_errors_clear();
    set_place(reader, log);
    code = OTF2_Reader_ReadLocalEvents(reader->input->reader, reader->reader, count, &got);
    keep_place(reader, log);
    if (reader->backwards) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, log->last, log->last_offset,
                       "time goes backwards near event %llu of location %llu",
                       (unsigned long long)(reader->count + got),
                       (unsigned long long)reader->input->trace->locations[reader->location].id);
    }
    if (reader->wrong[0]) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, log->last, log->last_offset, "%s",
                       reader->wrong);
    }
    reader->count += got;
    mwa_input_note_events(reader->input, got);
    if (reader->visit_status != MW_OK) {
        return reader->visit_status;
    }
    if (code != OTF2_SUCCESS || log->fault.status != MW_OK) {
        return mwa_otf2_fail(log, "the events are damaged", diagnostic);
    }
    return got < count ? MW_END : MW_OK;
}

enum mw_status mwa_event_reader_scan(struct mwa_event_reader *reader,
                                     const OTF2_EvtReaderCallbacks *callbacks, void *user,
                                     struct mw_diagnostic *diagnostic)
{
    OTF2_Reader *archive = reader->input->reader;
    struct mwa_stream_log *log = mwa_files_log(reader->input->files);
    OTF2_ErrorCode code;

    if (!reader->reader) {
        return MW_OK;
    }
    mwa_otf2_errors_clear();
    set_place(reader, log);
    code = OTF2_Reader_RegisterEvtCallbacks(archive, reader->reader, callbacks, user);
    if (code == OTF2_SUCCESS) {
        code = OTF2_Reader_ReadAllLocalEvents(archive, reader->reader, &reader->count);
    }
    keep_place(reader, log);
    return code == OTF2_SUCCESS && log->fault.status == MW_OK
               ? MW_OK
               : mwa_otf2_fail(log, "the events are damaged", diagnostic);
}

uint64_t mwa_event_reader_count(const struct mwa_event_reader *reader)
{
    return reader->count;
}
