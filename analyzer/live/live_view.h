#ifndef MWA_LIVE_LIVE_VIEW_H
#define MWA_LIVE_LIVE_VIEW_H

#include "analyzer/live/live_watch.h"

/* Shows the run on the terminal, beginning with that screen's view, until the user has seen enough,
 * looking each so many seconds; where several run, and none was chosen, first a list of them.
 * \return MW_OK; else as mwa_live_look, and MW_ERROR_SYSTEM: this is no terminal. */
enum mw_status mwa_live_view(struct mwa_live_watch *watch, const struct mwa_live_screen *screen,
                             uint32_t seconds, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
