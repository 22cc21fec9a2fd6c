#ifndef MWA_VIEW_VIEW_FATE_H
#define MWA_VIEW_VIEW_FATE_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * What becomes of an archive while it is viewed: somebody removes it, or makes another one in its
 * place. Known are the file that was named and, of an archive in a directory, its definitions and
 * the directory of its events.
 */

#define MWA_VIEW_FATE_FILES 3u

struct mwa_view_fate {
    const char *path; /* stays the caller's */
    bool is_there[MWA_VIEW_FATE_FILES];
    struct stat found[MWA_VIEW_FATE_FILES];
};

/* Looks how it is now. */
void mwa_view_fate_init(struct mwa_view_fate *fate, const char *path);

/* \return a sentence for the user; null: it is as it was. Any thread. */
const char *mwa_view_fate_tell(const struct mwa_view_fate *fate);

#endif
