#ifndef MWA_LOAD_RECORD_READER_H
#define MWA_LOAD_RECORD_READER_H

#include "analyzer/load/event_block.h"
#include "analyzer/load/input.h"
#include "analyzer/load/location_definitions.h"
#include "analyzer/load/member.h"
#include "analyzer/model/logical_clock.h"

struct mwa_record_reader;

/* Is told of each block before its first record is read. */
struct mwa_block_listener {
    void (*visit)(void *user, const struct mwa_record_reader *reader);
    void *user;
};

/*
 * Where in a location's file reading can begin, and what those know by then that have read all
 * before: plain data, as kept in a sidecar (block_states.h).
 */
struct mwa_block_entry {
    uint64_t block;     /* its number in the file, from 0 on */
    uint64_t events;    /* of OTF2 before it */
    uint64_t time;      /* the last one in the file before it, as it stands there */
    uint64_t last_time; /* of the model's last event before it, corrected */
    uint64_t first_call; /* of those that are open: where they stand among those of the location */
    uint32_t calls;      /* that are open */
    uint32_t crc;        /* CRC-32 of its bytes */
    uint64_t is_through; /* 1: MPI_Finalize was entered before it, else 0 */
};

/* Where reading was behind an event: good for the file as it was then, in this process. */
struct mwa_record_mark {
    uint64_t block;     /* its number in the file, from 0 on */
    struct mwa_event_place place; /* in it */
    uint64_t last_time; /* of the model's last event before it, corrected */
};

/*
 * The events of one location of one archive as OTF2's records, from the first to the last: from its
 * file, block by block, their times and numbers of definitions those of the whole archive.
 */
struct mwa_record_reader {
    struct mwa_event_block block; /* its record is the event that was read last */
    struct mwa_local_definitions local;
    const struct mwa_logical_clock *clock; /* by which times are moved; null: they are not */
    uint64_t clock_shift; /* from times of the archive to those that clock is asked for, mod 2^64 */
    uint64_t moved;       /* ticks, of the event that was read last */
    const struct mwa_stream_log *log;
    struct mwa_source source; /* none: the location has no events, or no more */
    unsigned char *bytes; /* what is in memory of a block, from the record that is read on */
    size_t room;          /* of the bytes */
    size_t window;        /* as much of a block is in memory, and more where a record has more */
    size_t size;          /* of each block */
    bool is_whole;        /* blocks are in memory as a whole when they begin */
    uint64_t offset;      /* in the file, of the block behind the one that is read */
    struct mwa_block_listener listener; /* visit may be null */
    char *place;          /* the file's, for messages; null: there is none */
};

/*
 * Opens those of the location with OTF2's id. Memory: of a block 4 KiB (not from a ZIP file
 * 8 of a thousand locations, 16 of 500), more where a record has more, and what inflating takes.
 *
 * \return MW_OK and reader, to be freed with mwa_record_reader_fini before input is closed.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY, MW_ERROR_FORMAT: nothing is to be freed.
 */
enum mw_status mwa_record_reader_init(struct mwa_record_reader *reader, struct mwa_input *input,
                                      uint64_t location,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_record_reader_fini(struct mwa_record_reader *reader);

/*
 * Goes on at a block of the file, as that was when its entry was made; input and location are those
 * that reader was made with.
 *
 * \return MW_OK, and the next event is the first behind entry->events.
 * \return MW_ERROR_FORMAT: the block is not what it was. Nothing more is to be read.
 * \return MW_ERROR_SYSTEM.
 */
enum mw_status mwa_record_reader_seek(struct mwa_record_reader *reader, struct mwa_input *input,
                                      uint64_t location, const struct mwa_block_entry *entry,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Where reader is, which has just read an event; the mark's last_time is not set. */
struct mwa_record_mark mwa_record_reader_mark(const struct mwa_record_reader *reader);

/*
 * Goes on at a mark of the same location; input and location as above.
 *
 * \return MW_OK; MW_ERROR_FORMAT: the file ends before it; MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 */
enum mw_status mwa_record_reader_go_to(struct mwa_record_reader *reader, struct mwa_input *input,
                                       uint64_t location, const struct mwa_record_mark *mark,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Has blocks in memory as a whole before the first of their records is read, also the one at hand,
 * of which none was read yet. Where that can't be, the next read says why.
 */
void mwa_record_reader_take_whole(struct mwa_record_reader *reader);

/*
 * CRC-32 of the block that is read, with the zeros behind what the file has of it; in memory as a
 * whole, and none of its records was read yet.
 */
uint32_t mwa_record_reader_crc(const struct mwa_record_reader *reader);

/*
 * Goes to the end of the block that is read, which may show that its file is damaged: that is why
 * then, whatever else is wrong with the record that was looked at. Nothing more of it can be read.
 *
 * \return MW_OK; MW_ERROR_FORMAT, MW_ERROR_SYSTEM, MW_ERROR_MEMORY: the stream's.
 */
enum mw_status mwa_record_reader_finish_block(struct mwa_record_reader *reader,
                                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* How the functions below end when no event could be read from what is in memory alone. */
enum mw_status mwa_record_reader_go_on(struct mwa_record_reader *reader,
                                       enum mwa_event_block_step step,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Moves the event that was read last by the reader's clock, which there is. */
void mwa_record_reader_move(struct mwa_record_reader *reader);

/*
 * Reads the next event into reader->block.record.
 *
 * \return MW_OK; MW_END: there are no more.
 * \return MW_ERROR_FORMAT, MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 */
MW_MUST_CHECK static inline enum mw_status
mwa_record_reader_next(struct mwa_record_reader *reader, struct mw_diagnostic *diagnostic)
{
    struct mwa_record *record = &reader->block.record;
    enum mwa_event_block_step step = reader->source.cookie ? mwa_event_block_next(&reader->block)
                                                    : MWA_BLOCK_LAST;
    enum mw_status status = step == MWA_BLOCK_EVENT
                                ? MW_OK
                                : mwa_record_reader_go_on(reader, step, diagnostic);

    if (status == MW_OK && reader->local.clock.count > 0) {
        record->time = mwa_clock_corrected(&reader->local.clock, record->time);
        if (record->type == MWA_RECORD_BUFFER_FLUSH) {
            record->fields[0] = mwa_clock_corrected(&reader->local.clock, record->fields[0]);
        }
    }
    if (status == MW_OK && reader->clock) {
        mwa_record_reader_move(reader);
    }
    return status;
}

/* Bytes from the beginning of the file to the record that was read last. */
uint64_t mwa_record_reader_offset(const struct mwa_record_reader *reader);

#endif
