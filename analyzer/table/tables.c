/* All lists of results that have a file of their own in export --csv. */
#include "analyzer/table/tables.h"

const struct mwa_named_table mwa_tables[] = {
    { "across_ranks", &mwa_across_ranks_table },
    { "calls", &mwa_calls_table },
    { "comm_findings", &mwa_comm_findings_table },
    { "comm_names", &mwa_comm_names_table },
    { "comms", &mwa_comms_table },
    { "counters", &mwa_counters_table },
    { "critical_path", &mwa_path_table },
    { "critical_path_ranks", &mwa_path_ranks_table },
    { "delays", &mwa_delays_table },
    { "host_pairs", &mwa_host_pairs_table },
    { "imbalance", &mwa_imbalance_table },
    { "longest_waits", &mwa_longest_waits_table },
    { "markers", &mwa_markers_table },
    { "messages", &mwa_pairs_table },
    { "patterns", &mwa_patterns_table },
    { "pop", &mwa_pop_table },
    { "ranks", &mwa_ranks_table },
    { "registrations", &mwa_registrations_table },
    { "series", &mwa_series_table },
    { "sizes", &mwa_sizes_table },
    { "waits", &mwa_waits_table },
    { "watermarks", &mwa_watermarks_table },
    { "wildcards", &mwa_wildcards_table },
    { NULL, NULL },
};
