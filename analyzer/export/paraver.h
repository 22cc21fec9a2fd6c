#ifndef MWA_EXPORT_PARAVER_H
#define MWA_EXPORT_PARAVER_H

#include "analyzer/export/export_selection.h"
#include "formats/base/status.h"

/*
 * A trace for Paraver, in its three files of text ("Paraver: Parallel Program Visualization and
 * Analysis tool, Tracefile Description"): path, which ends in .prv, and .pcf and .row beside it. A
 * task for each rank, a thread for each of its locations (locations of no rank are left out); calls
 * of MPI and regions of the program as events of two types, states of running and of MPI, and
 * communications. Times are mwa_viewer_ns. Files are replaced as by analyzer/export/output.h.
 * archive is where the archive of trace can be opened. Memory: that of mwa_walk.
 *
 * \return MW_OK; as mwa_walk; as mwa_output_open.
 */
enum mw_status mwa_export_paraver(const struct mwa_trace *trace, const char *archive,
                                  const struct mwa_selection *selection, const char *path,
                                  bool force, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/*
 * Whether the three may be written, as mwa_output_check; MW_ERROR_USAGE also when path does not end
 * in .prv.
 */
enum mw_status mwa_export_paraver_check(const char *path, bool force,
                                        struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
