#ifndef MWA_ANALYSIS_COMMS_COMM_LIVES_H
#define MWA_ANALYSIS_COMMS_COMM_LIVES_H

#include "analyzer/analysis/analysis.h"

/*
 * Events of communicators against each other, per rank: what a rank does with one outside of its
 * life. Predefined and foreign ones, those of which no rank tells a creation, and ranks with
 * losses, pauses or an incomplete record are only held to being created and freed once.
 */

enum mwa_life_trouble {
    MWA_CREATED_TWICE,
    MWA_FREED_TWICE,
    MWA_NEVER_CREATED, /* but used or freed */
    MWA_USED_EARLY,    /* before it is created */
    MWA_USED_LATE,     /* after it was freed */
    MWA_LIFE_TROUBLES
};

/* By the kind of trouble. Owns nothing. */
struct mwa_comm_lives {
    struct mwa_life_row {
        uint64_t count; /* of ranks and communicators that have it; 0: the rest says nothing */
        uint32_t rank;  /* the lowest, and of its communicators the first one, by index */
        uint32_t comm;
    } troubles[MWA_LIFE_TROUBLES];
};

extern const struct mwa_analysis mwa_comm_lives_analysis;

#endif
