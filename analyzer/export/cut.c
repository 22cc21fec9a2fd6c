/*
 * What crosses the edges of the window is found by a reading of its own
 * (cut_crossings.c), then events are written location by location and packed at
 * once; definitions come last, since they tell numbers of events.
 */
#include "analyzer/export/cut.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/export/cut_definitions.h"
#include "analyzer/export/cut_events.h"
#include "analyzer/export/cut_metadata.h"
#include "analyzer/export/interruption.h"
#include "analyzer/export/output.h"
#include "analyzer/load/metadata_json.h"
#include "formats/archive/otf2_output.h"
#include "formats/archive/pack.h"
#include "formats/base/file.h"
#include "formats/base/output_name.h"

#define LEVEL 6 /* of deflate: it is written once, and sent to somebody */

struct cutting {
    const char *source; /* the path of the archive that it is cut out of */
    const struct mwa_selection *selection;
    const struct mwa_trace *trace;
    struct mwa_input *input;
    struct mwa_crossings crossings;
    struct mwa_rebuilt rebuilt;
    struct mw_transport transport;
    struct mw_pack pack;
    struct mw_otf2_output output;
    uint64_t *events; /* per location */
    const char *path; /* of the output, as the user named it */
    enum mwa_output_kind kind;
    bool force;
    char target[4096]; /* where it is */
    struct mw_diagnostic *diagnostic;
};

static enum mw_status check(struct cutting *cutting, OTF2_ErrorCode code, const char *what)
{
    return mw_otf2_check(&cutting->output, code, what, cutting->diagnostic);
}

/* --- events and definitions ----------------------------------------------------------------- */

static bool is_selected(const struct cutting *cutting, uint32_t location)
{
    uint32_t rank = cutting->trace->locations[location].rank;

    return rank == MWA_NONE ? !cutting->selection->ranks
                            : mwa_selection_has_rank(cutting->selection, rank);
}

/* Packs the file of a location's definitions and removes it. */
static enum mw_status pack_definitions(struct cutting *cutting, uint64_t id)
{
    char name[64], path[4096];
    enum mw_status status;

    snprintf(name, sizeof name, "traces/%" PRIu64 ".def", id);
    status = mw_path_join(path, cutting->output.directory, name, cutting->diagnostic);
    return status == MW_OK
               ? mw_pack_file(&cutting->pack, path, name, false, cutting->diagnostic)
               : status;
}

static enum mw_status write_location(struct cutting *cutting, uint32_t location)
{
    uint64_t id = cutting->trace->locations[location].id;
    OTF2_EvtWriter *writer;
    OTF2_ErrorCode code = OTF2_SUCCESS, closed;
    char name[64];
    enum mw_status status;

    snprintf(name, sizeof name, "traces/%" PRIu64 ".evt", id);
    status = cutting->pack.operations->open(&cutting->pack, name, false, cutting->diagnostic);
    if (status != MW_OK) {
        return status;
    }
    writer = OTF2_Archive_GetEvtWriter(cutting->output.events, id);
    if (!writer) {
        return check(cutting, OTF2_ERROR_INVALID, "write events");
    }
    if (is_selected(cutting, location)) {
        status = mwa_cut_events(cutting->input, location, cutting->selection,
                                &cutting->crossings, &cutting->rebuilt, writer, &code,
                                cutting->diagnostic);
    }
    if (status == MW_OK && code == OTF2_SUCCESS) {
        code = OTF2_EvtWriter_GetNumberOfEvents(writer, &cutting->events[location]);
    }
    closed = OTF2_Archive_CloseEvtWriter(cutting->output.events, writer);
    if (status == MW_OK) {
        status = check(cutting, code == OTF2_SUCCESS ? closed : code, "write events");
    }
    return status;
}

static enum mw_status write_events(struct cutting *cutting)
{
    enum mw_status status = check(cutting, OTF2_Archive_OpenEvtFiles(cutting->output.events),
                                  "open event files");

    for (uint32_t i = 0; i < cutting->trace->location_count && status == MW_OK; i++) {
        status = write_location(cutting, i);
    }
    return status == MW_OK ? check(cutting, OTF2_Archive_CloseEvtFiles(cutting->output.events),
                                   "close event files")
                           : status;
}

/* Local definitions have nothing to say: times and ids are global. */
static enum mw_status write_local_definitions(struct cutting *cutting)
{
    OTF2_Archive *archive = cutting->output.definitions;
    enum mw_status status = check(cutting, OTF2_Archive_OpenDefFiles(archive),
                                  "open definition files");

