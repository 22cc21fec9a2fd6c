#ifndef MWA_LOAD_DEBUG_LINES_H
#define MWA_LOAD_DEBUG_LINES_H

#include "analyzer/load/files.h"
#include "analyzer/model/trace.h"
#include "formats/base/status.h"

/*
 * Looks up the lines of places, and of their callers, of which the archive says an address in a
 * program or library only: in files of the directory that have its build-id, or the file itself.
 * mpiwatch-resolve does it, as at the end of a run, and with the same limits; what it does not find
 * stays as it is.
 *
 * \return MW_OK. MW_ERROR_USAGE: there is no such directory, or no mpiwatch-resolve.
 * MW_ERROR_MEMORY, MW_ERROR_SYSTEM, MW_ERROR_SPACE; as mwa_metadata_json.
 */
enum mw_status mwa_debug_lines_find(struct mwa_files *files, const char *directory,
                                    struct mwa_trace *trace,
                                    struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
