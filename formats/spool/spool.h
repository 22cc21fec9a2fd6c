#ifndef MW_FORMATS_SPOOL_SPOOL_H
#define MW_FORMATS_SPOOL_SPOOL_H

#include <stdint.h>

#include "formats/spool/record.h"

/*
 * An event spool: the crash-safe record stream of one thread. (Its layout is in
 * formats/ARCHIVE.md.)
 *
 *
 * Header and windows are memory, mapped for as long as the thread records, and used again and
 * again: records go into a window; when it is full they are packed into a block (block.h), which
 * is written behind the last one, and then counts. So what a killed process leaves is the blocks
 * that count, and in the windows what came after them: SIGKILL loses at most the record being
 * written.
 *
 * A call that is open when its window is written stays there, to be closed in place: the window
 * is kept, the other one is used, and the block is written over when the call has ended.
 *
 * A ring has segments of one size, and when it may not grow writes over the oldest one. Other
 * spools have one segment without end.
 *
 * Version 1, which is still read, had no windows in front and records as they are in windows of
 * growing size behind each other.
 */

#define MW_SPOOL_MAGIC "MWSPOOL"
#define MW_SPOOL_VERSION 2u
#define MW_SPOOL_BYTE_ORDER 0x01020304u
#define MW_SPOOL_HEADER_BYTES 4096u
#define MW_WINDOW_MAGIC 0x574f4448u
#define MW_WINDOW_BYTES (64u << 10)
#define MW_WINDOWS 2u
#define MW_SEGMENT_MAGIC 0x57444e57u
#define MW_SEGMENTS_AT (MW_SPOOL_HEADER_BYTES + MW_WINDOWS * MW_WINDOW_BYTES)
#define MW_SEGMENT_BYTES_MIN (68u << 10) /* room for a block that could not be packed */
#define MW_SEGMENT_BYTES_MAX (4u << 20)

/*
 * In the header's 4096 bytes is room for one record of type MW_RECORD_SAMPLE with its members,
 * which holds what was read of variables and is in no other record (yet): written over again and
 * again, of state MW_STATE_EMPTY when there is nothing. It stands before the first record that
 * was entered later.
 */
#define MW_PENDING_AT    2048u
#define MW_PENDING_BYTES 2048u

#define MW_MEMBER_BYTES_MAX 48u

/* At the start of the file; the rest of its 4096 bytes is zero but for what is pending. */
struct mw_spool_header {
    char magic[8]; /* MW_SPOOL_MAGIC */
    uint32_t version;
    uint32_t byte_order;
    uint64_t nonce; /* of the run; equal in all files of one run */
    uint32_t rank;
    uint32_t thread;
    uint64_t calls_fingerprint;
    uint64_t ticks_per_second;
    char clock[32]; /* "CLOCK_MONOTONIC" */
    uint64_t ring_bytes; /* of each segment of a ring (a multiple of 4096); 0: no ring */
    uint64_t written; /* where the block that was written last ends: the later ones don't count */
    uint64_t lost;    /* calls that could not be recorded; of a process that told its end, it did */
    uint64_t clock_points; /* of the lines by which the processor's counter told times; 0: none */
    uint64_t clock_error;  /* how far they can have been from the clock, in ns */
    uint64_t clock_given_up; /* 1: they are the clock's own again, since the counter went astray */
};

/* In front of a window's records. sequence counts from 0. */
struct mw_window_header {
    uint32_t magic; /* 0: none, or one that is being cleared */
    uint32_t sequence;
    uint64_t nonce;
    uint64_t kept_at;    /* where in the file the open call lies that it was kept for; 0: none */
    uint64_t kept_place; /* and where in the window */
};

/* In front of the blocks of a segment. Of version 1: in front of a window's records. */
struct mw_segment_header {
    uint32_t magic;
    uint32_t sequence; /* from 0 */
    uint64_t bytes;    /* this header included, a multiple of 4096; 0: without end */
    uint64_t nonce;
    uint64_t calls; /* of a ring: how many there were before this segment */
};

#endif
