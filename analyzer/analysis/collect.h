#ifndef MWA_ANALYSIS_COLLECT_H
#define MWA_ANALYSIS_COLLECT_H

#include "analyzer/analysis/results.h"
#include "analyzer/load/input.h"
#include "formats/base/status.h"

/*
 * Runs one pass over input with the analyses that needs (enum mwa_need) asks for, of what is in
 * scope (null: everything); none at all where that is nothing: events are then those of the
 * definitions. Fills results, which refers to input, path and the scope's comms
 * and is to be freed with mwa_results_fini before them, also after a failure.
 *
 * \return MW_OK; as mwa_pass_run.
 */
enum mw_status mwa_collect(struct mwa_input *input, const char *path, uint64_t needs,
                           const struct mwa_scope *scope, struct mwa_results *results,
                           struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_results_fini(struct mwa_results *results);

/*
 * Whether several processes may find out together what needs asks for (struct mwa_scope's team):
 * analyses of events; exchanges and matching in chapters of the run, if the first one's scope says
 * where these are; else analyses of events beside them, which are the first one's. Only that has
 * results then.
 */
bool mwa_may_be_shared(uint64_t needs);

/*
 * Whether several threads may follow the exchanges that needs asks for, or match messages, in
 * chapters of the run, if the scope's known says where these are.
 */
bool mwa_may_be_in_chapters(uint64_t needs);

#endif
