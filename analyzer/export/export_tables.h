#ifndef MWA_EXPORT_EXPORT_TABLES_H
#define MWA_EXPORT_EXPORT_TABLES_H

#include "analyzer/analysis/results.h"
#include "analyzer/table/table.h"
#include "formats/base/status.h"

/*
 * All tables of analyzer/table/tables.c as comma-separated values, a file each, in directory,
 * which is made if it isn't there. Files of their names are replaced as by
 * analyzer/export/output.h.
 *
 * \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_SPACE; MW_ERROR_MEMORY; MW_ERROR_USAGE.
 */
enum mw_status mwa_export_tables(const struct mwa_results *results, const char *directory,
                                 bool force, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* One of them, of root, to name.csv. Likewise; directory is there. */
enum mw_status mwa_export_table(const char *name, const struct mwa_table *table,
                                const struct mwa_cell *root, const char *directory, bool force,
                                struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Whether they, and the tables of records, may be written: as mwa_output_check, for the directory
 * and all of them. */
enum mw_status mwa_export_tables_check(const char *directory, bool force,
                                       struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
