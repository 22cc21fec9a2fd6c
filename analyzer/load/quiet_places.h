#ifndef MWA_LOAD_QUIET_PLACES_H
#define MWA_LOAD_QUIET_PLACES_H

#include "analyzer/load/open_calls.h"
#include "analyzer/load/quiet_creations.h"
#include "analyzer/load/quiet_rests.h"
#include "analyzer/load/quiet_tries.h"
#include "analyzer/load/quiet_windows.h"

/*
 * Places of all locations together between which nothing is under way: what was sent before them
 * was received before them, collectives that one has taken part in have all their members, none is
 * begun that has to be waited for, no communicator is half made, and on windows nobody accesses
 * what a start has opened, and has not waited for all who did. Who follows messages and collectives
 * from there on, and knows which requests of messages are open (quiet_requests.h), finds what those
 * find who have followed them from the beginning. They stand before the outermost calls of
 * collectives on communicators of all ranks, by main threads. Of other threads that call MPI they
 * stand before the outermost call that is open when the main thread enters its own, or the next
 * one, if behind them nothing is sent, no operation of several ranks is taken part in, and nobody
 * given notice in a call that is entered before all main threads have entered theirs, nor, by
 * clocks that disagree, anything received before that: so who received what in the wrong order is
 * told by each side for itself, and nobody has waited for anything behind the place before all had
 * met. No receive is open there that was posted before the place on a channel of several threads
 * (quiet_channels.h). No send that ends is open there of a message that MPIs keep nowhere, or of
 * another thread than the main one: who has received it may have waited for a call before the
 * place, to which the one leads that completes it (mwa_awaited_progress).
 *
 * Locks of windows are held by nobody, and all were unlocked when anybody asks for another: the
 * collective is one in which all meet. Where no lock of the run is exclusive nobody waits for one,
 * and it does not matter which are held.
 */

/*
 * Where there are no such places, or few at which a run can be cut, there may be lulls: nothing is
 * under way either, and no request is open, or few receives are, or sends that never end, but ranks
 * need not meet (quiet_rests.h). Nobody is in a call there that sends and blocks, if receives are.
 * Ranks whose threads call MPI have none. If any lock of the run is exclusive none is held there,
 * and all have left their calls before any enters the next one.
 */

/* A location whose events are read. Zeros, with common, location (an index), tries, rests, which
 * were initialized, and main. */
struct mwa_quiet_walk {
    struct mwa_quiet_common *common;
    uint32_t location;
    struct mwa_quiet_tries *tries;
    struct mwa_quiet_rests rests;       /* places that may be lulls */
    const struct mwa_quiet_tries *main; /* of the rank's main thread, which was read before; null:
                                           it is this one, or there is none */
    uint64_t next;                      /* of its places that this thread has not come to */
    struct mwa_quiet_requests requests;
    struct mwa_map numbers;  /* of instances, by what tells their kinds apart */
    struct mwa_quiet_windows windows;
    uint64_t balance;
    uint32_t outermost; /* how many calls are open around the outermost one of MPI … */
    bool is_in_mpi;     /* … if there is one */
    bool is_paused;
    bool is_spoiled;    /* what is under way can't be told from here on */
    bool has_onesided;  /* in that call, on windows */
    bool has_got;       /* in it: a message was found, or what is followed happened */
    bool may_be_quiet;  /* where that call was entered: */
    uint64_t rooted_at; /* of a place here */
    bool is_alone;      /* that call is a collective operation of its rank alone */
    uint64_t last;      /* ticks: the end of a call before, or what is followed */
    struct mwa_quiet_try here;
};

/*
 * Takes the location's next event, which is in the OTF2 event behind so many; open: what is open
 * before it. False without memory.
 */
bool mwa_quiet_walk_take(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                         const struct mwa_open_calls *open, uint64_t events) MW_MUST_CHECK;

/* Its events, of which there are so many of OTF2, have ended at last (ticks); open: what is then.
 * False without memory. */
bool mwa_quiet_walk_end(struct mwa_quiet_walk *walk, const struct mwa_open_calls *open,
                        uint64_t events, uint64_t last) MW_MUST_CHECK;
void mwa_quiet_walk_fini(struct mwa_quiet_walk *walk);

#endif
