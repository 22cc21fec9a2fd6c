#ifndef MWA_ANALYSIS_DELAY_DELAY_MEETINGS_STATE_H
#define MWA_ANALYSIS_DELAY_DELAY_MEETINGS_STATE_H

#include "analyzer/analysis/delay/delay_meetings.h"
#include "analyzer/model/map.h"

/*
 * The state of meetings, and what its parts do for each other: delay_meetings.c remembers them,
 * delay_meetings_chapters.c hands them over from chapter to chapter.
 */

struct pair;

/* A pair's place among those of one of its ranks. */
struct link {
    bool is_in; /* else it is forgotten by this rank */
    struct pair *newer;
    struct pair *older;
};

/* Two ranks that met as such; of each array the first is the lower rank's. */
struct pair {
    struct mwa_key key; /* the lower rank << 32 | the higher */
    uint64_t time;
    bool is_at_leave; /* the first of both left then; else their marks tell */
    struct mwa_standing *standings[2];
    struct link links[2];
};

/* The pairs of a rank. */
struct pairs {
    struct pair *oldest;
    struct pair *newest;
    uint32_t count;
};

/* Of each rank's parts this is that in the last meeting of all, the others are those of groups. */
#define OF_ALL 0u
#define PARTS  (1 + MWA_DELAY_GROUPS)

/* A rank's part in a group's meeting. */
struct part {
    struct mwa_gathering in;
    struct mwa_standing *standing; /* null: it is none */
};

struct mwa_meetings {
    uint64_t ranks;
    struct mwa_map known; /* to struct pair */
    struct pairs *pairs;  /* per rank */
    struct part *parts;   /* per rank PARTS */
    uint64_t *grouped;    /* per rank: it has met in no group from then on */
    struct mwa_gathering open; /* the group that is meeting */
    bool have_forgotten;
};

static inline uint32_t mwa_pair_rank(const struct pair *pair, unsigned side)
{
    return (uint32_t)(side == 0 ? pair->key.low >> 32 : pair->key.low);
}

static inline struct part *mwa_meetings_parts(const struct mwa_meetings *meetings, uint32_t rank)
{
    return &meetings->parts[(uint64_t)rank * PARTS];
}

/* --- delay_meetings.c ------------------------------------------------------------------------- */

/* The pair of key, made if need be; null without memory. */
struct pair *mwa_meetings_find_pair(struct mwa_meetings *meetings, struct mwa_key key);

/* Makes it the last of the rank on a side, which then forgets the first of those that are too
 * many. */
void mwa_meetings_put_last(struct mwa_meetings *meetings, struct pair *pair, unsigned side);

/* The part that is given up for one in a meeting on comm: the one there, none, or the first. */
struct part *mwa_meetings_part_for(struct part *parts, uint32_t comm);

#endif
