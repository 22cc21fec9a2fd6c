#ifndef MWA_LIVE_LIVE_REASON_H
#define MWA_LIVE_LIVE_REASON_H

#include "analyzer/analysis/results.h"
#include "analyzer/live/live_watch.h"

/* Why the ranks of a run don't go on at this moment, as analyses of an archive tell it. */
struct mwa_live_reason {
    struct mwa_results results; /* trace, hang and its states */
    struct mwa_trace trace; /* the watch's, with these: */
    struct mwa_site *sites; /* of what is spoken of */
    struct mwa_stack_frame *frames;
    struct mwa_comm *comms; /* with the names that they go by … */
    char *names;            /* … which are here */
    struct mwa_rank *ranks; /* with what of them was lost */
};

/*
 * Reads what came since, looks up lines, and finds it. Of one thread; valid until the next look of
 * the watch. mwa_live_reason_fini is due in either case.
 *
 * \return as mwa_live_look.
 */
enum mw_status mwa_live_reason_find(struct mwa_live_watch *watch, struct mwa_live_reason *reason,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_live_reason_fini(struct mwa_live_reason *reason);

#endif
