#ifndef MWA_CLI_TRACKS_H
#define MWA_CLI_TRACKS_H

#include <stdio.h>

#include "analyzer/analysis/counters.h"
#include "analyzer/analysis/levels.h"
#include "analyzer/analysis/tracks.h"
#include "analyzer/cli/command.h"
#include "formats/status.h"

/*
 * What the commands counters and watermarks have in common: the pass, and printing. With
 * levels, which path says where the archive can be opened again for, these and *matching are
 * filled, too.
 *
 * \return MW_OK; as mwa_pass_run. mwa_tracks_fini and mwa_counters_fini, with levels
 * mwa_matching_result_fini, are due in any case.
 */
enum mw_status mwa_collect_tracks(struct mwa_input *input, const char *path,
                                  struct mwa_levels *levels,
                                  struct mwa_matching_result *matching,
                                  struct mwa_tracks *tracks, struct mwa_counters *counters,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Prints object and frees it. \return MW_OK; MW_ERROR_MEMORY. */
enum mw_status mwa_print_json(json_t *object, FILE *out,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
