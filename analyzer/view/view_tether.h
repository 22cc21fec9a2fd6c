#ifndef MWA_VIEW_VIEW_TETHER_H
#define MWA_VIEW_VIEW_TETHER_H

#include <sys/types.h>

#include "formats/base/status.h"

/*
 * What ends a child when this program ends, however it does: by kill -9 as well, of which nobody
 * is told. Not thread-safe: each has one owner.
 */
struct mwa_view_tether {
    int held;  /* closed when this program ends; -1: none */
    int given; /* the child's end: it has to inherit it, under any number; -1: none */
};

/* Makes both ends, which exec closes. \return MW_OK; MW_ERROR_SYSTEM: there is none. */
enum mw_status mwa_view_tether_make(struct mwa_view_tether *tether,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* From now on the end of this program kills the child (SIGKILL). given is closed here. */
void mwa_view_tether_tie(struct mwa_view_tether *tether, pid_t child);

/* Lets go. A child that was tied and still runs is killed. One that is let go of is fine. */
void mwa_view_tether_cut(struct mwa_view_tether *tether);

#endif
