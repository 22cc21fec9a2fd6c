/*
 * libotf2's own reader of events: what copies an archive writes by libotf2 what that has read, and
 * whether it can read an archive is what other tools want to know.
 */
#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_input.h"

static OTF2_CallbackCode on_mapping_table(void *user, OTF2_MappingType type,
                                          const OTF2_IdMap *map)
{
    bool *has_tables = user;

    *has_tables = true;
    return OTF2_CALLBACK_SUCCESS;
}

/* Tells whether definitions have tables that translate ids. */
static OTF2_ErrorCode watch_tables(OTF2_Reader *otf2, OTF2_DefReader *definitions,
                                   bool *has_tables)
{
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
    OTF2_ErrorCode code;

    if (!callbacks) {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_mapping_table);
    code = OTF2_Reader_RegisterDefCallbacks(otf2, definitions, callbacks, has_tables);
    OTF2_DefReaderCallbacks_Delete(callbacks);
    return code;
}

/*
 * Local definitions translate the location's own ids and hold its clock's offsets; libotf2 applies
 * them to the location's events once they are read. Looking for tables that are not there costs as
 * much as a tenth of the reading: *has_tables says whether to.
 */
static enum mw_status read_local_definitions(struct mwa_input *input, OTF2_Reader *otf2,
                                             OTF2_LocationRef location, bool *has_tables,
                                             struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(mwa_input_files(input));
    OTF2_DefReader *definitions;
    OTF2_ErrorCode code;
    uint64_t size, count;
    char name[512];

    mwa_files_local_name(mwa_input_files(input), location, "def", name, sizeof name);
    if (!mwa_files_size(mwa_input_files(input), name, &size)) {
        return MW_OK; /* odd, but readable */
    }
    mwa_otf2_errors_clear();
    definitions = OTF2_Reader_GetDefReader(otf2, location);
    if (!definitions) {
        return mwa_otf2_fail(log, "the local definitions can't be read", diagnostic);
    }
    code = watch_tables(otf2, definitions, has_tables);
    if (code == OTF2_SUCCESS) {
        code = OTF2_Reader_ReadAllLocalDefinitions(otf2, definitions, &count);
    }
    (void)OTF2_Reader_CloseDefReader(otf2, definitions);
    return code == OTF2_SUCCESS && log->fault.status == MW_OK
               ? MW_OK
               : mwa_otf2_fail(log, "the local definitions are damaged", diagnostic);
}

/* Opens libotf2's reader of events, which is closed with otf2, if it is there. */
static OTF2_EvtReader *open_events(OTF2_Reader *otf2, OTF2_LocationRef location, bool has_tables,
                                   const OTF2_EvtReaderCallbacks *callbacks, void *user)
{
    OTF2_EvtReader *reader;

    mwa_otf2_errors_clear();
    reader = OTF2_Reader_GetEvtReader(otf2, location);
    return reader &&
                   OTF2_Reader_RegisterEvtCallbacks(otf2, reader, callbacks, user) ==
                       OTF2_SUCCESS &&
                   OTF2_EvtReader_ApplyMappingTables(reader, has_tables) == OTF2_SUCCESS &&
                   OTF2_EvtReader_ApplyClockOffsets(reader, true) == OTF2_SUCCESS
               ? reader
               : NULL;
}

static enum mw_status scan(struct mwa_input *input, OTF2_Reader *otf2, OTF2_LocationRef location,
                           const OTF2_EvtReaderCallbacks *callbacks, void *user, uint64_t *count,
                           struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(mwa_input_files(input));
    bool has_tables = false;
    OTF2_EvtReader *reader;
    OTF2_ErrorCode code;
    enum mw_status status =
        read_local_definitions(input, otf2, location, &has_tables, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    reader = open_events(otf2, location, has_tables, callbacks, user);
    if (!reader) {
        return mwa_otf2_fail(log, "the events of a location can't be read", diagnostic);
    }
    code = OTF2_Reader_ReadAllLocalEvents(otf2, reader, count);
    return code == OTF2_SUCCESS && log->fault.status == MW_OK
               ? MW_OK
               : mwa_otf2_fail(log, "the events are damaged", diagnostic);
}

enum mw_status mwa_input_scan(struct mwa_input *input, uint32_t location,
                              const OTF2_EvtReaderCallbacks *callbacks, void *user,
                              uint64_t *count, struct mw_diagnostic *diagnostic)
{
    const OTF2_LocationRef id = mwa_input_trace(input)->locations[location].id;
    OTF2_Reader *otf2;
    enum mw_status status;
    char name[512];
    uint64_t size;

    *count = 0;
    mwa_files_local_name(mwa_input_files(input), id, "evt", name, sizeof name);
    if (!mwa_files_size(mwa_input_files(input), name, &size)) {
        return MW_OK; /* no events, and no file of them either */
    }
    status = mwa_input_select(input, location, &otf2, diagnostic);
    if (status == MW_OK) {
        status = scan(input, otf2, id, callbacks, user, count, diagnostic);
        OTF2_Reader_Close(otf2);
    }
    return status;
}

/* The bytes of a value that its type has. */
static uint64_t bits_of(OTF2_Type type, OTF2_AttributeValue value)
{
    switch (type) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8:
        return value.uint8;
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16:
        return value.uint16;
    case OTF2_TYPE_NONE:
    case OTF2_TYPE_UINT64:
    case OTF2_TYPE_INT64:
    case OTF2_TYPE_DOUBLE:
    case OTF2_TYPE_LOCATION:
        return value.uint64;
    default:
        return type > OTF2_TYPE_LOCATION_GROUP ? value.uint64 : value.uint32;
    }
}

bool mwa_attributes_copy(const OTF2_AttributeList *from, struct mwa_attributes *to,
                         uint64_t *capacity)
{
    const uint32_t count = OTF2_AttributeList_GetNumberOfElements(from);

    to->count = 0;
    if (!mwa_grow(&to->list, capacity, count, sizeof *to->list)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct mwa_attribute *attribute = &to->list[to->count];
        OTF2_AttributeValue value;

        if (OTF2_AttributeList_GetAttributeByIndex(from, i, &attribute->id, &attribute->type,
                                                   &value) == OTF2_SUCCESS) {
            attribute->bits = bits_of(attribute->type, value);
            to->count++;
        }
    }
    return true;
}
