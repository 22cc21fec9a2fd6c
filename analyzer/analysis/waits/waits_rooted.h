#ifndef MWA_ANALYSIS_WAITS_WAITS_ROOTED_H
#define MWA_ANALYSIS_WAITS_WAITS_ROOTED_H

#include "analyzer/analysis/waits/waits_meeting.h"

/* Charges the waits in an operation with a root, or a scan. MW_OK, MW_ERROR_MEMORY. */
enum mw_status mwa_waits_at_rooted(const struct mwa_wait_meeting *meeting) MW_MUST_CHECK;

/* The same of what members waited for another one to come, where not all have for the last; also of
 * their own group, in an operation between two. */
enum mw_status mwa_waits_for_return(const struct mwa_wait_meeting *meeting) MW_MUST_CHECK;

#endif
