#ifndef MWA_VIEW_VIEW_STORE_H
#define MWA_VIEW_VIEW_STORE_H

#include <stdbool.h>

#include "analyzer/analysis/comms/call_facts.h"
#include "analyzer/analysis/other_locations.h"
#include "analyzer/analysis/time/location_activity.h"
#include "analyzer/analysis/time/rank_states.h"
#include "analyzer/view/view_array.h"
#include "analyzer/view/view_lanes.h"
#include "analyzer/view/view_series.h"

/*
 * All calls, messages, waits and collectives of an archive, so that those of any moment are found
 * in some microseconds. Everything has a number, its position; MWA_NONE is none. Times are ticks.
 *
 * Calls of one location stand in the order in which they were entered, in chunks of
 * MWA_VIEW_CHUNK, and 64 of them are a block, of which it is known what was done until then.
 */

#define MWA_VIEW_CHUNK 1024u
#define MWA_VIEW_BLOCK 64u

/* A call of MPI or a region of the program. */
struct mwa_view_call {
    uint64_t enter;
    uint64_t leave;   /* UINT64_MAX: not yet */
    uint32_t region;  /* index */
    uint32_t site;    /* index, or MWA_NONE */
    uint32_t parent;  /* call around it */
    uint32_t facts;
    uint32_t ends;    /* first of the messages that it has to do with: mwa_view_end */
    uint32_t waits;   /* first of those in it */
    uint32_t members; /* first of the collectives that it has to do with: number << 1 | is end */
    uint32_t polls;   /* what it is known to be of several; MWA_NONE: it is one */
    uint32_t actions; /* last of those on windows and files (view_actions.h) */
    uint16_t depth;   /* of calls around it, at most UINT16_MAX */
    bool is_outermost : 1; /* of MPI */
    bool finds_alone : 1;  /* a probe: what it found is received by nobody, as far as is recorded */
    uint8_t use : 3;       /* enum mwa_use: mwa_view_state_of */
    bool is_open;     /* the record ends inside it */
};

/* Calls that are told as one. */
struct mwa_view_polls {
    uint64_t repeat;
    uint64_t inside; /* ticks inside these calls */
};

/* What a message's calls have to do with it; a call that is several of these is the first one. */
enum mwa_view_role {
    MWA_VIEW_SENDS,
    MWA_VIEW_RECEIVES,      /* completes the receive */
    MWA_VIEW_COMPLETES_SEND,
    MWA_VIEW_POSTS_RECEIVE,
    MWA_VIEW_FINDS,         /* as a probe that blocks; the first one that does */
    MWA_VIEW_ROLES
};

struct mwa_view_message {
    uint64_t number; /* of the engine's: struct mwa_message */
    uint64_t sent;
    uint64_t posted;
    uint64_t bytes;  /* UINT64_MAX: not known */
    uint32_t calls[MWA_VIEW_ROLES];
    uint32_t next[MWA_VIEW_ROLES]; /* of that call's */
    uint32_t comm;   /* index */
    uint32_t tag;
};

/* A wait that counts. */
struct mwa_view_wait {
    uint64_t from;
    uint64_t to;
    uint64_t message; /* whose other end was late, the engine's number; UINT64_MAX: none's */
    uint32_t call;
    uint32_t next;    /* in the same call */
    uint32_t pattern; /* enum mwa_wait_pattern */
    uint32_t cause;   /* world rank, or MWA_NONE: nobody in particular */
    uint32_t comm;    /* index, or MWA_NONE */
    uint32_t padding;
};

struct mwa_view_collective {
    uint32_t comm;   /* index, or MWA_NONE */
    uint32_t first;  /* member */
    uint32_t count;
    uint32_t root;   /* world rank, or MWA_NONE */
    uint32_t kind;   /* enum mwa_group_kind */
    uint32_t padding;
    uint64_t bytes_sent; /* of all members */
    uint64_t bytes_received;
};

