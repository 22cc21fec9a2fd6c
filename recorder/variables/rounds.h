#ifndef MWR_VARIABLES_ROUNDS_H
#define MWR_VARIABLES_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/variables/handles.h"

/*
 * What calls and time give and samples take, in sixteenths of a byte of the archive. A call is
 * some 10 bytes there, compressed.
 */
#define MWR_CREDIT_OF_CALL   8
#define MWR_CREDIT_OF_SECOND (16 << 10)
#define MWR_CREDIT_MOST      (1 << 20)

/*
 * The variables that are bound, and the rounds in which they are read and written. A
 * few levels are read after each call, and new extremes of them written at once; a round
 * reads all and writes what changed. How often there is a round is bounded by time and
 * by what calls themselves take in the archive: each call gives a credit in bytes, as does
 * each second, and samples use it up, so that they stay a small part of it whatever is selected.
 * Not thread-safe.
 */
struct mwr_rounds {
    MPI_T_pvar_session session;
    struct mwr_handle **handles; /* those read at each call first */
    uint32_t count;
    uint32_t each_call;
    bool has_new;     /* there is a handle without a first sample */
    bool is_due;      /* something asks for a round */
    bool hears_all_calls; /* whatever call is not recorded says so (mwr_sample_unseen) */
    bool sees_all_calls; /* and what changes a variable is a call, of one thread */
    int64_t credit;   /* what samples may take */
    uint64_t last_given; /* when there was some for time */
    uint64_t calls;   /* since all were read */
    uint64_t last_round;
    uint64_t all_read;  /* when all were read last, in a round or before a call */
    uint64_t last_look; /* at those of each call */
    char *pending;      /* MW_PENDING_BYTES for what was read last, in a stream's file, or null */
    bool is_placed;     /* the handles of each call have their places there */
    uint64_t last_keyframe;
    uint64_t last_sample; /* where in time a record between calls may stand */
};

/* Takes handle in. \return false without memory: it is still the caller's. */
bool mwr_rounds_add(struct mwr_rounds *rounds, struct mwr_handle *handle);

/* Whether the variable with MPI's index is bound to this object. */
bool mwr_rounds_has(const struct mwr_rounds *rounds, int index, enum mwr_bind bind,
                    uint32_t number);

/* Puts the handles to be read at each call first; all of them if all. After changes. */
void mwr_rounds_choose(struct mwr_rounds *rounds, bool all);

/* A reading at now, where no call is open, or none has been said to be. */
struct mwr_reading mwr_rounds_reading(const struct mwr_rounds *rounds, uint64_t now);

/*
 * One at the end of a call that was entered at a time: a variable can have changed since then,
 * where this thread is the only one that makes calls, each of them is read after, and no reading
 * has ever shown otherwise.
 */
struct mwr_reading mwr_rounds_reading_at_leave(const struct mwr_rounds *rounds, uint64_t enter,
                                               uint64_t now);

/*
 * Lets the handle at index at go; its last sample, of now and if stream is not null, becomes a
 * member of type of the open record. The handles behind it may change places.
 */
void mwr_rounds_release(struct mwr_rounds *rounds, uint32_t at, struct mwr_stream *stream,
                        enum mw_record_type type, uint64_t now);

/* Lets everything go. */
void mwr_rounds_fini(struct mwr_rounds *rounds);

/* Reads all and writes what changed; everything when flags are not 0. */
void mwr_rounds_write(struct mwr_rounds *rounds, struct mwr_stream *stream,
                      enum mw_record_type type, uint8_t flags,
                      const struct mwr_reading *reading);

/*
 * Reads those of each call, and writes the ones that have gone where none was before. Others
 * that have changed are pending. What was read last of all stays in the file of the first stream
 * that this was called with, for who finds it after a kill.
 */
void mwr_rounds_look(struct mwr_rounds *rounds, struct mwr_stream *stream,
                     const struct mwr_reading *reading);

/*
 * Reads those of each call where no call is open, and the others, too, if they are not too many or
 * a call of another thread may have changed them.
 *
 * \return whether one of each call was not as it was read last.
 * What changed since it was written becomes a record of stream, if is_written says so.
 */
bool mwr_rounds_look_between(struct mwr_rounds *rounds, struct mwr_stream *stream,
                             const struct mwr_reading *reading, bool is_written);

/*
 * Writes what mwr_rounds_look has read and not written, as a record of stream and of the time
 * when it was read.
 */
void mwr_rounds_write_pending(struct mwr_rounds *rounds, struct mwr_stream *stream);

static inline void mwr_rounds_give(struct mwr_rounds *rounds, int64_t credit)
{
    rounds->credit += credit < MWR_CREDIT_MOST ? credit : MWR_CREDIT_MOST;
    if (rounds->credit > MWR_CREDIT_MOST) {
        rounds->credit = MWR_CREDIT_MOST;
    }
}

/* A call has ended, which gives credit. */
static inline void mwr_rounds_count_call(struct mwr_rounds *rounds)
{
    rounds->calls++;
    mwr_rounds_give(rounds, MWR_CREDIT_OF_CALL);
}

/* Whether there is credit at now, that of the time since it was asked last included. */
bool mwr_rounds_has_credit(struct mwr_rounds *rounds, uint64_t now);

/* Whether a round is due at now; interval is the least between two, ns. */
static inline bool mwr_rounds_is_due(struct mwr_rounds *rounds, uint64_t interval, uint64_t now)
{
    return rounds->has_new || rounds->is_due || interval == 0 ||
           (now - rounds->last_round >= interval && mwr_rounds_has_credit(rounds, now));
}

#endif
