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
 * Versions 1 and 2 are still read. Both say nothing of what an open call waits for (struct mw_now);
 * version 1 had no windows in front and records as they are in windows of growing size behind each
 * other.
 */

#define MW_SPOOL_MAGIC "MWSPOOL"
#define MW_SPOOL_VERSION 3u
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

/*
 * Also there: what the call that was entered last may wait for, written over again and again. It is
 * of the open call record with the same enter and call, and of none else, so that nobody has to
 * clear it; enter is stored last. Numbers are those of member records.
 */
#define MW_NOW_AT       1024u
#define MW_NOW_REQUESTS 8u

enum mw_now_what {
    MW_NOW_ON_COMM = 1,   /* comm */
    MW_NOW_ON_WINDOW = 2, /* window */
    MW_NOW_SENDS = 4,     /* peer, tag, bytes */
    MW_NOW_RECEIVES = 8,  /* source, source_tag, or MW_POSTED_ANY */
    MW_NOW_ROOT = 16,     /* peer is the root of a collective, a rank or MW_ROOT_* */
    MW_NOW_TARGET = 32,   /* peer is a rank in the window, or MW_RMA_ALL */
    MW_NOW_COMPLETES = 64, /* count requests, of which the first are in requests */
    MW_NOW_UNREADY = 128   /* the first of them that is a send in partitions of which some are not
                              ready: comm, peer, tag, bytes, unready, unready_which */
};

struct mw_now {
    uint64_t enter;
    uint16_t call;
    uint16_t what; /* enum mw_now_what: what of the rest has a meaning */
    uint32_t comm;
    int32_t peer;
    int32_t tag;
    uint64_t bytes;
    int32_t source;
    int32_t source_tag;
    uint32_t window;
    uint32_t count; /* of requests that are not null */
    uint64_t requests[MW_NOW_REQUESTS]; /* 0: not followed */
    uint32_t unready;       /* so many of its partitions */
    uint32_t unready_which; /* a bit for each of the first 32 of all, the lowest for partition 0 */
};

/*
 * Likewise: what the records of all windows before one come to, brought up to date when a window is
 * full, so that who watches a running process needs to read no more than the windows in memory.
 * changes is odd while the rest is being written; 0: nothing is told (by older recorders).
 */
#define MW_COUNTS_AT 512u

struct mw_counts {
    uint64_t changes;
    uint64_t windows;  /* those with lower sequence numbers are counted … */
    uint64_t kept;     /* … but for the time in the call that one was kept for: 1 + its number;
                          0: none */
    uint64_t calls;    /* that were entered */
    uint64_t inside;   /* ticks in calls that were left */
    uint64_t sent;     /* messages */
    uint64_t received;
    uint64_t bytes_sent; /* in messages, as far as known */
    uint64_t bytes_received;
    uint64_t collective_sent; /* bytes in collective operations, likewise */
    uint64_t collective_received;
    uint64_t left;     /* when the call that was entered last was left, or entered; 0: none */
    uint64_t mark;     /* MW_RECORD_PAUSE, MW_RECORD_RESUME and so on: the latest; 0: none */
    uint64_t done;     /* messages, requests, collectives, … that were completed, or sent */
};

/* At the start of the file; the rest of its 4096 bytes is zero but for what is pending, and now. */
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
