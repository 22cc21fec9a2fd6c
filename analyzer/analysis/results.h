#ifndef MWA_ANALYSIS_RESULTS_H
#define MWA_ANALYSIS_RESULTS_H

#include "analyzer/analysis/analyses.def"
#include "analyzer/analysis/pass.h"
#include "analyzer/exchange/exchange.h"
#include "analyzer/exchange/matching.h"
#include "analyzer/model/trace.h"

/*
 * What a pass is to compute: rows of analyzer/analysis/analyses.def, and sets of them. A set names
 * what it wants; what that requires is added.
 */
enum {
#define ANALYSIS(name, ...) MWA_ANALYSIS_##name,
#include "analyzer/analysis/analyses.def"
    MWA_ANALYSES
};

#define MWA_NEED_BIT(index) (UINT64_C(1) << (index))

enum mwa_need {
#define ANALYSIS(name, ...) MWA_NEED_##name = MWA_NEED_BIT(MWA_ANALYSIS_##name),
#include "analyzer/analysis/analyses.def"

    /* In more detail. */
    MWA_NEED_DELAYS = MWA_NEED_BIT(MWA_ANALYSES) | MWA_NEED_WAITS, /* what caused the waits */
    MWA_NEED_COURSES = MWA_NEED_BIT(MWA_ANALYSES + 1) | MWA_NEED_WATERMARKS, /* of levels */

    MWA_NEED_REPORT = MWA_NEED_PROFILE | MWA_NEED_RANK_GROUPS | MWA_NEED_CORES |
                      MWA_NEED_MATCHING | MWA_NEED_TRAFFIC | MWA_NEED_HOST_PAIRS |
                      MWA_NEED_WILDCARDS | MWA_NEED_COMM_FINDINGS | MWA_NEED_REGIONS |
                      MWA_NEED_IMBALANCE | MWA_NEED_LOCATION_IMBALANCE | MWA_NEED_WAITS |
                      MWA_NEED_POP | MWA_NEED_CRITICAL_PATH | MWA_NEED_QUEUEING | MWA_NEED_PEAKS |
                      MWA_NEED_MARKERS | MWA_NEED_SITES | MWA_NEED_CAUSES | MWA_NEED_DELAYS |
                      MWA_NEED_HANG,
    MWA_NEED_REPORT_JSON = MWA_NEED_REPORT | MWA_NEED_WATERMARKS | MWA_NEED_FUNCTIONS,
    MWA_NEED_TABLES = 0
#define TABLE(name, needs) | (needs)
#include "analyzer/analysis/analyses.def"
    ,
    MWA_NEED_PAGE = MWA_NEED_REPORT_JSON
#define SECTION(name, needs, ...) | (needs)
#include "analyzer/analysis/analyses.def"
};

/*
 * Everything that is known of one archive after the pass, for the renderers: a member for each
 * row, all zeros if it was not asked for.
 */
struct mwa_results {
    const struct mwa_trace *trace;
    const char *path;
    uint32_t rank;              /* --rank: whose rows lists of variables have; MWA_NONE: all */
    bool goes_on;               /* --now: the run does, at the moment when it is looked at */
    const bool *selected_comms; /* a flag for each communicator, not owned; null: all */
    uint64_t has;               /* MWA_NEED_… of all analyses that were made */
    struct mwa_pass_result pass;
    uint32_t chapters; /* that messages were followed in; 1: as a whole; 0: they were not */
    bool chapters_differ; /* as a whole, since chapters could not be put together */
#define ANALYSIS(name, member, type, ...) type member;
#include "analyzer/analysis/analyses.def"
};

static inline bool mwa_has(const struct mwa_results *results, uint64_t needs)
{
    return (results->has & needs) == needs;
}

#endif
