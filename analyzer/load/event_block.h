#ifndef MWA_LOAD_EVENT_BLOCK_H
#define MWA_LOAD_EVENT_BLOCK_H

#include <stddef.h>

#include "analyzer/load/chunk.h"
#include "analyzer/load/event_record.h"
#include "analyzer/load/record_ids.h"

/*
 * Reads the events of a location from the blocks (OTF2: chunks) of its file, one after the other
 * (event_records.def). Nothing in them is believed: each field lies within its record, and that
 * within its block. Not thread-safe.
 */

enum mwa_event_block_step {
    MWA_BLOCK_EVENT, /* record is the next one */
    MWA_BLOCK_MORE,  /* it is not whole in memory: see mwa_event_block_resume */
    MWA_BLOCK_END,   /* they go on in the next block */
    MWA_BLOCK_LAST,  /* there are no more */
    MWA_BLOCK_WRONG, /* see wrong and offset */
    MWA_BLOCK_NO_MEMORY
};

/* All zero before the first block, but for what is said to be set. */
struct mwa_event_block {
    struct mwa_record record; /* its time as it stands in the file */

    /* To be set, or not: */
    mwa_translate translate; /* null: numbers of definitions are those of all locations */
    const void *tables;
    bool is_skimmed; /* nobody wants attributes and values: memory is never asked for */
    struct mwa_chunk_counts *counts; /* get records added; null: nobody counts */

    uint64_t attributes; /* so far, of the event that comes next, kept or not */
    const char *wrong;   /* a text that lives as long as the program */
    bool has_no_memory;

    const unsigned char *begin, *end; /* of what is in memory of the block, and is not owned */
    const unsigned char *room_ends; /* records that begin before it are in memory as a whole, with
                                       more than a record has behind them; begin: none are */
    uint64_t passed; /* bytes of the block before begin */
    uint64_t left;   /* the same behind end */
    uint64_t wanted; /* bytes from looked_at on, of a record that is not whole in memory */
    const unsigned char *at;          /* the next record */
    const unsigned char *looked_at;   /* the one that is read, or was last */
    bool big_endian;
    uint64_t time; /* of the next event, if nothing else is said */
    uint64_t attribute_capacity;
    uint64_t *values;
    uint64_t value_capacity;
    uint8_t types[UINT8_MAX];
};

/* Goes on with a block of size bytes, which live until the next one. Returns END or WRONG. */
enum mwa_event_block_step mwa_event_block_begin(struct mwa_event_block *block,
                                                const unsigned char *bytes, size_t size);

/*
 * The same with a block of which only the first bytes are in memory, its head (otf2_layout.h) at
 * least.
 */
enum mwa_event_block_step mwa_event_block_begin_part(struct mwa_event_block *block,
                                                     const unsigned char *bytes, size_t have,
                                                     uint64_t size);

/*
 * After MORE, or before anything of the block was read: what is in memory of it now are have bytes
 * from the record on that was looked at last, or from the block's beginning. After MORE they are as
 * many as block->wanted at least, or all that it has.
 */
void mwa_event_block_resume(struct mwa_event_block *block, const unsigned char *bytes,
                            size_t have);

/* A place within a block, where an event ends, and what a block has there. */
struct mwa_event_place {
    uint64_t offset; /* bytes from the block's beginning */
    uint64_t time;   /* of the next event, if nothing else is said */
    uint64_t events; /* of the file before it */
    bool big_endian;
};

/* Goes on at a place of a block of size bytes, of which have from there on are in memory. */
void mwa_event_block_begin_at(struct mwa_event_block *block, const struct mwa_event_place *place,
                              const unsigned char *bytes, size_t have, uint64_t size);

/* Where block is, which has just read an event. */
struct mwa_event_place mwa_event_block_place(const struct mwa_event_block *block);

/* Reads the next event into block->record. */
enum mwa_event_block_step mwa_event_block_next(struct mwa_event_block *block);

/* Bytes from the block's beginning to the record that was looked at last. */
uint64_t mwa_event_block_offset(const struct mwa_event_block *block);

/* Frees what the block has, which is not block itself. */
void mwa_event_block_fini(struct mwa_event_block *block);

#endif
