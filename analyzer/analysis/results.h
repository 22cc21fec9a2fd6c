#ifndef MWA_ANALYSIS_RESULTS_H
#define MWA_ANALYSIS_RESULTS_H

#include "analyzer/analysis/comms/comm_findings.h"
#include "analyzer/analysis/comms/comm_history.h"
#include "analyzer/analysis/counters/counters.h"
#include "analyzer/analysis/counters/levels.h"
#include "analyzer/analysis/counters/peaks.h"
#include "analyzer/analysis/counters/tracks.h"
#include "analyzer/analysis/counters/watermarks.h"
#include "analyzer/analysis/efficiency/critical_path.h"
#include "analyzer/analysis/efficiency/ideal_replay.h"
#include "analyzer/analysis/efficiency/imbalance.h"
#include "analyzer/analysis/efficiency/pop.h"
#include "analyzer/analysis/messages/host_pairs.h"
#include "analyzer/analysis/messages/queueing.h"
#include "analyzer/analysis/messages/traffic.h"
#include "analyzer/analysis/messages/wildcards.h"
#include "analyzer/analysis/pass.h"
#include "analyzer/analysis/time/markers.h"
#include "analyzer/analysis/time/profile.h"
#include "analyzer/analysis/time/regions.h"
#include "analyzer/analysis/time/timeline.h"
#include "analyzer/analysis/waits/waits.h"
#include "analyzer/exchange/exchange.h"
#include "analyzer/exchange/matching.h"
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
