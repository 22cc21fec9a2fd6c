#ifndef MWA_TABLE_TABLES_H
#define MWA_TABLE_TABLES_H

#include "analyzer/table/table.h"

/* What commands say as JSON: objects of results. */
extern const struct mwa_table mwa_info_document;
extern const struct mwa_table mwa_calls_document;
extern const struct mwa_table mwa_ranks_document;
extern const struct mwa_table mwa_messages_document;
extern const struct mwa_table mwa_imbalance_document;
extern const struct mwa_table mwa_pop_document;
extern const struct mwa_table mwa_critical_path_document;
extern const struct mwa_table mwa_waits_document;
extern const struct mwa_table mwa_comms_document;
extern const struct mwa_table mwa_counters_document;
extern const struct mwa_table mwa_watermarks_document;
extern const struct mwa_table mwa_timeline_document;
extern const struct mwa_table mwa_comm_timeline_document;
extern const struct mwa_table mwa_report_document;

/* A communicator's identity (an index; see comm_label.h); nothing for MWA_NONE. */
struct mwa_value mwa_comm_uid(const struct mwa_cell *cell, uint32_t comm);

/* A time since the trace's beginning: where a part of the run begins, and the one before ends. */
struct mwa_value mwa_edge(const struct mwa_cell *cell, uint64_t bin);

/* The tables of export --csv, by name; ends with null. */
extern const struct mwa_named_table {
    const char *name;
    const struct mwa_table *rows;
} mwa_tables[];

/* Of lists of times: ns, in 64 bits. */
extern const struct mwa_column mwa_ns_column[1];

/* Lists of results. */
extern const struct mwa_table mwa_calls_table;
extern const struct mwa_table mwa_ranks_table;
extern const struct mwa_table mwa_pairs_table;
extern const struct mwa_table mwa_sizes_table;
extern const struct mwa_table mwa_host_pairs_table;
extern const struct mwa_table mwa_wildcards_table; /* by rank */
extern const struct mwa_table mwa_imbalance_table;
extern const struct mwa_table mwa_pop_table; /* the run, then regions */
extern const struct mwa_table mwa_pop_regions_table;
extern const struct mwa_table mwa_path_table;
extern const struct mwa_table mwa_path_ranks_table;
extern const struct mwa_table mwa_patterns_table;
extern const struct mwa_table mwa_longest_waits_table;
extern const struct mwa_table mwa_delays_table;
extern const struct mwa_table mwa_waits_table; /* by pattern and rank */
extern const struct mwa_table mwa_comms_table;
extern const struct mwa_table mwa_comm_names_table;
extern const struct mwa_table mwa_registrations_table;
extern const struct mwa_table mwa_comm_findings_table;
extern const struct mwa_table mwa_counters_table;
extern const struct mwa_table mwa_series_table;
extern const struct mwa_table mwa_watermarks_table;
extern const struct mwa_table mwa_across_ranks_table;
extern const struct mwa_table mwa_markers_table;
extern const struct mwa_table mwa_timeline_table;      /* by rank and part of the run */
extern const struct mwa_table mwa_comm_timeline_table; /* by communicator and part of the run */

#endif
