#ifndef MWA_ANALYSIS_HANG_HANG_STATE_H
#define MWA_ANALYSIS_HANG_HANG_STATE_H

#include "analyzer/analysis/analysis.h"
#include "analyzer/model/hint.h"

/*
 * What each rank was at when its record ended, of archives that are not complete: the call that its
 * main thread never left, requests, how many collectives it has made, and which messages were sent
 * and not received. Of complete archives nothing but that is kept.
 */

enum mwa_hang_where {
    MWA_HANG_UNKNOWN, /* no record of it, or one with gaps */
    MWA_HANG_OUTSIDE, /* it is in no call of MPI: it computes, was about to call, aborts or fails */
    MWA_HANG_INSIDE,
    MWA_HANG_FINISHED /* it has left MPI_Finalize */
};

struct mwa_hang_rank {
    uint32_t rank;
    enum mwa_hang_where where;
    uint32_t site;  /* of the call that it is inside of, or has left last; MWA_NONE: none */
    uint64_t since; /* it was entered, or that was left; ticks */
    bool aborts;    /* that call is MPI_Abort, which waits for nobody: it is outside */
    bool fails;     /* an MPI error ended the rank when its main thread was in it, likewise */
    bool has_hint;  /* it is told what it waits for */
    bool has_threads; /* other threads of it call MPI, too */
    bool has_pauses; /* some of its calls may not be recorded */
    bool has_splits; /* it made fewer communicators than it took part in making */
    bool makes_comm; /* the call that it is inside of has made one */
    bool starts_together; /* it started persistent collective operations */
    bool has_failures; /* it took part in a collective operation that failed, and is not counted */
    bool is_counted; /* the collective operation is that the call is which it is inside of */
    struct mwa_hint hint;
};

/* A request; it counts if it was begun and has not ended. */
struct mwa_hang_request {
    uint32_t rank;
    uint64_t id;   /* the archive's */
    uint32_t site; /* where it was begun, MWA_NONE: not known */
    enum mwa_event_kind kind; /* MWA_ISEND, MWA_IRECV_POST, MWA_COLLECTIVE_POST */
    bool is_begun;
    bool is_ended;
    bool is_started; /* by MPI_Start, of a persistent collective operation */
    bool is_told; /* comm, peer and tag are known */
    bool is_awaited; /* by the call that the rank is inside of */
    uint64_t begun;  /* ticks */
    uint64_t number; /* of a collective operation: which one it is of the rank's on comm, from 1 on;
                        0: not known */
    uint32_t comm;
    int32_t peer; /* in comm; below 0: any */
    int32_t tag;
    bool has_root; /* of a collective operation: root, a rank in comm, with which the rank
                      exchanges data */
    int32_t root;
    uint64_t bytes;
};

static inline bool mwa_hang_is_there(const struct mwa_hang_request *request)
{
    return request->is_begun && !request->is_ended;
}

/* Messages between world ranks on a communicator that were sent, less those received. */
struct mwa_hang_message {
    uint32_t from;
    uint32_t to;
    uint32_t comm;
    uint32_t tag;
    int64_t count;
};

/* What ranks do together, in one order on each communicator or window. */
enum mwa_hang_together {
    MWA_HANG_COLLECTIVES, /* on a communicator */
    MWA_HANG_COMMS,       /* made of it */
    MWA_HANG_WINDOWS,     /* made of it */
    MWA_HANG_FENCES       /* on a window, or its end */
};

struct mwa_hang_states {
    struct mwa_hang_rank *ranks;
    uint64_t rank_count;
    struct mwa_hang_request *requests;
    uint64_t request_count;
    struct mwa_hang_message *messages;
    uint64_t message_count;
    struct mwa_map together; /* see mwa_hang_count */
    struct mwa_map onesided; /* see mwa_hang_steps */
};

/* What a rank does on a window towards another one. */
enum mwa_hang_step {
    MWA_HANG_POSTS,     /* it lets that one access its memory */
    MWA_HANG_STARTS,    /* it begins to access */
    MWA_HANG_COMPLETES, /* it ends that */
    MWA_HANG_LOCKS,     /* exclusively; what is unlocked again does not count */
    MWA_HANG_SHARES     /* the same with a shared lock; towards MWA_NONE: of all at once */
};

extern const struct mwa_analysis mwa_hang_states_analysis; /* into struct mwa_hang_states */

void mwa_hang_states_fini(struct mwa_hang_states *states);

/*
 * For records that are followed while they grow: makes an empty partial result of that analysis one
 * that takes the events of all locations, each location's in their order. A request has its number
 * for itself, and what a receive is for, or a collective, its beginning tells by a hint.
 */
void mwa_hang_states_share(void *partial);

struct mwa_hang_awaited {
    const uint64_t *ids; /* of requests */
    uint32_t count;
};

/*
 * All that such a partial result will take has been taken: says of the requests that have not ended
 * that they are pending. awaited, by rank: those that the rank's open call waits for.
 *
 * \return MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_hang_states_await(void *partial,
                                     const struct mwa_hang_awaited *awaited) MW_MUST_CHECK;

/* How often the rank has done that on index, a communicator or a window; the open one aside. */
uint64_t mwa_hang_count(const struct mwa_hang_states *states, uint32_t rank,
                        enum mwa_hang_together what, uint32_t index);

/* How often the rank has done that towards the other, both of the world; the open call aside. */
uint64_t mwa_hang_steps(const struct mwa_hang_states *states, enum mwa_hang_step step,
                        uint32_t window, uint32_t rank, uint32_t other);

#endif
