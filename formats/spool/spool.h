#ifndef MW_FORMATS_SPOOL_SPOOL_H
#define MW_FORMATS_SPOOL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/own_file.h"
#include "formats/base/status.h"
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

/* The room that mw_spool_begin makes sure of: a call and its usual members. */
#define MW_SPOOL_RESERVE_BYTES (sizeof(struct mw_call_record) + 64)
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

/*
 * With wrap the file is a ring: its windows are of one size, and when limit_bytes or the
 * device is full the oldest is written over. What comes before the first whole call in
 * the oldest window is passed over by the reader, which knows how many calls are lost.
 */
struct mw_spool_identity {
    uint64_t nonce;
    uint32_t rank;
    uint32_t thread;
    bool wrap;
};

/* --- writing ----------------------------------------------------------- */

/* Fields are private; the type is here for the inline functions below. */
struct mw_spool {
    char *next; /* where the next record goes */
    char *end;  /* of the mapped window */
    struct mw_call_record *open;
    uint64_t calls; /* that were begun, also those that became part of an earlier record */
    char *window;
    char *held; /* an earlier window that the open call lies in */
    size_t held_bytes;
    struct mw_own_file file;
    uint64_t limit_bytes; /* of the file */
    uint64_t lost; /* calls not recorded since the spool stopped */
    uint32_t sequence;
    bool stopped;
    uint32_t ring_windows; /* how many there may be; 0: no ring */
    size_t ring_bytes;     /* of each */
    uint64_t ring_calls;   /* in the windows before the current one */
    uint64_t nonce;
    struct mw_diagnostic diagnostic; /* why it stopped */
};

/*
 * Creates the file path (O_EXCL, no symlink followed, mode 0600) with its header
 * and first window. limit_bytes bounds the file's size (0: only RLIMIT_FSIZE, as it is
 * at each change of window, and the device do).
 *
 * \return MW_OK, and *spool is ready until mw_spool_fini.
 * \return MW_ERROR_MEMORY, MW_ERROR_SYSTEM or MW_ERROR_SPACE, nothing to clean up, no file
 * left.
 */
