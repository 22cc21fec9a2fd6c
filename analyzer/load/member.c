/* Streams share nothing but the log: each is one location's, and read by one thread. */
#include "analyzer/load/member.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/load/chunk.h"
#include "analyzer/load/inflater.h"
#include "analyzer/load/rationed_file.h"

#define INPUT_BYTES 2048u /* many members are read together, each with so much */
#define PLACE_BYTES 1024u /* of a path or path!member, for messages */

/* Where a stream's bytes go, and what is told of it. */
struct outlet {
    enum mwa_stream_use use;
    struct mwa_chunk_state chunks;
    uint64_t given; /* to libotf2, in chunks: it does not seek */
    struct mwa_stream_log *log;
    const char *where; /* behind the stream */
};

struct member_stream {
    struct mwa_zip_member member; /* a copy: exit seeks in a stream that libotf2 did not close */
    const struct mwa_indexed_member *blocks; /* where inflating can begin; null: at the beginning */
    struct outlet outlet;
    int descriptor;
    struct mwa_inflater *inflater; /* null: it is stored */
    struct {
        uint64_t input, produced;
    } begun;              /* where inflating has begun, of what follows: */
    uint64_t input_taken; /* compressed bytes read from the file */
    uint64_t produced;    /* uncompressed bytes that have come out */
    uint64_t wanted;      /* position of the reader; differs from produced after a seek */
    uint32_t crc;
    bool has_gap; /* not all bytes before produced were */
    unsigned char input[INPUT_BYTES];
};

struct plain_stream {
    struct outlet outlet;
    struct mwa_rationed_file file;
    uint64_t position;
};

/*
 * What the thread's call of fread came to last, by which its wrapper (files.h) knows whose bytes
 * it has got.
 */
static _Thread_local struct outlet *being_read;

size_t __real_fread(void *buffer, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *buffer, size_t size, size_t count, FILE *file);

static void note_read(const struct outlet *outlet, uint64_t offset)
{
    struct mwa_stream_log *log = outlet->log;

    log->last_offset = offset;
    if (strcmp(log->last, outlet->where) != 0) {
        snprintf(log->last, sizeof log->last, "%s", outlet->where);
    }
}

static ssize_t note_fault(const struct outlet *outlet, enum mw_status status, uint64_t offset,
                          const char *what)
{
    struct mwa_stream_log *log = outlet->log;

    if (log->fault.status == MW_OK) {
        int saved = errno;

        (void)mw_fail(&log->fault, status, outlet->where, offset, "%s", what);
        errno = saved;
    }
    if (status != MW_ERROR_SYSTEM) {
        errno = EIO;
    }
    return -1;
}

/* To the byte at produced, whose compressed data begin at input. */
static void begin_at(struct member_stream *stream, uint64_t produced, uint64_t input)
{
    stream->begun.input = stream->input_taken = input;
    stream->begun.produced = stream->produced = produced;
    stream->has_gap = produced > 0;
    stream->crc = 0;
    if (stream->inflater) {
        mwa_inflater_reset(stream->inflater);
    }
}

/* Reads compressed bytes to buffer. Returns their number, 0 at the end, -1 with a fault. */
static ssize_t take_input(struct member_stream *stream, unsigned char *buffer, size_t size)
{
    uint64_t left = stream->member.compressed_size - stream->input_taken;
    size_t want = left < size ? (size_t)left : size;
    ssize_t got;

    if (want == 0) {
        return 0;
    }
    do {
        got = pread(stream->descriptor, buffer, want,
                    (off_t)(stream->member.data_offset + stream->input_taken));
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return note_fault(&stream->outlet, MW_ERROR_SYSTEM,
                          stream->member.data_offset + stream->input_taken, "cannot read");
    }
    if (got == 0) {
        return note_fault(&stream->outlet, MW_ERROR_FORMAT,
                          stream->member.data_offset + stream->input_taken,
                          "the file ends inside this member");
    }
    stream->input_taken += (uint64_t)got;
    return got;
}

/* Inflates up to size bytes to buffer: *got. False: its compressed bytes can't be read. */
static bool inflate_as_it_is(struct member_stream *stream, unsigned char *buffer, size_t size,
                             size_t *got, enum mwa_inflating *state)
{
    struct mwa_inflater *inflater = stream->inflater;

    *state = mwa_inflater_take(inflater, buffer, size, got);
    while (*got == 0 && *state == MWA_INFLATING && mwa_inflater_is_through(inflater)) {
        ssize_t more = take_input(stream, stream->input, sizeof stream->input);

        if (more <= 0) {
            return more == 0;
        }
        mwa_inflater_give(inflater, stream->input, (size_t)more);
        *state = mwa_inflater_take(inflater, buffer, size, got);
    }
    return true;
}

