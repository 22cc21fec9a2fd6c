#include "formats/spool/definition_writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/base/own_file.h"
#include "formats/spool/definition_layout.h"
#include "formats/table/calls.h"

/*
 * The file is written through a mapped window (own_file.h). What lies behind the last record
 * is zero, and a record's length, which is written last, makes it one.
 */
#define WINDOW_BYTES_MIN ((size_t)16 << 10)
#define WINDOW_BYTES_MAX ((size_t)1 << 20)
/*
 * So much of it is kept for what a process says in its end: what it lost is not to be lost
 * itself when the device is full or the limit on files has been lowered.
 */
#define RESERVED_BYTES ((size_t)4 << 10)

struct mw_definition_writer {
    pthread_mutex_t mutex;
    struct mw_own_file file;
    char *window; /* a part of the file, up to its end */
    size_t window_bytes;
    size_t used;  /* bytes of the window up to the end of the last record */
    char *record; /* being put together */
    size_t record_bytes;
    size_t record_room;
    bool failed;
    struct mw_diagnostic diagnostic; /* why */
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

/* Whether it tells of the process's end, so that it may use what is kept for that. */
static bool is_last_word(enum mw_definition_kind kind)
{
    return kind == MW_DEFINE_LOSS || kind == MW_DEFINE_CLOCK || kind == MW_DEFINE_END;
}

/* The offset in the file of the end of the last record. */
static uint64_t file_end(const struct mw_definition_writer *writer)
{
    return writer->file.bytes - writer->window_bytes + writer->used;
}

/* Moves the window on, so that there are bytes of room behind the last record. */
static enum mw_status grow(struct mw_definition_writer *writer, size_t bytes,
                           struct mw_diagnostic *diagnostic)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t end = file_end(writer);
    uint64_t from = end / page * page;
    uint64_t step = writer->file.bytes;
    uint64_t to;
    void *mapped;
    enum mw_status status;

    step = step < WINDOW_BYTES_MIN ? WINDOW_BYTES_MIN : step;
    step = step > WINDOW_BYTES_MAX ? WINDOW_BYTES_MAX : step;
    to = (end + bytes + step + page - 1) / page * page;
    status = mw_own_file_map(&writer->file, from, (size_t)(to - from), &mapped, diagnostic);
    if (status == MW_OK) {
        if (writer->window) {
            munmap(writer->window, writer->window_bytes);
        }
        writer->window = mapped;
        writer->window_bytes = (size_t)(to - from);
        writer->used = (size_t)(end - from);
    }
    return status;
}

/* Sees to it that there are bytes of room behind the last record, and kept more behind them. */
static enum mw_status make_room(struct mw_definition_writer *writer, size_t bytes, size_t kept,
                                struct mw_diagnostic *diagnostic)
{
    return writer->window_bytes - writer->used >= bytes + kept
               ? MW_OK
               : grow(writer, bytes + kept, diagnostic);
}

/* Appends the record: all of it is there before its length, in one store, makes it valid. */
static void append_record(struct mw_definition_writer *writer)
{
    char *to = writer->window + writer->used;
    uint32_t length;

    memcpy(&length, writer->record, sizeof length);
    memcpy(to + sizeof length, writer->record + sizeof length,
           writer->record_bytes - sizeof length);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* not only for a reader behind a kill */
    memcpy(to, &length, sizeof length);
    writer->used += writer->record_bytes;
}

static void append_header(struct mw_definition_writer *writer, uint64_t nonce, uint32_t rank)
{
    struct mw_definition_header header = {
        .magic = MW_DEFINITION_MAGIC,
        .version = MW_DEFINITION_VERSION,
        .byte_order = MW_DEFINITION_BYTE_ORDER,
        .nonce = nonce,
        .rank = rank,
        .calls_fingerprint = mw_calls_fingerprint(),
    };

    memcpy(writer->window, &header, sizeof header);
    writer->used = sizeof header;
}

enum mw_status mw_definition_writer_create(const char *path, uint64_t nonce, uint32_t rank,
                                           struct mw_definition_writer **writer,
                                           struct mw_diagnostic *diagnostic)
{
    struct mw_definition_writer *created = calloc(1, sizeof *created);
    pthread_mutexattr_t kind;
    enum mw_status status;

    if (!created) {
        return mw_no_memory(diagnostic, path, "for the definitions");
    }
    status = mw_own_file_create(&created->file, path, diagnostic);
    if (status == MW_OK) {
        status = grow(created, RESERVED_BYTES, diagnostic);
    }
    if (status != MW_OK) {
        mw_own_file_discard(&created->file);
        free(created);
        return status;
    }
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&created->mutex, &kind);
    pthread_mutexattr_destroy(&kind);
    append_header(created, nonce, rank);
    *writer = created;
    return MW_OK;
}

void mw_definition_writer_destroy(struct mw_definition_writer *writer)
{
    if (!writer) {
        return;
    }
    mw_own_file_cut(&writer->file, file_end(writer));
    munmap(writer->window, writer->window_bytes);
    mw_own_file_fini(&writer->file);
    pthread_mutex_destroy(&writer->mutex);
    free(writer->record);
    free(writer);
}

bool mw_definition_writer_is_there(const struct mw_definition_writer *writer)
{
    return mw_own_file_is_there(&writer->file);
}

static enum mw_status write_locked(struct mw_definition_writer *writer,
                                   const struct mw_definition *definition,
                                   struct mw_diagnostic *diagnostic)
{
    size_t kept = is_last_word(definition->kind) ? 0 : RESERVED_BYTES;
    enum mw_status status;

    if (!put_definition(writer, definition)) {
        return mw_no_memory(diagnostic, writer->file.path, "for a definition");
    }
    status = make_room(writer, writer->record_bytes, kept, diagnostic);
    if (status == MW_OK) {
        append_record(writer);
    }
    return status;
}

enum mw_status mw_definition_write(struct mw_definition_writer *writer,
                                   const struct mw_definition *definition,
                                   struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    if (!mw_definition_layout(definition->kind)) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, writer->file.path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no such kind of definition: %u", (unsigned)definition->kind);
    }
    if (pthread_mutex_lock(&writer->mutex) != 0) {
        return MW_OK; /* a signal's handler, which has interrupted its thread below here */
    }
    if (!writer->failed || definition->kind == MW_DEFINE_LOSS) {
        status = write_locked(writer, definition, &writer->diagnostic);
        writer->failed |= status != MW_OK;
    } else {
        status = writer->diagnostic.status;
    }
    if (status != MW_OK && diagnostic) {
        *diagnostic = writer->diagnostic;
    }
    pthread_mutex_unlock(&writer->mutex);
    return status;
}
