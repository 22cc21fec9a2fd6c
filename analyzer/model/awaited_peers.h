#ifndef MWA_MODEL_AWAITED_PEERS_H
#define MWA_MODEL_AWAITED_PEERS_H

#include "analyzer/model/needs.h"

/*
 * For which other member one waited in an operation of one group with a root, or in a scan, where
 * not all did for the last to come (mwa_awaited_last), or of its own group in one between two. It
 * is to be seen only by when it was left: within a tenth of what it waited behind the other one's
 * coming; where others have come meanwhile as late, each for a time as long, within as much less,
 * since it may be left soon behind one by accident.
 */

#define MWA_SOON 10 /* that part of what it waited for a call it takes to end behind its enter */

/* Whether call, left behind other's enter, was so within a part (10: a tenth) of the time from
 * since to that: then it may be that for which it has waited since. */
static inline bool mwa_is_left_within(const struct mwa_exchange_call *call,
                                      const struct mwa_exchange_call *other, uint64_t since,
                                      uint64_t part)
{
    return other->enter > since && call->leave - other->enter <= (other->enter - since) / part;
}

static inline bool mwa_is_left_soon(const struct mwa_exchange_call *call,
                                    const struct mwa_exchange_call *other, uint64_t since)
{
    return mwa_is_left_within(call, other, since, MWA_SOON);
}

/* Of so many members each may have waited for any other; of more only for the root, or the root for
 * any, and in other operations for none: it would take the square of their number. */
#define MWA_PEERS 64u

#define MWA_COMERS 128u /* calls with which these may have come */

/* When others came, for whom members may have waited: most went on behind none of them. */
struct mwa_comers {
    bool are_known;
    uint64_t quickest; /* ticks that one took at least that gets, since all had come for that */
    uint32_t count;
    uint64_t enters[MWA_COMERS]; /* ticks, in order */
};

/* Of an operation of any kind; these two are asked with those of the member's. */
void mwa_comers_find(struct mwa_comers *comers, const struct mwa_collective *collective);

/*
 * Of a blocking operation. Who gives, the root of a broadcast or the others in a reduction, may be
 * held until another comes to MPI at all: to this operation, or to one with a root right before it.
 * Who gets what the root of a broadcast gives may get it by another that comes to this operation,
 * as along a tree, who is in a scan be held by a rank behind it, to which it gives, and who gets of
 * another group by one of its own (mwa_may_await_own_group): each if it waits for longer than
 * another one takes to get all. Between two groups who gives is held only by who comes to this
 * operation. \return the call with which the other rank came, who gives within a group being held
 * by it only if it was outside of MPI before; null: there is none, or nobody can tell.
 */
const struct mwa_exchange_call *mwa_awaited_return(const struct mwa_member *member,
                                                   const struct mwa_comers *comers);

/* From when on, ticks, member waited so for other: who gives, for as long as the other rank was
 * outside, between two groups for as long as it was in its call; who gets, since those had come of
 * whom it does, for whom it waited before. */
uint64_t mwa_awaited_return_since(const struct mwa_member *member,
                                  const struct mwa_exchange_call *other);

/*
 * Of one that does not block. \return the call by which another began its part when the one that
 * completes member's own had been entered, where one that blocks would wait for it; or the call
 * that completes the other's part, for which this waited while the other rank made no calls
 * (mwa_progress_since); null: there is none, or nobody can tell.
 */
const struct mwa_exchange_call *mwa_awaited_completion(const struct mwa_member *member,
                                                       const struct mwa_comers *comers);

/* What of another's part member waited for, and from when on, ticks. */
struct mwa_awaited_part {
    bool begins; /* that it began; else that it came to complete it */
    uint64_t since;
};

/* Of a call that mwa_visit_completions tells for member. */
struct mwa_awaited_part mwa_awaited_part_of(const struct mwa_member *member,
                                            const struct mwa_exchange_call *awaited);

#endif
