#ifndef MWA_ANALYSIS_COUNTERS_LEVEL_STAGE_H
#define MWA_ANALYSIS_COUNTERS_LEVEL_STAGE_H

#include "analyzer/analysis/counters/level_marks.h"
#include "analyzer/model/pool.h"

/*
 * Changes of levels that an earlier one can still come before, as locations are read one after the
 * other. Not thread-safe.
 */

struct mwa_level_block;

/* Changes in order; blocks are the stage's. */
struct mwa_level_row {
    struct mwa_level_block *first; /* null: there is nothing */
    struct mwa_level_block *last;
    uint32_t begin; /* of what is in first */
    uint32_t end;   /* of what is in last */
};

/* A row, and what it is compared by. */
struct mwa_level_head {
    unsigned __int128 key; /* time and order of its first change */
    uint32_t row;
    uint32_t place; /* in the tournament */
};

struct mwa_level_list {
    struct mwa_level_change *list;
    uint64_t count, capacity;
};

/* Fields are private. */
struct mwa_level_stage {
    uint32_t row_count;
    uint32_t players;             /* rows that have something to be taken out */
    struct mwa_level_row *rows;   /* two of each location */
    struct mwa_level_head *heads; /* of these rows */
    struct mwa_level_head *lost;  /* who lost each match of the tournament of heads, from 1 on */
    struct mwa_pool blocks;
    struct mwa_level_list loose; /* what is in no row: in order */
    uint64_t loose_first;        /* of those in loose that were not taken out */
    struct mwa_level_list added; /* since loose was put in order */
    struct mwa_level_list spare; /* where these go when they are put in order */
    uint64_t count;              /* all changes in it */
    uint64_t most;               /* of these before some are taken out */
    uint64_t frontier;           /* all before it were taken out */
};

/* Makes an empty one of so many locations, which may be 0. False without memory; fini is due in any
 * case. */
bool mwa_level_stage_init(struct mwa_level_stage *stage, uint32_t locations) MW_MUST_CHECK;

/* The rows of a location, as far as its changes come in order: of its events, which have orders
 * between which there is none of another row; and of messages that it has received. */
static inline uint32_t mwa_level_row_of_events(uint32_t location)
{
    return 2 * location;
}

static inline uint32_t mwa_level_row_of_messages(uint32_t location)
{
    return 2 * location + 1;
}

/* Whether there are so many that some had better be taken out before more are added. */
static inline bool mwa_level_stage_is_full(const struct mwa_level_stage *stage)
{
    return stage->count >= stage->most;
}

/*
 * Adds change, which is one of the frontier if it comes too late, to a row, or with MWA_NONE to
 * none, which takes longer. MW_OK, MW_ERROR_MEMORY.
 */
enum mw_status mwa_level_stage_add(struct mwa_level_stage *stage, uint32_t row,
                                   const struct mwa_level_change *change) MW_MUST_CHECK;

/*
 * Nothing before frontier, ticks, is to come: hands all changes before it to marks, by time and
 * order, those that are the same in both, which are in no row, as they were added. MW_OK,
 * MW_ERROR_MEMORY, what visit of marks returned; unless it is MW_OK, nothing but fini may follow.
 */
enum mw_status mwa_level_stage_drain(struct mwa_level_stage *stage, uint64_t frontier,
                                     struct mwa_level_marks *marks) MW_MUST_CHECK;

void mwa_level_stage_fini(struct mwa_level_stage *stage);

#endif
