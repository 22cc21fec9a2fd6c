#ifndef MWA_EXCHANGE_EXCHANGE_ONESIDED_H
#define MWA_EXCHANGE_EXCHANGE_ONESIDED_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/exchange/lineup.h"
#include "analyzer/model/event.h"
#include "analyzer/model/map.h"
#include "analyzer/model/pool.h"
#include "formats/base/status.h"

/*
 * One-sided synchronization in the exchange engine: who waited for whose post, complete or
 * unlock. Each such thing becomes an instance with two members (MWA_GROUP_POST …): the
 * call that gives, and the call that waits for it, whose end is told after the begin of
 * the first.
 *
 * MPI leaves open in which call an origin waits: for a post in start, in an operation or in
 * complete, for a lock in lock, in an operation, in what completes one or in unlock. What
 * happened is seen from the times: it waits in a call that was left after the other's call
 * had been entered. So such calls are held back until the other rank has been read as far as
 * their leave. In detail:
 *
 * Notices (exchange_notices.c). The n-th post of a rank for another one on a window belongs to
 * that one's n-th start for the first, as the n-th complete does to the n-th wait. The call that
 * waits for a post is the first that is left behind the post's enter, of: start, the operations
 * on that target, complete. None does when all were left before. A complete that waits for a post
 * completes no access before, so that who waits for it has waited for that post as well: it is let
 * go when all have been read up to its leave.
 *
 * Locks (exchange_locks.c). Two epochs on one target are rivals when at least one of them is
 * exclusive. A call of an epoch waited for a rival if the rival's unlock was left between the
 * call's enter and leave, or was entered in between and left behind that by no more than the
 * call took: an unlock may return after the next one has the lock. Looked at are the calls up
 * to the first that completes an operation at the target, which needs the lock: later ones
 * have it. A later call of an epoch counts if it waited longer than those before it. Where both
 * may have got the lock as late as in their unlocks, the one that was left first had it first.
 *
 * Fences, and where windows are made and freed. Members wait for all, unless somebody left
 * before all had entered, as assertions allow: when all have been read up to a member's leave,
 * and others are not there, they come later.
 *
 * The wait for several rivals is divided: from the call's enter until the first rival that
 * was left, and so on; what a rival held while it waited itself belongs to its rivals.
 */

struct mwa_exchange;
struct mwa_exchange_call;
struct mwa_collective;
struct mwa_member;

/* A post or complete for one rank, and the start or wait that it belongs to. */
struct mwa_notice {
    struct mwa_exchange_call *out; /* first: a pool's to write over. Null: not read so far */
    struct mwa_notice *next;       /* in its channel */
    struct mwa_exchange_call *start; /* of a post: the start that it is for */
    struct mwa_exchange_call *last;  /* of a post: the last operation on it; may be null */
    struct mwa_held *first_held;     /* calls that were left, in the order of reading */
    struct mwa_held *last_held;
    uint32_t window;
    uint32_t from; /* world rank */
    uint32_t references;
    bool is_post;
    bool is_awaited; /* the start or wait was read */
    bool is_joined;  /* the call that waits is known */
    uint64_t since;  /* of a complete: when the last operation was left */
};

/* Notices of which one side was read, the oldest first. */
struct mwa_notice_channel {
    struct mwa_notice *first;
    struct mwa_notice *last;
};

/* A place in a tree of epochs (exchange_epochs.c). */
struct mwa_epoch_links {
    struct mwa_lock_epoch *before;
    struct mwa_lock_epoch *behind;
    uint64_t first_enter; /* of the unlocks here and below */
    int height;
};

/* From a lock to its unlock. */
struct mwa_lock_epoch {
    struct mwa_exchange_call *lock; /* first: a pool's to write over */
    struct mwa_lock_epoch *next;    /* that the same call unlocks */
    struct mwa_exchange_call *unlock; /* null: not read so far */
    struct mwa_epoch_links links[2];  /* once that was left: by target, and of the window */
    uint64_t number;                  /* in the order of reading */
    uint32_t window;
    uint32_t rank;   /* world rank */
    uint32_t target; /* rank in the window, MWA_NONE: all */
    uint32_t references;
    bool exclusive;
    bool is_sure;     /* it has the lock: no later call waits for that */
    uint64_t sure_since; /* then: when the call was entered that needed it */
    uint64_t begin;   /* it may have had the lock from here on */
    uint64_t longest; /* wait of one call so far */
};

