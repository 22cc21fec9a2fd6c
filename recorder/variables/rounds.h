#ifndef MWR_VARIABLES_ROUNDS_H
#define MWR_VARIABLES_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/variables/handles.h"

/*
 * What calls give and samples take, in sixteenths of a byte of the archive. A call is some
 * 10 bytes there, compressed.
 */
#define MWR_CREDIT_OF_CALL 8
#define MWR_CREDIT_MOST    (1 << 20)

/*
 * The variables that are bound, and the rounds in which they are read and written. A
 * few levels are read after each call, and new extremes of them written at once; a round
 * reads all and writes what changed. How often there is a round is bounded by time and
 * by what calls themselves take in the archive: each call gives a credit in bytes, and
 * samples use it up, so that they stay a small part of it whatever is selected. Not
 * thread-safe.
 */
struct mwr_rounds {
    MPI_T_pvar_session session;
    struct mwr_handle **handles; /* those read at each call first */
    uint32_t count;
    uint32_t each_call;
    bool has_new;     /* there is a handle without a first sample */
    bool is_due;      /* something asks for a round */
    int64_t credit;   /* what samples may take */
    uint64_t calls;   /* since the last round */
    uint64_t last_round;
    uint64_t last_keyframe;
    uint64_t last_sample;
    uint64_t last_pending; /* calls, when pending changes were written */
};

/* Takes handle in. \return false without memory: it is still the caller's. */
bool mwr_rounds_add(struct mwr_rounds *rounds, struct mwr_handle *handle);

/* Whether the variable with MPI's index is bound to this object. */
bool mwr_rounds_has(const struct mwr_rounds *rounds, int index, enum mwr_bind bind,
                    uint32_t number);

/* Puts the handles to be read at each call first; all of them if all. After changes. */
void mwr_rounds_choose(struct mwr_rounds *rounds, bool all);

/*
 * Lets the handle at index at go; its last sample, if stream is not null, becomes a
 * member of type of the open record. The handles behind it may change places.
 */
void mwr_rounds_release(struct mwr_rounds *rounds, uint32_t at, struct mwr_stream *stream,
                        enum mw_record_type type);

/* Lets everything go. */
void mwr_rounds_fini(struct mwr_rounds *rounds);

/* Reads all and writes what changed at now; everything when flags are not 0. */
void mwr_rounds_write(struct mwr_rounds *rounds, struct mwr_stream *stream,
                      enum mw_record_type type, uint8_t flags, uint64_t now);

/*
 * Reads those of each call, and writes the ones that have gone where none was before. If
 * others have changed, bit MWR_SAMPLE_PENDING of mwr_sampling is set afterwards.
 */
void mwr_rounds_look(struct mwr_rounds *rounds, struct mwr_stream *stream);

/* Writes what mwr_rounds_look has read and not written, without reading it again. */
void mwr_rounds_write_pending(struct mwr_rounds *rounds, struct mwr_stream *stream);

/* A call has ended, which gives credit. */
static inline void mwr_rounds_count_call(struct mwr_rounds *rounds)
{
    rounds->calls++;
    if (rounds->credit < MWR_CREDIT_MOST) {
        rounds->credit += MWR_CREDIT_OF_CALL;
    }
}

/* Whether a round is due at now; interval is the least between two, ns. */
static inline bool mwr_rounds_is_due(const struct mwr_rounds *rounds, uint64_t interval,
                                     uint64_t now)
{
    return rounds->has_new || rounds->is_due || interval == 0 ||
           (rounds->credit > 0 && now - rounds->last_round >= interval);
}

#endif