struct mwa_view_member {
    uint32_t collective;
    uint32_t rank;   /* world */
    uint32_t begin;  /* calls, or MWA_NONE */
    uint32_t end;
    uint32_t next[2]; /* of the call that begins it, and of that which ends it */
};

/* What a call does with a window or a file. */
struct mwa_view_action {
    uint64_t bytes_sent; /* written; UINT64_MAX: not known */
    uint64_t bytes_received;
    uint64_t offset;     /* in the file, bytes; UINT64_MAX: not known, or a window's */
    uint32_t next;       /* the one before it in the same call */
    uint32_t object;     /* index among the trace's; MWA_NONE: not told */
    uint32_t target;     /* rank in the window's communicator; MWA_NONE: all, or none */
    uint32_t target_rank; /* in the world; MWA_NONE likewise, or not known */
    uint8_t step;        /* enum mwa_onesided_step */
    bool is_file;
};

/* What a rank had done when the first call of a block was entered: sums since its first event. */
struct mwa_view_block {
    uint64_t ticks[MWA_RANK_STATES]; /* in calls of MPI; useful: between polls that are one call */
    uint64_t covered;  /* by calls of MPI, within the run */
    uint32_t covering; /* call of MPI that is open then, or MWA_NONE */
    uint32_t padding;
};

/* A stretch of one state, of a location that is no main thread (view_threads.h). */
struct mwa_view_stretch {
    uint64_t from;
    uint64_t to;
    uint64_t ticks; /* spread evenly */
    uint64_t state; /* of location_activity.h; idle of a main thread: it is recorded */
};

/* What such a location had done when the first stretch of a block began. */
struct mwa_view_sums {
    uint64_t ticks[MWA_LOCATION_STATES];
};

/* A stretch in which nothing was recorded. */
struct mwa_view_pause {
    uint64_t from;
    uint64_t to;
};

struct mwa_view_location {
    uint32_t *chunks;
    uint64_t chunk_count, chunk_capacity;
    uint64_t call_count;
    uint64_t first; /* ticks: of its events; first > last: it has none */
    uint64_t last;
    uint64_t run_from; /* the rank's run, as struct mwa_timeline has it */
    uint64_t run_to;
    struct mwa_view_pause *pauses;
    uint64_t pause_count, pause_capacity;
    uint32_t *stretch_chunks; /* of stretches, as chunks is of calls */
    uint64_t stretch_chunk_count, stretch_chunk_capacity;
    uint64_t stretch_count;
    uint64_t off_first;   /* of the stretches in lanes.off_core */
    uint64_t off_count;
    bool tells_idle; /* of location_activity.h */
};

struct mwa_view_preview;

struct mwa_view_store {
    struct mwa_view_preview *preview; /* is told of what is read; may be null */
    const struct mwa_trace *trace;
    struct mwa_view_location *locations; /* as the trace has them */
    uint32_t *chunk_locations;           /* whose a chunk is */
    uint64_t chunk_location_capacity;
    struct mwa_other_locations others;
    uint32_t *rows;                      /* locations: ranks' main threads by rank, then others */
    uint32_t row_count;
    uint32_t main_count;                 /* how many of these are main threads */
    struct mwa_view_array calls, blocks, facts, polls, messages, waits, collectives, members,
        stretches, sums, actions;
    struct mwa_view_series_list series;
    struct mwa_view_lanes lanes;
    uint64_t from; /* ticks: the first event of all, the last one */
    uint64_t to;
};

/* Its arrays and what is in them. */
#define MWA_VIEW_ARRAYS(OF)                                                                        \
    OF(calls, struct mwa_view_call)                                                                \
    OF(blocks, struct mwa_view_block)                                                              \
    OF(facts, struct mwa_call_facts)                                                               \
    OF(polls, struct mwa_view_polls)                                                               \
    OF(messages, struct mwa_view_message)                                                          \
    OF(waits, struct mwa_view_wait)                                                                \
    OF(collectives, struct mwa_view_collective)                                                    \
    OF(members, struct mwa_view_member)                                                            \
    OF(stretches, struct mwa_view_stretch)                                                         \
    OF(sums, struct mwa_view_sums)                                                                 \
    OF(series.list, struct mwa_view_series)                                                        \
    OF(series.steps, struct mwa_view_step)                                                         \
    OF(series.points, struct mwa_view_point)                                                       \
    OF(series.nodes, struct mwa_view_node)                                                         \
    OF(lanes.lives, struct mwa_view_life)                                                          \
    OF(lanes.marks, struct mwa_view_mark)                                                          \
    OF(lanes.texts, char)                                                                          \
    OF(lanes.off_core, struct mwa_view_off_stretch)                                                \
    OF(lanes.sums, struct mwa_view_sum)                                                            \
    OF(actions, struct mwa_view_action)

