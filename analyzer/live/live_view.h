#ifndef MWA_LIVE_LIVE_VIEW_H
#define MWA_LIVE_LIVE_VIEW_H

#include "analyzer/live/live.h"

/* Shows the run on the terminal until the user has seen enough, looking each so many seconds.
 * \return MW_OK; else as mwa_live_look, and MW_ERROR_SYSTEM: this is no terminal. */
enum mw_status mwa_live_view(struct mwa_live *live, uint32_t seconds,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
