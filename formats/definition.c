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

#define BYTE_ORDER_MARK 0x01020304u
#define RECORD_HEAD_BYTES 8u /* length and CRC */

struct mw_definition_header {
    char magic[8]; /* MW_DEFINITION_MAGIC */
    uint32_t version;
    uint32_t byte_order;
    uint64_t nonce;
    uint32_t rank;
    uint32_t reserved;
    uint64_t calls_fingerprint;
};

_Static_assert(sizeof(struct mw_definition_header) == 40, "no padding");

/* --- what the records hold: one table for both directions ----------------- */

enum field_type {
    FIELD_BOOL, /* u8 */
    FIELD_U32,
    FIELD_U64,
    FIELD_UID,    /* u64 high, u64 low */
    FIELD_TEXT,   /* u32 length, bytes */
    FIELD_MEMBERS /* u32 count, u32 each; only in struct mw_define_comm */
};

struct field {
    enum field_type type;
    size_t offset; /* in the struct of the record's kind */
};

#define FIELD(kind, type, name)                                                                 \
    {                                                                                           \
        type, offsetof(struct mw_define_##kind, name)                                           \
    }

static const struct field process_fields[] = {
    FIELD(process, FIELD_U32, rank),
    FIELD(process, FIELD_U32, size),
    FIELD(process, FIELD_U32, host),
    FIELD(process, FIELD_U32, pid),
    FIELD(process, FIELD_U64, time_ticks),
    FIELD(process, FIELD_U64, time_realtime),
    FIELD(process, FIELD_U64, time_resolution),
    FIELD(process, FIELD_U32, thread_level),
    FIELD(process, FIELD_TEXT, host_name),
    FIELD(process, FIELD_TEXT, program),
    FIELD(process, FIELD_TEXT, arguments),
    FIELD(process, FIELD_TEXT, working_directory),
    FIELD(process, FIELD_TEXT, mpi_library),
    FIELD(process, FIELD_TEXT, recorder),
};

static const struct field thread_fields[] = {
    FIELD(thread, FIELD_U32, thread),
    FIELD(thread, FIELD_U64, time),
    FIELD(thread, FIELD_BOOL, is_main),
};

static const struct field comm_fields[] = {
    FIELD(comm, FIELD_U32, comm),
    FIELD(comm, FIELD_UID, uid),
    FIELD(comm, FIELD_UID, parent),
    FIELD(comm, FIELD_U32, call),
    FIELD(comm, FIELD_U32, sequence),
    FIELD(comm, FIELD_U32, flags),
    FIELD(comm, FIELD_U32, rank),
    FIELD(comm, FIELD_U32, size),
    FIELD(comm, FIELD_U32, remote_size),
    FIELD(comm, FIELD_UID, local_group),
    FIELD(comm, FIELD_UID, remote_group),
    FIELD(comm, FIELD_U32, leader),
    FIELD(comm, FIELD_U64, created),
    FIELD(comm, FIELD_MEMBERS, members),
};

static const struct field comm_name_fields[] = {
    FIELD(comm_name, FIELD_U32, comm),
    FIELD(comm_name, FIELD_U32, source),
    FIELD(comm_name, FIELD_U64, time),
    FIELD(comm_name, FIELD_TEXT, name),
};

static const struct field comm_freed_fields[] = {
    FIELD(comm_freed, FIELD_U32, comm),
    FIELD(comm_freed, FIELD_U64, time),
};

static const struct field clock_fields[] = {
    FIELD(clock, FIELD_U64, time),
    FIELD(clock, FIELD_U64, offset), /* two's complement */
    FIELD(clock, FIELD_U64, error),
};

static const struct field setting_fields[] = {
    FIELD(setting, FIELD_TEXT, name),
    FIELD(setting, FIELD_TEXT, value),
};

static const struct field loss_fields[] = {
    FIELD(loss, FIELD_U32, thread),
    FIELD(loss, FIELD_U32, reason),
    FIELD(loss, FIELD_U64, count),
};

static const struct field end_fields[] = {
    FIELD(end, FIELD_U64, time),
    FIELD(end, FIELD_U32, how),
    FIELD(end, FIELD_U32, code),
};

#define LAYOUT(kind)                                                                            \
    {                                                                                           \
        kind##_fields, sizeof kind##_fields / sizeof kind##_fields[0]                           \
    }

static const struct layout {
    const struct field *fields;
    size_t count;
} layouts[] = {
    [MW_DEFINE_PROCESS] = LAYOUT(process),
    [MW_DEFINE_THREAD] = LAYOUT(thread),
    [MW_DEFINE_COMM] = LAYOUT(comm),
    [MW_DEFINE_COMM_NAME] = LAYOUT(comm_name),
    [MW_DEFINE_COMM_FREED] = LAYOUT(comm_freed),
    [MW_DEFINE_CLOCK] = LAYOUT(clock),
    [MW_DEFINE_SETTING] = LAYOUT(setting),
    [MW_DEFINE_LOSS] = LAYOUT(loss),
    [MW_DEFINE_END] = LAYOUT(end),
};

#define KIND_COUNT (sizeof layouts / sizeof layouts[0])

/* --- writing -------------------------------------------------------------- */

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

static bool put_members(struct mw_definition_writer *writer, const struct mw_define_comm *comm)
{
    return put(writer, &comm->member_count, sizeof comm->member_count) &&
           put(writer, comm->members, sizeof(uint32_t) * (size_t)comm->member_count);
}

static bool put_field(struct mw_definition_writer *writer, const struct field *field,
                      const char *from)
{
    const char *value = from + field->offset;

    switch (field->type) {
    case FIELD_BOOL:
        return put(writer, &(uint8_t){*(const bool *)value}, 1);
    case FIELD_U32:
        return put(writer, value, sizeof(uint32_t));
    case FIELD_U64:
        return put(writer, value, sizeof(uint64_t));
    case FIELD_UID:
        return put(writer, value, sizeof(struct mw_uid));
    case FIELD_TEXT:
        return put_text(writer, *(const char *const *)(const void *)value);
    case FIELD_MEMBERS:
        return put_members(writer, (const struct mw_define_comm *)(const void *)from);
    }
    return false;
}

static bool put_definition(struct mw_definition_writer *writer,
                           const struct mw_definition *definition)
{
    static const char head[RECORD_HEAD_BYTES];
    const struct layout *layout = &layouts[definition->kind];
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
    uint32_t length = (uint32_t)(writer->record_bytes - RECORD_HEAD_BYTES);
    const Bytef *body = (const Bytef *)writer->record + RECORD_HEAD_BYTES;
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
        .byte_order = BYTE_ORDER_MARK,
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

    if ((size_t)definition->kind >= KIND_COUNT || !layouts[definition->kind].fields) {
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

/* --- reading -------------------------------------------------------------- */

struct mw_definition_reader {
    struct mw_definition_header header;
    char *data; /* the whole file */
    size_t bytes;
    size_t next; /* offset of the next record */
    char path[];
};

/* What is left of a record's payload. */
struct cursor {
    char *next;
    size_t left;
};

static bool take(struct cursor *cursor, void *to, size_t bytes)
{
    if (cursor->left < bytes) {
        return false;
    }
    memcpy(to, cursor->next, bytes);
    cursor->next += bytes;
    cursor->left -= bytes;
    return true;
}

/*
 * Texts and members are used where they lie in the file's image, moved back over
 * their own length: that makes the room for a text's end and a list's alignment.
 */
static bool take_text(struct cursor *cursor, const char **text)
{
    uint32_t length;

    if (!take(cursor, &length, sizeof length) || length > cursor->left) {
        return false;
    }
    char *moved = cursor->next - sizeof length;

    memmove(moved, cursor->next, length);
    moved[length] = '\0';
    *text = moved;
    cursor->next += length;
    cursor->left -= length;
    return true;
}

static bool take_members(struct cursor *cursor, struct mw_define_comm *comm)
{
    uint32_t count;

    if (!take(cursor, &count, sizeof count) || count > cursor->left / sizeof(uint32_t)) {
        return false;
    }
    size_t bytes = count * sizeof(uint32_t);
    char *moved = cursor->next - (uintptr_t)cursor->next % sizeof(uint32_t);

    memmove(moved, cursor->next, bytes);
    comm->member_count = count;
    comm->members = count > 0 ? (const uint32_t *)(const void *)moved : NULL;
    cursor->next += bytes;
    cursor->left -= bytes;
    return true;
}

static bool take_field(struct cursor *cursor, const struct field *field, char *to)
{
    char *value = to + field->offset;
    uint8_t byte;

    switch (field->type) {
    case FIELD_BOOL:
        if (!take(cursor, &byte, 1)) {
            return false;
        }
        *(bool *)value = byte != 0;
        return true;
    case FIELD_U32:
        return take(cursor, value, sizeof(uint32_t));
    case FIELD_U64:
        return take(cursor, value, sizeof(uint64_t));
    case FIELD_UID:
        return take(cursor, value, sizeof(struct mw_uid));
    case FIELD_TEXT:
        return take_text(cursor, (const char **)(void *)value);
    case FIELD_MEMBERS:
        return take_members(cursor, (struct mw_define_comm *)(void *)to);
    }
    return false;
}

static enum mw_status read_file(struct mw_definition_reader *reader, int descriptor,
                                struct mw_diagnostic *diagnostic)
{
    struct stat about;

    if (fstat(descriptor, &about) != 0) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, reader->path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't look at it");
    }
    size_t bytes = (size_t)about.st_size;

    reader->data = malloc(bytes + 1);
    if (!reader->data) {
        return mw_fail(diagnostic, MW_ERROR_MEMORY, reader->path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no memory for the definitions");
    }
    while (reader->bytes < bytes) {
        ssize_t got = pread(descriptor, reader->data + reader->bytes, bytes - reader->bytes,
                            (off_t)reader->bytes);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return mw_fail(diagnostic, MW_ERROR_SYSTEM, reader->path, reader->bytes,
                           "can't read the definitions");
        }
        if (got == 0) {
            break;
        }
        reader->bytes += (size_t)got;
    }
    return MW_OK;
}

static enum mw_status check_header(struct mw_definition_reader *reader,
                                   struct mw_diagnostic *diagnostic)
{
    struct mw_definition_header *header = &reader->header;

    if (reader->bytes < sizeof *header ||
        memcmp(reader->data, MW_DEFINITION_MAGIC, sizeof MW_DEFINITION_MAGIC) != 0) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, 0,
                       "this is no definitions file of mpiwatch");
    }
    memcpy(header, reader->data, sizeof *header);
    if (header->byte_order != BYTE_ORDER_MARK) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, reader->path,
                       offsetof(struct mw_definition_header, byte_order),
                       "written on a machine of another byte order");
    }
    if (header->version != MW_DEFINITION_VERSION) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, reader->path,
                       offsetof(struct mw_definition_header, version),
                       "definitions of version %u, this program knows %u", header->version,
                       MW_DEFINITION_VERSION);
    }
    if (header->calls_fingerprint != mw_calls_fingerprint()) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, reader->path,
                       offsetof(struct mw_definition_header, calls_fingerprint),
                       "written by another version of mpiwatch, with other numbers for MPI calls");
    }
    reader->next = sizeof *header;
    return MW_OK;
}

