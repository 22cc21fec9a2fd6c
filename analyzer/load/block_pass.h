#ifndef MWA_LOAD_BLOCK_PASS_H
#define MWA_LOAD_BLOCK_PASS_H

#include "analyzer/load/input.h"
#include "analyzer/team/team.h"

/* The pass that finds out what analyzer/load/block_states.h tells. */

/* An archive of fewer events is read from its beginning within a second: nothing is kept of it. */
#define MWA_BLOCK_PASS_EVENTS 10000000u

/*
 * Reads all events of input, an archive that is no joint one, by as many threads as it may have,
 * and writes the sidecar. Memory: 56 bytes a block, 32 for each call that is open there, and 48 KiB
 * a location (of 100,000 2 KiB) for places that are quiet, 374 KiB more (33) if many requests are
 * open there. With a team (null: alone) all its processes call this: each reads a share of the
 * ranks, and the first one writes.
 *
 * \return MW_OK; else nothing is written: as mwa_event_reader_read, as mwa_sidecar_create. With a
 * team that is the first process's; MW_OK of others says nothing.
 */
enum mw_status mwa_block_pass(struct mwa_input *input, const struct mwa_team *team,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

#endif