/* As inflate_as_it_is, of what ISA-L can't inflate: how far it can be zlib knows. */
static bool inflate_again(struct member_stream *stream, unsigned char *buffer, size_t size,
                          size_t *got, enum mwa_inflating *state)
{
    uint64_t before = stream->produced - stream->begun.produced;
    unsigned char skipped[4096];

    stream->input_taken = stream->begun.input;
    *got = 0;
    *state = MWA_INFLATE_NO_MEMORY;
    if (!mwa_inflater_reset_to_zlib(stream->inflater)) {
        return true;
    }
    while (before > 0) {
        if (!inflate_as_it_is(stream, skipped, before < sizeof skipped ? before : sizeof skipped,
                              got, state)) {
            return false;
        }
        if (*got == 0) {
            return true;
        }
        before -= *got;
    }
    return inflate_as_it_is(stream, buffer, size, got, state);
}

/* Inflates up to size bytes to buffer; the same results as take_input. */
static ssize_t inflate_some(struct member_stream *stream, unsigned char *buffer, size_t size)
{
    enum mwa_inflating state;
    size_t got;
    bool is_read = inflate_as_it_is(stream, buffer, size, &got, &state);

    if (is_read && got == 0 && state != MWA_INFLATED && mwa_inflater_is_fast(stream->inflater)) {
        is_read = inflate_again(stream, buffer, size, &got, &state);
    }
    if (!is_read) {
        return -1;
    }
    if (got == 0 && state != MWA_INFLATED) {
        return state == MWA_INFLATE_NO_MEMORY
                   ? note_fault(&stream->outlet, MW_ERROR_MEMORY, stream->produced,
                                "no memory to inflate it")
                   : note_fault(&stream->outlet, MW_ERROR_FORMAT, stream->produced,
                                "its compressed data are damaged");
    }
    return (ssize_t)got;
}

/* What is due when the last byte has come out. */
static ssize_t check_end(struct member_stream *stream, ssize_t got)
{
    unsigned char more;

    if (!stream->has_gap && stream->crc != stream->member.crc) {
        return note_fault(&stream->outlet, MW_ERROR_FORMAT, stream->produced,
                          "its CRC is wrong: the data are damaged");
    }
    if (stream->member.method == MWA_ZIP_DEFLATED && inflate_some(stream, &more, 1) != 0) {
        return note_fault(&stream->outlet, MW_ERROR_FORMAT, stream->produced,
                          "it is longer than the directory says");
    }
    return got;
}

/* Produces the next bytes, size at most, never beyond the member's end. */
static ssize_t produce(struct member_stream *stream, unsigned char *buffer, size_t size)
{
    uint64_t left = stream->member.size - stream->produced;
    size_t want = left < size ? (size_t)left : size;
    ssize_t got;

    if (want == 0) {
        return 0;
    }
    if (want > 1u << 30) {
        want = 1u << 30;
    }
    got = stream->member.method == MWA_ZIP_STORED ? take_input(stream, buffer, want)
                                                   : inflate_some(stream, buffer, want);
    if (got < 0) {
        return -1;
    }
    if (got == 0) {
        return note_fault(&stream->outlet, MW_ERROR_FORMAT, stream->produced,
                          "it is shorter than the directory says");
    }
    stream->crc = stream->inflater
                      ? mwa_inflater_crc(stream->inflater, stream->crc, buffer, (size_t)got)
                      : (uint32_t)crc32_z(stream->crc, buffer, (size_t)got);
    stream->produced += (uint64_t)got;
    return stream->produced == stream->member.size ? check_end(stream, got) : got;
}

/* Goes to the last place before wanted where the member can be read from, if that is nearer. */
static void draw_near(struct member_stream *stream)
{
    const struct mwa_indexed_member *blocks = stream->blocks;
    const bool is_behind = stream->wanted < stream->produced;
    uint64_t block = stream->wanted / MWA_INDEX_BLOCK_BYTES;

    if (stream->member.method == MWA_ZIP_STORED) {
        if (stream->wanted != stream->produced) {
            begin_at(stream, stream->wanted, stream->wanted);
        }
        return;
    }
    block = !blocks ? 0 : block < blocks->blocks ? block : blocks->blocks - 1;
    if (is_behind || block * MWA_INDEX_BLOCK_BYTES > stream->produced) {
        begin_at(stream, block * MWA_INDEX_BLOCK_BYTES,
                 blocks ? mwa_block_offset(blocks, block) : 0);
    }
}

/* Brings produced to wanted. */
static bool catch_up(struct member_stream *stream)
{
    unsigned char skipped[16384];

    draw_near(stream);
    while (stream->produced < stream->wanted) {
        uint64_t left = stream->wanted - stream->produced;

        if (produce(stream, skipped, left < sizeof skipped ? (size_t)left : sizeof skipped) <= 0) {
            return false;
        }
    }
    return true;
}