/* A call that is held back until it is known whether it waited. */
struct mwa_held {
    struct mwa_exchange_call *call; /* first: a pool's to write over */
    struct mwa_notice *notice;      /* for which; one of these three is not null */
    struct mwa_lock_epoch *epoch;   /* for a lock */
    struct mwa_member *member;      /* its part in a fence, or where a window is made or freed */
    uint32_t target; /* of epoch: the rank in the window that it is about, MWA_NONE: all */
    uint64_t number; /* in the order of reading */
    uint64_t place;  /* in its heap */
    struct mwa_held *next; /* of the same call; then of the same notice */
    struct mwa_held *previous;
};

/* Calls that are left; the one that was left first comes first. */
struct mwa_held_heap {
    struct mwa_held **items;
    uint64_t capacity;
    uint64_t count;
};

/* Epochs on a window that were unlocked, and that a call not looked at so far may have waited
 * for. */
struct mwa_lock_window {
    struct mwa_lock_epoch *closed[2]; /* shared and exclusive ones: the roots of their trees */
    uint64_t count;
    uint64_t enough; /* epochs for it to be worth looking for old ones */
};

/* A call's wait is divided among so many rivals at most; the first of these gets the rest. */
#define MWA_RIVALS_TOLD  64u
#define MWA_RIVALS_FOUND (4 * MWA_RIVALS_TOLD) /* shared and exclusive, on its target and on all */

struct mwa_exchange_onesided {
    struct mwa_pool notices;
    struct mwa_pool channels;
    struct mwa_pool epochs;
    struct mwa_pool held;
    struct mwa_map by_channel; /* to struct mwa_notice_channel */
    struct mwa_map accesses;   /* window, origin, target: to the post's struct mwa_notice */
    struct mwa_map locks;      /* the same to struct mwa_lock_epoch: those that are open */
    struct mwa_map closed;     /* window, exclusive, target: to the tree of those that are not */
    struct mwa_map operations; /* rank and id, to the struct mwa_lock_epoch */
    struct mwa_map targets;    /* the same to the target */
    struct mwa_lock_window *windows; /* per object of the trace, up to the last that was used */
    uint64_t window_capacity;
    struct mwa_held **being_made;    /* per location: of its current call */
    struct mwa_lock_epoch **being_closed; /* the same: that it unlocks */
    struct mwa_held_heap *for_rank; /* per rank: until its notices are known */
    struct mwa_held_heap for_all;   /* not for notices: until all have been read so far */
    uint64_t held_number;
    uint64_t epoch_number;
    uint64_t *known;            /* per location: it says nothing more of before */
    struct mwa_lineup by_known; /* by that */
    uint64_t pairs;             /* so far */
};

bool mwa_exchange_onesided_init(struct mwa_exchange *exchange);
void mwa_exchange_onesided_fini(struct mwa_exchange *exchange);

/* Takes an event in the order of its rank. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_exchange_onesided_take(struct mwa_exchange *exchange, uint32_t rank,
                                          const struct mwa_onesided_data *data,
                                          struct mwa_exchange_call *call) MW_MUST_CHECK;

/* The current call of location was left; location says no more of what was before time. */
enum mw_status mwa_exchange_onesided_left(struct mwa_exchange *exchange,
                                          uint32_t location) MW_MUST_CHECK;
enum mw_status mwa_exchange_onesided_advance(struct mwa_exchange *exchange, uint32_t location,
                                             uint64_t time) MW_MUST_CHECK;

/* All was read: lets go of all calls. */
enum mw_status mwa_exchange_onesided_finish(struct mwa_exchange *exchange) MW_MUST_CHECK;

/* --- between the files ------------------------------------------------------------------- */

/* Keeps call's end back for what held says (notice, epoch and target, or member). */
enum mw_status mwa_exchange_hold(struct mwa_exchange *exchange, struct mwa_exchange_call *call,
                                 const struct mwa_held *like) MW_MUST_CHECK;

/* Makes the instance like (kind, since, until) on window of the two calls. */
enum mw_status mwa_exchange_pair(struct mwa_exchange *exchange, const struct mwa_collective *like,
                                 uint32_t window, struct mwa_exchange_call *giver,
                                 struct mwa_exchange_call *waiter) MW_MUST_CHECK;