    for (uint32_t i = 0; i < cutting->trace->location_count && status == MW_OK; i++) {
        uint64_t id = cutting->trace->locations[i].id;
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, id);

        status = check(cutting,
                       writer ? OTF2_Archive_CloseDefWriter(archive, writer) : OTF2_ERROR_INVALID,
                       "write definitions of a location");
        if (status == MW_OK) {
            status = pack_definitions(cutting, id);
        }
    }
    return status == MW_OK
               ? check(cutting, OTF2_Archive_CloseDefFiles(archive), "close definition files")
               : status;
}

static enum mw_status write_global_definitions(struct cutting *cutting)
{
    OTF2_Archive *archive = cutting->output.definitions;
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_ErrorCode code = OTF2_ERROR_INVALID, closed;
    enum mw_status status = MW_OK;

    if (writer) {
        status = mwa_cut_definitions(cutting->input, cutting->selection, cutting->events, writer,
                                     &code, cutting->diagnostic);
        closed = OTF2_Archive_CloseGlobalDefWriter(archive, writer);
        code = code == OTF2_SUCCESS ? closed : code;
    }
    if (status == MW_OK && code == OTF2_SUCCESS) {
        code = OTF2_Archive_SetDescription(archive, cutting->trace->program);
    }
    if (status == MW_OK && code == OTF2_SUCCESS) {
        code = OTF2_Archive_SetCreator(archive, cutting->trace->creator);
    }
    if (status == MW_OK && code == OTF2_SUCCESS) {
        code = OTF2_Archive_SetProperty(archive, MWA_EXPORT_PROPERTY, MWA_OUTPUT_WRITER, true);
    }
    return status == MW_OK ? check(cutting, code, "write the definitions") : status;
}

static enum mw_status write_json(struct cutting *cutting)
{
    json_t *root;
    char path[4096];
    enum mw_status status = mwa_metadata_json(mwa_input_files(cutting->input), &root,
                                              cutting->diagnostic);

    if (status != MW_OK || !root) {
        return status; /* without it, it is an archive of another tool */
    }
    status = mw_path_join(path, cutting->pack.scratch.path, "json", cutting->diagnostic);
    if (status == MW_OK) {
        status = mwa_cut_metadata(cutting->source, cutting->trace, cutting->selection,
                                  cutting->events, root, cutting->diagnostic);
    }
    if (status == MW_OK && json_is_object(root)) {
        errno = 0;
        status = json_dump_file(root, path, JSON_COMPACT) == 0
                     ? mw_pack_file(&cutting->pack, path, "mpiwatch.json", true,
                                    cutting->diagnostic)
                     : mw_fail(cutting->diagnostic, mw_file_write_error(), path,
                               MW_DIAGNOSTIC_OFFSET_NONE, "cannot write");
    }
    json_decref(root);
    return status;
}

/* --- the archive ------------------------------------------------------------------------------ */

enum mwa_output_kind mwa_export_kind(const char *output)
{
    size_t length = strlen(output);

    return length >= 4 && strcmp(output + length - 4, ".zip") == 0 ? MWA_OUTPUT_ARCHIVE
                                                                   : MWA_OUTPUT_DIRECTORY;
}

static enum mw_status begin(struct cutting *cutting)
{
    const char *scratch = getenv("TMPDIR");
    uint64_t size = 0, chunk;
    char path[4096];
    enum mw_status status;

