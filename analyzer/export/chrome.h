#ifndef MWA_EXPORT_CHROME_H
#define MWA_EXPORT_CHROME_H

#include <stdio.h>

#include "analyzer/export/export_selection.h"
#include "formats/base/status.h"

/*
 * A trace as JSON trace events ("Trace Event Format"), which chrome://tracing and many other
 * programs read: duration events for regions, counter events for variables, flow events for
 * messages; processes are ranks, threads locations. Times are µs since the run's beginning
 * with three digits behind the point, which is ns. Streaming, as mwa_export_perfetto, whose
 * files are much smaller.
 *
 * \return as mwa_export_perfetto.
 */
enum mw_status mwa_export_chrome(const struct mwa_trace *trace, const char *path,
                                 const struct mwa_selection *selection, FILE *out,
                                 struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
