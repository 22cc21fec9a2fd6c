/*
 * Files are read as libotf2 reads them, so that what is damaged is damaged for both: in blocks of
 * one size, and when a file ends inside of one, zeros come behind its last byte. But only a window
 * of a block is in memory.
 */
#include "analyzer/load/record_reader.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_input.h"

/*
 * What is in memory of the blocks of all locations, which are open together, and of one. A window
 * stays in the caches while it is filled and read. The larger it is, the fewer times the kernel
 * looks for pages of its file, which takes longer than to copy them where there are 1,000 files; a
 * member that is inflated has a window of its own.
 */
#define WINDOWS_BYTES      (8u << 20)
#define WINDOW_BYTES_LEAST 4096u
#define WINDOW_BYTES_MOST  (16u << 10)

static size_t window_of(struct mwa_input *input)
{
    const uint64_t each = WINDOWS_BYTES / (mwa_input_trace(input)->location_count + 1);

    return mwa_files_zip(mwa_input_files(input)) || each < WINDOW_BYTES_LEAST ? WINDOW_BYTES_LEAST
           : each > WINDOW_BYTES_MOST ? WINDOW_BYTES_MOST
                                      : each / WINDOW_BYTES_LEAST * WINDOW_BYTES_LEAST;
}

/* Puts the size bytes of the block that follow to to. */
static enum mw_status load(const struct mwa_record_reader *reader, unsigned char *to, size_t size,
                           struct mw_diagnostic *diagnostic)
{
    size_t got = mwa_source_read(&reader->source, to, size);

    if (reader->log->fault.status != MW_OK) {
        return mwa_otf2_fail(reader->log, "the events can't be read", diagnostic);
    }
    memset(to + got, 0, size - got);
    return MW_OK;
}

/*
 * Lets the window begin with the record that is looked at, and fills it, with wanted bytes at least
 * if the block has them.
 */
static enum mw_status slide(struct mwa_record_reader *reader, size_t wanted,
                            struct mw_diagnostic *diagnostic)
{
    struct mwa_event_block *block = &reader->block;
    const size_t kept = (size_t)(block->end - block->looked_at);
    const size_t room = wanted > reader->room ? wanted : reader->room;
    const size_t more = block->left < room - kept ? (size_t)block->left : room - kept;
    unsigned char *before = reader->bytes;
    unsigned char *bytes = room > reader->room ? malloc(room) : before;
    enum mw_status status;

    if (!bytes) {
        return mw_no_memory(diagnostic, reader->place, "to read events");
    }
    memmove(bytes, block->looked_at, kept);
    status = load(reader, bytes + kept, more, diagnostic);
    if (status != MW_OK) {
        free(bytes != before ? bytes : NULL);
        return status;
    }
    mwa_event_block_resume(block, bytes, kept + more);
    reader->bytes = bytes;
    reader->room = room;
    free(bytes != before ? before : NULL);
    return MW_OK;
}

enum mw_status mwa_record_reader_finish_block(struct mwa_record_reader *reader,
                                              struct mw_diagnostic *diagnostic)
{
    uint64_t left = reader->block.left;

    reader->block.left = 0;
    while (left > 0) {
        const size_t wanted = left < reader->room ? (size_t)left : reader->room;
        const size_t got = mwa_source_read(&reader->source, reader->bytes, wanted);

        if (reader->log->fault.status != MW_OK) {
            return mwa_otf2_fail(reader->log, "the events can't be read", diagnostic);
        }
        left = got == wanted ? left - got : 0;
    }
    return MW_OK;
}

static enum mw_status fail(struct mwa_record_reader *reader, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_record_reader_finish_block(reader, diagnostic);

    return status == MW_OK ? mw_fail(diagnostic, MW_ERROR_FORMAT, reader->place,
                                     mwa_record_reader_offset(reader), "%s", reader->block.wrong)
                           : status;
}

static enum mw_status make_window(struct mwa_record_reader *reader,
                                  struct mw_diagnostic *diagnostic)
{
    const size_t least =
        reader->is_whole || reader->size < reader->window ? reader->size : reader->window;

    if (reader->room < least) {
        free(reader->bytes);
        reader->bytes = malloc(least);
        reader->room = reader->bytes ? least : 0;
    }
    return reader->room >= least ? MW_OK
                                 : mw_no_memory(diagnostic, reader->place, "to read events");
}

