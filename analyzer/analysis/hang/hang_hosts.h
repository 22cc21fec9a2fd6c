#ifndef MWA_ANALYSIS_HANG_HANG_HOSTS_H
#define MWA_ANALYSIS_HANG_HANG_HOSTS_H

#include <stdio.h>

#include "analyzer/model/trace.h"

/* Ends a sentence about those of the first count ranks that which has: on which hosts are some that
 * there is no record of, where that is known. Any thread. */
void mwa_hang_put_hosts(const struct mwa_trace *trace, const bool *which, uint64_t count,
                        FILE *out);

#endif
