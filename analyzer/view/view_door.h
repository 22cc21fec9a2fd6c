#ifndef MWA_VIEW_VIEW_DOOR_H
#define MWA_VIEW_VIEW_DOOR_H

#include <limits.h>
#include <stdbool.h>

#include "analyzer/view/view_scratch.h"
#include "formats/base/status.h"

/*
 * How a browser gets at the view: a file that only the user can read leads it there. An address
 * with a secret in an argument would be in the list of processes that all users see.
 */
struct mwa_view_door {
    char path[4096 + 64];            /* of the file; "" when there is none */
    struct mwa_view_scratch scratch; /* the directory that was made for it, if there was none */
};

/*
 * Writes a file of mode 0600 that leads to url, into $XDG_RUNTIME_DIR if that is the user's own
 * and nobody else's, else into a new directory of mode 0700 in $TMPDIR or /tmp.
 *
 * \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_SPACE, MW_ERROR_USAGE: there is no file. To be removed
 * with mwa_view_door_close in any case.
 */
enum mw_status mwa_view_door_open(struct mwa_view_door *door, const char *url,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Removes the file. One of zeros is fine. */
void mwa_view_door_close(struct mwa_view_door *door);

/* Whether the user sits somewhere else and looks through ssh. */
bool mwa_view_is_remote(void);

/*
 * Starts the user's browser with the file ($BROWSER, else xdg-open); its output goes nowhere.
 * False: there is none, or no screen.
 */
bool mwa_view_door_show(const struct mwa_view_door *door);

#endif
