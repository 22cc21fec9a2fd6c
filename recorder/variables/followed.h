#ifndef MWR_VARIABLES_FOLLOWED_H
#define MWR_VARIABLES_FOLLOWED_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/spool/record.h"

/*
 * What a variable did since its last sample, from all values that were read and not only those that
 * were written: so that a sample can say how far the series is from the truth. Times are ticks.
 * Not thread-safe.
 *
 * What is certain: a value that was read twice was the same in between, if nothing could change it
 * or nobody made calls; a change that was read came after the time until which that was so, and the
 * value was between the old and the new one meanwhile. How far it went beyond these inside a call,
 * and came back, nobody can know who doesn't read it there: not the recorder, and not the program.
 */
struct mwr_followed {
    bool is_known;     /* it has a sample, and was read wherever it can have changed since */
    uint32_t changes;  /* since that */
    uint64_t begin;    /* time of the sample */
    uint64_t held;     /* until when its value did, at the first change */
    uint64_t since;    /* when the latest change was read */
    double value;
    double lower;      /* value times ticks until since: at least, at most */
    double upper;
    double low;        /* of all values since begin */
    double high;
    uint64_t unseen;   /* ticks until since of which nothing is known */
};

/* What there is to be said before a sample. */
enum mwr_telling { MWR_TELL_NOTHING, MWR_TELL_HELD, MWR_TELL_COURSE, MWR_TELL_PARTLY };

/* There is a sample of value at now. */
static inline void mwr_followed_restart(struct mwr_followed *followed, double value, uint64_t now)
{
    *followed = (struct mwr_followed){.is_known = true,
                                      .begin = now,
                                      .held = now,
                                      .since = now,
                                      .value = value,
                                      .low = value,
                                      .high = value};
}

/* At now value was read, which is not all as it was until held at least. */
void mwr_followed_change(struct mwr_followed *followed, double value, uint64_t held,
                         uint64_t now);

/* From one time to another it may have been anything; what was read after that is value. */
void mwr_followed_lose(struct mwr_followed *followed, double value, uint64_t from, uint64_t to);

/*
 * What is to be said before a sample at now of the value read last: held, if that has changed at
 * now only, or not at all. A course otherwise, which is filled in, of all of the time or of the
 * part of it that was seen; nothing, where nothing was.
 */
enum mwr_telling mwr_followed_tell(const struct mwr_followed *followed, uint64_t now,
                                   uint64_t *held_for, struct mw_partly_member *course);

#endif
