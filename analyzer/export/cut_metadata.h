#ifndef MWA_EXPORT_CUT_METADATA_H
#define MWA_EXPORT_CUT_METADATA_H

#include <jansson.h>

#include "analyzer/export/export_selection.h"

/*
 * Makes root, the mpiwatch.json of the archive of trace, that of the part of it: it says which
 * part that is, has these numbers of events (by location index), and the times of communicators
 * that events outside of it tell, for which those of the archive at path are read once more.
 *
 * \return as mwa_input_open and mwa_pass_run.
 */
enum mw_status mwa_cut_metadata(const char *path, const struct mwa_trace *trace,
                                const struct mwa_selection *selection, const uint64_t *events,
                                json_t *root, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
