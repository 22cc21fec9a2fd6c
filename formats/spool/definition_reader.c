#include "formats/spool/definition_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/base/array.h"
#include "formats/base/file.h"
#include "formats/spool/definition_layout.h"
#include "formats/table/calls.h"

/* A communicator that has been read. */
struct known {
    struct mw_uid uid; /* none: it has not */
    uint32_t model;    /* index in models */
};

struct mw_definition_reader {
    struct mw_definition_header header;
    char *data; /* the whole file */
    char *owned; /* data, unless it is the caller's */
    size_t bytes;
    size_t next; /* offset of the next record */
    struct mw_define_comm *models; /* those that are defined by themselves */
    uint32_t model_count;
    struct known *known; /* by the communicator's number */
    uint32_t known_count;
    char path[];
};

#define COMM_BYTES_MIN 32u /* any definition of a communicator is longer */

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

static bool take_list(struct cursor *cursor, uint32_t *count, const uint32_t **list)
{
    if (!take(cursor, count, sizeof *count) || *count > cursor->left / sizeof(uint32_t)) {
        return false;
    }
    size_t bytes = *count * sizeof(uint32_t);
    char *moved = cursor->next - (uintptr_t)cursor->next % sizeof(uint32_t);

    memmove(moved, cursor->next, bytes);
    *list = *count > 0 ? (const uint32_t *)(const void *)moved : NULL;
    cursor->next += bytes;
    cursor->left -= bytes;
    return true;
}

static bool take_field(struct cursor *cursor, const struct mw_field *field, char *to)
{
    char *value = to + field->offset;
    struct mw_define_comm *comm;
    struct mw_define_sources *sources;
    uint8_t byte;

    switch (field->type) {
    case MW_FIELD_BOOL:
        if (!take(cursor, &byte, 1)) {
            return false;
        }
        *(bool *)value = byte != 0;
        return true;
    case MW_FIELD_U32:
        return take(cursor, value, sizeof(uint32_t));
    case MW_FIELD_U64:
        return take(cursor, value, sizeof(uint64_t));
    case MW_FIELD_UID:
        return take(cursor, value, sizeof(struct mw_uid));
    case MW_FIELD_TEXT:
        return take_text(cursor, (const char **)(void *)value);
    case MW_FIELD_MEMBERS:
        comm = (struct mw_define_comm *)(void *)to;
        return take_list(cursor, &comm->member_count, &comm->members);
    case MW_FIELD_RANKS:
        sources = (struct mw_define_sources *)(void *)to;
        return take_list(cursor, &sources->count, &sources->ranks);
    }
    return false;
}

static enum mw_status no_memory(const struct mw_definition_reader *reader,
                                struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, reader->path, "for the definitions");
}

static enum mw_status read_file(struct mw_definition_reader *reader, int descriptor,
                                struct mw_diagnostic *diagnostic)
{
    size_t bytes = (size_t)mw_file_bytes_without_hole(descriptor);

    reader->owned = malloc(bytes + 1);
    reader->data = reader->owned;
    if (!reader->data) {
        return no_memory(reader, diagnostic);
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
    if (header->byte_order != MW_DEFINITION_BYTE_ORDER) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, reader->path,
                       offsetof(struct mw_definition_header, byte_order),
                       "written on a machine of another byte order");
    }
    if (header->version < MW_DEFINITION_VERSION_OLDEST ||
        header->version > MW_DEFINITION_VERSION) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, reader->path,
                       offsetof(struct mw_definition_header, version),
                       "definitions of version %u, this program knows %u to %u", header->version,
                       MW_DEFINITION_VERSION_OLDEST, MW_DEFINITION_VERSION);
    }
    if (header->calls_fingerprint != mw_calls_fingerprint()) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, reader->path,
                       offsetof(struct mw_definition_header, calls_fingerprint),
                       "written by another version of mpiwatch, with other numbers for MPI calls");
    }
    if (header->rank >= MW_RANKS_MAX) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path,
                       offsetof(struct mw_definition_header, rank),
                       "a rank of number %u is not believed", header->rank);
    }
    reader->next = sizeof *header;
    return MW_OK;
}

/* A reader of nothing yet. */
static enum mw_status make_reader(const char *path, struct mw_definition_reader **reader,
                                  struct mw_diagnostic *diagnostic)
{
    size_t path_bytes = strlen(path) + 1;

    *reader = calloc(1, sizeof **reader + path_bytes);
    if (!*reader) {
        return mw_no_memory(diagnostic, path, "for the definitions");
    }
    memcpy((*reader)->path, path, path_bytes);
    return MW_OK;
}

