#ifndef MWA_RENDER_RESULTS_H
#define MWA_RENDER_RESULTS_H

#include "analyzer/analysis/comm_findings.h"
#include "analyzer/analysis/comms.h"
#include "analyzer/analysis/counters.h"
#include "analyzer/analysis/critical_path.h"
#include "analyzer/analysis/host_pairs.h"
#include "analyzer/analysis/imbalance.h"
#include "analyzer/analysis/levels.h"
#include "analyzer/analysis/peaks.h"
#include "analyzer/analysis/markers.h"
#include "analyzer/analysis/pop.h"
#include "analyzer/analysis/profile.h"
#include "analyzer/analysis/queueing.h"
#include "analyzer/analysis/regions.h"
#include "analyzer/analysis/timeline.h"
#include "analyzer/analysis/tracks.h"
#include "analyzer/analysis/replay.h"
#include "analyzer/analysis/traffic.h"
#include "analyzer/analysis/waits.h"
#include "analyzer/load/exchange.h"
#include "analyzer/analysis/watermarks.h"
#include "analyzer/analysis/wildcards.h"
#include "analyzer/load/matching.h"
#include "analyzer/load/pass.h"
#include "analyzer/model/trace.h"

/*
 * Everything that is known of one archive after the pass, for the renderers. has_… tells
 * which analyses have run.
 */
struct mwa_results {
    const struct mwa_trace *trace;
    const char *path;
    uint32_t rank;              /* --rank: whose rows lists of variables have; MWA_NONE: all */
    const bool *selected_comms; /* a flag for each communicator, not owned; null: all */
    bool has_profile;
    struct mwa_profile profile;
    bool has_traffic;
    struct mwa_traffic traffic;
    struct mwa_host_pairs host_pairs; /* with traffic */
    bool has_wildcards;               /* with traffic */
    struct mwa_wildcards wildcards;
    bool has_comms;
    struct mwa_comms comms;
    struct mwa_comm_findings comm_findings; /* with comms; of selected_comms */
    bool has_regions;
    struct mwa_regions regions;
    bool has_markers;
    struct mwa_markers markers;
    bool has_imbalance;
    struct mwa_imbalance imbalance;
    bool has_timeline;
    struct mwa_timeline timeline;
    bool has_peaks;
    struct mwa_peaks peaks;
    bool has_tracks;
    struct mwa_tracks tracks;
    struct mwa_counters counters; /* with tracks */
    bool has_levels;
    struct mwa_level_marks levels;    /* of which the watermarks are made */
    struct mwa_watermarks watermarks; /* with levels */
    bool has_replay;
    struct mwa_replay_result replay;
    bool has_queueing;
    struct mwa_queueing queueing;
    bool has_pop; /* pop and critical_path */
    struct mwa_pop pop;
    struct mwa_critical_path critical_path;
    bool has_matching;
    struct mwa_matching_result matching;
    bool has_exchange;
    struct mwa_exchange_result exchange;
    bool has_waits;
    struct mwa_waits waits;
    struct mwa_pass_result pass;
};

#endif
