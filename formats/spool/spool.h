#ifndef MW_FORMATS_SPOOL_SPOOL_H
#define MW_FORMATS_SPOOL_SPOOL_H

#include <stdint.h>

#include "formats/spool/record.h"

/*
 * An event spool: the crash-safe record stream of one thread, a file that is
 * written through a memory-mapped window. (Its layout is in formats/ARCHIVE.md.)
 *
 *   file header, 4096 bytes · window · window · …
 *   window: mw_window_header, then records up to the first EMPTY one or its end
 *
 * Windows grow from 64 KiB to 4 MiB and are allocated on disk before they are
 * used, so that a full disk is an error code and never a SIGBUS. SIGKILL loses at
 * most the record being written.
 *
 * Writer: one thread at a time. Only a change of window calls the system. Between changes
 * there is no descriptor (own_file.h).
 */

#define MW_SPOOL_MAGIC "MWSPOOL"
#define MW_SPOOL_VERSION 1u
#define MW_SPOOL_BYTE_ORDER 0x01020304u
#define MW_SPOOL_HEADER_BYTES 4096u
#define MW_WINDOW_MAGIC 0x57444e57u
#define MW_WINDOW_BYTES_MIN (64u << 10)
#define MW_WINDOW_BYTES_MAX (4u << 20)

#define MW_MEMBER_BYTES_MAX 40u

/* At the start of the file; the rest of its 4096 bytes is zero. */
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
    uint64_t ring_bytes; /* of each window of a ring (a multiple of 4096); 0: no ring */
};

/* Bytes from one window header to the next: bytes. sequence counts from 0. */
struct mw_window_header {
    uint32_t magic;
    uint32_t sequence;
    uint64_t bytes; /* this header included; a multiple of 4096 */
    uint64_t nonce;
    uint64_t calls; /* of a ring: how many there were in all windows before this one */
};

#endif
