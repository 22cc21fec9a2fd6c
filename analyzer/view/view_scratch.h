#ifndef MWA_VIEW_VIEW_SCRATCH_H
#define MWA_VIEW_VIEW_SCRATCH_H

#include "formats/base/scratch.h"
#include "formats/base/status.h"

/*
 * A directory for files that need names, of mode 0700. It is locked as long as the program runs
 * that made it: what a program has left that was killed is told by that, and removed by the next
 * one. Not thread-safe: each has one owner. One of zeros is none.
 */
struct mwa_view_scratch {
    struct mw_scratch directory;
    int lock;
};

/*
 * Makes a fresh one in parent, which is cleaned before. \return MW_OK; MW_ERROR_SYSTEM,
 * MW_ERROR_SPACE, MW_ERROR_USAGE: there is none.
 */
enum mw_status mwa_view_scratch_create(struct mwa_view_scratch *scratch, const char *parent,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Removes it with all that is in it. */
void mwa_view_scratch_remove(struct mwa_view_scratch *scratch);

/*
 * Removes those in parent whose programs have ended. Only the user's own, and only where nobody
 * else can rename what is the user's. What can't be removed stays.
 */
void mwa_view_scratch_clean(const char *parent);

/* Where temporary files go: $TMPDIR, else /var/tmp, which may be larger than /tmp. */
const char *mwa_view_temporary(void);

#endif