/* Begins with the next block. */
static enum mw_status read_block(struct mwa_record_reader *reader,
                                 struct mw_diagnostic *diagnostic)
{
    enum mw_status status = make_window(reader, diagnostic);

    if (status == MW_OK) {
        status = load(reader, reader->bytes, reader->room, diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    reader->offset += reader->size;
    if (mwa_event_block_begin_part(&reader->block, reader->bytes, reader->room, reader->size) ==
        MWA_BLOCK_WRONG) {
        return fail(reader, diagnostic);
    }
    if (reader->listener.visit) {
        reader->listener.visit(reader->listener.user, reader);
    }
    return MW_OK;
}

void mwa_record_reader_take_whole(struct mwa_record_reader *reader)
{
    reader->is_whole = true;
    if (reader->source.cookie && slide(reader, reader->size, NULL) != MW_OK) {
        return; /* it is noted */
    }
}

uint32_t mwa_record_reader_crc(const struct mwa_record_reader *reader)
{
    return (uint32_t)crc32_z(0, reader->block.begin,
                             (size_t)(reader->block.end - reader->block.begin));
}

/* Has bytes from a block of the file on read next, or from an offset in it. */
static enum mw_status go_to(struct mwa_record_reader *reader, struct mwa_input *input,
                            uint64_t location, uint64_t block, uint64_t offset,
                            struct mw_diagnostic *diagnostic)
{
    char name[512];

    mwa_files_local_name(mwa_input_files(input), location, "evt", name, sizeof name);
    if (reader->source.cookie) {
        mwa_source_close(&reader->source);
        if (!mwa_files_source(mwa_input_files(input), name, true, &reader->source)) {
            return mwa_otf2_fail(reader->log, "the events can't be read", diagnostic);
        }
    }
    reader->offset = block * reader->size;
    return reader->source.cookie && offset <= reader->size &&
                   mwa_source_seek(&reader->source, reader->offset + offset)
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_FORMAT, reader->place, reader->offset,
                         "the file ends before this block");
}

struct mwa_record_mark mwa_record_reader_mark(const struct mwa_record_reader *reader)
{
    return (struct mwa_record_mark){ .block = reader->offset / reader->size - 1,
                                     .place = mwa_event_block_place(&reader->block) };
}

enum mw_status mwa_record_reader_go_to(struct mwa_record_reader *reader, struct mwa_input *input,
                                       uint64_t location, const struct mwa_record_mark *mark,
                                       struct mw_diagnostic *diagnostic)
{
    enum mw_status status =
        go_to(reader, input, location, mark->block, mark->place.offset, diagnostic);
    const uint64_t left = reader->size - mark->place.offset;
    size_t have;

    if (status == MW_OK) {
        status = make_window(reader, diagnostic);
    }
    if (status != MW_OK) {
        return status;
    }
    have = left < reader->room ? (size_t)left : reader->room;
    status = load(reader, reader->bytes, have, diagnostic);
    reader->offset += reader->size;
    mwa_event_block_begin_at(&reader->block, &mark->place, reader->bytes, have, reader->size);
    return status;
}

enum mw_status mwa_record_reader_seek(struct mwa_record_reader *reader, struct mwa_input *input,
                                      uint64_t location, const struct mwa_block_entry *entry,
                                      struct mw_diagnostic *diagnostic)
{
    enum mw_status status = go_to(reader, input, location, entry->block, 0, diagnostic);

    reader->is_whole = true;
    if (status == MW_OK) {
        status = read_block(reader, diagnostic);
    }
    if (status == MW_OK && mwa_record_reader_crc(reader) != entry->crc) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, reader->place, reader->offset - reader->size,
                         "the block is not what it was");
    }
    if (status == MW_OK &&
        entry->last_time > mwa_clock_corrected(&reader->local.clock, entry->time)) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, reader->place, reader->offset - reader->size,
                         "the block begins before what is said to be before it");
    }
    reader->block.time = entry->time;
    reader->block.attributes = 0;
    reader->block.record.position = entry->events;
    return status;
}

