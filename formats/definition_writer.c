#include "formats/definition.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/calls.h"
#include "formats/definition_layout.h"

struct mw_definition_writer {
    pthread_mutex_t mutex;
    int descriptor;
    uint64_t file_bytes; /* all whole records */
    char *record;        /* being put together */
    size_t record_bytes;
    size_t record_room;
    bool failed;
    struct mw_diagnostic diagnostic; /* why */
    char path[];
};

/* Appends bytes to the record; false without memory or past the bound of a record. */
static bool put(struct mw_definition_writer *writer, const void *data, size_t bytes)
{
    size_t needed = writer->record_bytes + bytes;

    if (needed > MW_DEFINITION_BYTES_MAX) {
        return false;
    }
    if (needed > writer->record_room) {
        size_t room = needed * 2 + 256;
        char *grown = realloc(writer->record, room);

        if (!grown) {
            return false;
        }
        writer->record = grown;
        writer->record_room = room;
    }
    if (bytes > 0) {
        memcpy(writer->record + writer->record_bytes, data, bytes);
    }
    writer->record_bytes = needed;
    return true;
}

static bool put_text(struct mw_definition_writer *writer, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    uint32_t stored = (uint32_t)length;

    return length <= MW_DEFINITION_BYTES_MAX && put(writer, &stored, sizeof stored) &&
           put(writer, text, length);
}

static bool put_list(struct mw_definition_writer *writer, uint32_t count, const uint32_t *list)
{
    return put(writer, &count, sizeof count) &&
           put(writer, list, sizeof(uint32_t) * (size_t)count);
}

static bool put_field(struct mw_definition_writer *writer, const struct mw_field *field,
                      const char *from)
{
    const char *value = from + field->offset;
    const struct mw_define_comm *comm;
    const struct mw_define_sources *sources;

    switch (field->type) {
    case MW_FIELD_BOOL:
        return put(writer, &(uint8_t){*(const bool *)value}, 1);
    case MW_FIELD_U32:
        return put(writer, value, sizeof(uint32_t));
    case MW_FIELD_U64:
        return put(writer, value, sizeof(uint64_t));
    case MW_FIELD_UID:
        return put(writer, value, sizeof(struct mw_uid));
    case MW_FIELD_TEXT:
        return put_text(writer, *(const char *const *)(const void *)value);
    case MW_FIELD_MEMBERS:
        comm = (const struct mw_define_comm *)(const void *)from;
        return put_list(writer, comm->member_count, comm->members);
    case MW_FIELD_RANKS:
        sources = (const struct mw_define_sources *)(const void *)from;
        return put_list(writer, sources->count, sources->ranks);
    }
    return false;
}

static bool put_definition(struct mw_definition_writer *writer,
                           const struct mw_definition *definition)
{
    static const char head[MW_DEFINITION_HEAD_BYTES];
    const struct mw_definition_layout *layout = mw_definition_layout(definition->kind);
    uint8_t kind = (uint8_t)definition->kind;

    writer->record_bytes = 0;
    if (!put(writer, head, sizeof head) || !put(writer, &kind, 1)) {
        return false;
    }
    for (size_t i = 0; i < layout->count; i++) {
        if (!put_field(writer, &layout->fields[i], (const char *)&definition->of)) {
            return false;
        }
    }
    uint32_t length = (uint32_t)(writer->record_bytes - MW_DEFINITION_HEAD_BYTES);
    const Bytef *body = (const Bytef *)writer->record + MW_DEFINITION_HEAD_BYTES;
    uint32_t crc = (uint32_t)crc32_z(0, body, length);

    memcpy(writer->record, &length, sizeof length);
    memcpy(writer->record + sizeof length, &crc, sizeof crc);
    return true;
}

static enum mw_status fail_to_write(struct mw_diagnostic *diagnostic, const char *path)
{
    bool space = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;

    return mw_fail(diagnostic, space ? MW_ERROR_SPACE : MW_ERROR_SYSTEM, path,
                   MW_DIAGNOSTIC_OFFSET_NONE, "can't write the definitions");
}