/* Makes the lists of locations and rows; arrays have their items' sizes, and nothing else. \return
 * MW_OK; MW_ERROR_MEMORY. To be freed in any case. */
enum mw_status mwa_view_store_begin(struct mwa_view_store *store, const struct mwa_trace *trace,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The same, ready to be added to. \return the same, and as mwa_view_array_init. */
enum mw_status mwa_view_store_init(struct mwa_view_store *store, const struct mwa_trace *trace,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_view_store_fini(struct mwa_view_store *store);

/* Appends a call to location's: *call is its number, all of it zeros. */
enum mw_status mwa_view_store_add_call(struct mwa_view_store *store, uint32_t location,
                                       uint32_t *call,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

static inline struct mwa_view_call *mwa_view_call_at(const struct mwa_view_store *store,
                                                     uint32_t call)
{
    return mwa_view_array_at(&store->calls, call);
}

/* The state of a call of MPI. */
static inline enum mwa_state mwa_view_state_of(const struct mwa_view_store *store,
                                               const struct mwa_view_call *call)
{
    return mwa_state_of(&store->trace->regions[call->region], (enum mwa_use)call->use);
}

/* Of the calls of a location the one that was entered as number n, below its call_count. */
static inline uint32_t mwa_view_nth(const struct mwa_view_location *location, uint64_t n)
{
    return location->chunks[n / MWA_VIEW_CHUNK] * MWA_VIEW_CHUNK + (uint32_t)(n % MWA_VIEW_CHUNK);
}

/* The location of a call, index, and which of its calls that is. */
uint32_t mwa_view_location_of(const struct mwa_view_store *store, uint32_t call, uint64_t *n);

/* How many calls of a location were entered at time or before. */
uint64_t mwa_view_entered(const struct mwa_view_store *store,
                          const struct mwa_view_location *location, uint64_t time);

/* The outermost call of MPI that a location is in between from and to; MWA_NONE: none. */
uint32_t mwa_view_mpi_at(const struct mwa_view_store *store,
                         const struct mwa_view_location *location, uint64_t from);

static inline struct mwa_view_message *mwa_view_message_at(const struct mwa_view_store *store,
                                                           uint32_t message)
{
    return mwa_view_array_at(&store->messages, message);
}

/* What a call has to do with a message. */
#define MWA_VIEW_ROLE_BITS 3u

static inline uint32_t mwa_view_end(uint32_t message, unsigned role)
{
    return message << MWA_VIEW_ROLE_BITS | role;
}

static inline uint32_t mwa_view_end_message(uint32_t end)
{
    return end >> MWA_VIEW_ROLE_BITS;
}

static inline unsigned mwa_view_end_role(uint32_t end)
{
    return end & ((1u << MWA_VIEW_ROLE_BITS) - 1);
}

static inline struct mwa_view_wait *mwa_view_wait_at(const struct mwa_view_store *store,
                                                     uint32_t wait)
{
    return mwa_view_array_at(&store->waits, wait);
}

static inline struct mwa_view_member *mwa_view_member_at(const struct mwa_view_store *store,
                                                         uint32_t member)
{
    return mwa_view_array_at(&store->members, member);
}

/* The number of times that a call stands for, and its ticks inside these. */
struct mwa_view_polls mwa_view_polls_of(const struct mwa_view_store *store,
                                        const struct mwa_view_call *call);

#endif
