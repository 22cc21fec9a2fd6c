#ifndef MW_FORMATS_SPOOL_BLOCK_H
#define MW_FORMATS_SPOOL_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/*
 * The records of a window in a third of their bytes: each field is told by how far it is from
 * what stands to reason, that is from the same field of the latest record of its type, a time from
 * the time before. (The layout is in formats/ARCHIVE.md.)
 */

#define MW_BLOCK_MAGIC 0x4b434c42u
#define MW_BLOCK_RECORDS_MAX (64u << 10) /* bytes of records in one */

/* In front of the packed records, which follow at once. */
struct mw_block_header {
    uint32_t magic;
    uint32_t sequence; /* of the window that it was */
    uint32_t bytes;    /* packed; as many as records: they stand as they are */
    uint32_t records;  /* bytes of records */
};

/* What mw_block_pack writes at most: what is longer packed than before stays as it was. */
#define MW_BLOCK_BYTES_MAX (sizeof(struct mw_block_header) + MW_BLOCK_RECORDS_MAX)
/* The room that it needs to find that out. */
#define MW_BLOCK_ROOM (sizeof(struct mw_block_header) + 2 * MW_BLOCK_RECORDS_MAX)

/* What mw_block_pack found. */
struct mw_block_packed {
    size_t bytes;   /* of the block, its header included; 0: there was no record */
    size_t records; /* bytes of records */
    uint64_t calls; /* that the records stand for */
    size_t kept_at; /* where in the block the record kept lies, as it is; 0: nowhere */
};

/*
 * Packs the records up to the first empty one, of at most bytes (MW_BLOCK_RECORDS_MAX at most),
 * into a block of MW_BLOCK_ROOM of room. A call record that is open keeps its form, so that it can
 * be written over when the call ends: kept is the one to be found again, or null.
 *
 * Thread-safe, async-signal-safe; calls nothing.
 */
void mw_block_pack(const char *records, size_t bytes, const char *kept, uint32_t sequence,
                   char *block, struct mw_block_packed *packed);

/* Behind what is given to mw_block_unpack there has to be so much readable memory. */
#define MW_BLOCK_SLACK 64u

/*
 * Unpacks what follows a block's header, as far as it is there (bytes), into records (of
 * MW_BLOCK_RECORDS_MAX of room). Nothing that is read is trusted.
 *
 * \return the bytes of whole records up to the end, or to what is none; header->records of a
 * sound block.
 */
size_t mw_block_unpack(const struct mw_block_header *header, const char *packed, size_t bytes,
                       char *records);

#endif
