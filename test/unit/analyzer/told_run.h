#ifndef MW_TEST_UNIT_ANALYZER_TOLD_RUN_H
#define MW_TEST_UNIT_ANALYZER_TOLD_RUN_H

#include "test/unit/analyzer/archive_fixture.h"

/*
 * Runs that are made up: events that ranks would have recorded, of which analyses are told
 * (told_in_chapters.h).
 */

#define TOLD_RANKS    5u
#define TOLD_MEETINGS 12u

struct told_events {
    struct mwa_event *list;
    uint64_t count, capacity;
    uint64_t meetings[TOLD_MEETINGS]; /* positions: the calls of these are entered */
    uint64_t at;                      /* ticks, how far the rank is */
    uint32_t open;                    /* regions of the program */
};

struct told {
    struct fixture fixture;
    struct mwa_trace trace; /* the fixture's, but that MPI_Probe is a region of the program */
    struct mwa_region *regions;
    struct told_events ranks[TOLD_RANKS];
    uint32_t meetings; /* of all ranks, that can be cut at */
    uint64_t request;  /* the next one */
    uint64_t random;
};

/* An empty run of all ranks, which are in it up to the end of MPI_Init, and the end of it. */
void told_begin(struct told *told, uint64_t seed);
void told_end(struct told *told);
void told_fini(struct told *told);

/* A random number below so many. */
uint64_t told_some(struct told *told, uint64_t below);

/* Things that happen: rank computes; enters a region of the program, or leaves one, if one is open;
 * polls, for half of the time. */
void told_compute(struct told *told, uint32_t rank, uint64_t ticks);
void told_enter(struct told *told, uint32_t rank, bool is_other);
void told_leave(struct told *told, uint32_t rank);
void told_poll(struct told *told, uint32_t rank, uint64_t ticks);

/* A message, whose send is complete only when its receive is posted if is_synchronous; by calls
 * that block, or by requests, for which both compute for a while, and are complete only when both
 * ranks wait for them if it is_synchronous. */
void told_message(struct told *told, uint32_t from, uint32_t to, bool is_synchronous);
void told_requests(struct told *told, uint32_t from, uint32_t to, bool is_synchronous,
                   uint64_t ticks);

/* From a root to all, or the other way round. */
void told_rooted(struct told *told, uint32_t root, bool is_from_root);

/* All meet, and the last one leaves again at once, or later. */
void told_meet(struct told *told, bool is_barrier, bool at_once);

/* All sorts of these, by the seed. */
void told_make(struct told *told, uint64_t seed);

#endif
