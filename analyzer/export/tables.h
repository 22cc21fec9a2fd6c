#ifndef MWA_EXPORT_TABLES_H
#define MWA_EXPORT_TABLES_H

#include "analyzer/render/results.h"
#include "formats/status.h"

/*
 * All tables of the report as comma-separated values, a file each, in directory, which is made
 * if it isn't there: calls.csv, comms.csv, counters.csv, imbalance.csv, messages.csv,
 * ranks.csv, sizes.csv, timeline.csv, waits.csv, watermarks.csv. Files of these names are
 * replaced, each when it is whole.
 *
 * \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_SPACE; MW_ERROR_MEMORY.
 */
enum mw_status mwa_export_tables(const struct mwa_results *results, const char *directory,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
