#ifndef MWR_API_SAYING_H
#define MWR_API_SAYING_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/record.h"
#include "recorder/dispatch/guard.h"
#include "recorder/state/thread.h"

/*
 * What the parts of recorder/api share: whether this thread may say something now, and a
 * record of its own in the thread's stream for what it says.
 */
struct mwr_saying {
    struct mwr_mark mark;
    struct mwr_stream *stream; /* null: the thread has none */
    bool is_recording;         /* and not paused */
    bool is_inside;            /* a call of MPI is under way: no record can be written */
};

/*
 * Begins to say something: the guard is up until mwr_saying_end.
 *
 * \return false, and nothing to end, when there is no recording: before MPI_Init, after
 * MPI_Finalize, in a child of fork, when the recorder stepped aside.
 */
bool mwr_saying_begin(struct mwr_saying *saying);
void mwr_saying_end(struct mwr_saying *saying);

/*
 * Opens a record (MW_RECORD_USER or MW_RECORD_SAMPLE) and a member of bytes in it; comm as
 * in struct mw_member. The caller fills the member and calls mwr_saying_close.
 *
 * \return the member; null when there is no room, inside a call, or without a stream.
 */
void *mwr_saying_open(struct mwr_saying *saying, enum mw_record_type record,
                      enum mw_record_type member, size_t bytes, uint32_t comm);
void mwr_saying_close(struct mwr_saying *saying, void *member);

/* Counts what could not be recorded, and regions that don't balance. Thread-safe. */
void mwr_saying_lost(void);
void mwr_saying_unbalanced(uint32_t count);

/* Writes these counts to the definitions, if there are any: at the end of the process. */
void mwr_saying_tell(void);

#endif
