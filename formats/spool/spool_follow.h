#ifndef MW_FORMATS_SPOOL_SPOOL_FOLLOW_H
#define MW_FORMATS_SPOOL_SPOOL_FOLLOW_H

#include <stdbool.h>

#include "formats/base/status.h"
#include "formats/spool/spool.h"

/*
 * Follows the spool of a thread that runs: what it has done until now, and what it does. A look
 * reads header and windows of the file, 132 KiB whatever the thread did since the last look, and
 * neither locks nor writes anything.
 */
struct mw_spool_follower;

/* A thread at one moment. Times are ticks of the spool's clock. */
struct mw_spool_moment {
    bool is_counted; /* counts has a meaning: the recorder tells it */
    bool is_behind;  /* the thread went on faster than could be read: all this is of an earlier
                        look, or nothing */
    struct mw_counts counts; /* up to this moment */
    struct mw_call_record last; /* entered last; of state MW_STATE_EMPTY: not known */
    bool is_inside;  /* last is a call of MPI that was not left */
    bool has_now;    /* what it waits for is known */
    struct mw_now now;
    uint64_t lost;   /* calls that could not be recorded */
};

/*
 * \return MW_OK, and mw_spool_follow_end is due; MW_ERROR_SYSTEM, MW_ERROR_MEMORY,
 * MW_ERROR_FORMAT; MW_ERROR_VERSION, also for spools of version 1, which have no windows in front.
 */
enum mw_status mw_spool_follow_begin(const char *path, struct mw_spool_follower **follower,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The header as it was at the beginning; valid as long as the follower. */
const struct mw_spool_header *mw_spool_follow_header(const struct mw_spool_follower *follower);

/*
 * Looks again. A file that was removed can be read to its last state. Nothing that is read is
 * trusted, but numbers are what the file says. One thread at a time.
 *
 * \return MW_OK; MW_ERROR_SYSTEM; MW_ERROR_FORMAT: the file has become shorter.
 */
enum mw_status mw_spool_follow_look(struct mw_spool_follower *follower,
                                    struct mw_spool_moment *moment,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Null is fine. */
void mw_spool_follow_end(struct mw_spool_follower *follower);

#endif