enum mw_status mw_spool_init(struct mw_spool *spool, const char *path,
                             const struct mw_spool_identity *identity, uint64_t limit_bytes,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Unmaps. The file stays; zeros follow its last record. */
void mw_spool_fini(struct mw_spool *spool);

/*
 * Makes room for bytes in the window, changing to a new one if need be. Not for
 * direct use.
 *
 * \return true if there is room; false once the spool has stopped, which it does
 * for good at the first window it can't have (spool->diagnostic says why).
 */
bool mw_spool_make_room(struct mw_spool *spool, size_t bytes);

/*
 * Enters a call: writes an OPEN record with the time of entry.
 *
 * \return the record, to be passed to mw_spool_end; null when the spool has
 * stopped (the loss is counted).
 */
static inline struct mw_call_record *mw_spool_begin(struct mw_spool *spool, unsigned call,
                                                    uint64_t enter)
{
    struct mw_call_record *record;

    if (MW_UNLIKELY((size_t)(spool->end - spool->next) < MW_SPOOL_RESERVE_BYTES)) {
        if (!mw_spool_make_room(spool, MW_SPOOL_RESERVE_BYTES)) {
            spool->lost++;
            return NULL;
        }
    }
    record = (struct mw_call_record *)(void *)spool->next;
    spool->next += sizeof *record;
    spool->open = record;
    spool->calls++;
    record->type = MW_RECORD_CALL;
    record->words = sizeof *record / 8;
    record->call = (uint16_t)call;
    record->repeat = 1;
    record->enter = enter;
    /* Release: a reader of a dead process's spool that sees OPEN sees the rest. */
    __atomic_store_n(&record->state, MW_STATE_OPEN, __ATOMIC_RELEASE);
    return record;
}

/*
 * Enters a record that is no call (a pause, a sample): as mw_spool_begin, but one that
 * there is no room for is not counted as a lost call.
 */
static inline struct mw_call_record *mw_spool_begin_mark(struct mw_spool *spool,
                                                         enum mw_record_type type, unsigned call,
                                                         uint64_t time)
{
    struct mw_call_record *record = mw_spool_begin(spool, call, time);

    if (record) {
        record->type = (uint8_t)type;
        spool->calls--;
    } else {
        spool->lost--;
    }
    return record;
}

/*
 * Adds a member of bytes (at most MW_MEMBER_BYTES_MAX, but for metrics, which may have
 * MW_METRIC_VALUES_MAX values) to the open call. The caller fills
 * what follows the head and then calls mw_spool_commit.
 *
 * \return the member with type, words and comm set; null when the spool has stopped.
 */
static inline void *mw_spool_member(struct mw_spool *spool, enum mw_record_type type,
                                    size_t bytes, uint32_t comm)
{
    struct mw_member *member;

    if (MW_UNLIKELY((size_t)(spool->end - spool->next) < bytes)) {
        if (!mw_spool_make_room(spool, bytes)) {
            return NULL;
        }
    }
    member = (struct mw_member *)(void *)spool->next;
    spool->next += bytes;
    member->type = (uint8_t)type;
    member->words = (uint16_t)(bytes / 8);
    member->comm = comm;
    return member;
}

/* Makes a filled member valid. */
static inline void mw_spool_commit(void *member)
{
    __atomic_store_n(&((struct mw_member *)member)->state, MW_STATE_DONE, __ATOMIC_RELEASE);
}

/* Leaves the call that mw_spool_begin entered. */
static inline void mw_spool_end(struct mw_spool *spool, struct mw_call_record *record,
                                uint64_t leave)
{
    record->leave = leave;
    __atomic_store_n(&record->state, MW_STATE_DONE, __ATOMIC_RELEASE);
    spool->open = NULL;
}

/*
 * Takes back the record of mw_spool_begin, to which no member has been added: the
 * call becomes part of an earlier, coalesced record.
 */
static inline void mw_spool_take_back(struct mw_spool *spool, struct mw_call_record *record)
{
    __atomic_store_n(&record->state, MW_STATE_EMPTY, __ATOMIC_RELEASE);
    record->type = 0;
    record->words = 0;
    record->enter = 0;
    record->call = 0;
    record->repeat = 0;
    spool->next = (char *)record;
    spool->open = NULL;
}

/* --- reading ----------------------------------------------------------- */

struct mw_spool_reader;

/* One call with its members, which stand back to back in members[0 .. member_bytes). */
struct mw_spool_call {
    struct mw_call_record record;
    const char *members;
    size_t member_bytes;
    uint64_t offset; /* of the record in the file */
};

/*
 * Opens a spool and checks its header. Memory: one window and the members of one
 * call; nothing is trusted that the file says.
 *
 * \return MW_OK and *reader, to be freed with mw_spool_reader_destroy.
 * \return MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 * \return MW_ERROR_FORMAT: not a spool. MW_ERROR_VERSION: of another version, byte
 * order or table of calls.
 */
enum mw_status mw_spool_reader_create(const char *path, struct mw_spool_reader **reader,
                                      struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mw_spool_reader_destroy(struct mw_spool_reader *reader);

/* The file's header; valid as long as the reader. */
const struct mw_spool_header *mw_spool_reader_header(const struct mw_spool_reader *reader);

/* How many calls a ring has lost to later ones; 0 for other spools. */
uint64_t mw_spool_reader_overwritten(const struct mw_spool_reader *reader);

/*
 * Reads the next call. call->members stays valid until the next call of a function
 * with this reader. state is MW_STATE_OPEN in the last record of a thread that died
 * in a call.
 *
 * \return MW_OK, MW_END after the last committed record.
 * \return MW_ERROR_FORMAT with the offset when records contradict the layout;
 * MW_ERROR_SYSTEM, MW_ERROR_MEMORY.
 */
enum mw_status mw_spool_reader_next(struct mw_spool_reader *reader, struct mw_spool_call *call,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Walks over the members of a call: pass null to get the first one.
 *
 * \return the member, null after the last.
 */
const struct mw_member *mw_spool_call_member(const struct mw_spool_call *call,
                                             const struct mw_member *previous);

#endif
