#ifndef MW_TEST_UNIT_ANALYZER_DELAY_RUN_H
#define MW_TEST_UNIT_ANALYZER_DELAY_RUN_H

#include "analyzer/analysis/delay/delay.h"

/*
 * A run that is made up at random, as a struct mwa_delay is told of it. It is a list of works: of
 * one rank that computes and enters and leaves regions, of two that exchange a message, of a group
 * that meets, and of all.
 */

#define DELAY_RANKS   80u /* at most */
#define DELAY_OPEN    3u  /* regions of a rank, at most */
#define DELAY_REGIONS 160u
#define DELAY_SITES   40u

enum delay_step_kind { STEP_WAYPOINT, STEP_BEGIN, STEP_END, STEP_WAIT, STEP_MEET };

/* What is told to an analysis. */
struct delay_step {
    enum delay_step_kind kind;
    uint32_t location;
    struct mwa_waypoint waypoint;
    struct mwa_exchange_call *call;
    struct mwa_delay_wait wait;
    struct mwa_collective *collective;
};

/* One of the program that is open. */
struct delay_region {
    uint32_t region;
    uint64_t enter;
};

/* What a rank is in. */
struct delay_place {
    struct delay_region open[DELAY_OPEN];
    uint32_t depth;
    uint64_t now;
};

/* A meeting of all, at which the run may be cut. */
struct delay_cut {
    uint64_t first; /* of its steps */
    uint64_t end;
    struct delay_place before[DELAY_RANKS];
    struct delay_place behind[DELAY_RANKS];
};

/* What a run is like. */
struct delay_shape {
    uint64_t seed;
    uint32_t ranks;
    uint32_t regions;
    uint32_t works;
    uint32_t comms;
    uint32_t between; /* so many works between meetings of all, about */
    uint64_t unit;    /* of all times */
};

struct delay_run {
    struct delay_shape shape;
    struct mwa_trace trace;
    struct mwa_region regions[DELAY_REGIONS];
    struct mwa_site sites[DELAY_SITES];
    struct mwa_location locations[DELAY_RANKS];
    struct delay_place places[DELAY_RANKS];
    uint64_t random;
    struct delay_step *steps;
    uint64_t step_capacity;
    uint64_t step_count;
    struct delay_cut *cuts;
    uint64_t cut_capacity;
    uint64_t cut_count;
    void **owned;
    uint64_t owned_capacity;
    uint64_t owned_count;
};

/* Makes one up, the same for the same shape. The test fails without memory. */
void delay_run_make(struct delay_run *run, struct delay_shape shape);
void delay_run_fini(struct delay_run *run);

#endif