/* What a window, a rank on it and a target there are kept under. */
static inline struct mwa_key mwa_onesided_key(uint32_t window, uint32_t rank, uint32_t target)
{
    return (struct mwa_key){ (uint64_t)window << 32 | rank, target };
}

/* All locations, or those of rank, say nothing more of what was before. */
uint64_t mwa_exchange_known_to_all(const struct mwa_exchange *exchange);
uint64_t mwa_exchange_known_of(const struct mwa_exchange *exchange, uint32_t rank);

/* exchange_notices.c: the steps NOTICE, AWAIT, ACCESS; *is_mine: of an epoch that a start began. */
enum mw_status mwa_exchange_notices_give(struct mwa_exchange *exchange, uint32_t rank,
                                         const struct mwa_onesided_data *data,
                                         struct mwa_exchange_call *call) MW_MUST_CHECK;
enum mw_status mwa_exchange_notices_await(struct mwa_exchange *exchange, uint32_t rank,
                                          const struct mwa_onesided_data *data,
                                          struct mwa_exchange_call *call) MW_MUST_CHECK;

/* Both to each of data's group: Score-P has one event of each post, start, complete and wait. */
enum mw_status mwa_exchange_notices_group(struct mwa_exchange *exchange, uint32_t rank,
                                          const struct mwa_onesided_data *data,
                                          struct mwa_exchange_call *call) MW_MUST_CHECK;
enum mw_status mwa_exchange_notices_access(struct mwa_exchange *exchange, uint32_t rank,
                                           const struct mwa_onesided_data *data,
                                           struct mwa_exchange_call *call,
                                           bool *is_mine) MW_MUST_CHECK;

/* Whether it can be said if held's call waited for its notice; says it. */
bool mwa_exchange_notices_is_clear(const struct mwa_exchange *exchange,
                                   const struct mwa_held *held);
enum mw_status mwa_exchange_notices_settle(struct mwa_exchange *exchange,
                                           const struct mwa_held *held) MW_MUST_CHECK;
void mwa_exchange_notices_release(struct mwa_exchange *exchange, struct mwa_notice *notice);
void mwa_exchange_notices_finish(struct mwa_exchange *exchange);

/* All calls held for notice, which was given. */
enum mw_status mwa_exchange_settle_notice(struct mwa_exchange *exchange,
                                          struct mwa_notice *notice) MW_MUST_CHECK;

/* exchange_locks.c: the steps LOCK, UNLOCK, ACCESS, DONE, DONE_LOCALLY. */
enum mw_status mwa_exchange_locks_take(struct mwa_exchange *exchange, uint32_t rank,
                                       const struct mwa_onesided_data *data,
                                       struct mwa_exchange_call *call) MW_MUST_CHECK;
enum mw_status mwa_exchange_locks_settle(struct mwa_exchange *exchange,
                                         const struct mwa_held *held) MW_MUST_CHECK;
void mwa_exchange_locks_release(struct mwa_exchange *exchange, struct mwa_lock_epoch *epoch);
void mwa_exchange_locks_finish(struct mwa_exchange *exchange);

/* The current call of location was left: the epochs that it unlocked are closed. */
enum mw_status mwa_exchange_locks_left(struct mwa_exchange *exchange,
                                       uint32_t location) MW_MUST_CHECK;

/* exchange_epochs.c: epoch's unlock was left; the reference to it is the tree's now. */
enum mw_status mwa_exchange_epochs_add(struct mwa_exchange *exchange,
                                       struct mwa_lock_epoch *epoch) MW_MUST_CHECK;

/*
 * Tells in found the epochs that held's call waited for: at least the MWA_RIVALS_TOLD that were
 * left last, in no order. Returns how many.
 */
uint32_t mwa_exchange_epochs_find(const struct mwa_exchange *exchange,
                                  const struct mwa_held *held,
                                  const struct mwa_lock_epoch *found[MWA_RIVALS_FOUND]);

/* Whether one was left after other; of those left at once the lower rank's is the later. */
bool mwa_exchange_epochs_is_later(const struct mwa_lock_epoch *one,
                                  const struct mwa_lock_epoch *other);

#endif