/* Of size bytes that were asked for, have are in the buffer. Returns how many there are then. */
static ssize_t hand_over(struct outlet *outlet, char *buffer, size_t have, size_t size)
{
    being_read = outlet;
    if (outlet->use == MWA_FOR_US) {
        return (ssize_t)have;
    }
    memset(buffer + have, 0, size - have);
    return (ssize_t)size;
}

/* The chunk of size bytes that follows in the file of outlet; one with a fault is cleared. */
static void check_chunk(struct outlet *outlet, void *chunk, size_t size)
{
    static const enum mwa_chunk_kind kinds[] = {
        [MWA_FOR_LIBOTF2_GLOBAL_DEFINITIONS] = MWA_CHUNK_GLOBAL_DEFINITIONS,
        [MWA_FOR_LIBOTF2_LOCAL_DEFINITIONS] = MWA_CHUNK_LOCAL_DEFINITIONS,
        [MWA_FOR_LIBOTF2_EVENTS] = MWA_CHUNK_EVENTS
    };
    size_t offset;
    const char *wrong = mwa_chunk_check(kinds[outlet->use], &outlet->chunks, chunk, size, &offset);

    if (wrong) {
        note_fault(outlet, MW_ERROR_FORMAT, outlet->given + offset, wrong);
        memset(chunk, 0, size);
    }
    outlet->given += size;
}

/*
 * libotf2 reads each chunk by one call. It looks no further at one of zeros than to say that it is
 * none.
 */
size_t __wrap_fread(void *buffer, size_t size, size_t count, FILE *file)
{
    size_t got;

    being_read = NULL;
    got = __real_fread(buffer, size, count, file);
    if (being_read && being_read->use > MWA_FOR_LIBOTF2) {
        check_chunk(being_read, buffer, size * got);
    }
    return got;
}

static ssize_t member_read(void *cookie, char *buffer, size_t size)
{
    struct member_stream *stream = cookie;
    size_t have = 0;

    note_read(&stream->outlet, stream->wanted);
    if (!catch_up(stream)) {
        return -1;
    }
    while (have < size) {
        ssize_t got = produce(stream, (unsigned char *)buffer + have, size - have);

        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        have += (size_t)got;
    }
    stream->wanted = stream->produced;
    return hand_over(&stream->outlet, buffer, have, size);
}

/* A new position from offset and whence, or false when it is none. */
static bool seek_target(uint64_t position, uint64_t size, off64_t offset, int whence,
                        uint64_t *target)
{
    uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : size;

    if (offset < 0 ? (uint64_t)-offset > base : (uint64_t)offset > size - base) {
        errno = EINVAL;
        return false;
    }
    *target = base + (uint64_t)offset;
    return true;
}

static int member_seek(void *cookie, off64_t *offset, int whence)
{
    struct member_stream *stream = cookie;

    if (!seek_target(stream->wanted, stream->member.size, *offset, whence, &stream->wanted)) {
        return -1;
    }
    *offset = (off64_t)stream->wanted;
    return 0;
}

static int member_close(void *cookie)
{
    struct member_stream *stream = cookie;

    mwa_inflater_destroy(stream->inflater);
    free(stream);
    return 0;
}

/* Room for a stream of so many bytes, all zero, and a text behind it; null: no memory. */
static void *make_stream(size_t bytes, const char *text)
{
    const size_t length = strlen(text) + 1;
    char *stream = calloc(1, bytes + length);

    if (stream) {
        memcpy(stream + bytes, text, length);
    }
    return stream;
}

static const cookie_io_functions_t member_functions = { .read = member_read,
                                                        .seek = member_seek,
                                                        .close = member_close };

bool mwa_member_source(const struct mwa_zip *zip, const struct mwa_zip_member *member,
                       const char *zip_path, enum mwa_stream_use use,
                       const struct mwa_indexed_member *blocks, struct mwa_stream_log *log,
                       struct mwa_source *source)
{
    struct member_stream *stream;
    char where[PLACE_BYTES];
    const struct outlet outlet = { .use = use, .log = log, .where = where };

    snprintf(where, sizeof where, "%s!%s", zip_path, member->name);
    stream = make_stream(sizeof *stream, where);
    if (!stream) {
        note_fault(&outlet, MW_ERROR_MEMORY, MW_DIAGNOSTIC_OFFSET_NONE,
                   "no memory to read a member");
        return false;
    }
    stream->member = *member;
    stream->blocks = blocks;
    stream->outlet = outlet;
    stream->outlet.where = (const char *)(stream + 1);
    stream->descriptor = mwa_zip_descriptor(zip);
    if (member->method == MWA_ZIP_DEFLATED && !(stream->inflater = mwa_inflater_create())) {
        note_fault(&outlet, MW_ERROR_MEMORY, MW_DIAGNOSTIC_OFFSET_NONE,
                   "no memory to inflate it");
        free(stream);
        return false;
    }
    note_read(&stream->outlet, 0);
    *source = (struct mwa_source){ stream, &member_functions };
    return true;
}

