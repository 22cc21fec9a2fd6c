#ifndef MWA_ANALYSIS_WAITS_CLOSEUPS_H
#define MWA_ANALYSIS_WAITS_CLOSEUPS_H

#include "analyzer/analysis/analysis.h"

/*
 * The calls, regions, messages and waits around the longest waits, of main threads: what a reader
 * wants to see when a table says that a rank waited long. A close-up goes from a wait's beginning
 * to its end, with a third of its length on either side; no two show waits at the same time. A
 * wait takes the place of another one only if it is a tenth longer, so that memory and time
 * stay bounded however waits grow.
 *
 * Calls before the wait are those of each rank that the round of the engine told in which it was
 * found, and MWA_CLOSEUP_PAST before these at least.
 */

#define MWA_CLOSEUPS      4u
#define MWA_CLOSEUP_PAST  64u
#define MWA_CLOSEUP_CALLS 20000u /* and messages and waits, kept of each; the rest is counted */

/* An outermost MPI call, or a region of the program. Times are ticks. */
struct mwa_seen_call {
    const struct mwa_region *region;
    uint64_t enter;
    uint64_t leave;
    uint64_t repeat; /* calls that it stands for */
    uint64_t bytes;  /* UINT64_MAX: it moves none */
    uint32_t rank;
    uint32_t site;   /* index, MWA_NONE */
    uint32_t comm;   /* index, MWA_NONE */
    uint32_t peer;   /* world rank, the last one it exchanged with; MWA_NONE */
};

struct mwa_seen_message {
    uint64_t sent;
    uint64_t received; /* the end of the call that completes it */
    uint64_t bytes;    /* UINT64_MAX: not known */
    uint32_t from;     /* world ranks */
    uint32_t to;
    uint32_t comm;     /* index */
    uint32_t tag;
};

struct mwa_seen_wait {
    uint64_t from;
    uint64_t to;
    const struct mwa_region *call;
    uint32_t rank;
};

struct mwa_closeup {
    uint64_t from;
    uint64_t to;
    struct mwa_seen_wait wait; /* that it is about */
    struct mwa_seen_call *calls;
    struct mwa_seen_message *messages;
    struct mwa_seen_wait *waits; /* of all ranks meanwhile, that one too */
    uint64_t call_count, call_capacity;
    uint64_t message_count, message_capacity;
    uint64_t wait_count, wait_capacity;
    uint64_t left_out; /* beyond MWA_CLOSEUP_CALLS */
};

struct mwa_closeups {
    struct mwa_closeup list[MWA_CLOSEUPS]; /* the longest wait first */
    uint32_t count;
};

/* Finishes into struct mwa_closeups. */
extern const struct mwa_exchange_analysis mwa_closeups_analysis;

void mwa_closeups_fini(struct mwa_closeups *closeups);

#endif
