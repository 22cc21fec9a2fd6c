#ifndef MW_FORMATS_SPOOL_LIVE_BATCH_H
#define MW_FORMATS_SPOOL_LIVE_BATCH_H

#include "formats/base/buffer.h"

/*
 * What follows a struct mw_live_batch: records of one byte, their type, and as many numbers as that
 * type has, each in as few bytes as it takes (7 bits a byte, the lowest first, the highest bit set
 * in all but the last). Numbers that may be below 0 are folded: 0, -1, 1, -2 are 0, 1, 2, 3. The
 * types with their numbers are in formats/ARCHIVE.md, section 8.
 */
enum mw_live_record_type {
    MW_LIVE_RECORD_END,      /* none */
    MW_LIVE_RECORD_RANK,     /* rank, threads */
    MW_LIVE_RECORD_UNKNOWN,  /* enum mw_live_no_waits */
    MW_LIVE_RECORD_CLOCK,    /* error, ns */
    MW_LIVE_RECORD_COMM,     /* number, uid (two), 1 inter | 2 of another job too */
    MW_LIVE_RECORD_GROUP,    /* communicator, count: its members are the next records */
    MW_LIVE_RECORD_MEMBER,   /* world rank */
    MW_LIVE_RECORD_ENTER,    /* rank, thread, call, ns since the enter before, folded */
    MW_LIVE_RECORD_SEND,     /* communicator, peer folded, tag folded, bytes */
    MW_LIVE_RECORD_ISEND,    /* the same, request */
    MW_LIVE_RECORD_SENT,     /* request */
    MW_LIVE_RECORD_POST,     /* request */
    MW_LIVE_RECORD_RECV,     /* as SEND */
    MW_LIVE_RECORD_RECEIVED, /* as ISEND */
    MW_LIVE_RECORD_DROPPED,  /* request: cancelled, or of nobody that the other one knows */
    MW_LIVE_RECORD_COLL,     /* communicator, operation, root folded, bytes sent, received */
    MW_LIVE_RECORD_COLL_POST,     /* request */
    MW_LIVE_RECORD_COLL_COMPLETE, /* as COLL, request */
    MW_LIVE_RECORD_LEAVE,    /* ns since the enter, 1 if it was never left */
    MW_LIVE_RECORD_THROUGH,  /* rank, thread, ns since the enter before, folded: no call before */
    MW_LIVE_RECORD_OVER,     /* nothing: no call will come */
    MW_LIVE_RECORD_TYPES
};

#define MW_LIVE_NUMBERS_MAX 6u

struct mw_live_record {
    enum mw_live_record_type type;
    uint64_t numbers[MW_LIVE_NUMBERS_MAX];
};

/* How many numbers records of the type have. */
unsigned mw_live_record_numbers(enum mw_live_record_type type);

void mw_live_record_put(struct mw_buffer *buffer, const struct mw_live_record *record);

/* \return false: there is none, or (cursor->left is not 0) what is there is no record. */
bool mw_live_record_take(struct mw_cursor *cursor, struct mw_live_record *record);

uint64_t mw_live_fold(int64_t number);
int64_t mw_live_unfold(uint64_t folded);

#endif
