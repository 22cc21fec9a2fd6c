#ifndef MWA_LOAD_QUIET_TRIES_H
#define MWA_LOAD_QUIET_TRIES_H

#include "analyzer/load/quiet_channels.h"
#include "analyzer/load/quiet_requests.h"
#include "analyzer/model/trace.h"

/* Places that may be quiet (quiet_places.h), as far as their location knows, and what all locations
 * together make of them. */

/* One of a location. */
struct mwa_quiet_place {
    uint64_t events;  /* of OTF2 before it */
    uint64_t time;    /* ticks: the call is entered, which is the event behind it */
    uint64_t resting; /* requests of messages that are open there and never end */
    uint64_t left;    /* of a lull, ticks: when the call before it was in which messages can move */
};

/* A place that may be quiet, as far as its location knows. */
struct mwa_quiet_try {
    struct mwa_quiet_place place;
    uint64_t balance; /* of all locations together 0: nothing is under way but requests */
    uint64_t number;  /* of the collective, among the blocking ones on comm */
    uint64_t met;     /* ticks: all it does is meet all others, and it had by then; 0: it does more,
                         or less; of a lull: when the call before it was left */
    uint64_t acts_at; /* ticks: another thread than the main one does next what others may wait for
                         in a call that is entered then, or has received something then; UINT64_MAX:
                         it is the main one, or does nothing more */
    uint64_t rooted_at; /* ticks: the call before, of those by which messages can move, was entered,
                           a blocking operation with a root; 0: it was another */
    uint64_t gives_at; /* ticks: of a lull: one is entered next in which it may be seen to wait for
                          others to come to MPI; UINT64_MAX: there is none more */
    uint64_t receives_on; /* channel on which another thread than the main one receives in the call
                             that is open when that comes to the place; 0: on none */
    uint32_t comm;    /* index */
    bool is_inside;   /* that call is entered before then */
    bool has_locks;   /* on windows, or what was begun under them is not done */
    bool is_held;     /* a send is open whose receiver may have waited for a call before the place,
                         to which the one leads that completes it */
    bool receives;    /* of a lull: a receive is open there that gets something */
    bool sends;       /* of a lull: it is in the call then, which sends until that is complete */
};

/* Those of a location, in their order. Zeros, then most. */
struct mwa_quiet_tries {
    uint64_t most; /* that are kept, 2 or more */
    struct mwa_quiet_try *list;
    uint64_t count, capacity;
    struct mwa_carried_request *carried; /* that have ended behind one of them and begun before;
                                            in the end by what begins them */
    uint64_t carried_count, carried_capacity;
    struct mwa_quiet_channels channels; /* where the rank has several threads */
    uint64_t stride; /* of the collectives on a communicator every so many are kept; 0: all */
    bool has_calls;  /* of MPI, or events of messages and collectives, and is of a rank */
    bool has_others; /* it has ended requests that it has not begun */
    bool has_exclusive; /* it has locked a window exclusively */
};

/* Adds one behind all others, if its number is one to keep. False without memory. Of another thread
 * than the main one several may be at the same place. */
bool mwa_quiet_tries_add(struct mwa_quiet_tries *tries,
                         const struct mwa_quiet_try *one) MW_MUST_CHECK;

/* A request has ended: keeps it if it was open at one of the places. False without memory. */
bool mwa_quiet_tries_carry(struct mwa_quiet_tries *tries,
                           const struct mwa_carried_request *ended) MW_MUST_CHECK;

/* What gives_at is of is entered at time, behind all places that there are. */
void mwa_quiet_tries_give(struct mwa_quiet_tries *tries, uint64_t time);

/* Takes out all places behind more than so many events: what was begun there never was. */
void mwa_quiet_tries_take_back(struct mwa_quiet_tries *tries, uint64_t events);

/*
 * The location has ended with these open. Takes out places at which more than
 * MWA_QUIET_CARRIED_MOST are open that end. False without memory.
 */
#define MWA_QUIET_CARRIED_MOST 256u
bool mwa_quiet_tries_end(struct mwa_quiet_tries *tries,
                         const struct mwa_quiet_requests *open) MW_MUST_CHECK;

/*
 * Leaves of each location's list those places that are quiet in all locations together: of all that
 * have calls the same number, in the same order. tries has one for each location of trace. False
 * without memory.
 */
bool mwa_quiet_tries_agree(struct mwa_quiet_tries *tries,
                           const struct mwa_trace *trace) MW_MUST_CHECK;

void mwa_quiet_tries_fini(struct mwa_quiet_tries *tries);

#endif