enum mw_status mw_definition_reader_create(const char *path, struct mw_definition_reader **reader,
                                           struct mw_diagnostic *diagnostic)
{
    size_t path_bytes = strlen(path) + 1;
    struct mw_definition_reader *created = calloc(1, sizeof *created + path_bytes);
    int descriptor;
    enum mw_status status;

    if (!created) {
        return mw_fail(diagnostic, MW_ERROR_MEMORY, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "no memory for the definitions");
    }
    memcpy(created->path, path, path_bytes);
    descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, path, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't open the definitions");
        free(created);
        return status;
    }
    status = read_file(created, descriptor, diagnostic);
    close(descriptor);
    if (status == MW_OK) {
        status = check_header(created, diagnostic);
    }
    if (status != MW_OK) {
        mw_definition_reader_destroy(created);
        return status;
    }
    *reader = created;
    return MW_OK;
}

void mw_definition_reader_destroy(struct mw_definition_reader *reader)
{
    if (reader) {
        free(reader->data);
        free(reader);
    }
}

uint64_t mw_definition_reader_nonce(const struct mw_definition_reader *reader)
{
    return reader->header.nonce;
}

uint32_t mw_definition_reader_rank(const struct mw_definition_reader *reader)
{
    return reader->header.rank;
}

/* Decodes a record's kind and payload; every byte of it has to be accounted for. */
static bool decode(struct cursor *cursor, struct mw_definition *definition)
{
    uint8_t kind;

    memset(definition, 0, sizeof *definition);
    if (!take(cursor, &kind, 1) || kind >= KIND_COUNT || !layouts[kind].fields) {
        return false;
    }
    definition->kind = (enum mw_definition_kind)kind;
    for (size_t i = 0; i < layouts[kind].count; i++) {
        if (!take_field(cursor, &layouts[kind].fields[i], (char *)&definition->of)) {
            return false;
        }
    }
    return cursor->left == 0;
}

enum mw_status mw_definition_reader_next(struct mw_definition_reader *reader,
                                         struct mw_definition *definition,
                                         struct mw_diagnostic *diagnostic)
{
    char *record = reader->data + reader->next;
    size_t left = reader->bytes - reader->next;
    uint32_t length;
    uint32_t crc;

    if (left < RECORD_HEAD_BYTES) {
        return MW_END;
    }
    memcpy(&length, record, sizeof length);
    memcpy(&crc, record + sizeof length, sizeof crc);
    if (length == 0 || length > MW_DEFINITION_BYTES_MAX) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, reader->next,
                       "a definition of %u bytes", length);
    }
    if (length > left - RECORD_HEAD_BYTES) {
        return MW_END;
    }
    struct cursor cursor = {record + RECORD_HEAD_BYTES, length};

    if (crc32_z(0, (const Bytef *)cursor.next, length) != crc) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, reader->next,
                       "a definition with a wrong checksum");
    }
    if (!decode(&cursor, definition)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, reader->next,
                       "a definition that contradicts its kind");
    }
    reader->next += RECORD_HEAD_BYTES + length;
    return MW_OK;
}
