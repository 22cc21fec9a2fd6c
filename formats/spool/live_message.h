#ifndef MW_FORMATS_SPOOL_LIVE_MESSAGE_H
#define MW_FORMATS_SPOOL_LIVE_MESSAGE_H

#include "formats/base/buffer.h"
#include "formats/base/status.h"
#include "formats/spool/spool.h"

/*
 * What one process that looks at a running program tells another one: of each thread that it sees
 * the call that it entered last (action, time in, time out, communicator, peer), and counts; how
 * much it waits, and variables, where somebody who watches wishes for them. The form is in
 * formats/ARCHIVE.md. A message stands for itself: one that is lost takes nothing from the others.
 * Between those that look, on their hosts, pass the calls that ranks of both take part in
 * (live_batch.h), for which there are numbers: these are sent until they have come.
 */

#define MW_LIVE_MAGIC "MWLIVE\0"
#define MW_LIVE_VERSION 3u
#define MW_LIVE_BYTES_MAX (64u << 10)   /* of a message */
#define MW_LIVE_RANKS_MAX (1u << 24)    /* of a run */
#define MW_LIVE_THREADS_MAX 65536u      /* numbers of threads are below */
#define MW_LIVE_TEXT_BYTES 256u         /* of a text, with its null */
#define MW_LIVE_NO_THREAD UINT32_MAX
#define MW_LIVE_LOOKS_MAX 16u           /* that a wait is told for */
#define MW_LIVE_VALUES_MAX 64u          /* of a variable, in an item */

/* What a message is of. */
enum mw_live_kind {
    MW_LIVE_THREADS,   /* struct mw_live_item: what threads do */
    MW_LIVE_WAITS,     /* struct mw_live_waits: how much of their time they wait */
    MW_LIVE_VARIABLES, /* struct mw_live_values: what ranks told last of a variable */
    MW_LIVE_WISH,      /* struct mw_live_wish, one: from who watches, what of this to tell */
    MW_LIVE_CALLS,     /* struct mw_live_batch, one, and behind it its records */
    MW_LIVE_KINDS
};

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
    uint32_t kind;     /* enum mw_live_kind */
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

/* Why it is not known how much ranks wait. */
enum mw_live_no_waits {
    MW_LIVE_KNOWN,
    MW_LIVE_NOT_ASKED,     /* nobody wished for it */
    MW_LIVE_NOT_ALL_HERE,  /* not all ranks are seen */
    MW_LIVE_ON_OTHERS,     /* ranks run on other hosts, and nobody tells of them */
    MW_LIVE_NO_CLOCKS,     /* clocks of hosts were not compared */
    MW_LIVE_SEEN_TWICE,    /* two tell of the same rank */
    MW_LIVE_LOST,          /* calls could not be recorded */
    MW_LIVE_OVERWRITTEN,   /* a ring has lost calls */
    MW_LIVE_DAMAGED,       /* a spool is damaged */
    MW_LIVE_PAUSED,        /* recording was paused */
    MW_LIVE_NOT_POSSIBLE,  /* a host tells of its calls what can't be */
    MW_LIVE_NO_WAITS_COUNT
};

/* How much a thread waits, in ns. Times are those of struct mw_live_item's looks. */
struct mw_live_waits {
    uint32_t rank;
    uint32_t thread;
    uint8_t unknown;      /* enum mw_live_no_waits; waits are 0 then */
    uint8_t is_final;     /* the process has ended, and all its calls are in this */
    uint64_t read;        /* calls of it that are in this */
    uint64_t clock_error; /* how far its host's clock can be from what was taken into account */
    uint64_t waited;      /* in all */
    uint64_t told;        /* in calls of which it is known whether they waited */
    uint32_t count;       /* of looks */
    uint64_t times[MW_LIVE_LOOKS_MAX];   /* of them, rising */
    uint64_t between[MW_LIVE_LOOKS_MAX]; /* waited since the look before, in calls that were told */
};

/* What ranks told last of a variable of the MPI. */
struct mw_live_values {
    char name[MW_LIVE_TEXT_BYTES];
    char unit[MW_LIVE_TEXT_BYTES];
    uint8_t is_sum; /* it only rises */
    uint32_t count;
    uint32_t ranks[MW_LIVE_VALUES_MAX];
    uint64_t values[MW_LIVE_VALUES_MAX]; /* bits of a double that is a number */
};

enum mw_live_wish_flag {
    MW_LIVE_WISH_WAITS = 1,
    MW_LIVE_WISH_VARIABLES = 2,
    MW_LIVE_WISH_FLAGS = 3
};

struct mw_live_wish {
    uint32_t flags; /* enum mw_live_wish_flag; it holds for MW_LIVE_WISH_LOOKS looks */
};

#define MW_LIVE_WISH_LOOKS 5u

/* Of calls that ranks of two hosts take part in: they are told from the beginning of the run on. */
struct mw_live_batch {
    uint32_t generation; /* of this telling; a higher one begins anew */
    uint32_t expected;   /* number of the batch of the other one that has not come yet */
    uint32_t number;     /* of this one, from 0 */
    uint8_t has_records; /* else nothing is told but what is expected, and number means nothing */
};

/* Begins a message of head->kind in an empty buffer. */
void mw_live_message_begin(struct mw_buffer *buffer, const struct mw_live_head *head);
/* Adds an item of the message's kind, whose numbers have to be within the bounds above. \return
 * false: it has to go into another message. A buffer that got no memory is marked failed. */
bool mw_live_message_add(struct mw_buffer *buffer, const void *item);

/*
 * Reads the head of a message of bytes, and checks all that is behind it, but for a batch's
 * records. Nothing is trusted.
 *
 * \return MW_OK, and *items stands before the first of head->count items.
 * \return MW_ERROR_VERSION: of another version or table of calls; MW_ERROR_FORMAT: it is no
 * message, too long or short, or says what can't be.
 */
enum mw_status mw_live_message_read(const void *message, size_t bytes, struct mw_live_head *head,
                                    struct mw_cursor *items,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
/* Takes the next item of those that were checked, into a struct of that kind; behind the last one
 * of MW_LIVE_CALLS *items are the records. \return false: there is none. */
bool mw_live_message_next(struct mw_cursor *items, uint32_t kind, void *item);

#endif
