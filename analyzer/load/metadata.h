#ifndef MWA_LOAD_METADATA_H
#define MWA_LOAD_METADATA_H

#include "analyzer/load/files.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * Reads mpiwatch.json (formats/ARCHIVE.md), what OTF2 has no place for, into trace, whose
 * definitions must have been read. Fields that are missing or of another type are left
 * alone, but for those of samples (sampled_spots.h), and an archive without the file is fine: it is
 * another tool's.
 *
 * \return MW_OK, MW_ERROR_MEMORY, MW_ERROR_SYSTEM, MW_ERROR_FORMAT, as mwa_metadata_json;
 * MW_ERROR_VERSION when its schema is another version's.
 */
enum mw_status mwa_metadata_read(struct mwa_files *files, struct mwa_trace *trace,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
