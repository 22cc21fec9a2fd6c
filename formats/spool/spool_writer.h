#ifndef MW_FORMATS_SPOOL_SPOOL_WRITER_H
#define MW_FORMATS_SPOOL_SPOOL_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/base/own_file.h"
#include "formats/base/status.h"
#include "formats/spool/spool.h"

/*
 * Writer: one thread at a time. Only a change of window calls the system. Between changes
 * there is no descriptor (own_file.h).
 */

/* The room that mw_spool_begin makes sure of: a call and its usual members. */
#define MW_SPOOL_RESERVE_BYTES (sizeof(struct mw_call_record) + 64)

/*
 * With wrap the file is a ring: when limit_bytes or the device is full its oldest segment is
 * written over. What comes before the first whole call in the oldest one is passed over by the
 * reader, which knows how many calls are lost.
 */
struct mw_spool_identity {
    uint64_t nonce;
    uint32_t rank;
    uint32_t thread;
    bool wrap;
};

/* Fields are private; the type is here for the inline functions below. */
struct mw_spool {
    char *next; /* where the next record goes */
    char *end;  /* of the window */
    struct mw_call_record *open;
    const struct mw_call_record *refused; /* an open call that a ring has no more room for */
    uint64_t calls; /* that were begun, also those that became part of an earlier record */
    uint64_t lost;  /* calls not recorded since the spool stopped */
    uint32_t sequence; /* of the next window */
    bool stopped;
    bool has_no_room_ahead; /* it was asked for in vain */
    char *map;    /* of header and windows */
    char *window; /* the one in use */
    char *kept;   /* the other one, while an open call lies in it */
    char *block;  /* MW_BLOCK_ROOM */
    struct mw_own_file file;
    uint64_t limit_bytes; /* of the file */
    uint64_t written;     /* the end of the last block … */
    uint64_t segment_end; /* … and of its segment */
    uint64_t written_calls; /* in all blocks */
    uint32_t segment;     /* its number */
    uint32_t ring_segments; /* how many there may be; 0: no ring */
    uint64_t ring_bytes;  /* of each */
    uint64_t nonce;
    int32_t owner;        /* the process; a child of it writes nothing */
    struct mw_diagnostic diagnostic; /* why it stopped */
};

/* The least that a spool takes, in bytes, or one that keeps the last calls (wrap). */
static inline uint64_t mw_spool_bytes_min(bool wrap)
{
    return MW_SEGMENTS_AT + (wrap ? 2 : 1) * MW_SEGMENT_BYTES_MIN;
}

/*
 * Creates the file path (O_EXCL, no symlink followed, mode 0600) with its header
 * and windows. limit_bytes bounds the file's size (0: only RLIMIT_FSIZE, as it is
 * at each change of window, and the device do).
 *
 * \return MW_OK, and *spool is ready until mw_spool_fini.
 * \return MW_ERROR_MEMORY, MW_ERROR_SYSTEM or MW_ERROR_SPACE, nothing to clean up, no file
 * left.
 */
enum mw_status mw_spool_init(struct mw_spool *spool, const char *path,
                             const struct mw_spool_identity *identity, uint64_t limit_bytes,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Writes what is in the windows, if there is room for it; else it stays in them. The file stays. */
void mw_spool_fini(struct mw_spool *spool);

/*
 * Makes room for bytes in the window, which is written and cleared. Not for direct use. Keeps
 * errno; is no cancellation point.
 *
 * \return true if there is room; false once the spool has stopped, which it does for good at
 * the first window that it can't write (spool->diagnostic says why). Also false, but not for good,
 * in a ring without room for more members of one call.
 */
bool mw_spool_make_room(struct mw_spool *spool, size_t bytes);

/* Counts calls that are not recorded, also in the file. Not for direct use. */
void mw_spool_lose(struct mw_spool *spool, int calls);

/*
 * Notes in the file that the times of the records come from the processor's counter: through how
 * many points of the clock so far, how many ns they were from it at most, whether that is over.
 */
void mw_spool_tell_clock(struct mw_spool *spool, uint64_t points, uint64_t error,
                         bool is_given_up);

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
            mw_spool_lose(spool, 1);
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
        mw_spool_lose(spool, -1);
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

/* The room for what is pending, of MW_PENDING_BYTES, mapped until mw_spool_fini. */
static inline char *mw_spool_pending(const struct mw_spool *spool)
{
    return spool->map + MW_PENDING_AT;
}

/* What the open call waits for, mapped likewise. */
static inline struct mw_now *mw_spool_now(const struct mw_spool *spool)
{
    return (struct mw_now *)(void *)(spool->map + MW_NOW_AT);
}

/* It is filled, and is the open call's from here on. */
static inline void mw_spool_now_tell(struct mw_now *now, const struct mw_call_record *open)
{
    now->call = open->call;
    __atomic_store_n(&now->enter, open->enter, __ATOMIC_RELEASE);
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
    record->leave = 0;
    record->call = 0;
    record->repeat = 0;
    spool->next = (char *)record;
    spool->open = NULL;
}

#endif
