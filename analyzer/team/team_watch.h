#ifndef MWA_TEAM_TEAM_WATCH_H
#define MWA_TEAM_TEAM_WATCH_H

#include "analyzer/team/team.h"

/*
 * Whether the others of a team go on, as far as they are on the same host: MPI waits for one that
 * is stopped, or whose disk does not answer, and says nothing. A thread looks each second at what
 * they have used of the processor; those that wait for somebody look for him now and then.
 */

/* A process that has used nothing for so many seconds in which the one that looks has run. */
struct mwa_stuck {
    uint32_t process;
    uint64_t pid;
    uint32_t seconds;
    bool is_stopped; /* by a signal, or by a debugger */
    bool is_over;    /* it was waited for long enough */
};

/* When it is told, in such seconds, and when again. Tests have others (test/system/any_order.c). */
struct mwa_patience {
    uint32_t first, last;
};
struct mwa_patience mwa_team_patience(void);

struct mwa_team_watch;

/*
 * Begins to look; tell is called by that thread, in the lowest process of each host that is not
 * stuck itself. Collective. *watch is to be ended before the team, by all; null: there is nobody to
 * look at, or no memory to, which is not said.
 *
 * \return MW_OK, MW_ERROR_MPI.
 */
enum mw_status mwa_team_watch_begin(const struct mwa_team *team,
                                    void (*tell)(const struct mwa_stuck *stuck),
                                    struct mwa_team_watch **watch,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Looks until all have called it. Null is fine, and collective as well. */
void mwa_team_watch_end(const struct mwa_team *team, struct mwa_team_watch *watch);

#endif