enum mw_status mw_definition_reader_create(const char *path, struct mw_definition_reader **reader,
                                           struct mw_diagnostic *diagnostic)
{
    int descriptor;
    enum mw_status status =
        mw_file_open_regular(path, "the definitions", &descriptor, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    status = make_reader(path, reader, diagnostic);
    if (status == MW_OK) {
        status = read_file(*reader, descriptor, diagnostic);
        if (status == MW_OK) {
            status = check_header(*reader, diagnostic);
        }
        if (status != MW_OK) {
            mw_definition_reader_destroy(*reader);
        }
    }
    close(descriptor);
    return status;
}

enum mw_status mw_definition_reader_create_image(const char *where, char *image, size_t bytes,
                                                 struct mw_definition_reader **reader,
                                                 struct mw_diagnostic *diagnostic)
{
    enum mw_status status = make_reader(where, reader, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    (*reader)->data = image;
    (*reader)->bytes = bytes;
    status = check_header(*reader, diagnostic);
    if (status != MW_OK) {
        mw_definition_reader_destroy(*reader);
    }
    return status;
}

void mw_definition_reader_destroy(struct mw_definition_reader *reader)
{
    if (reader) {
        free(reader->owned);
        free(reader->models);
        free(reader->known);
        free(reader);
    }
}

uint64_t mw_definition_reader_offset(const struct mw_definition_reader *reader)
{
    return reader->next;
}

uint64_t mw_definition_reader_nonce(const struct mw_definition_reader *reader)
{
    return reader->header.nonce;
}

uint32_t mw_definition_reader_rank(const struct mw_definition_reader *reader)
{
    return reader->header.rank;
}

/*
 * Decodes a record's kind and payload, of a file of this version; every byte of it has to be
 * accounted for. Texts that the version does not have are "".
 */
static bool decode(struct cursor *cursor, uint32_t version, struct mw_definition *definition)
{
    const struct mw_definition_layout *layout;
    uint8_t kind;

    memset(definition, 0, sizeof *definition);
    if (!take(cursor, &kind, 1) || !(layout = mw_definition_layout(kind))) {
        return false;
    }
    definition->kind = (enum mw_definition_kind)kind;
    for (size_t i = 0; i < layout->count; i++) {
        const struct mw_field *field = &layout->fields[i];

        if (version < layout->since && i >= layout->count - layout->added) {
            if (field->type == MW_FIELD_TEXT) {
                *(const char **)(void *)((char *)&definition->of + field->offset) = "";
            }
        } else if (!take_field(cursor, field, (char *)&definition->of)) {
            return false;
        }
    }
    return cursor->left == 0;
}

/* --- communicators that are like their parent ------------------------------------------- */

/* Remembers a communicator; false without memory. */
static bool remember(struct mw_definition_reader *reader, uint32_t number, struct known known)
{
    if (number >= reader->bytes / COMM_BYTES_MIN) {
        return true; /* numbers are given one by one, so that this is none */
    }
    if (!mw_array_widen((void **)&reader->known, &reader->known_count, number,
                        sizeof *reader->known, 0)) {
        return false;
    }
    reader->known[number] = known;
    return true;
}

static bool remember_comm(struct mw_definition_reader *reader, const struct mw_define_comm *comm)
{
    if (!mw_array_grow((void **)&reader->models, reader->model_count, sizeof *comm)) {
        return false;
    }
    reader->models[reader->model_count] = *comm;
    return remember(reader, comm->comm, (struct known){comm->uid, reader->model_count++});
}

/* Makes of a communicator that is like its parent what it stands for. */
static enum mw_status complete_like(struct mw_definition_reader *reader,
                                    struct mw_definition *definition,
                                    struct mw_diagnostic *diagnostic)
{
    const struct mw_define_comm_like like = definition->of.comm_like;
    struct known parent = like.parent < reader->known_count ? reader->known[like.parent]
                                                            : (struct known){{0, 0}, 0};
    struct mw_define_comm *comm = &definition->of.comm;

    if (mw_uid_is_none(parent.uid)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, reader->next,
                       "a communicator like number %u, which is not defined", like.parent);
    }
    definition->kind = MW_DEFINE_COMM;
    *comm = reader->models[parent.model];
    comm->comm = like.comm;
    comm->uid = like.uid;
    comm->parent = parent.uid;
    comm->call = like.call;
    comm->sequence = like.sequence;
    comm->flags &= ~(uint32_t)(MW_COMM_PREDEFINED | MW_COMM_FOREIGN);
    comm->created = like.created;
    return remember(reader, like.comm, (struct known){like.uid, parent.model})
               ? MW_OK
               : no_memory(reader, diagnostic);
}

enum mw_status mw_definition_reader_next(struct mw_definition_reader *reader,
                                         struct mw_definition *definition,
                                         struct mw_diagnostic *diagnostic)
{
    char *record = reader->data + reader->next;
    size_t left = reader->bytes - reader->next;
    uint32_t length;
    uint32_t crc;

    if (left < MW_DEFINITION_HEAD_BYTES) {
        return MW_END;
    }
    memcpy(&length, record, sizeof length);
    memcpy(&crc, record + sizeof length, sizeof crc);
    if (length == 0) {
        return MW_END; /* room for more, which a process that was killed did not come to use */
    }
    if (length > MW_DEFINITION_BYTES_MAX) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, reader->next,
                       "a definition of %u bytes", length);
    }
    if (length > left - MW_DEFINITION_HEAD_BYTES) {
        return MW_END;
    }
    struct cursor cursor = {record + MW_DEFINITION_HEAD_BYTES, length};

    if (crc32_z(0, (const Bytef *)cursor.next, length) != crc) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, reader->next,
                       "a definition with a wrong checksum");
    }
    if (!decode(&cursor, reader->header.version, definition)) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, reader->next,
                       "a definition that contradicts its kind");
    }
    if (definition->kind == MW_DEFINE_PROCESS && definition->of.process.size > MW_RANKS_MAX) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->path, reader->next,
                       "a job of %u ranks is not believed", definition->of.process.size);
    }
    if (definition->kind == MW_DEFINE_COMM_LIKE) {
        enum mw_status status = complete_like(reader, definition, diagnostic);

        if (status != MW_OK) {
            return status;
        }
    } else if (definition->kind == MW_DEFINE_COMM &&
               !remember_comm(reader, &definition->of.comm)) {
        return no_memory(reader, diagnostic);
    }
    reader->next += MW_DEFINITION_HEAD_BYTES + length;
    return MW_OK;
}
