#ifndef MWA_TABLE_TABLES_H
#define MWA_TABLE_TABLES_H

#include "analyzer/table/table.h"

/* Rows of analyzer/analysis/analyses.def: what commands say as JSON, objects of results, */
#define COMMAND(name, ...) extern const struct mwa_table mwa_##name##_document;
#include "analyzer/analysis/analyses.def"
extern const struct mwa_table mwa_call_sites_document;
extern const struct mwa_table mwa_comm_timeline_document;
extern const struct mwa_table mwa_record_sizes_document;
extern const struct mwa_table mwa_series_document;
extern const struct mwa_table mwa_site_stacks_document;

/* an event in a line of text (the row is one): its beginning, and what follows as KEY=VALUE, */
extern const struct mwa_table mwa_event_head;
extern const struct mwa_table mwa_event_said;

/* and lists of results. */
#define TABLE(name, ...) extern const struct mwa_table mwa_##name##_table;
#include "analyzer/analysis/analyses.def"
extern const struct mwa_table mwa_location_rows_table; /* with a list for each state */
extern const struct mwa_table mwa_ranks_system_table; /* of ranks: what the system says, */
extern const struct mwa_table mwa_ranks_off_core_table; /* when they were off their cores, */
extern const struct mwa_table mwa_ranks_written_table;  /* what they wrote to files, */
extern const struct mwa_table mwa_ranks_read_table;     /* and read, */
extern const struct mwa_table mwa_ranks_kernel_table;   /* and what they did in the kernel */
extern const struct mwa_table mwa_pop_regions_table; /* without the run */
extern const struct mwa_table mwa_compare_table;     /* of several archives: the runs, */
extern const struct mwa_table mwa_compare_sentences; /* a sentence for each but the first, */
extern const struct mwa_table mwa_compare_differences; /* and what it is another run in */
extern const struct mwa_table mwa_jobs_table;  /* of archives that are read as one: the jobs, */
extern const struct mwa_table mwa_joint_table; /* and what they have in common, an object */
extern const struct mwa_table mwa_record_sizes_table; /* of files, which is no list of a run's */

/* The lists by name, as files of export --csv; ends with null. */
extern const struct mwa_named_table {
    const char *name;
    const struct mwa_table *rows;
} mwa_tables[];

/* Why a value is not known, of columns in several tables. */
#define MWA_NOT_SAID "the archive does not say"
#define MWA_NO_PLACE "the archive does not say, or it is no region of the program"
#define MWA_NO_RUN   "no useful time, or no run, to divide by"
#define MWA_NO_CORE  "the archive does not say when ranks were on a core"
#define MWA_NO_IDEAL "the run on an ideal network is not known (ideal_unknown says why), or no time"

/* Of lists of times: ns, in 64 bits. */
extern const struct mwa_column mwa_ns_column[1];

/* A communicator's identity (an index; see comm_label.h); nothing for MWA_NONE. */
struct mwa_value mwa_comm_uid(const struct mwa_cell *cell, uint32_t comm);

/* Where a call is made (mwa_place) of a site, an index or MWA_NONE; nothing if it is not known. */
struct mwa_value mwa_place_value(const struct mwa_cell *cell, uint32_t site);

/* The call made there and where that is (mwa_call_at), likewise. */
struct mwa_value mwa_call_at_value(const struct mwa_cell *cell, uint32_t site);

/* The same of all calls at the site's place (mwa_main_place, mwa_main_call_at). */
struct mwa_value mwa_main_place_value(const struct mwa_cell *cell, uint32_t site);
struct mwa_value mwa_main_call_at_value(const struct mwa_cell *cell, uint32_t site);

/*
 * Defines a table, for a column without a key: the program's code that leads to a call in a
 * library, as an object of that key, where that is known. keys is mwa_called_from, of the one call
 * whose site (an index) is a member of the row, or mwa_mostly_called_from, of all calls at its
 * place.
 */
#define MWA_CALLED_FROM(name, key, keys, type, member, known)                                      \
    static const struct mwa_table name##_place = { .shape = MWA_ROW, MWA_COLUMNS(keys),            \
                                                   .rows_at = offsetof(type, member) };            \
    static const struct mwa_column name##_column[1] = { { key, .table = &name##_place } };         \
    static const struct mwa_table name = { .shape = MWA_ROW, MWA_COLUMNS(name##_column),           \
                                           .is_known = (known) };
extern const struct mwa_column mwa_called_from[4], mwa_mostly_called_from[5];
bool mwa_is_called_from(const struct mwa_cell *cell, uint32_t site); /* also MWA_NONE: false */
bool mwa_is_mostly_called_from(const struct mwa_cell *cell, uint32_t site);
bool mwa_is_all_called_from(const struct mwa_cell *cell, uint32_t site); /* by one alone */

/*
 * Where the program has a region (null: nothing): its file and line; for people, with its name:
 * "solve (solve.c:88)". Without a line that is the name alone: what stands for the file then is
 * the program as often.
 */
struct mwa_value mwa_region_file(const struct mwa_region *region);
struct mwa_value mwa_region_line(const struct mwa_region *region);
struct mwa_value mwa_region_label(const char *name, const struct mwa_region *region);

/* A location's label (mwa_location_label), of its index. */
struct mwa_value mwa_location_value(const struct mwa_cell *cell, uint32_t location);

/* A time: where a part of the run begins, and the one before ends. */
struct mwa_value mwa_edge(const struct mwa_cell *cell, uint64_t bin);

#endif
