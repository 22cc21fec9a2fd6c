#ifndef MWA_LIVE_LIVE_PAGE_H
#define MWA_LIVE_LIVE_PAGE_H

#include "analyzer/live/live_watch.h"

/* Writes ranks, and the screen's view where that is another one, into the file path as a page that
 * needs nothing else and loads itself again each so many seconds while the run goes on: whole, or
 * not at all. \return as mwa_output_open and mwa_output_close; MW_ERROR_MEMORY. */
enum mw_status mwa_live_page(struct mwa_live_watch *watch, const struct mwa_live_screen *screen,
                             uint32_t seconds, const char *path,
                             struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
