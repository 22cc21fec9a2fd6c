/* The global definitions, as they are but for the clock and the numbers of events. */
#include "analyzer/export/cut_definitions.h"

#include <stdlib.h>

#include "analyzer/load/definitions.h"
#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/model/map.h"
#include "formats/base/utf8.h"

struct defining {
    const struct mwa_selection *selection;
    const struct mwa_trace *trace;
    const uint64_t *events;
    struct mwa_map locations; /* ids to indices */
    OTF2_GlobalDefWriter *writer;
    OTF2_ErrorCode code;
};

static OTF2_CallbackCode note(struct defining *defining, OTF2_ErrorCode code)
{
    if (defining->code == OTF2_SUCCESS) {
        defining->code = code;
    }
    return defining->code == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* Defines the callback copy_NAME of every definition: see copy_… in cut_events.c. */
#define DEFINITION(name, parameters, arguments)                                                   \
    static OTF2_CallbackCode copy_##name(void *user BEHIND parameters)                            \
    {                                                                                             \
        struct defining *defining = user;                                                         \
                                                                                                  \
        return note(defining,                                                                     \
                    OTF2_GlobalDefWriter_Write##name(defining->writer BEHIND arguments));         \
    }
#include "analyzer/export/otf2_records.def"

/* Texts are UTF-8, as formats/ARCHIVE.md has it, whatever they were. */
static OTF2_CallbackCode on_string(void *user, OTF2_StringRef self, const char *text)
{
    char *clean = mw_utf8_clean(text ? text : "");
    OTF2_CallbackCode result = clean ? copy_String(user, self, clean)
                                     : note(user, OTF2_ERROR_MEM_ALLOC_FAILED);

    free(clean);
    return result;
}

/* The cut archive begins where the window does. */
static OTF2_CallbackCode on_clock(void *user, uint64_t resolution, uint64_t offset,
                                  uint64_t length, uint64_t realtime)
{
    struct defining *defining = user;
    uint64_t from = defining->selection->from, to = defining->selection->to;
    uint64_t end = length > UINT64_MAX - offset ? UINT64_MAX : offset + length;

    from = from > offset ? from : offset;
    end = to < end ? to : end;
    if (realtime != UINT64_MAX) {
        realtime += mwa_trace_ns(defining->trace, from - offset);
    }
    return copy_ClockProperties(user, resolution, from, end > from ? end - from : 0, realtime);
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef group)
{
    struct defining *defining = user;
    uint64_t index = mwa_map_get(&defining->locations, (struct mwa_key){ 0, self });

    return copy_Location(user, self, name, type,
                         index == MWA_MAP_ABSENT ? events : defining->events[index], group);
}

static OTF2_GlobalDefReaderCallbacks *make_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *all = OTF2_GlobalDefReaderCallbacks_New();

    if (!all) {
        return NULL;
    }
#define DEFINITION(name, parameters, arguments)                                                   \
    OTF2_GlobalDefReaderCallbacks_Set##name##Callback(all, copy_##name);
#include "analyzer/export/otf2_records.def"
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(all, on_string);
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(all, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(all, on_location);
    return all;
}

enum mw_status mwa_cut_definitions(struct mwa_input *input,
                                   const struct mwa_selection *selection, const uint64_t *events,
                                   OTF2_GlobalDefWriter *writer, OTF2_ErrorCode *code,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(mwa_input_files(input));
    struct defining defining = { .selection = selection,
                                 .trace = mwa_input_trace(input),
                                 .events = events,
                                 .writer = writer,
                                 .code = OTF2_SUCCESS };
    OTF2_ErrorCode read = OTF2_ERROR_MEM_ALLOC_FAILED;
    bool fine = true;
    uint64_t count;

    for (uint64_t i = 0; i < defining.trace->location_count && fine; i++) {
        const struct mwa_key key = { 0, defining.trace->locations[i].id };

        fine = mwa_map_put(&defining.locations, key, i) != NULL;
    }
    if (fine) {
        mwa_otf2_errors_clear();
        read = mwa_definitions_scan(mwa_input_otf2(input), make_callbacks(), &defining, &count);
    }
    mwa_map_fini(&defining.locations);
    *code = defining.code;
    if (read == OTF2_ERROR_MEM_ALLOC_FAILED) {
        return mw_no_memory(diagnostic, NULL, "to copy definitions");
    }
    return read == OTF2_SUCCESS || defining.code != OTF2_SUCCESS
               ? MW_OK
               : mwa_otf2_fail(log, "the global definitions can't be read again", diagnostic);
}
