#ifndef MW_FORMATS_SPOOL_LIVE_MESSAGE_H
#define MW_FORMATS_SPOOL_LIVE_MESSAGE_H

#include "formats/base/buffer.h"
#include "formats/base/status.h"
#include "formats/spool/spool.h"

/*
 * What one process that looks at a running program tells another one: of each thread that it sees
 * the call that it entered last (action, time in, time out, communicator, peer), and counts. The
 * form is in formats/ARCHIVE.md. A message stands for itself: one that is lost takes nothing from
 * the others.
 */

#define MW_LIVE_MAGIC "MWLIVE\0"
#define MW_LIVE_VERSION 2u
#define MW_LIVE_BYTES_MAX (64u << 10)   /* of a message */
#define MW_LIVE_RANKS_MAX (1u << 24)    /* of a run */
#define MW_LIVE_THREADS_MAX 65536u      /* numbers of threads are below */
#define MW_LIVE_TEXT_BYTES 256u         /* of a text, with its null */
#define MW_LIVE_NO_THREAD UINT32_MAX

enum mw_live_flag {
    MW_LIVE_COUNTED = 1,  /* counts, and time_out of a call that was left */
    MW_LIVE_BEHIND = 2,   /* of an earlier look */
    MW_LIVE_INSIDE = 4,   /* the call was not left */
    MW_LIVE_NOW = 8,      /* now */
    MW_LIVE_ELSEWHERE = 16, /* the process is not on the host of who tells */
    MW_LIVE_FLAGS = 31
};

/* Of the message. */
struct mw_live_head {
    uint64_t nonce;    /* of the run */
    uint32_t size;     /* ranks that it has */
    uint64_t sequence; /* of this message among those of who tells, from 0 */
    uint64_t time;     /* ns of its CLOCK_MONOTONIC */
    char host[MW_LIVE_TEXT_BYTES];
    uint32_t count;    /* of items; set by who writes */
};

/* A thread, or a process none of whose threads is known. Times are ns of the teller's clock. */
struct mw_live_item {
    uint32_t rank;
    uint32_t thread; /* MW_LIVE_NO_THREAD: none */
    uint32_t pid;
    uint8_t state;   /* enum mw_run_state */
    uint8_t flags;   /* enum mw_live_flag */
    uint32_t code;   /* as of struct mw_run_spool */
    uint16_t action; /* enum mw_call entered last; MW_CALL_COUNT: not known */
    uint64_t time_in;
    uint64_t time_out; /* 0: not left, or not known */
    uint64_t begin;  /* of the thread; 0: not known */
    uint64_t look;   /* when this was so */
    struct mw_now now; /* but for the requests themselves; enter is time_in */
    struct mw_counts counts;
    uint64_t lost;
    uint16_t comm_call;     /* that made the communicator; MW_CALL_COUNT: not known */
    uint32_t comm_sequence;
    char comm[MW_LIVE_TEXT_BYTES]; /* its name; "": it has none */
    char program[MW_LIVE_TEXT_BYTES];
    char line[MW_LIVE_TEXT_BYTES]; /* that makes the call, "FILE:LINE"; "": not known, or not yet */
};

/* Begins a message in an empty buffer. */
void mw_live_message_begin(struct mw_buffer *buffer, const struct mw_live_head *head);
/* Adds an item, whose numbers have to be within the bounds above. \return false: it has to go into
 * another message. A buffer that got no memory is marked failed. */
bool mw_live_message_add(struct mw_buffer *buffer, const struct mw_live_item *item);

/*
 * Reads the head of a message of bytes, and checks all that is behind it. Nothing is trusted.
 *
 * \return MW_OK, and *items stands before the first of head->count items.
 * \return MW_ERROR_VERSION: of another version or table of calls; MW_ERROR_FORMAT: it is no
 * message, too long or short, or says what can't be.
 */
enum mw_status mw_live_message_read(const void *message, size_t bytes, struct mw_live_head *head,
                                    struct mw_cursor *items,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
/* Takes the next item of those that were checked. \return false: there is none. */
bool mw_live_message_next(struct mw_cursor *items, struct mw_live_item *item);

#endif
