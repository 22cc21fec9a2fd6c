#ifndef MWA_PAGE_COMPARE_PAGE_H
#define MWA_PAGE_COMPARE_PAGE_H

#include "analyzer/report/compare.h"
#include "formats/base/status.h"

/*
 * Several runs side by side as one HTML page that needs nothing else, in the manner of
 * analyzer/page/page.h: what is longer and why, what differs, factors, speed-up by ranks, calls and
 * waits that changed most. The comparison must be sorted. Outcomes as of mwa_page_write_file.
 */
enum mw_status mwa_compare_page_write_file(const struct mwa_comparison *comparison,
                                           const char *path, bool force,
                                           struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
