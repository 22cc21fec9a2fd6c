#ifndef MWA_EXPORT_PERFETTO_H
#define MWA_EXPORT_PERFETTO_H

#include <stdio.h>

#include "analyzer/export/export_selection.h"
#include "formats/base/status.h"

/*
 * A trace for Perfetto (ui.perfetto.dev), in its own format of track events: a process for each
 * rank, a thread for each location, a slice for each region, a counter for each variable,
 * rank and communicator, and for each message a flow from the slice of the call that sends to that
 * of the call that receives it. Calls have communicator, peer, tag, root and bytes for arguments;
 * waits are slices on a track below their location's. Times are mwa_viewer_ns.
 *
 * path is where the archive of trace can be opened. Memory is that of mwa_walk.
 * Errors of out are returned as well.
 *
 * \return MW_OK; as mwa_walk; MW_ERROR_SYSTEM or MW_ERROR_SPACE when out can't be written.
 */
enum mw_status mwa_export_perfetto(const struct mwa_trace *trace, const char *path,
                                   const struct mwa_selection *selection, FILE *out,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
