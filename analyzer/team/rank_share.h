#ifndef MWA_TEAM_RANK_SHARE_H
#define MWA_TEAM_RANK_SHARE_H

#include <stdbool.h>

#include "analyzer/model/trace.h"

/*
 * Which locations of trace one of several processes reads: a flag for each, malloc'd, the caller's;
 * null: no memory. Each location is one process's, all of a rank the same one's, and those of no
 * rank together. Ranks stay in order, and shares have about as many events each, as the definitions
 * say: none has more than its part and those of one rank.
 */
bool *mwa_rank_share(const struct mwa_trace *trace, uint32_t process, uint32_t processes);

#endif
