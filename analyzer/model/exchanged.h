#ifndef MWA_MODEL_EXCHANGED_H
#define MWA_MODEL_EXCHANGED_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/model/call_use.h"
#include "analyzer/model/region_path.h"
#include "analyzer/model/trace.h"

/*
 * Who exchanged what with whom, and in which calls: what analyzer/exchange/exchange.h hands to
 * its listeners. All times are ticks, corrected for the clocks' offsets; ranks are world ranks.
 *
 * note belongs to the listeners: the one at position i of the engine's list may keep a word
 * in note[i] as long as the object lives; it is 0 at first.
 */

struct mwa_message;
struct mwa_member;

/* An outermost MPI call of a location, or what stands for one (region null) where a message's
 * event lies outside of all calls. */
struct mwa_exchange_call {
    const struct mwa_region *region; /* null: no call was being made */
    const struct mwa_region_path *within; /* the program's that make it; null: none, or not told */
    uint32_t site;                   /* index, MWA_NONE without a region */
    uint32_t entered_at;             /* the same of a row's first call */
    uint32_t location;
    uint32_t rank;
    bool is_row;             /* of calls that poll (mw_call_polls), one after the other, until the
                                last has found something: its region and site, the first's enter */
    bool asks_anybody;       /* it is a probe that found something, or a receive, or posts one,
                                with MPI_ANY_SOURCE */
    bool open;               /* never left: leave is the last time seen of it */
    bool unresolved;         /* something that it waited for is not in the archive */
    bool opens_chapter;      /* of a run that is followed in chapters (analyzer/load/chapters.h):
                                with it the location's chapter begins, and the one before ended */
    bool closes_chapter;     /* with it the location's chapter ends, and the next one begins */
    bool is_rooted;          /* a blocking operation of several ranks with a root that gives to all,
                                or gets of all (mwa_has_root), by a main thread */
    bool lets_go_late;       /* a send of it that its MPI keeps may be let go only when the receiver
                                is in MPI (MWA_KEPT_BYTES) */
    uint64_t enter;
    uint64_t leave;
    uint64_t outside_since;  /* when its location left the call before by which MPIs may move
                                messages (mw_call_moves_messages), of others than it alone; 0: there
                                was none */
    struct mwa_exchange_call *longer; /* the last such before it of those before which its location
                                was outside for more than a quarter longer, and for longer than for
                                others in between; null: there was none */
    uint64_t row;            /* number: operations with a root (is_rooted) have the same, of one
                                location, if it makes no other call in between by which messages can
                                move */
    uint64_t meetings;       /* of all ranks that its location, a main thread, had left before */
    enum mwa_use use;        /* of a row that of its last call of which one is told;
                                MWA_USE_UNTOLD also of messages alone */
    uint32_t receive_count;  /* messages whose receiving it completes, also unmatched ones */
    uint32_t send_count;     /* sends that it completes, also unmatched ones */
    struct mwa_message *begun;    /* sends that begin here, by next_begun, the latest first */
    struct mwa_message *received; /* at end: matched ones that it receives, by next_received, those
                                     whose sends were entered last first, then by number */
    struct mwa_message *found; /* at end: what it found as a blocking probe, and another call
                                  receives; null: it is none, or that was not told */
    struct mwa_message *completed; /* sends that it completes, by next_completed */
    struct mwa_member *joined;    /* collectives that it begins, by next_joined, in no order */
    struct mwa_member *finished;  /* at end: collectives that it completes, by next_finished, in an
                                     order of their own */
    uint64_t outside; /* of a row: ticks between its calls, outside of MPI */
    uint64_t *note;

    struct mwa_exchange_call *next; /* from here on: the engine's own */
    struct mwa_exchange_call *next_finder;
    struct mwa_exchange_call *post; /* of a complete: that it waited for, entered last; held */
    struct mwa_message *posted; /* messages that wait for its begin, by next_posted */
    uint32_t references;
    uint32_t leading;   /* calls whose longer it is, and places whose latest */
    uint32_t unordered; /* events that are not yet in the rank's order */
    uint32_t undecided; /* what keeps its end from being told, those included */
    bool is_alone; /* a collective operation of which its rank is the only member */
    bool is_of_all; /* one in which all ranks meet */
    bool is_left;
    bool has_begun;
    bool has_ended;
};

#define MWA_MESSAGE_RANK_BITS 40u

/*
 * A message. For a blocking send or receive all calls of that side are the same one. A
 * request that is never completed, or that is freed, has null as its completing call.
 * Whether a receive was posted with a wildcard is in the event (event.h), not here.
 */