    cutting->pack.operations = cutting->kind == MWA_OUTPUT_ARCHIVE ? &mw_pack_zip
                                                                   : &mw_pack_directory;
    cutting->pack.transport = &cutting->transport;
    cutting->pack.nonce = (uint64_t)(uintptr_t)cutting; /* nobody else writes */
    cutting->pack.level = LEVEL;
    status = mwa_output_check(cutting->path, cutting->kind, cutting->force, cutting->diagnostic);
    if (status == MW_OK) {
        status = mwa_output_target(cutting->path, cutting->target, cutting->diagnostic);
    }
    if (status == MW_OK) {
        status = mw_output_choose(cutting->target, cutting->pack.nonce, cutting->pack.partial,
                                  cutting->diagnostic);
    }
    if (status == MW_OK) {
        status = mw_scratch_create(&cutting->pack.scratch, scratch && *scratch ? scratch : "/tmp",
                                   cutting->diagnostic);
    }
    if (status == MW_OK) {
        status = mw_path_join(path, cutting->pack.scratch.path, "otf2", cutting->diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    (void)mwa_files_size(mwa_input_files(cutting->input), "traces.def", &size);
    chunk = size > 10 * cutting->trace->location_count ? size : 10 * cutting->trace->location_count;
    chunk = chunk > MW_DEFINITION_CHUNK_BYTES_MIN ? chunk : MW_DEFINITION_CHUNK_BYTES_MIN;
    chunk = chunk < MW_DEFINITION_CHUNK_BYTES_MAX ? chunk : MW_DEFINITION_CHUNK_BYTES_MAX;
    status = mw_otf2_init(&cutting->output, path, chunk, mw_pack_take, &cutting->pack,
                          cutting->diagnostic);
    if (status == MW_OK) {
        status = cutting->pack.operations->begin(&cutting->pack, cutting->diagnostic);
    }
    return status == MW_OK ? cutting->pack.operations->join(&cutting->pack, cutting->diagnostic)
                           : status;
}

static enum mw_status pack_global(struct cutting *cutting)
{
    static const char *const names[] = { "traces.def", "traces.otf2" };
    enum mw_status status = MW_OK;

    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == MW_OK; i++) {
        char path[4096];

        status = mw_path_join(path, cutting->output.directory, names[i], cutting->diagnostic);
        if (status == MW_OK) {
            status = mw_pack_file(&cutting->pack, path, names[i], true, cutting->diagnostic);
        }
    }
    return status == MW_OK ? write_json(cutting) : status;
}

/* Everything into one file, and that to its place. */
static enum mw_status finish(struct cutting *cutting)
{
    const struct mw_pack_operations *operations = cutting->pack.operations;
    struct mw_diagnostic *diagnostic = cutting->diagnostic;
    char path[4096];
    enum mw_status status = operations->collect(&cutting->pack, diagnostic);

    status = status == MW_OK ? operations->seal(&cutting->pack, diagnostic) : status;
    status = status == MW_OK ? operations->write(&cutting->pack, diagnostic) : status;
    status = status == MW_OK ? operations->verify(&cutting->pack, diagnostic) : status;
    status = status == MW_OK
                 ? mwa_output_check(cutting->path, cutting->kind, cutting->force, diagnostic)
                 : status;
    if (status == MW_OK) {
        status = mw_output_publish(cutting->pack.partial, cutting->target, true, path,
                                   diagnostic);
        cutting->pack.made = status != MW_OK;
    }
    return status;
}

static enum mw_status write_all(struct cutting *cutting)
{
    enum mw_status status = begin(cutting), closed;

    status = status == MW_OK ? write_events(cutting) : status;
    status = status == MW_OK ? write_local_definitions(cutting) : status;
    status = status == MW_OK ? write_global_definitions(cutting) : status;
    closed = mw_otf2_close(&cutting->output, status == MW_OK ? cutting->diagnostic : NULL);
    status = status == MW_OK ? closed : status;
    status = status == MW_OK ? pack_global(cutting) : status;
    return status == MW_OK ? finish(cutting) : status;
}

enum mw_status mwa_export_otf2(const struct mwa_trace *trace, const char *path,
                               const struct mwa_selection *selection, const char *output,
                               bool force, struct mw_diagnostic *diagnostic)
{
    struct cutting cutting = { .source = path,
                               .selection = selection,
                               .path = output,
                               .kind = mwa_export_kind(output),
                               .force = force,
                               .diagnostic = diagnostic };
    enum mw_status status = MW_OK;

    if (selection->from > 0) {
        status = mwa_crossings_find(trace, path, selection, &cutting.crossings, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_input_open_again(trace, path, &cutting.input, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_rebuilt_make(&cutting.rebuilt, mwa_input_trace(cutting.input), path,
                                  diagnostic);
    }
    if (status == MW_OK) {
        status = mw_transport_serial_init(&cutting.transport, diagnostic);
    }
    if (status == MW_OK) {
        cutting.trace = mwa_input_trace(cutting.input);
        cutting.events = calloc(cutting.trace->location_count + 1, sizeof *cutting.events);
        mwa_interruption_hold(); /* what is made until then is gone with the process */
        status = cutting.events ? write_all(&cutting)
                                : mw_no_memory(diagnostic, NULL, "for the archive");
        if (status != MW_OK && cutting.pack.made) {
            mw_pack_abandon(&cutting.pack);
        }
        mw_scratch_remove(&cutting.pack.scratch);
        mwa_interruption_release();
        mw_pack_fini(&cutting.pack);
        mw_transport_serial_fini(&cutting.transport);
    }
    free(cutting.events);
    mwa_rebuilt_fini(&cutting.rebuilt);
    mwa_crossings_fini(&cutting.crossings);
    mwa_input_close(cutting.input);
    return status;
}