/* Reads size bytes, less at the end of the file. */
static ssize_t plain_fill(struct plain_stream *stream, char *buffer, size_t size)
{
    size_t have = 0;

    while (have < size) {
        ssize_t got = mwa_rationed_read(&stream->file, buffer + have, size - have,
                                        stream->position + have);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return note_fault(&stream->outlet, MW_ERROR_SYSTEM, stream->position + have,
                              "cannot read");
        }
        if (got == 0) {
            break;
        }
        have += (size_t)got;
    }
    return (ssize_t)have;
}

static ssize_t plain_read(void *cookie, char *buffer, size_t size)
{
    struct plain_stream *stream = cookie;
    ssize_t got;

    note_read(&stream->outlet, stream->position);
    got = plain_fill(stream, buffer, size);
    if (got < 0) {
        return -1;
    }
    stream->position += (uint64_t)got;
    return hand_over(&stream->outlet, buffer, (size_t)got, size);
}

static int plain_seek(void *cookie, off64_t *offset, int whence)
{
    struct plain_stream *stream = cookie;
    struct stat found;

    if (mwa_rationed_stat(&stream->file, &found) != 0 ||
        !seek_target(stream->position, (uint64_t)found.st_size, *offset, whence,
                     &stream->position)) {
        return -1;
    }
    *offset = (off64_t)stream->position;
    return 0;
}

static int plain_close(void *cookie)
{
    struct plain_stream *stream = cookie;

    mwa_rationed_close(&stream->file);
    free(stream);
    return 0;
}

static const cookie_io_functions_t plain_functions = { .read = plain_read,
                                                       .seek = plain_seek,
                                                       .close = plain_close };

bool mwa_plain_source(const char *path, enum mwa_stream_use use, struct mwa_stream_log *log,
                      struct mwa_source *source)
{
    struct plain_stream *stream;
    struct mwa_rationed_file file;
    struct stat found;
    char where[PLACE_BYTES];
    const struct outlet outlet = { .use = use, .log = log, .where = where };

    snprintf(where, sizeof where, "%s", path);
    if (!mwa_rationed_open(&file, path, &found)) {
        if (errno != ENOENT) {
            note_fault(&outlet, MW_ERROR_SYSTEM, MW_DIAGNOSTIC_OFFSET_NONE, "cannot open");
        }
        return false;
    }
    if (!S_ISREG(found.st_mode)) {
        mwa_rationed_close(&file);
        note_fault(&outlet, MW_ERROR_FORMAT, MW_DIAGNOSTIC_OFFSET_NONE, "no regular file");
        return false;
    }
    stream = make_stream(sizeof *stream, where);
    if (!stream) {
        mwa_rationed_close(&file);
        note_fault(&outlet, MW_ERROR_MEMORY, MW_DIAGNOSTIC_OFFSET_NONE, "no memory to read");
        return false;
    }
    stream->outlet = outlet;
    stream->outlet.where = (const char *)(stream + 1);
    stream->file = file;
    note_read(&stream->outlet, 0);
    *source = (struct mwa_source){ stream, &plain_functions };
    return true;
}

/* --- sources and streams over them ------------------------------------------------------------ */

size_t mwa_source_read(const struct mwa_source *source, void *buffer, size_t size)
{
    const ssize_t got = source->functions->read(source->cookie, buffer, size);

    return got > 0 ? (size_t)got : 0;
}

bool mwa_source_seek(const struct mwa_source *source, uint64_t offset)
{
    off64_t target = (off64_t)offset;

    return target >= 0 && source->functions->seek(source->cookie, &target, SEEK_SET) == 0;
}

void mwa_source_close(struct mwa_source *source)
{
    if (source->cookie) {
        (void)source->functions->close(source->cookie);
    }
    source->cookie = NULL;
}

static FILE *open_cookie(const struct mwa_source *source)
{
    FILE *file = fopencookie(source->cookie, "rb", *source->functions);

    if (!file) {
        source->functions->close(source->cookie);
    }
    return file;
}

FILE *mwa_member_open(const struct mwa_zip *zip, const struct mwa_zip_member *member,
                      const char *zip_path, enum mwa_stream_use use,
                      const struct mwa_indexed_member *blocks, struct mwa_stream_log *log)
{
    struct mwa_source source;

    return mwa_member_source(zip, member, zip_path, use, blocks, log, &source)
               ? open_cookie(&source)
               : NULL;
}

FILE *mwa_plain_open(const char *path, enum mwa_stream_use use, struct mwa_stream_log *log)
{
    struct mwa_source source;

    return mwa_plain_source(path, use, log, &source) ? open_cookie(&source) : NULL;
}
