#ifndef MWA_MODEL_NEEDS_H
#define MWA_MODEL_NEEDS_H

#include "analyzer/model/event.h"
#include "analyzer/model/exchanged.h"
#include "formats/base/status.h"

/*
 * Who needs whom in a collective, by what the operation means (MPI 3.1, chapter 5): whose begin a
 * member can't leave before. This is the one place that says it: the engine holds ends back by
 * it, and the analyses find by it who waited for whom. What a member really gets is a matter of
 * its bytes, and of its sources where the archive tells them.
 */
enum mwa_needs {
    MWA_NEEDS_NOBODY,      /* on neighbourhoods that are not told; a fence that was local */
    MWA_NEEDS_ALL,         /* Barrier, and what works like one or is not known */
    MWA_NEEDS_DATA,        /* all those that have something: Allreduce, Alltoall … */
    MWA_NEEDS_ROOT,        /* Bcast, Scatter(v) */
    MWA_NEEDS_ALL_AT_ROOT, /* the root needs those that have something: Reduce, Gather(v) */
    MWA_NEEDS_LOWER,       /* those before it: Scan, Exscan */
    MWA_NEEDS_FIRST        /* pairs: the second member needs the first */
};

enum mwa_needs mwa_needs_of(const struct mwa_collective *collective);

/* Whether it has a root, also one that is not known (MWA_NONE). */
static inline bool mwa_needs_root(const struct mwa_collective *collective)
{
    const enum mwa_needs needs = mwa_needs_of(collective);

    return needs == MWA_NEEDS_ROOT || needs == MWA_NEEDS_ALL_AT_ROOT;
}

/*
 * Operations with a root, and scans: some members need others that came, but the MPI may let the
 * rest go before, or not, by size and algorithm. Of those of one group anybody can tell: by
 * mwa_awaited_last.
 */
bool mwa_may_await_last(const struct mwa_collective *collective);

/*
 * The member that entered last, if nobody left before it came in such an operation, of which all
 * took part: all waited for it, that is, of one that does not block, those that were in the call
 * that completes it, of which the one that waited longest was left within a tenth of that time.
 * Null: some did not, or nobody can tell.
 */
const struct mwa_member *mwa_awaited_last(const struct mwa_collective *collective);

/*
 * Non-blocking operations in which MPIs may go on only while other members are in calls: of one
 * group those with data for all, barriers, and on neighbourhoods, in which a member needs others
 * all the same; those with a root, scans, and those between groups (awaited_peers.h).
 */
bool mwa_may_await_completion(const struct mwa_collective *collective);

/*
 * Told for each member of such an operation that is there: of the call which completes its part,
 * member->end, the one that it was seen to wait for. That is, of those with data for all and their
 * like, of the calls that complete the parts that it needs the one entered last: all that it needs
 * had begun when its own was entered, and this was left behind the enter of that one; within a
 * tenth of what it waited then, while the other rank made no calls, unless it gets more of each
 * than MPIs keep. Of the others it is mwa_awaited_completion, unless all were held by the last to
 * begin (mwa_awaited_last). Null: it did not wait so, or nobody can tell, as of an operation that
 * lacks members.
 */
typedef enum mw_status (*mwa_completion_visit)(void *user, const struct mwa_member *member,
                                               const struct mwa_exchange_call *awaited);

/* Visits all, none of an operation of another kind. \return MW_OK; else what the first visit has
 * that fails. */
enum mw_status mwa_visit_completions(const struct mwa_collective *collective,
                                     mwa_completion_visit visit, void *user) MW_MUST_CHECK;

/* Whether it is an operation between two groups in which each member needs those of the other one:
 * MPIs may hold who has got that until those of its own have come, too, or not. So they may in one
 * with a root, and who gives until others have come. */
bool mwa_may_await_own_group(const struct mwa_collective *collective);

/* Whether it is one of either kind: that its MPI may hold some members for others which they do not
 * need is to be seen only by when these came (awaited_peers.h). */
static inline bool mwa_may_hold_some(const struct mwa_collective *collective)
{
    return mwa_may_await_last(collective) || mwa_may_await_own_group(collective);
}

/* Whether a collective tells only when it is complete for whom its members have waited. */
static inline bool mwa_may_await_members(const struct mwa_collective *collective)
{
    return mwa_may_hold_some(collective) || mwa_may_await_completion(collective);
}

/* Whether one of the members of an operation of one group gives to all, or gets of all. */
static inline bool mwa_is_rooted(const struct mwa_collective *collective)
{
    return collective->root != MWA_NONE && mwa_may_await_last(collective);
}

/* Whether by a blocking operation that says this all members of its communicator have met: each
 * has got something from each. */
bool mwa_do_all_meet(const struct mwa_collective_data *data);

/* Whether an operation that says this has a root that gives to all, or gets something of all. */
bool mwa_has_root(const struct mwa_collective_data *data);

/* Whether its member at position may be seen to have waited in it for others to come to MPI with an
 * operation before it (mwa_awaited_return): the root that gives, or who gives to the root. */
bool mwa_may_await_return(const struct mwa_collective_data *data, uint32_t position);

