/*
 * Files are read as libotf2 reads them, so that what is damaged is damaged for both: in blocks of
 * one size, and when a file ends inside of one, zeros come behind its last byte.
 */
#include "analyzer/load/record_reader.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analyzer/load/otf2_error.h"
#include "analyzer/load/otf2_input.h"

static enum mw_status fail(const struct mwa_record_reader *reader, struct mw_diagnostic *diagnostic)
{
    return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->place, mwa_record_reader_offset(reader),
                   "%s", reader->block.wrong);
}

static enum mw_status read_block(struct mwa_record_reader *reader,
                                 struct mw_diagnostic *diagnostic)
{
    size_t got = fread(reader->bytes, 1, reader->size, reader->stream);

    if (reader->log->fault.status != MW_OK) {
        return mwa_otf2_fail(reader->log, "the events can't be read", diagnostic);
    }
    if (got < reader->used) {
        memset(reader->bytes + got, 0, reader->used - got);
    }
    reader->used = got > reader->used ? got : reader->used;
    reader->offset += reader->size;
    if (mwa_event_block_begin(&reader->block, reader->bytes, reader->size) == MWA_BLOCK_WRONG) {
        return fail(reader, diagnostic);
    }
    if (reader->listener.visit) {
        reader->listener.visit(reader->listener.user, reader);
    }
    return MW_OK;
}

uint32_t mwa_record_reader_crc(const struct mwa_record_reader *reader)
{
    return (uint32_t)crc32_z(0, reader->bytes, reader->size);
}

enum mw_status mwa_record_reader_seek(struct mwa_record_reader *reader, struct mwa_input *input,
                                      uint64_t location, const struct mwa_block_entry *entry,
                                      struct mw_diagnostic *diagnostic)
{
    enum mw_status status;
    char name[512];

    mwa_files_local_name(mwa_input_files(input), location, "evt", name, sizeof name);
    if (reader->stream) {
        fclose(reader->stream);
        reader->stream = mwa_files_seekable(mwa_input_files(input), name);
    }
    if (!reader->stream || fseeko(reader->stream, (off_t)(entry->block * reader->size),
                                  SEEK_SET) != 0) {
        return mw_fail(diagnostic, MW_ERROR_FORMAT, reader->place, entry->block * reader->size,
                       "the file ends before this block");
    }
    reader->offset = entry->block * reader->size;
    status = read_block(reader, diagnostic);
    if (status == MW_OK && mwa_record_reader_crc(reader) != entry->crc) {
        status = mw_fail(diagnostic, MW_ERROR_FORMAT, reader->place, reader->offset - reader->size,
                         "the block is not what it was");
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
    reader->stream = mwa_files_stream(mwa_input_files(input), name);
    if (!reader->stream) {
        return mwa_otf2_fail(reader->log, "the events of a location can't be read", diagnostic);
    }
    snprintf(reader->place, sizeof reader->place, "%s", reader->log->last);
    reader->bytes = calloc(reader->size, 1);
    return reader->bytes ? read_block(reader, diagnostic)
                         : mw_no_memory(diagnostic, reader->place, "to read events");
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
    if (reader->stream) {
        fclose(reader->stream);
    }
    free(reader->bytes);
    reader->stream = NULL;
    reader->bytes = NULL;
}

void mwa_record_reader_fini(struct mwa_record_reader *reader)
{
    end(reader);
    mwa_event_block_fini(&reader->block);
    mwa_local_definitions_fini(&reader->local);
}

enum mw_status mwa_record_reader_go_on(struct mwa_record_reader *reader,
                                       enum mwa_event_block_step step,
                                       struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    while (step == MWA_BLOCK_END && status == MW_OK) {
        status = read_block(reader, diagnostic);
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
        end(reader);
        return MW_END;
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
