/*
 * libotf2 takes turns: a batch of one location's events is read, then another location's. What is
 * known of where it was is kept with each reader.
 */
#include "analyzer/load/input.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/load/event_callbacks.h"
#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_input.h"

struct mwa_event_reader {
    struct mwa_input *input;
    OTF2_EvtReader *reader; /* null: the location has no events */
    struct mwa_delivery delivery;
    uint64_t count; /* of OTF2 events */
    char last[1024]; /* where this reader's file was read last: readers take turns */
    uint64_t last_offset;
};

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
    code = OTF2_Reader_RegisterDefCallbacks(mwa_input_otf2(input), definitions, callbacks,
                                            has_tables);
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
    definitions = OTF2_Reader_GetDefReader(mwa_input_otf2(input), location);
    if (!definitions) {
        return mwa_otf2_fail(log, "the local definitions can't be read", diagnostic);
    }
    code = watch_tables(input, definitions, has_tables);
    if (code == OTF2_SUCCESS) {
        code = OTF2_Reader_ReadAllLocalDefinitions(mwa_input_otf2(input), definitions, &count);
    }
    (void)OTF2_Reader_CloseDefReader(mwa_input_otf2(input), definitions);
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

/* The events of a location of one archive. */
static enum mw_status open_location(struct mwa_input *input, uint32_t location,
                                    struct mwa_event_reader **result,
                                    struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(mwa_input_files(input));
    OTF2_LocationRef id = mwa_input_trace(input)->locations[location].id;
    struct mwa_event_reader *reader = calloc(1, sizeof *reader);
    bool has_tables = false;
    enum mw_status status;
    char name[512];
    uint64_t size;

    if (!reader || !mwa_input_callbacks(input)) {
        free(reader);
        return mw_no_memory(diagnostic, mwa_files_path(mwa_input_files(input)), "to read events");
    }
    reader->input = input;
    reader->delivery.trace = mwa_input_trace(input);
    reader->delivery.location = location;
    mwa_files_local_name(mwa_input_files(input), id, "evt", name, sizeof name);
    if (!mwa_files_size(mwa_input_files(input), name, &size)) {
        *result = reader; /* no events, and no file of them either */
        return MW_OK;
    }
    status = read_local_definitions(input, id, &has_tables, diagnostic);
    if (status != MW_OK) {
        free(reader);
        return status;
    }
    mwa_otf2_errors_clear();
    reader->reader = OTF2_Reader_GetEvtReader(mwa_input_otf2(input), id);
    if (!reader->reader ||
        OTF2_Reader_RegisterEvtCallbacks(mwa_input_otf2(input), reader->reader,
                                         mwa_input_callbacks(input),
                                         &reader->delivery) != OTF2_SUCCESS ||
        OTF2_EvtReader_ApplyMappingTables(reader->reader, has_tables) != OTF2_SUCCESS ||
        OTF2_EvtReader_ApplyClockOffsets(reader->reader, true) != OTF2_SUCCESS) {
        mwa_event_reader_close(reader);
        return mwa_otf2_fail(log, "the events of a location can't be read", diagnostic);
    }
    keep_place(reader, log);
    *result = reader;
    return MW_OK;
}

enum mw_status mwa_event_reader_open(struct mwa_input *input, uint32_t location,
                                     struct mwa_event_reader **reader,
                                     struct mw_diagnostic *diagnostic)
{
    const struct mwa_joint_part *part = NULL;
    struct mwa_input *of = mwa_input_of(input, location, &part);
    enum mw_status status =
        open_location(of, part ? location - part->first_location : location, reader, diagnostic);

    if (status == MW_OK) {
        (*reader)->delivery.part = part;
    }
    return status;
}

void mwa_event_reader_close(struct mwa_event_reader *reader)
{
    if (reader && reader->reader) {
        (void)OTF2_Reader_CloseEvtReader(mwa_input_otf2(reader->input), reader->reader);
    }
    free(reader);
}

enum mw_status mwa_event_reader_fail_backwards(const struct mwa_event_reader *reader,
                                               struct mw_diagnostic *diagnostic)
{
    const struct mwa_stream_log *log = mwa_files_log(mwa_input_files(reader->input));
    const struct mwa_delivery *delivery = &reader->delivery;

    return mw_fail(diagnostic, MW_ERROR_FORMAT, log->last, log->last_offset,
                   "time goes backwards near event %llu of location %llu",
                   (unsigned long long)reader->count,
                   (unsigned long long)delivery->trace->locations[delivery->location].id);
}

enum mw_status mwa_event_reader_read(struct mwa_event_reader *reader, uint64_t count,
                                     mwa_event_visit visit, void *user,
                                     struct mw_diagnostic *diagnostic)
{
    struct mwa_stream_log *log = mwa_files_log(mwa_input_files(reader->input));
    struct mwa_delivery *delivery = &reader->delivery;
    OTF2_ErrorCode code;
    uint64_t got = 0;

    if (!reader->reader) {
        return MW_END;
    }
    delivery->visit = visit;
    delivery->user = user;
    delivery->status = MW_OK;
    mwa_otf2_errors_clear();
    set_place(reader, log);
    code = OTF2_Reader_ReadLocalEvents(mwa_input_otf2(reader->input), reader->reader, count,
                                       &got);
    keep_place(reader, log);
    if (delivery->is_backwards) {
        reader->count += got;
        return mwa_event_reader_fail_backwards(reader, diagnostic);
    }
    if (delivery->wrong[0]) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, log->last, log->last_offset, "%s",
                       delivery->wrong);
    }
    reader->count += got;
    mwa_input_note_events(reader->input, got);
    if (delivery->status != MW_OK) {
        return delivery->status;
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
    OTF2_Reader *archive = mwa_input_otf2(reader->input);
    struct mwa_stream_log *log = mwa_files_log(mwa_input_files(reader->input));
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
