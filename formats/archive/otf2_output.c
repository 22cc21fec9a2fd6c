#include "formats/archive/otf2_output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * libotf2 takes chunk after chunk, up to 128 MiB a file, until it is refused one: it
 * gets one, and writes the file whenever that is full. What it would write of events is
 * still in the chunk when it is given back, and is taken from there.
 */
struct chunk {
    bool given;
    uint64_t bytes;
    _Alignas(16) char data[];
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
        chunk->bytes = bytes;
        *per_buffer = chunk;
    }
    if (chunk->given) {
        return NULL;
    }
    chunk->given = true;
    if (type == OTF2_FILETYPE_EVENTS) {
        /* What is left over at the end is told from what is used, and says nothing old. */
        memset(chunk->data, 0, bytes);
    }
    return chunk->data;
}

/* The bytes of a file's last chunk: what ends it is not 0, as what is behind that, which of a short
 * file is nearly all: so words are looked at first. */
static size_t used_bytes(const struct chunk *chunk)
{
    size_t bytes = chunk->bytes;
    uint64_t word = 0;

    while (bytes >= sizeof word && word == 0) {
        memcpy(&word, chunk->data + bytes - sizeof word, sizeof word);
        bytes -= word == 0 ? sizeof word : 0;
    }
    while (bytes > 0 && chunk->data[bytes - 1] == 0) {
        bytes--;
    }
    return bytes;
}

static void take_events(struct mw_otf2_output *output, const struct chunk *chunk)
{
    size_t bytes = output->is_last ? used_bytes(chunk) : chunk->bytes;

    if (output->status == MW_OK) {
        output->status = output->take(output->context, chunk->data, bytes, output->is_last,
                                      &output->diagnostic);
    }
}

static void free_chunks(void *user_data, OTF2_FileType type, OTF2_LocationRef location,
                        void **per_buffer, bool final)
{
    struct chunk *chunk = *per_buffer;

    if (chunk && chunk->given) {
        if (type == OTF2_FILETYPE_EVENTS && !final) {
            take_events(user_data, chunk);
        }
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
    struct mw_otf2_output *output = user_data;

    output->is_last = final;
    return OTF2_FLUSH;
}

/* Keeps the first error instead of printing each. */
MW_PRINTF(6, 0)
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
    if (output->status != MW_OK) {
        if (diagnostic) {
            *diagnostic = output->diagnostic;
        }
        return output->status;
    }
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
static OTF2_ErrorCode set_up(OTF2_Archive *archive, struct mw_otf2_output *output)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_always};
    static const OTF2_MemoryCallbacks memory = {allocate_chunk, free_chunks};
    OTF2_ErrorCode code = OTF2_Archive_SetFlushCallbacks(archive, &flush, output);

    if (code == OTF2_SUCCESS) {
        code = OTF2_Archive_SetMemoryCallbacks(archive, &memory, output);
    }
    if (code == OTF2_SUCCESS) {
        code = OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    }
    if (code == OTF2_SUCCESS) {
        code = OTF2_Archive_SetCreator(archive, "mpiwatch");
    }
    return code;
}

static enum mw_status open_archive(struct mw_otf2_output *output, OTF2_FileSubstrate substrate,
                                   uint64_t definition_chunk_bytes, OTF2_Archive **archive,
                                   struct mw_diagnostic *diagnostic)
{
    *archive = OTF2_Archive_Open(output->directory, "traces", OTF2_FILEMODE_WRITE,
                                 MW_EVENT_CHUNK_BYTES, definition_chunk_bytes, substrate,
                                 OTF2_COMPRESSION_NONE);
    if (!*archive) {
        return mw_otf2_check(output, OTF2_ERROR_INVALID, "create an archive", diagnostic);
    }
    return mw_otf2_check(output, set_up(*archive, output), "set up an archive", diagnostic);
}

enum mw_status mw_otf2_init(struct mw_otf2_output *output, const char *directory,
                            uint64_t definition_chunk_bytes, mw_otf2_take *take, void *context,
                            struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    memset(output, 0, sizeof *output);
    output->take = take;
    output->context = context;
    snprintf(output->directory, sizeof output->directory, "%s", directory);
    output->previous_callback = OTF2_Error_RegisterCallback(keep_error, output);
    output->registered = true;
    status = open_archive(output, OTF2_SUBSTRATE_NONE, definition_chunk_bytes, &output->events,
                          diagnostic);
    return status == MW_OK ? open_archive(output, OTF2_SUBSTRATE_POSIX, definition_chunk_bytes,
                                          &output->definitions, diagnostic)
                           : status;
}

enum mw_status mw_otf2_close(struct mw_otf2_output *output, struct mw_diagnostic *diagnostic)
{
    OTF2_Archive *archives[] = {output->events, output->definitions};
    OTF2_ErrorCode code = OTF2_SUCCESS;
    enum mw_status status = MW_OK;

    for (size_t i = 0; i < sizeof archives / sizeof archives[0]; i++) {
        OTF2_ErrorCode closed =
            archives[i] ? OTF2_Archive_Close(archives[i]) : OTF2_SUCCESS;

        code = code == OTF2_SUCCESS ? closed : code;
    }
    if (output->definitions) {
        status = mw_otf2_check(output, code, "close the archive", diagnostic);
    }
    output->events = NULL;
    output->definitions = NULL;
    if (output->registered) {
        OTF2_Error_RegisterCallback(output->previous_callback, NULL);
        output->registered = false;
    }
    return status;
}