/* Going past the limit would be a SIGXFSZ in somebody else's program. */
static bool fits_file_size_limit(uint64_t bytes)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return true;
    }
    errno = EFBIG;
    return bytes <= limit.rlim_cur;
}

/* Appends data as a whole, or leaves the file as it was. */
static enum mw_status append(struct mw_definition_writer *writer, const char *data, size_t bytes,
                             struct mw_diagnostic *diagnostic)
{
    size_t done = 0;

    if (!fits_file_size_limit(writer->file_bytes + bytes)) {
        return fail_to_write(diagnostic, writer->path);
    }
    while (done < bytes) {
        ssize_t written = pwrite(writer->descriptor, data + done, bytes - done,
                                 (off_t)(writer->file_bytes + done));

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            enum mw_status status = fail_to_write(diagnostic, writer->path);

            /* If this fails too, the reader ends at the incomplete record. */
            (void)!ftruncate(writer->descriptor, (off_t)writer->file_bytes);
            return status;
        }
        done += (size_t)written;
    }
    writer->file_bytes += bytes;
    return MW_OK;
}

static enum mw_status append_header(struct mw_definition_writer *writer, uint64_t nonce,
                                    uint32_t rank, struct mw_diagnostic *diagnostic)
{
    struct mw_definition_header header = {
        .magic = MW_DEFINITION_MAGIC,
        .version = MW_DEFINITION_VERSION,
        .byte_order = MW_DEFINITION_BYTE_ORDER,
        .nonce = nonce,
        .rank = rank,
        .calls_fingerprint = mw_calls_fingerprint(),
    };

    return append(writer, (const char *)&header, sizeof header, diagnostic);
}

enum mw_status mw_definition_writer_create(const char *path, uint64_t nonce, uint32_t rank,
                                           struct mw_definition_writer **writer,
                                           struct mw_diagnostic *diagnostic)
{
    size_t path_bytes = strlen(path) + 1;
    struct mw_definition_writer *created = calloc(1, sizeof *created + path_bytes);
    enum mw_status status;

    if (!created) {
        return mw_fail(diagnostic, MW_ERROR_MEMORY, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no memory for the definitions");
    }
    memcpy(created->path, path, path_bytes);
    pthread_mutex_init(&created->mutex, NULL);
    created->descriptor =
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (created->descriptor < 0) {
        status = fail_to_write(diagnostic, path);
        mw_definition_writer_destroy(created);
        return status;
    }
    status = append_header(created, nonce, rank, diagnostic);
    if (status != MW_OK) {
        unlink(path);
        mw_definition_writer_destroy(created);
        return status;
    }
    *writer = created;
    return MW_OK;
}

void mw_definition_writer_destroy(struct mw_definition_writer *writer)
{
    if (!writer) {
        return;
    }
    if (writer->descriptor >= 0) {
        close(writer->descriptor);
    }
    pthread_mutex_destroy(&writer->mutex);
    free(writer->record);
    free(writer);
}

static enum mw_status write_locked(struct mw_definition_writer *writer,
                                   const struct mw_definition *definition,
                                   struct mw_diagnostic *diagnostic)
{
    if (!put_definition(writer, definition)) {
        return mw_fail(diagnostic, MW_ERROR_MEMORY, writer->path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no memory for a definition");
    }
    return append(writer, writer->record, writer->record_bytes, diagnostic);
}

enum mw_status mw_definition_write(struct mw_definition_writer *writer,
                                   const struct mw_definition *definition,
                                   struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    if (!mw_definition_layout(definition->kind)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, writer->path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no such kind of definition: %u", (unsigned)definition->kind);
    }
    pthread_mutex_lock(&writer->mutex);
    if (!writer->failed) {
        status = write_locked(writer, definition, &writer->diagnostic);
        writer->failed = status != MW_OK;
    } else {
        status = writer->diagnostic.status;
    }
    if (status != MW_OK && diagnostic) {
        *diagnostic = writer->diagnostic;
    }
    pthread_mutex_unlock(&writer->mutex);
    return status;
}