/* Opens the file and reads its first block. */
static enum mw_status begin(struct mwa_record_reader *reader, struct mwa_input *input,
                            const char *name, struct mw_diagnostic *diagnostic)
{
    if (!mwa_files_source(mwa_input_files(input), name, false, &reader->source)) {
        return mwa_otf2_fail(reader->log, "the events of a location can't be read", diagnostic);
    }
    reader->place = strdup(reader->log->last);
    return reader->place ? read_block(reader, diagnostic)
                         : mw_no_memory(diagnostic, reader->log->last, "to read events");
}

enum mw_status mwa_record_reader_init(struct mwa_record_reader *reader, struct mwa_input *input,
                                      uint64_t location, struct mw_diagnostic *diagnostic)
{
    uint64_t event_bytes = 0, definition_bytes = 0;
    enum mw_status status;
    char name[512];
    uint64_t size;

    memset(reader, 0, sizeof *reader);
    reader->log = mwa_files_log(mwa_input_files(input));
    reader->window = window_of(input);
    mwa_files_local_name(mwa_input_files(input), location, "evt", name, sizeof name);
    if (!mwa_files_size(mwa_input_files(input), name, &size)) {
        return MW_OK; /* no events, and no file of them either */
    }
    if (OTF2_Reader_GetChunkSize(mwa_input_otf2(input), &event_bytes, &definition_bytes) !=
        OTF2_SUCCESS) {
        return mwa_otf2_fail(reader->log, "it does not say how large chunks are", diagnostic);
    }
    reader->size = (size_t)event_bytes;
    status = mwa_local_definitions_read(mwa_input_files(input), location, definition_bytes,
                                        &reader->local, diagnostic);
    if (status == MW_OK) {
        reader->block.translate = reader->local.has_tables ? mwa_local_translate : NULL;
        reader->block.tables = &reader->local;
        status = begin(reader, input, name, diagnostic);
    }
    if (status != MW_OK) {
        mwa_record_reader_fini(reader);
    }
    return status;
}

/* Nothing more is to be read. */
static void end(struct mwa_record_reader *reader)
{
    mwa_source_close(&reader->source);
    free(reader->bytes);
    reader->bytes = NULL;
}

void mwa_record_reader_fini(struct mwa_record_reader *reader)
{
    end(reader);
    free(reader->place);
    reader->place = NULL;
    mwa_event_block_fini(&reader->block);
    mwa_local_definitions_fini(&reader->local);
}

static enum mw_status next_block(struct mwa_record_reader *reader,
                                 struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_record_reader_finish_block(reader, diagnostic);

    return status == MW_OK ? read_block(reader, diagnostic) : status;
}

enum mw_status mwa_record_reader_go_on(struct mwa_record_reader *reader,
                                       enum mwa_event_block_step step,
                                       struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    while (status == MW_OK && (step == MWA_BLOCK_END || step == MWA_BLOCK_MORE)) {
        status = step == MWA_BLOCK_MORE ? slide(reader, (size_t)reader->block.wanted, diagnostic)
                                        : next_block(reader, diagnostic);
        step = status == MW_OK ? mwa_event_block_next(&reader->block) : step;
    }
    if (status != MW_OK) {
        return status;
    }
    switch (step) {
    case MWA_BLOCK_EVENT:
        return MW_OK;
    case MWA_BLOCK_WRONG:
        return fail(reader, diagnostic);
    case MWA_BLOCK_NO_MEMORY:
        return mw_no_memory(diagnostic, reader->place, "to read events");
    default:
        status = reader->source.cookie ? mwa_record_reader_finish_block(reader, diagnostic) : MW_OK;
        end(reader);
        return status == MW_OK ? MW_END : status;
    }
}

void mwa_record_reader_move(struct mwa_record_reader *reader)
{
    struct mwa_record *record = &reader->block.record;
    const uint64_t shift = reader->clock_shift;
    const uint64_t told = record->time;

    record->time = mwa_clock_at(reader->clock, told + shift) - shift;
    reader->moved = record->time - told;
    if (record->type == MWA_RECORD_BUFFER_FLUSH) {
        record->fields[0] = mwa_clock_at(reader->clock, record->fields[0] + shift) - shift;
    }
}

uint64_t mwa_record_reader_offset(const struct mwa_record_reader *reader)
{
    return reader->offset - reader->size + mwa_event_block_offset(&reader->block);
}
