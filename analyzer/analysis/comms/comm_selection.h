#ifndef MWA_ANALYSIS_COMMS_COMM_SELECTION_H
#define MWA_ANALYSIS_COMMS_COMM_SELECTION_H

#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/* Which communicators the user means. */
struct mwa_comm_query {
    const char *const *patterns; /* --comm: any of them fits a name or the uid */
    uint32_t pattern_count;      /* 0: whatever they are called */
    const char *name;            /* --name: fits a name; null: any */
    const char *uid;             /* --uid: fits the uid; null: any */
    uint32_t rank;               /* --rank: a member; MWA_NONE: any */
};

/*
 * A flag for each communicator of trace that fits all of query, to be freed; null when query
 * asks for nothing. Names are the present one, the default one and all that were given;
 * patterns are those of fnmatch(3), '*' and all.
 *
 * \return MW_OK and *selected. MW_ERROR_MEMORY. MW_ERROR_USAGE when none fits.
 */
enum mw_status mwa_comm_select(const struct mwa_trace *trace, const struct mwa_comm_query *query,
                               bool **selected, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
