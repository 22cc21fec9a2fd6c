#ifndef MWA_EXPORT_CUT_H
#define MWA_EXPORT_CUT_H

#include "analyzer/export/export_selection.h"
#include "analyzer/export/output_kind.h"
#include "formats/base/status.h"

/*
 * A smaller archive: a part of another one, as OTF2 that any of its readers takes. It is written
 * as the recorder writes archives (formats/ARCHIVE.md): one ZIP file if output ends in
 * ".zip", else a directory. Definitions are copied, events of the selected ranks in the window.
 *
 * Times are those of the old archive on rank 0's clock (offsets of clocks are applied), moved if
 * trace has logical clocks, its globalOffset is the window's beginning. At that, what is open is
 * begun: regions, collectives, receives that are posted, non-blocking collectives; messages that
 * are on their way are sent then, outside of all calls, so that the n-th receive still gets the
 * n-th message. At the window's end, regions are left, and a collective that goes on ends with its
 * bytes. MeasurementOnOff at both ends tells that recording went no further. mpiwatch.json says
 * so, too (key cut). Records that only make sense in pairs and are not named here (as I/O
 * operations) are copied as they come.
 *
 * path is where the archive of trace can be opened. What is at output is replaced as by
 * analyzer/export/output.h. Memory: that of
 * reading, a chunk of OTF2's per file, and what is on its way.
 *
 * \return MW_OK; as mwa_input_open, mwa_pass_run; MW_ERROR_OTF2 when libotf2 can't write;
 * MW_ERROR_SYSTEM, MW_ERROR_SPACE; MW_ERROR_USAGE. Nothing is left behind but with MW_OK.
 */
enum mw_status mwa_export_otf2(const struct mwa_trace *trace, const char *path,
                               const struct mwa_selection *selection, const char *output,
                               bool force,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* One ZIP file, or a directory: by the name of the output. */
enum mwa_output_kind mwa_export_kind(const char *output);

#endif
