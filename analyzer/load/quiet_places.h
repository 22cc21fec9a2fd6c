#ifndef MWA_LOAD_QUIET_PLACES_H
#define MWA_LOAD_QUIET_PLACES_H

#include "analyzer/load/open_calls.h"
#include "analyzer/load/positions.h"
#include "analyzer/load/quiet_windows.h"

/*
 * Places of all locations together between which nothing is under way: what was sent before them
 * was received before them, collectives that one has taken part in have all their members, no
 * request is open, no communicator is half made, and on windows nobody accesses what a start has
 * opened, and has not waited for all who did. Who follows messages and collectives from there on
 * finds what those find who have followed them from the beginning. They stand before the outermost
 * calls of collectives on communicators of all ranks.
 *
 * Locks of windows are held by nobody, and all were unlocked when anybody asks for another: the
 * collective is one in which all meet. Where no lock of the run is exclusive nobody waits for one,
 * and it does not matter which are held.
 */

/* One of a location. */
struct mwa_quiet_place {
    uint64_t events; /* of OTF2 before it */
    uint64_t time;   /* ticks: the call is entered, which is the event behind it */
};

/* What all locations that one thread reads have in common. Zeros, then mwa_quiet_common_init. */
struct mwa_quiet_common {
    const struct mwa_trace *trace;
    struct mwa_positions positions;
    struct mwa_map creations; /* to how many members make the communicators of one call */
    struct mwa_map creators;  /* to the communicator whose first member stands for them */
};

/* False without memory; mwa_quiet_common_fini is due in any case, before trace is freed. */
bool mwa_quiet_common_init(struct mwa_quiet_common *common,
                           const struct mwa_trace *trace) MW_MUST_CHECK;
void mwa_quiet_common_fini(struct mwa_quiet_common *common);

/* A place that may be quiet, as far as its location knows. */
struct mwa_quiet_try {
    struct mwa_quiet_place place;
    uint64_t balance; /* of all locations together 0: nothing is under way */
    uint64_t number;  /* of the collective, among the blocking ones on comm */
    uint64_t met;     /* ticks: all it does is meet all others, and it had by then; 0: it does more,
                         or less */
    uint32_t comm;    /* index */
    bool has_locks;   /* on windows, or what was begun under them is not done */
};

/* Those of a location, in their order. */
struct mwa_quiet_tries {
    struct mwa_quiet_try *list;
    uint64_t count, capacity;
    bool has_calls; /* of MPI, or events of messages and collectives, and is of a rank */
    bool has_exclusive; /* it has locked a window exclusively */
};

/* A location whose events are read. Zeros, with common, location (an index), most and tries. */
struct mwa_quiet_walk {
    struct mwa_quiet_common *common;
    uint32_t location;
    uint64_t most; /* places that are kept, 2 or more */
    struct mwa_quiet_tries *tries;
    struct mwa_map requests; /* open ones, to how they end */
    struct mwa_map numbers;  /* of instances, by what tells their kinds apart */
    struct mwa_quiet_windows windows;
    uint64_t balance;
    uint64_t stride; /* every so many collectives one is kept */
    uint32_t outermost; /* how many calls are open around the outermost one of MPI … */
    bool is_in_mpi;     /* … if there is one */
    bool is_paused;
    bool is_spoiled;    /* what is under way can't be told from here on */
    bool has_onesided;  /* in that call, on windows */
    bool may_be_quiet;  /* where that call was entered: */
    struct mwa_quiet_try here;
};

/*
 * Takes the location's next event, which is in the OTF2 event behind so many; open: what is open
 * before it. False without memory.
 */
bool mwa_quiet_walk_take(struct mwa_quiet_walk *walk, const struct mwa_event *event,
                         const struct mwa_open_calls *open, uint64_t events) MW_MUST_CHECK;
void mwa_quiet_walk_fini(struct mwa_quiet_walk *walk);

/*
 * Leaves of each location's list those places that are quiet in all locations together: of all that
 * have calls the same number, in the same order. tries has one for each location of trace. False
 * without memory.
 */
bool mwa_quiet_tries_agree(struct mwa_quiet_tries *tries,
                           const struct mwa_trace *trace) MW_MUST_CHECK;

#endif