struct mwa_message {
    uint64_t bytes;  /* as sent; UINT64_MAX: not known */
    uint64_t number; /* sender's world rank << MWA_MESSAGE_RANK_BITS | which of its sends: unique */
    uint32_t comm;   /* index */
    uint32_t tag;
    struct mwa_exchange_call *send;             /* its enter is when the send was initiated */
    struct mwa_exchange_call *send_completion;  /* Wait, Waitall, Test …, may be null */
    struct mwa_exchange_call *receive;          /* posted it: Recv, Irecv, Start …; the completion
                                                   where the post is not recorded */
    struct mwa_exchange_call *receive_completion;
    uint64_t sent_at;   /* time of MpiSend, MpiIsend */
    uint64_t posted_at; /* time of MpiIrecvRequest, the enter of a blocking receive's call */
    uint64_t received_at; /* time of MpiRecv, MpiIrecv; of one that is incomplete 0 */
    bool violates;      /* received before it was sent: clocks disagree */
    struct mwa_message *next_begun;
    struct mwa_message *next_received;
    struct mwa_message *next_completed;
    uint64_t *note;

    uint32_t references; /* from here on: the engine's own */
    struct mwa_message *next_posted; /* of those that another thread than receive's has completed
                                        before the begin of that was told */
    struct mwa_exchange_call *finders; /* probes whose end waits for the begin of send, by
                                          next_finder */
    bool is_matched;
    bool is_cancelled;
    bool is_told;
};

enum mwa_group_kind {
    MWA_GROUP_COLLECTIVE, /* a collective operation on a communicator */
    MWA_GROUP_NEIGHBOR,   /* the same on a neighbourhood */
    MWA_GROUP_INIT,       /* MPI_Init of all ranks; comm is MWA_NONE */
    MWA_GROUP_FINALIZE,   /* MPI_Finalize */
    MWA_GROUP_COMM_CREATE, /* a call that creates communicators; comm: the first one created */
    MWA_GROUP_WINDOW,     /* fence, window made or freed; comm is the window's */
    MWA_GROUP_POST,       /* pairs; comm is the window's. First who posts, then who accesses: the
                             call in which it had to wait if the post was late */
    MWA_GROUP_COMPLETE,   /* first who completes its access, then who waits for that */
    MWA_GROUP_LOCK        /* first who unlocks, then who waited for that lock */
};

struct mwa_collective;

/* Whom a member gets something from: positions in members of its collective, rising. */
struct mwa_sources {
    uint32_t count;
    uint32_t positions[];
};

/* One rank's part in a collective. */
struct mwa_member {
    struct mwa_collective *collective;
    uint32_t rank;                    /* world rank; MWA_NONE: it is not in the archive */
    struct mwa_exchange_call *begin;  /* null: it did not take part. E is its enter */
    struct mwa_exchange_call *end;    /* the same call, or that which completes a non-blocking
                                         one. L is its leave */
    uint64_t bytes_sent;              /* by formats/ARCHIVE.md, section 6 */
    uint64_t bytes_received;
    const struct mwa_sources *sources; /* null: not told, which on neighbourhoods means that
                                          nothing is known, else that all give something */
    struct mwa_member *next_joined;
    struct mwa_member *next_finished;
    uint64_t *note;
    bool waits; /* the engine's own: its end is held back */
    uint32_t served;                 /* so many of its sources have begun, in their order */
    struct mwa_member *watchers;     /* members whose next source this is, by next_watcher */
    struct mwa_member *next_watcher;
};

/* One instance of a collective: all calls that belong together. On an intercommunicator root is
 * the process that says MPI_ROOT. */
struct mwa_collective {
    enum mwa_group_kind kind;
    uint32_t comm;      /* index, MWA_NONE: none */
    uint32_t operation; /* OTF2_CollectiveOp */
    uint32_t root;      /* position in members, MWA_NONE: none */
    uint64_t sequence;  /* among those of this kind, communicator and blocking or not, from 0 */
    bool nonblocking;
    bool inter;         /* on an intercommunicator: group A's members, then group B's */
    bool complete;      /* every member is there */
    uint32_t count;     /* of members, at least 2 */
    uint32_t first_count; /* on an intercommunicator: members of group A; else 0 */
    uint32_t present;   /* members that took part */
    struct mwa_member *members; /* by rank in the communicator; INIT, FINALIZE by world rank;
                                   COMM_CREATE in no order, the first present ones */
    uint64_t since;     /* LOCK: from here on the second waited for the first; COMPLETE: when the
                           first had left its last operation on the second; WINDOW: the first
                           leave of a member; else 0 */
    uint64_t until;     /* LOCK: to here; WINDOW: the last enter, of those that are told; else 0 */
    uint32_t begun;     /* the engine's own: members whose begin was told */
    uint32_t first_begun; /* those of group A of them */
    uint32_t ended;     /* members whose end was told */
    bool is_given_up;
    struct mwa_key key;
    struct mwa_collective *next; /* younger */
    struct mwa_collective *previous;
};

#endif