/* Whether a call never waits: one that polls, as MPI_Test, but not a row of them, which goes on
 * until one finds something. What lies outside of all calls may. */
bool mwa_never_waits(const struct mwa_exchange_call *call);

/* Of MWA_WINDOW_COLLECTIVE: whether it makes the window, or frees it. */
bool mwa_makes_window(const struct mwa_collective_data *data);
bool mwa_frees_window(const struct mwa_collective_data *data);

/*
 * Whether a send may wait for its receive: a buffered one, by the call that begins it, completes
 * without (MPI 3.1, 3.4). Persistent ones begin with MPI_Start, which does not tell their mode.
 */
bool mwa_send_needs_receive(const struct mwa_message *message);

/* MPIs may keep a message of so many bytes at its receiver; what is larger they are taken to send
 * only when both ends are there (MPI 3.1, 3.4). */
#define MWA_EAGER_BYTES 65536u

/*
 * And this many each MPI does keep, unless told otherwise: the least default (of Open MPI 4.1 in
 * shared memory) is as much. That one lets the call that sends them go only when the receiver is
 * next in MPI, in whichever call, if they are more than 256 or it has others to take.
 */
#define MWA_KEPT_BYTES 4096u

/* Whether a message of so many, UINT64_MAX: nobody knows how many, is larger. */
static inline bool mwa_are_kept_nowhere(uint64_t bytes)
{
    return bytes != UINT64_MAX && bytes > MWA_EAGER_BYTES;
}
bool mwa_is_kept_nowhere(const struct mwa_message *message);

/*
 * Both ends of a message have begun it before call, which completes one of them, is left: MPIs may
 * move it, or let it be complete, only while the other rank is in a call as well. \return the other
 * rank's call for which the message has waited while that rank made no calls: that by which it
 * completes its end, or one before in which both ends had begun, as the first MPI_Wait of several;
 * of these the one that was waited for longest. call was left behind its enter, and if the message
 * is not larger than MWA_EAGER_BYTES, within a tenth of what it waited then, for else it may have
 * been left for other reasons: as one of MWA_KEPT_BYTES was that was not begun when call was
 * entered; nor is one looked at then from before all ranks have met last, for there a run may be
 * cut (analyzer/load/quiet_places.h). Of a send that blocks and that its MPI may let go
 * late, it is any call of the other rank, also from before the receive was posted.
 * Null: there is none.
 */
const struct mwa_exchange_call *mwa_awaited_progress(const struct mwa_message *message,
                                                     const struct mwa_exchange_call *call);

/* Whether call, by which message is received, may turn out to have waited so, as far as is known
 * when it is left: not for a send that blocks. */
bool mwa_may_await_progress(const struct mwa_message *message,
                            const struct mwa_exchange_call *call);

/*
 * Whether call, which completes an end of message and was left behind the enter of other, which has
 * the other end, is seen to have waited for it. latest_sent: when the latest send was entered that
 * it received, ticks. Not if that was late: then it may have been complete before; but it was not
 * if MPIs keep no such message, or if call was left within a tenth of the time from the late sender
 * to other.
 */
bool mwa_is_seen_to_wait(const struct mwa_exchange_call *call, uint64_t latest_sent,
                         const struct mwa_exchange_call *other, const struct mwa_message *message);

/* From when on, ticks, call waited for message so: from when both ends had begun. Before, it may
 * have waited for that. */
uint64_t mwa_message_progress_since(const struct mwa_message *message,
                                    const struct mwa_exchange_call *call,
                                    const struct mwa_exchange_call *other);

/* From when on, ticks, call waited so for other: for as long as the other rank was outside. */
static inline uint64_t mwa_progress_since(const struct mwa_exchange_call *call,
                                          const struct mwa_exchange_call *other)
{
    return other->outside_since > call->enter ? other->outside_since : call->enter;
}

/* Which of two members that have begun was the later; at the same time the lower rank counts as
 * later, wherever both stand in the collective. */
static inline bool mwa_is_later(const struct mwa_member *one, const struct mwa_member *other)
{
    return one->begin->enter != other->begin->enter ? one->begin->enter > other->begin->enter
                                                    : one->rank < other->rank;
}

/* A fence that some have left before others came: assertions told that nobody need wait. Once it is
 * one it stays so, which another thread may ask while the engine takes those that come. */
static inline bool mwa_is_local_fence(const struct mwa_collective *collective)
{
    return collective->kind == MWA_GROUP_WINDOW &&
           __atomic_load_n(&collective->until, __ATOMIC_RELAXED) >
               __atomic_load_n(&collective->since, __ATOMIC_RELAXED);
}

/* A member of it, or of where a window is made or freed, came at enter, and left at leave. */
static inline void mwa_fence_takes(struct mwa_collective *collective, uint64_t enter,
                                   uint64_t leave)
{
    if (leave < collective->since) {
        __atomic_store_n(&collective->since, leave, __ATOMIC_RELAXED);
    }
    if (enter > collective->until) {
        __atomic_store_n(&collective->until, enter, __ATOMIC_RELAXED);
    }
}

#endif
