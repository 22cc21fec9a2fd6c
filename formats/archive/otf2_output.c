#include "formats/archive/otf2_output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * libotf2 takes chunk after chunk, up to 128 MiB a file, until it is refused one: it
 * gets one, and writes the file whenever that is full.
 */
struct chunk {
    bool given;
    _Alignas(16) char bytes[];
};

static void *allocate_chunk(void *user_data, OTF2_FileType type, OTF2_LocationRef location,
                            void **per_buffer, uint64_t bytes)
{
    struct chunk *chunk = *per_buffer;

    if (!chunk) {
        chunk = malloc(sizeof *chunk + bytes);
        if (!chunk) {
            return NULL;
        }
        chunk->given = false;
        *per_buffer = chunk;
    }
    if (chunk->given) {
        return NULL;
    }
    chunk->given = true;
    return chunk->bytes;
}

static void free_chunks(void *user_data, OTF2_FileType type, OTF2_LocationRef location,
                        void **per_buffer, bool final)
{
    struct chunk *chunk = *per_buffer;

    if (chunk) {
        chunk->given = false;
    }
    if (final) {
        free(chunk);
        *per_buffer = NULL;
    }
}

static OTF2_FlushType flush_always(void *user_data, OTF2_FileType type,
                                   OTF2_LocationRef location, void *caller_data, bool final)
{
    return OTF2_FLUSH;
}

/* Keeps the first error instead of printing each. */
static OTF2_ErrorCode keep_error(void *user_data, const char *file, uint64_t line,
                                 const char *function, OTF2_ErrorCode code, const char *format,
                                 va_list arguments)
{
    struct mw_otf2_output *output = user_data;

    if (!output->failed && code != OTF2_SUCCESS) {
        output->failed = true;
        output->error = code;
        vsnprintf(output->text, sizeof output->text, format, arguments);
    }
    return code;
}

enum mw_status mw_otf2_check(struct mw_otf2_output *output, OTF2_ErrorCode code,
                             const char *what, struct mw_diagnostic *diagnostic)
{
    if (code == OTF2_SUCCESS && !output->failed) {
        return MW_OK;
    }
    if (!output->failed) {
        output->failed = true;
        output->error = code;
        snprintf(output->text, sizeof output->text, "%s", OTF2_Error_GetDescription(code));
    }
    return mw_fail(diagnostic, MW_ERROR_OTF2, output->directory, MW_DIAGNOSTIC_OFFSET_NONE,
                   "libotf2 can't %s: %s (%s)", what, output->text,
                   OTF2_Error_GetDescription(output->error));
}

/* What libotf2 wants to be told before anything is written. */
static OTF2_ErrorCode set_up(OTF2_Archive *archive)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_always};
    static const OTF2_MemoryCallbacks memory = {allocate_chunk, free_chunks};
    OTF2_ErrorCode code = OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);

    if (code == OTF2_SUCCESS) {
        code = OTF2_Archive_SetMemoryCallbacks(archive, &memory, NULL);
    }
    if (code == OTF2_SUCCESS) {
        code = OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    }
    if (code == OTF2_SUCCESS) {
        code = OTF2_Archive_SetCreator(archive, "mpiwatch");
    }
    return code;
}

enum mw_status mw_otf2_init(struct mw_otf2_output *output, const char *directory,
                            uint64_t definition_chunk_bytes, struct mw_diagnostic *diagnostic)
{
    memset(output, 0, sizeof *output);
    snprintf(output->directory, sizeof output->directory, "%s", directory);
    output->previous_callback = OTF2_Error_RegisterCallback(keep_error, output);
    output->registered = true;
    output->archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE,
                                        MW_EVENT_CHUNK_BYTES, definition_chunk_bytes,
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!output->archive) {
        return mw_otf2_check(output, OTF2_ERROR_INVALID, "create an archive", diagnostic);
    }
    return mw_otf2_check(output, set_up(output->archive), "set up an archive", diagnostic);
}

enum mw_status mw_otf2_close(struct mw_otf2_output *output, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if (output->archive) {
        OTF2_ErrorCode code = OTF2_Archive_Close(output->archive);

        output->archive = NULL;
        status = mw_otf2_check(output, code, "close the archive", diagnostic);
    }
    if (output->registered) {
        OTF2_Error_RegisterCallback(output->previous_callback, NULL);
        output->registered = false;
    }
    return status;
}
