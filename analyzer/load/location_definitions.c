/*
 * Definitions are few, and libotf2 reads them; what it makes of them it keeps for its own reader of
 * events, so that this looks on by its callbacks.
 */
#include "analyzer/load/location_definitions.h"

#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_input.h"

/* What callbacks are told goes here. */
struct taking {
    struct mwa_local_definitions *local;
    bool no_memory;
};

static OTF2_CallbackCode on_mapping_table(void *user, OTF2_MappingType type,
                                          const OTF2_IdMap *table)
{
    const struct taking *taking = user;

    if (type < OTF2_MAPPING_MAX) {
        taking->local->tables[type] = table;
        taking->local->has_tables = true;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_clock_offset(void *user, OTF2_TimeStamp time, int64_t offset,
                                         double deviation)
{
    struct taking *taking = user;

    taking->no_memory |= !mwa_clock_correction_add(&taking->local->clock, time, offset);
    return taking->no_memory ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_ErrorCode register_callbacks(struct mwa_input *input, OTF2_DefReader *definitions,
                                         struct taking *taking)
{
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();
    OTF2_ErrorCode code;

    if (!callbacks) {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_mapping_table);
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_clock_offset);
    code = OTF2_Reader_RegisterDefCallbacks(mwa_input_otf2(input), definitions, callbacks, taking);
    OTF2_DefReaderCallbacks_Delete(callbacks);
    return code;
}

enum mw_status mwa_local_definitions_read(struct mwa_input *input, OTF2_LocationRef location,
                                          struct mwa_local_definitions *local,
                                          struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(mwa_input_files(input));
    struct taking taking = { .local = local };
    OTF2_DefReader *definitions;
    OTF2_ErrorCode code;
    uint64_t size, count;
    char name[512];

    *local = (struct mwa_local_definitions){ 0 };
    mwa_files_local_name(mwa_input_files(input), location, "def", name, sizeof name);
    if (!mwa_files_size(mwa_input_files(input), name, &size)) {
        return MW_OK; /* odd, but readable */
    }
    mwa_otf2_errors_clear();
    definitions = OTF2_Reader_GetDefReader(mwa_input_otf2(input), location);
    if (!definitions) {
        return mwa_otf2_fail(log, "the local definitions can't be read", diagnostic);
    }
    code = register_callbacks(input, definitions, &taking);
    if (code == OTF2_SUCCESS) {
        code = OTF2_Reader_ReadAllLocalDefinitions(mwa_input_otf2(input), definitions, &count);
    }
    (void)OTF2_Reader_CloseDefReader(mwa_input_otf2(input), definitions);
    if (code == OTF2_SUCCESS && log->fault.status == MW_OK && !taking.no_memory) {
        return MW_OK;
    }
    mwa_local_definitions_fini(local);
    return taking.no_memory
               ? mw_no_memory(diagnostic, log->last, "for the offsets of a clock")
               : mwa_otf2_fail(log, "the local definitions are damaged", diagnostic);
}

void mwa_local_definitions_fini(struct mwa_local_definitions *local)
{
    mwa_clock_correction_fini(&local->clock);
    *local = (struct mwa_local_definitions){ 0 };
}

uint64_t mwa_local_translate(const void *local, OTF2_MappingType kind, uint64_t id)
{
    const OTF2_IdMap *table = ((const struct mwa_local_definitions *)local)->tables[kind];
    uint64_t global;

    return table && OTF2_IdMap_GetGlobalId(table, id, &global) == OTF2_SUCCESS ? global : id;
}
